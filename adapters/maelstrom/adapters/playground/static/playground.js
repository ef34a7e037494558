/**
 * The page: it holds one chart state and one outbox, and everything goes through them.
 *
 * A turn: a reason goes into the outbox, the outbox says whether a request is due, the
 * answer is applied to the state in one step, and its effects run once, in the tab that
 * asked. Other tabs of the session apply the same answer to their own state: the law of
 * drift makes that safe. What the vessels hold reaches them through the store.
 */

import { ChartView } from "./chart.js";
import { Chat, saidIn } from "./chat.js";
import { makeResizable, watchFrame } from "./frame.js";
import { Inspector } from "./inspector.js";
import { apply, chartState, inMode, inVariant, isResizeOnly, Outbox, placed, resized, stateFrom, variantOf } from "./maelstrom.js";
import { fetchApp, fetchHistory, sendMessage } from "./session.js";
import { data, newSession, onChange, sessionId, setData, setView, view } from "./store.js";
import { makeTabs } from "./tabs.js";
import { changeOf, VESSELS } from "./vessels.js";

const PLACE = { ...zone(), locale: navigator.language };
const byId = (id) => document.getElementById(id);

function zone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone ? { timeZone } : {};
}

class Playground {
  #session = sessionId();
  #outbox = new Outbox();
  #state;
  #tabs;
  #chart = new ChartView(byId("chart"), (instance) => this.#context(instance));
  #inspector = new Inspector(() => this.#session);
  #side = makeTabs(byId("tab-chat"), byId("tab-inspector"), (tab) => tab.id === "tab-inspector" && this.#inspector.show());
  #chat = new Chat({ say: (text) => this.#say(text), inspect: (id) => this.#inspect(id) });

  /** Restore the session as its newest turn left it, and begin to watch. */
  async start() {
    const [app, history] = await Promise.all([fetchApp(), fetchHistory(this.#session)]);
    const failed = app.error ?? history.error;
    if (failed) {
      this.#chat.error(failed, () => location.reload());
      return;
    }
    const { vessels } = app.value;
    const { turns } = history.value;
    for (const turn of turns) this.#tell(turn.reasons, turn.userMessage, turn.requestId, true);
    const newest = turns.at(-1);
    this.#state = newest ? stateFrom(newest, vessels) : chartState({ dimensions: { columns: 1, rows: 1 }, vessels });
    this.#draw();
    watchFrame(byId("frame"), newest ? this.#state.dimensions : null, (cells, resize) => this.#resize(cells, resize));
    this.#listen();
    document.body.dataset.ready = "";
  }

  #listen() {
    makeResizable(byId("frame"), byId("grip"));
    for (const radio of byId("modes").querySelectorAll("input")) {
      radio.addEventListener("change", () => this.#switch(radio.value));
    }
    byId("fresh").addEventListener("click", () => {
      newSession();
      location.reload();
    });
    onChange(() => this.#chart.refresh(this.#state));
    this.#tabs = new BroadcastChannel(`maelstrom ${this.#session}`);
    this.#tabs.addEventListener("message", ({ data: told }) => this.#hear(told));
  }

  /* ------------------------------------------------------------- reasons */

  #say(text) {
    if (!this.#state) return;
    this.#chat.user(text);
    this.#tabs.postMessage({ said: text });
    this.#because({ type: "user_intent", intent: text });
  }

  #resize(cells, resize) {
    this.#state = resized(this.#state, cells);
    this.#draw();
    if (this.#state.instances.length) this.#because(resize);
  }

  /** Another layout mode starts empty; asking for a fit brings the parked ones back. */
  #switch(mode) {
    this.#state = inMode(this.#state, mode);
    this.#draw();
    this.#tabs.postMessage({ mode });
    if (this.#state.instances.length) this.#because({ type: "chart_resize" });
  }

  #mutated(instanceId, description) {
    this.#because({ type: "vessel_mutation", instanceId, description });
  }

  #because(...reasons) {
    for (const reason of reasons) this.#outbox = this.#outbox.add(reason);
    this.#send();
  }

  /* ------------------------------------------------------------- turns */

  async #send() {
    const id = crypto.randomUUID();
    const sent = this.#outbox.send(id, this.#state, PLACE);
    this.#outbox = sent.outbox;
    if (!sent.request) return;
    this.#chat.busy(true);
    const { value, error } = await sendMessage(this.#session, id, sent.request);
    this.#chat.busy(false);
    if (error) this.#failed(id, sent.request, error);
    else this.#answered(value);
    this.#inspector.follow();
    this.#send();
  }

  #failed(id, request, error) {
    this.#outbox = this.#outbox.fail(id);
    this.#chat.error(error, () => this.#because(...request.context.updateReasons));
  }

  #answered({ payload: response }) {
    const { outbox, request } = this.#outbox.receive(response.requestId);
    this.#outbox = outbox;
    if (!request) return;
    const applied = apply(this.#state, request, response);
    this.#state = applied.state;
    for (const effect of applied.effects) this.#run(effect);
    this.#draw();
    this.#tell(request.context.updateReasons, response.userMessage, response.requestId);
    this.#tabs.postMessage({ request, response });
  }

  /** What another tab of this session did. */
  #hear({ said, mode, request, response }) {
    if (said) this.#chat.user(said);
    if (mode) this.#state = inMode(this.#state, mode);
    if (response) {
      this.#state = apply(this.#state, request, response).state;
      this.#tell(request.context.updateReasons, response.userMessage, response.requestId);
    }
    this.#draw();
  }

  #tell(reasons, message, requestId, past = false) {
    const said = saidIn(reasons);
    if (past) for (const text of said) this.#chat.user(text);
    this.#chat.engine(message, requestId, !said.length);
  }

  /* ------------------------------------------------------------- vessels */

  /** What a vessel sees of itself, and what it may do. */
  #context({ instanceId, vesselId, variant }) {
    const seed = VESSELS.get(vesselId)?.seed ?? (() => []);
    return {
      variant,
      data: data(vesselId, seed),
      view: view(instanceId),
      latest: () => data(vesselId, seed),
      mutated: (description) => this.#mutated(instanceId, description),
      save: (change, description) => {
        this.#keep(instanceId, vesselId, change);
        this.#chart.refresh(this.#state);
        if (description) this.#mutated(instanceId, description);
      },
      act: (action) => this.#act(instanceId, action),
    };
  }

  #keep(instanceId, vesselId, change) {
    if (change.data) setData(vesselId, change.data);
    if (change.view) setView(instanceId, { ...view(instanceId), ...change.view });
  }

  /** An effect of a response: change what the vessel holds; its variant has moved. */
  #run({ instanceId, vesselId, variant, action, params }) {
    const context = this.#context({ instanceId, vesselId, variant });
    this.#keep(instanceId, vesselId, changeOf(vesselId, action, context, params));
  }

  /** The user took an action by hand: it runs at once, and the engine is told. */
  #act(instanceId, name) {
    const instance = this.#state.instances.find((one) => one.instanceId === instanceId);
    const vessel = this.#state.vessels.find((one) => one.id === instance?.vesselId);
    const action = variantOf(vessel, instance?.variant)?.actions?.find((one) => one.id === name);
    if (!action) return;
    this.#run({ ...instance, action: name });
    if (action.to) this.#state = inVariant(this.#state, instanceId, action.to);
    this.#draw();
    this.#mutated(instanceId, `The user chose ${name}.`);
  }

  /* ------------------------------------------------------------- the page */

  #inspect(requestId) {
    this.#side.select(byId("tab-inspector"), false);
    this.#inspector.show(requestId);
  }

  #draw() {
    const { dimensions, instances, layout, mode } = this.#state;
    this.#chart.draw(this.#state);
    const shown = placed(layout).length;
    const parked = instances.length - shown;
    byId("blank").hidden = shown > 0;
    byId("cells").textContent = `${dimensions.columns} × ${dimensions.rows} cells`;
    byId("parked").textContent = parked ? `${parked} parked` : "";
    byId("chart").dataset.mode = mode;
    byId("modes").querySelector(`[value=${mode}]`).checked = true;
    const { style } = byId("frame");
    style.setProperty("--columns", dimensions.columns);
    style.setProperty("--rows", dimensions.rows);
  }
}

new Playground().start();
