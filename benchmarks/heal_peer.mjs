// Two layout engines of the browser, timed in their own process; started by heal.py.
//
// Speaks the lines of paired.py: a chart and its rectangles first, after which it says
// what it can run; then {run, repeats}, answered with the CPU seconds of one run. Each
// run works on fresh copies, made before the clock starts. CPU time is that of all
// threads, as in Python: run with --single-threaded, or the JIT's and the collector's
// are counted as well.
import { register } from "node:module";
import { createInterface } from "node:readline";
import { verticalCompactor } from "react-grid-layout/core";

// gridstack's modules name each other without an extension, as bundlers like it.
const hook = `export const resolve = (name, context, next) =>
  next(/^\\.\\/[\\w-]+$/.test(name) ? name + ".js" : name, context);`;
register("data:text/javascript," + encodeURIComponent(hook));
const { GridStackEngine } = await import("gridstack/dist/gridstack-engine.js");

const say = (value) => console.log(JSON.stringify(value));
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

let chart, copies;
const engines = {
  "react-grid-layout": {
    copy: (one, index) => ({ ...one, i: String(index), moved: false, static: false }),
    run: (items) => verticalCompactor.compact(items, chart.columns),
  },
  gridstack: {
    copy: (one, index) => ({ ...one, id: String(index) }),
    run: (items) => {
      const engine = new GridStackEngine({ column: chart.columns, maxRow: chart.rows });
      engine.batchUpdate();
      for (const item of items) engine.addNode(item);
      engine.batchUpdate(false);
      return engine.nodes;
    },
  },
};

say("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.rectangles) {
    chart = asked;
    say(Object.keys(engines));
    continue;
  }
  const engine = engines[asked.run];
  copies = Array.from({ length: asked.repeats }, () => chart.rectangles.map(engine.copy));
  globalThis.gc?.();
  const before = seconds();
  for (const items of copies) engine.run(items);
  say((seconds() - before) / asked.repeats);
}
