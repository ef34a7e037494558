/**
 * The chart on the page: one element an instance, placed in fractions of the frame.
 *
 * What is drawn never sets the frame's size, so that no layout can cause a measure. A
 * grid's piece stands where the engine put it, also beyond the edge: the frame clips it.
 */

import { element, lessMotion, refill } from "./dom.js";
import { placed, variantOf } from "./maelstrom.js";
import { VESSELS } from "./vessels.js";

const MOVE_MS = 260;

/** Where each shown instance stands: instanceId to {left, top, width, height}, in fractions. */
export function places(state) {
  return state.layout.type === "grid" ? gridPlaces(state) : tilingPlaces(state.layout);
}

function gridPlaces({ layout, dimensions: { columns, rows } }) {
  return new Map(
    layout.positions.map(({ instanceId, position, size }) => [
      instanceId,
      {
        left: position.column / columns,
        top: position.row / rows,
        width: size.width / columns,
        height: size.height / rows,
      },
    ]),
  );
}

function tilingPlaces({ root, nodes }) {
  const table = new Map(nodes.map((node) => [node.id, node]));
  const found = new Map();
  const stack = root == null ? [] : [[root, { left: 0, top: 0, width: 1, height: 1 }]];
  while (stack.length) {
    const [id, area] = stack.pop();
    const node = table.get(id);
    if (node.kind === "leaf") found.set(node.instanceId, area);
    else stack.push(...shares(node, table, area).reverse());
  }
  return found;
}

function shares(split, table, area) {
  const weights = split.children.map((id) => table.get(id).weight ?? 1);
  const most = Math.max(...weights); // scaled first: a sum of huge weights stays finite
  const scaled = weights.map((weight) => weight / most);
  const total = scaled.reduce((sum, weight) => sum + weight, 0);
  let from = 0;
  return split.children.map((id, index) => {
    const share = scaled[index] / total;
    const start = from;
    from += share;
    return split.direction === "row"
      ? [id, { ...area, left: area.left + start * area.width, width: share * area.width }]
      : [id, { ...area, top: area.top + start * area.height, height: share * area.height }];
  });
}

/** Draws states into a holder; `doings(instance, vessel)` gives a vessel its context. */
export class ChartView {
  #holder;
  #doings;
  #shown = new Map();

  constructor(holder, doings) {
    this.#holder = holder;
    this.#doings = doings;
  }

  draw(state) {
    const before = new Map([...this.#shown].map(([id, one]) => [id, box(one.panel)]));
    const where = places(state);
    for (const [id, { panel }] of this.#shown) {
      if (where.has(id)) continue;
      panel.remove();
      this.#shown.delete(id);
    }
    for (const id of placed(state.layout)) this.#place(state, id, where.get(id));
    this.#order(where);
    if (!lessMotion()) this.#move(before);
  }

  /** Draw anew what the vessels show, but for the one being typed in. */
  refresh(state) {
    for (const id of this.#shown.keys()) this.#fill(state, id);
  }

  #place(state, id, area) {
    if (!this.#shown.has(id)) {
      const title = element("h3");
      const tools = element("div", { class: "tools" });
      const body = element("div", { class: "body", tabindex: 0, role: "group" });
      const panel = element("section", { class: "vessel", "data-instance": id }, element("header", {}, title, tools), body);
      this.#holder.append(panel);
      this.#shown.set(id, { panel, title, tools, body });
    }
    const { style } = this.#shown.get(id).panel;
    for (const side of ["left", "top", "width", "height"]) style[side] = `${area[side] * 100}%`;
    this.#fill(state, id);
  }

  #fill(state, id) {
    const { panel, title, tools, body } = this.#shown.get(id);
    const instance = state.instances.find((one) => one.instanceId === id);
    const vessel = state.vessels.find((one) => one.id === instance.vesselId);
    const kind = VESSELS.get(vessel.id);
    const name = kind?.title ?? vessel.id;
    title.textContent = name;
    panel.dataset.vessel = vessel.id;
    panel.dataset.variant = instance.variant;
    panel.setAttribute("aria-label", `${name}, ${instance.variant}`);
    body.setAttribute("aria-label", `${name}: content`);
    const context = this.#doings(instance);
    refill(tools, switches(variantOf(vessel, instance.variant), instance, context));
    if (body.contains(document.activeElement) && document.activeElement.matches("textarea")) return;
    refill(body, kind ? kind.show(context) : []);
  }

  /** The order of the page is that of reading, so that Tab goes from left to right. */
  #order(where) {
    const reading = [...this.#shown].sort(([one], [other]) => {
      const [a, b] = [where.get(one), where.get(other)];
      return a.top - b.top || a.left - b.left;
    });
    const focused = document.activeElement;
    reading.forEach(([, { panel }], index) => {
      const here = this.#holder.children[index];
      if (here !== panel) this.#holder.insertBefore(panel, here);
    });
    if (focused !== document.activeElement) focused?.focus({ preventScroll: true });
  }

  #move(before) {
    for (const [id, { panel }] of this.#shown) {
      const [from, to] = [before.get(id), box(panel)];
      if (!from) {
        panel.animate([{ opacity: 0, scale: 0.97 }, { opacity: 1, scale: 1 }], { duration: MOVE_MS, easing: "ease-out" });
      } else if (Object.keys(to).some((side) => from[side] !== to[side])) {
        panel.animate([from, to], { duration: MOVE_MS, easing: "cubic-bezier(.2, .8, .2, 1)" });
      }
    }
  }
}

function box({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) {
  return { left: `${offsetLeft}px`, top: `${offsetTop}px`, width: `${offsetWidth}px`, height: `${offsetHeight}px` };
}

/** One small button for each action that leads to another variant. */
function switches(variant, instance, { act }) {
  return (variant.actions ?? [])
    .filter((action) => action.to && action.to !== variant.id)
    .map((action) =>
      element(
        "button",
        {
          type: "button",
          title: action.description,
          "aria-label": `${action.to}: ${action.description}`,
          "data-key": action.id,
          onclick: () => act(action.id),
        },
        action.to,
      ),
    );
}
