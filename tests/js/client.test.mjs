/** The reference browser client against the vectors that the Python client made. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import {
  apply,
  ChartSizer,
  chartState,
  inMode,
  inVariant,
  makeRequest,
  Outbox,
  resized,
  stateFrom,
  without,
} from "../../adapters/maelstrom/adapters/playground/static/maelstrom.js";

const golden = JSON.parse(readFileSync(new URL("../golden/client.json", import.meta.url), "utf8"));
const { vessels } = golden;

const full = (state) => ({ ...state, vessels });
const short = ({ vessels: _, ...rest }) => rest;
const shortOrNull = (value) => value && short(value);

/** Freeze a value all the way down, so that a change of it throws. */
function frozen(value) {
  if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

golden.apply.forEach(({ state, request, response, expect }, index) => {
  test(`apply ${index}: the same state, effects and skips as in Python`, () => {
    const before = frozen(full(state));
    const applied = apply(before, frozen(full(request)), frozen(response));
    assert.deepEqual({ ...applied, state: short(applied.state) }, expect);
  });
});

golden.outbox.forEach(({ state, steps }, index) => {
  test(`outbox ${index}: the same requests as in Python`, () => {
    let outbox = new Outbox();
    for (const { do: step, reason, id, expect } of steps) {
      let request = null;
      if (step === "add") outbox = outbox.add(frozen(reason));
      if (step === "send") ({ outbox, request } = outbox.send(id, full(state), { timeZone: "Europe/Oslo", locale: "nb" }));
      if (step === "receive") ({ outbox, request } = outbox.receive(id));
      if (step === "fail") outbox = outbox.fail(id);
      if (!expect) continue;
      const inFlight = outbox.inFlight?.requestId ?? null;
      assert.deepEqual({ waiting: outbox.waiting, inFlight, request: shortOrNull(request) }, expect);
    }
  });
});

golden.sizer.forEach(({ cells, quiet, dimensions, measures }, index) => {
  test(`sizer ${index}: the same cells and reports as in Python`, () => {
    let sizer = new ChartSizer(...cells, { quiet, dimensions });
    for (const { width, height, at, expect } of measures) {
      const taken = sizer.measure(width, height, at);
      sizer = taken.sizer;
      const { pending, due } = sizer;
      assert.deepEqual({ dimensions: sizer.dimensions, pending, due, resize: taken.resize }, expect);
    }
  });
});

golden.stateFrom.forEach(({ turn, expect }, index) => {
  test(`stateFrom ${index}: the same chart as in Python`, () => {
    assert.deepEqual(short(stateFrom(frozen(turn), vessels)), expect);
  });
});

test("a frame of no size, or of an unknown one, still makes a chart", () => {
  for (const size of [0, -5, NaN, Infinity]) {
    const { sizer } = new ChartSizer(80, 60).measure(size, 60, 0);
    assert.deepEqual(sizer.dimensions, { columns: 1, rows: 1 });
  }
  assert.throws(() => new ChartSizer(0, 60), RangeError);
});

test("a switch of the mode starts empty, with everything parked", () => {
  const instances = [{ instanceId: "a", vesselId: "notes", variant: "list" }];
  const start = frozen(chartState({ dimensions: { columns: 12, rows: 8 }, vessels, instances }));
  const tiling = inMode(start, "tiling");
  assert.deepEqual(tiling.layout, { type: "tiling", root: null, nodes: [] });
  assert.deepEqual(tiling.instances, instances);
  assert.equal(inMode(start, "grid"), start);
  assert.deepEqual(resized(start, { columns: 3, rows: 3 }).dimensions, { columns: 3, rows: 3 });
  assert.deepEqual(without(start, "a").instances, []);
  assert.equal(inVariant(start, "a", "editor").instances[0].variant, "editor");
});

test("a request names place and language only where they are known", () => {
  const state = chartState({ dimensions: { columns: 1, rows: 1 } });
  const { context } = makeRequest(state, [{ type: "chart_resize" }]);
  assert.deepEqual(Object.keys(context), ["updateReasons", "chartDimensions", "layoutMode"]);
});
