/** A turn, looked into: reasons, attempts, prompt, raw answer, and what healing did. */

import { element } from "./dom.js";
import { fetchTurns } from "./session.js";

const RECORDS = ["drops", "skips", "repairs", "warnings"];

const time = (milliseconds) => (milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`);

const facts = (...pairs) =>
  element("dl", {}, pairs.filter(([, value]) => value != null && value !== "").map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, String(value)))));

const fold = (title, ...children) => element("details", {}, element("summary", {}, title), ...children);

const raw = (text, label) => element("pre", { tabindex: 0, role: "group", "aria-label": label }, text);

function reason(one) {
  if (one.type === "user_intent") return `user_intent: ${one.intent}`;
  if (one.type === "vessel_mutation") return `vessel_mutation: ${one.instanceId}${one.description ? `, ${one.description}` : ""}`;
  return one.previous ? `chart_resize from ${one.previous.columns} × ${one.previous.rows}` : "chart_resize";
}

function record(one) {
  const where = one.path ? one.path.join(".") : `executionPlan.${one.index}`;
  const what = [one.instanceId, one.action, one.detail].filter(Boolean).join(", ");
  return element("li", {}, element("code", {}, one.reason), ` at ${where}${what ? ` (${what})` : ""}`);
}

function records(healed) {
  return RECORDS.map((name) =>
    element(
      "section",
      { class: "records" },
      element("h4", {}, `${name[0].toUpperCase()}${name.slice(1)} `, element("span", { class: "count" }, String(healed[name].length))),
      healed[name].length > 0 && element("ul", {}, healed[name].map(record)),
    ),
  );
}

function call(one) {
  return [
    facts(["Model", `${one.provider} · ${one.model}`]),
    facts(["Time", time(one.milliseconds)], ["Tokens in", one.inputTokens], ["Tokens out", one.outputTokens], ["Cached", one.cachedTokens], ["Ended by", one.finishReason], ["Error", one.error?.message]),
    fold(`Prompt, ${one.prompt.length} sections`, one.prompt.map(({ role, name, text }) => fold(`${role} · ${name}`, raw(text, name)))),
    one.answer != null && fold("Raw answer", raw(one.answer, "Raw answer")),
  ];
}

function attempt(one, turn) {
  return element(
    "section",
    { class: "attempt" },
    element("h3", {}, `Attempt ${one.number}`, one.number === turn.served && element("span", { class: "badge" }, "served")),
    one.error && element("p", { class: "wrong" }, `${one.error.type}: ${one.error.message}`),
    one.calls.length ? one.calls.map(call) : element("p", { class: "faint" }, "No model was called."),
    one.healed && [
      facts(["Severity", one.healed.severity], ["Retry advised", one.healed.retry ? "yes" : "no"]),
      facts(["Rationale", one.healed.rationale]),
      records(one.healed),
      fold("Healed answer", raw(JSON.stringify({ executionPlan: one.healed.executionPlan, layout: one.healed.layout }, null, 2), "Healed answer")),
    ],
  );
}

function details(turn) {
  const { context } = turn;
  return [
    facts(
      ["Decision", turn.decision],
      ["Time", time(turn.finished - turn.started)],
      ["Attempts", turn.attempts.length],
      ["Chart", `${context.chartDimensions.columns} × ${context.chartDimensions.rows}, ${context.layoutMode}`],
    ),
    element("h3", {}, "Reasons"),
    element("ul", { class: "reasons" }, context.updateReasons.map((one) => element("li", {}, reason(one)))),
    turn.error && element("p", { class: "wrong" }, `${turn.error.type}: ${turn.error.message}`),
    turn.notes.length > 0 && element("ul", {}, turn.notes.map((note) => element("li", {}, note))),
    turn.attempts.map((one) => attempt(one, turn)),
  ].flat();
}

function title(turn, index) {
  const first = turn.context.updateReasons[0];
  return `${index + 1}. ${reason(first).slice(0, 60)}`;
}

/** Shows the turns of a session; the newest one, or the one asked for. */
export class Inspector {
  #holder = document.getElementById("panel-inspector");
  #sessionId;
  #wanted = null;

  constructor(sessionId) {
    this.#sessionId = sessionId;
  }

  /** Look at a turn by the id of its message; null for the newest. */
  async show(requestId = null) {
    this.#wanted = requestId;
    const { value, error } = await fetchTurns(this.#sessionId());
    if (this.#wanted === requestId) this.#draw(value?.turns ?? [], error);
  }

  /** A turn has ended: follow it, if the inspector is seen. */
  follow() {
    if (!this.#holder.hidden) this.show();
  }

  #draw(turns, error) {
    const faint = (text) => this.#holder.replaceChildren(element("p", { class: "faint" }, text));
    if (error) return faint("Diagnostics are shown only on the machine that serves, by a server that keeps them.");
    if (!turns.length) return faint("No turn yet. Only turns since the server started can be looked into.");
    const found = turns.findIndex((turn) => turn.id === this.#wanted);
    if (this.#wanted && found < 0) return faint("This turn is no longer kept: the server keeps the last 50.");
    const index = found < 0 ? turns.length - 1 : found;
    const choose = (event) => this.show(event.target.value);
    const options = turns.map((turn, place) => element("option", { value: turn.id, selected: place === index }, title(turn, place)));
    this.#holder.replaceChildren(element("label", { class: "choose" }, "Turn", element("select", { onchange: choose }, options)), ...details(turns[index]).filter(Boolean));
    return undefined;
  }
}
