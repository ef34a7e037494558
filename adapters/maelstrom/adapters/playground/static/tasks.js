/** Tasks to tick and to add, as a list or as a board from planned to done. */

import { plusDays, today, words } from "./dates.js";
import { element } from "./dom.js";

const COLUMNS = [
  ["planned", "Planned"],
  ["doing", "Doing"],
  ["done", "Done"],
];

const PRIORITIES = ["high", "normal", "low"];

const task = (title, state = "planned", due = null, priority = "normal") => ({ id: crypto.randomUUID(), title, state, due, priority });

const seed = () => [
  task("Water the plants", "planned", plusDays(today(), 1)),
  task("Book train tickets", "doing", plusDays(today(), 3), "high"),
  task("Send the invoice", "planned", today(), "high"),
  task("Return library books", "done", plusDays(today(), -1), "low"),
];

const like = (one, title) => one.title.trim().toLowerCase() === title.trim().toLowerCase();

const ACTIONS = {
  addTask: ({ data }, { title }) => ({ data: [...data, task(title)] }),
  completeTask: ({ data }, { title }) => ({ data: data.map((one) => (like(one, title) ? { ...one, state: "done" } : one)) }),
  sort: (context, { by }) => ({ view: { by } }),
};

const ORDERS = {
  due: (one) => one.due ?? "9999",
  priority: (one) => PRIORITIES.indexOf(one.priority),
  title: (one) => one.title.toLowerCase(),
};

function sorted(data, by) {
  const key = ORDERS[by];
  if (!key) return data;
  return [...data].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

function tick(context, one, checked) {
  const state = checked ? "done" : "planned";
  const data = context.data.map((each) => (each.id === one.id ? { ...each, state } : each));
  context.save({ data }, `The user marked "${one.title.slice(0, 200)}" as ${checked ? "done" : "not done"}.`);
}

function adder(context) {
  const submit = (event) => {
    event.preventDefault();
    const title = event.target.elements.title.value.trim();
    if (title) context.save({ data: [...context.data, task(title)] }, `The user added the task "${title.slice(0, 200)}".`);
  };
  return element(
    "form",
    { class: "adder", onsubmit: submit },
    element("input", { name: "title", maxlength: 200, placeholder: "New task", "aria-label": "New task", "data-key": "new" }),
    element("button", { type: "submit" }, "Add"),
  );
}

function entry(context, one) {
  return element(
    "li",
    { class: one.state },
    element(
      "label",
      {},
      element("input", { type: "checkbox", checked: one.state === "done", "data-key": one.id, onchange: (event) => tick(context, one, event.target.checked) }),
      element("span", {}, one.title),
    ),
    one.due && element("time", {}, words(one.due, { day: "numeric", month: "short" })),
  );
}

const list = (context) => [element("ul", { class: "tasks" }, sorted(context.data, context.view.by).map((one) => entry(context, one))), adder(context)];

function move(context, one, by) {
  const names = COLUMNS.map(([name]) => name);
  const state = names[names.indexOf(one.state) + by];
  const data = context.data.map((each) => (each.id === one.id ? { ...each, state } : each));
  context.save({ data }, `The user moved "${one.title.slice(0, 200)}" to ${state}.`);
}

function card(context, one, column) {
  const step = (name, sign, by) =>
    element("button", { type: "button", "aria-label": `${name} ${one.title}`, "data-key": one.id + by, onclick: () => move(context, one, by) }, sign);
  return element("li", {}, element("span", {}, one.title), column > 0 && step("Move back", "‹", -1), column < 2 && step("Move on", "›", 1));
}

const board = (context) => [
  element(
    "div",
    { class: "board" },
    COLUMNS.map(([name, title], column) =>
      element(
        "div",
        {},
        element("h4", {}, title),
        element("ul", {}, sorted(context.data, context.view.by).filter((one) => one.state === name).map((one) => card(context, one, column))),
      ),
    ),
  ),
  adder(context),
];

const VARIANTS = { list, board };

export const tasks = { title: "Tasks", seed, actions: ACTIONS, show: (context) => VARIANTS[context.variant](context) };
