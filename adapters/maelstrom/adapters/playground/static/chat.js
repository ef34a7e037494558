/** The conversation: what was said, by whom, and what went wrong. */

import { element } from "./dom.js";

const SUGGESTIONS = ["Show me my calendar", "Add the weather", "Show the forecast", "Open my tasks and notes", "Show the month", "Add a task buy milk"];

/** A turn's reasons in words: what the user said, or what happened by itself. */
export function saidIn(reasons) {
  return reasons.filter((one) => one.type === "user_intent").map((one) => one.intent);
}

export class Chat {
  #log = document.getElementById("log");
  #status = document.getElementById("status");
  #inspect;

  constructor({ say, inspect }) {
    this.#inspect = inspect;
    const form = document.getElementById("say-form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = form.elements.say.value.trim();
      if (!text) return;
      form.elements.say.value = "";
      say(text);
    });
    const chips = SUGGESTIONS.map((text) => element("li", {}, element("button", { type: "button", onclick: () => say(text) }, text)));
    document.getElementById("suggestions").replaceChildren(...chips);
  }

  user(text) {
    this.#add("user", "You", text);
  }

  /** The engine's words; `aside` where nobody had asked. */
  engine(text, requestId, aside = false) {
    const look = element("button", { type: "button", class: "look", onclick: () => this.#inspect(requestId) }, "Inspect");
    this.#add(aside ? "engine aside" : "engine", "Maelstrom", text, look);
  }

  error({ type, message }, retry) {
    const again = () => {
      entry.remove();
      document.getElementById("say").focus();
      retry();
    };
    const button = element("button", { type: "button", class: "retry", onclick: again }, "Try again");
    const entry = this.#add("error", "Error", `${message} (${type})`, button);
  }

  busy(busy) {
    this.#status.textContent = busy ? "Arranging…" : "";
    this.#status.classList.toggle("busy", busy);
  }

  clear() {
    this.#log.replaceChildren();
  }

  #add(kind, who, text, ...more) {
    const entry = element("div", { class: `entry ${kind}` }, element("span", { class: "hidden" }, `${who}: `), element("p", {}, text), ...more);
    this.#log.append(entry);
    this.#log.scrollTop = this.#log.scrollHeight;
    return entry;
  }
}
