/** Notes, newest first, and an editor for one of them. */

import { element } from "./dom.js";

/** A pause in typing: the note is kept with each key, and the engine told after it. */
const PAUSE_MS = 900;

const note = (text) => ({ id: crypto.randomUUID(), text });

const seed = () => [note("Ideas for the garden: lavender, thyme, a bench in the shade."), note("Wifi at the cabin: ask Jo.")];

const ACTIONS = {
  writeNote: ({ data }, { text }) => ({ data: [note(text), ...data], view: { open: null } }),
  openEditor: ({ data, view }) => ({ view: { open: view.open ?? data[0]?.id ?? null } }),
};

const firstLine = (text) => text.trim().split("\n", 1)[0].slice(0, 80) || "An empty note";

function open(context, one) {
  context.save({ view: { open: one.id } });
  context.act("openEditor");
}

function write(context) {
  const fresh = note("");
  context.save({ data: [fresh, ...context.data], view: { open: fresh.id } });
  context.act("openEditor");
}

const list = (context) => [
  element(
    "ul",
    { class: "notes" },
    context.data.map((one) =>
      element("li", {}, element("button", { type: "button", "data-key": one.id, onclick: () => open(context, one) }, firstLine(one.text))),
    ),
  ),
  element("button", { type: "button", class: "add", "data-key": "write", onclick: () => write(context) }, "New note"),
];

let pause = 0;

function editor(context) {
  const one = context.data.find(({ id }) => id === context.view.open) ?? context.data[0];
  if (!one) return [element("button", { type: "button", class: "add", onclick: () => write(context) }, "New note")];
  const keep = (event) => {
    const { value } = event.target;
    const data = context.latest().map((each) => (each.id === one.id ? { ...each, text: value } : each));
    context.save({ data });
    clearTimeout(pause);
    pause = setTimeout(() => context.mutated(`The user wrote the note "${firstLine(value)}".`), PAUSE_MS);
  };
  return [element("textarea", { value: one.text, maxlength: 20000, "aria-label": "Note", "data-key": "text", placeholder: "Write…", oninput: keep })];
}

const VARIANTS = { list, editor };

export const notes = { title: "Notes", seed, actions: ACTIONS, show: (context) => VARIANTS[context.variant](context) };
