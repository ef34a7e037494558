/**
 * The reference browser client: what a page holds of its chart, and the laws that it
 * follows. One file, no dependencies, nothing of the DOM.
 *
 * All values are plain objects in the form of the wire (camelCase), and no function
 * changes what it is given: each step makes a new value. Ids come from a model, so they
 * are keys of a Map, never of an object: "__proto__" is an id like any other.
 *
 * A state is {dimensions, mode, vessels, instances, layout}. Its layout carries no
 * vesselId or variant: who an instance is stands in `instances` alone. An instance that
 * the layout does not place is parked.
 *
 * To keep in step: the Python client has the same laws; tests/golden/client.json holds
 * vectors that both must pass.
 */

/** The most reasons of one request, and the most columns and rows of a chart. */
const MOST_REASONS = 64;
const MOST_CELLS = 1000;

/** Long enough that a drag has paused, short enough to feel immediate. */
const QUIET_MS = 150;

const emptyLayout = (mode) =>
  mode === "grid" ? { type: "grid", positions: [] } : { type: "tiling", root: null, nodes: [] };

/* ------------------------------------------------------------------ the state */

/** A chart before anything is asked. */
export function chartState({ dimensions, mode = "grid", vessels = [], instances = [], layout }) {
  return { dimensions, mode, vessels, instances, layout: layout ?? emptyLayout(mode) };
}

/** The chart in a layout mode: a switch starts empty, with everything parked. */
export function inMode(state, mode) {
  return mode === state.mode ? state : { ...state, mode, layout: emptyLayout(mode) };
}

/** The chart at another size; nothing on it moves before the engine says so. */
export function resized(state, dimensions) {
  return { ...state, dimensions };
}

/** The chart once the app has removed an instance. */
export function without(state, instanceId) {
  const instances = state.instances.filter((one) => one.instanceId !== instanceId);
  const keep = new Set(instances.map((one) => one.instanceId));
  return { ...state, instances, layout: prune(state.layout, keep) };
}

/** The chart with an instance in another of its variants, as the user chose. */
export function inVariant(state, instanceId, variant) {
  const instances = state.instances.map((one) =>
    one.instanceId === instanceId ? { ...one, variant } : one,
  );
  return { ...state, instances };
}

/** The snapshot of a chart, and why the engine is asked. */
export function makeRequest(state, reasons, { timeZone, locale } = {}) {
  const context = {
    updateReasons: [...reasons],
    chartDimensions: state.dimensions,
    layoutMode: state.mode,
  };
  if (timeZone != null) context.timeZone = timeZone;
  if (locale != null) context.locale = locale;
  const { instances, vessels, layout } = state;
  return { type: "chart_request", context, instances, vessels, layout };
}

/** The chart as the newest recorded turn left it, for the vessels registered now. */
export function stateFrom(turn, vessels) {
  const byId = new Map(vessels.map((vessel) => [vessel.id, vessel]));
  const instances = turn.after.instances
    .filter((one) => byId.has(one.vesselId))
    .map((one) => readmitted(one, byId.get(one.vesselId)));
  const keep = new Set(instances.map((one) => one.instanceId));
  return {
    dimensions: turn.after.dimensions,
    mode: turn.after.layoutMode,
    vessels,
    instances,
    layout: prune(bare(turn.layout), keep),
  };
}

function readmitted(instance, vessel) {
  if (variantOf(vessel, instance.variant)) return instance;
  return { ...instance, variant: vessel.initialVariant ?? vessel.variants[0].id };
}

/** A vessel's variant by its id. */
export function variantOf(vessel, variant) {
  return vessel?.variants.find((one) => one.id === variant);
}

/* ------------------------------------------------------------------ layouts */

const pieces = (layout) => (layout.type === "grid" ? layout.positions : layout.nodes);
const showsInstance = (piece) => piece.kind !== "split";

/** The instances that a layout shows, in its order. */
export function placed(layout) {
  return pieces(layout).filter(showsInstance).map((piece) => piece.instanceId);
}

function bare(layout) {
  const undeclared = ({ vesselId, variant, ...piece }) => piece;
  return layout.type === "grid"
    ? { ...layout, positions: layout.positions.map(undeclared) }
    : { ...layout, nodes: layout.nodes.map(undeclared) };
}

/** The layout with the pieces of the instances in `keep` alone; numbers stay. */
function prune(layout, keep) {
  if (placed(layout).every((id) => keep.has(id))) return layout;
  if (layout.type === "tiling") return pruneTree(layout, keep);
  return { ...layout, positions: layout.positions.filter((one) => keep.has(one.instanceId)) };
}

/** Bottom up; `stands` says which node stands where a node stood. */
function pruneTree(layout, keep) {
  const table = new Map(layout.nodes.map((node) => [node.id, node]));
  const stands = new Map();
  for (const node of preOrder(layout.root, table).reverse()) {
    if (node.kind === "leaf") {
      if (keep.has(node.instanceId)) stands.set(node.id, node.id);
      continue;
    }
    const children = node.children.filter((id) => stands.has(id)).map((id) => stands.get(id));
    if (children.length === 1) {
      table.set(children[0], weighted(table.get(children[0]), node.weight));
      stands.set(node.id, children[0]);
    } else if (children.length > 1) {
      table.set(node.id, { ...node, children });
      stands.set(node.id, node.id);
    }
  }
  const root = stands.get(layout.root) ?? null;
  const left = new Set(preOrder(root, table).map((node) => node.id));
  return { ...layout, root, nodes: [...table.values()].filter((node) => left.has(node.id)) };
}

function weighted({ weight: _, ...node }, weight) {
  return weight == null ? node : { ...node, weight };
}

/** The nodes that the root reaches, each once; an explicit stack, no recursion. */
function preOrder(root, table) {
  const found = new Map();
  const stack = root == null ? [] : [root];
  while (stack.length) {
    const key = stack.pop();
    const node = table.get(key);
    if (!node || found.has(key)) continue;
    found.set(key, node);
    if (node.kind === "split") stack.push(...[...node.children].reverse());
  }
  return [...found.values()];
}

/* ------------------------------------------------------------------ a response */

/** Whether every reason of a request is a resize of the chart. */
export function isResizeOnly(request) {
  return request.context.updateReasons.every((one) => one.type === "chart_resize");
}

/**
 * Apply a response to a chart, in one atomic step: first the layout, then the plan.
 *
 * What a response means is decided by the request that it answers; what can still be
 * done of it, by the state as it is by now. Returns {state, effects, skips}: the calls
 * that the app must run, in order, and what had drifted.
 */
export function apply(state, request, response) {
  if (response.layout.type !== state.mode) return { state, effects: [], skips: [] };
  const { arranged, present } = arrange(state, request, response.layout);
  return run(arranged, present, response.executionPlan);
}

function arrange(state, request, layout) {
  const asked = new Map(request.instances.map((one) => [one.instanceId, one.vesselId]));
  const arriving = arrivals(state, layout, asked);
  const known = new Set(
    state.instances
      .filter((one) => asked.get(one.instanceId) === one.vesselId)
      .map((one) => one.instanceId),
  );
  const keep = new Set([...known, ...arriving.map((one) => one.instanceId)]);
  const shown = prune(bare(layout), keep);
  const present = new Set(placed(shown));
  const leaving = isResizeOnly(request)
    ? new Set()
    : new Set(placed(request.layout).filter((id) => known.has(id) && !present.has(id)));
  const staying = state.instances.filter((one) => !leaving.has(one.instanceId));
  return { arranged: { ...state, instances: [...staying, ...arriving], layout: shown }, present };
}

/** The instances that the layout introduces and that the app can still show. */
function arrivals(state, layout, asked) {
  const taken = new Set(state.instances.map((one) => one.instanceId));
  const vessels = new Map(state.vessels.map((vessel) => [vessel.id, vessel]));
  return pieces(layout)
    .filter(
      (piece) =>
        showsInstance(piece) &&
        !asked.has(piece.instanceId) &&
        !taken.has(piece.instanceId) &&
        variantOf(vessels.get(piece.vesselId), piece.variant),
    )
    .map(({ instanceId, vesselId, variant }) => ({ instanceId, vesselId, variant }));
}

function run(state, present, plan) {
  const vessels = new Map(state.vessels.map((vessel) => [vessel.id, vessel]));
  const current = new Map(state.instances.map((one) => [one.instanceId, one]));
  const effects = [];
  const skips = [];
  plan.forEach(({ instanceId, action: name, params }, index) => {
    const target = present.has(instanceId) ? current.get(instanceId) : undefined;
    const variant = target && variantOf(vessels.get(target.vesselId), target.variant);
    const action = variant?.actions?.find((one) => one.id === name);
    if (!action) {
      skips.push({ reason: "state_drift", index, instanceId, action: name });
      return;
    }
    const effect = { instanceId, action: name, vesselId: target.vesselId, variant: target.variant };
    effects.push(params == null ? effect : { ...effect, params });
    current.set(instanceId, { ...target, variant: action.to ?? target.variant });
  });
  return { state: { ...state, instances: [...current.values()] }, effects, skips };
}

/* ------------------------------------------------------------------ the outbox */

/**
 * Which request goes out when: at most one in flight a session. Reasons that arise
 * meanwhile are batched into the next one; an error frees the slot, and its reasons are
 * not sent again. Each step gives a new outbox.
 */
export class Outbox {
  constructor(waiting = [], inFlight = null) {
    this.waiting = waiting;
    this.inFlight = inFlight;
    Object.freeze(this);
  }

  /** Let a reason wait for the next request. */
  add(reason) {
    return new Outbox(bounded(batched(this.waiting, reason)), this.inFlight);
  }

  /** {outbox, request}; the request is null while one is in flight or none is due. */
  send(requestId, state, { timeZone, locale } = {}) {
    if (this.inFlight) return { outbox: this, request: null };
    const due = dueReasons(this.waiting, state);
    if (!due.length) return { outbox: new Outbox(), request: null };
    const request = makeRequest(state, due.slice(0, MOST_REASONS), { timeZone, locale });
    return { outbox: new Outbox(due.slice(MOST_REASONS), { requestId, request }), request };
  }

  /** {outbox, request} with the request that a response answers, null if none does. */
  receive(requestId) {
    if (this.inFlight?.requestId !== requestId) return { outbox: this, request: null };
    return { outbox: new Outbox(this.waiting), request: this.inFlight.request };
  }

  /** The awaited request ended in an error: free the slot, send nothing again. */
  fail(requestId) {
    return this.receive(requestId).outbox;
  }
}

function batched(waiting, reason) {
  if (reason.type === "chart_resize" && waiting.some((one) => one.type === "chart_resize")) {
    return waiting;
  }
  if (reason.type !== "vessel_mutation") return [...waiting, reason];
  const same = (one) => one.type === "vessel_mutation" && one.instanceId === reason.instanceId;
  return [...waiting.filter((one) => !same(one)), reason];
}

/** As many of the oldest mutations go as the reasons are past the bound. */
function bounded(waiting) {
  let surplus = waiting.length - MOST_REASONS;
  return waiting.filter((one) => !(one.type === "vessel_mutation" && surplus-- > 0));
}

/** The reasons that still say something about the chart as it is now. */
function dueReasons(waiting, state) {
  const here = new Set(state.instances.map((one) => one.instanceId));
  return waiting.filter((one) => {
    if (one.type === "vessel_mutation") return here.has(one.instanceId);
    return !(one.type === "chart_resize" && one.previous && sameCells(one.previous, state.dimensions));
  });
}

/* ------------------------------------------------------------------ the sizer */

const sameCells = (one, other) =>
  one === other || (!!one && !!other && one.columns === other.columns && one.rows === other.rows);

/**
 * From the pixels of a chart's frame to whole cells, without a feedback loop. A change
 * of the cell count is reported once it has stood for `quiet` milliseconds, by the
 * clock readings that come with the measures. Each step gives a new sizer.
 */
export class ChartSizer {
  constructor(cellWidth, cellHeight, { quiet = QUIET_MS, dimensions = null, pending = null, since = 0 } = {}) {
    if (!(cellWidth > 0 && cellHeight > 0)) throw new RangeError("a cell has a size");
    Object.assign(this, { cellWidth, cellHeight, quiet, dimensions, pending, since });
    Object.freeze(this);
  }

  /** When to measure again, if nothing moves until then; null for not at all. */
  get due() {
    return this.pending && this.since + this.quiet;
  }

  /** Take a measure: {sizer, resize}; resize is the reason for a request, or null. */
  measure(width, height, at) {
    const cells = { columns: wholeCells(width, this.cellWidth), rows: wholeCells(height, this.cellHeight) };
    if (sameCells(cells, this.dimensions)) return { sizer: this.#with({ pending: null }), resize: null };
    const since = sameCells(cells, this.pending) ? this.since : at;
    if (this.dimensions && at - since < this.quiet) {
      return { sizer: this.#with({ pending: cells, since }), resize: null };
    }
    const resize = { type: "chart_resize", ...(this.dimensions && { previous: this.dimensions }) };
    return { sizer: this.#with({ dimensions: cells, pending: null }), resize };
  }

  #with(changed) {
    return new ChartSizer(this.cellWidth, this.cellHeight, { ...this, ...changed });
  }
}

/** Floor, at least 1, and no more than the wire takes; the remainder is exact. */
function wholeCells(pixels, cell) {
  const cells = Math.round((pixels - (pixels % cell)) / cell);
  return cells >= 1 ? Math.min(cells, MOST_CELLS) : 1;
}
