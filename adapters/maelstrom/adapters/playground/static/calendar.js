/** The calendar: a month, a week or a day of real dates, with days to select. */

import { monthOf, plusDays, plusMonths, today, weekOf, words } from "./dates.js";
import { element } from "./dom.js";

const LONG = { weekday: "long", day: "numeric", month: "long", year: "numeric" };

function seed() {
  const [, , wednesday, , friday] = weekOf(today());
  return [
    { day: today(), time: "09:30", title: "Stand-up" },
    { day: wednesday, time: "14:00", title: "Design review" },
    { day: friday, time: "12:00", title: "Lunch with Noor" },
    { day: plusDays(friday, 4), time: "10:00", title: "Dentist" },
  ];
}

const inOrder = (events) =>
  [...events].sort((one, other) => (one.day + one.time < other.day + other.time ? -1 : 1));

const eventsOf = (data, day) => inOrder(data.filter((event) => event.day === day));

const selectedOf = (view) => view.selected ?? today();

function addEvent(context, title) {
  const day = selectedOf(context.view);
  const taken = new Set(eventsOf(context.data, day).map((event) => event.time));
  const time = ["10:00", "11:00", "13:00", "15:00", "16:00"].find((one) => !taken.has(one)) ?? "17:00";
  return { data: [...context.data, { day, time, title }] };
}

const ACTIONS = {
  showDay: () => ({ view: { selected: today() } }),
  addEvent: (context, { title }) => addEvent(context, title),
};

function select(context, day) {
  context.save({ view: { selected: day } }, `The user selected ${day}.`);
}

function stepper(context, label, back, forward) {
  const step = (name, sign, to) =>
    element("button", { type: "button", "aria-label": name, "data-key": name, onclick: () => context.save({ view: { selected: to } }) }, sign);
  return element("div", { class: "stepper" }, step("Earlier", "‹", back), element("strong", { "aria-live": "polite" }, label), step("Later", "›", forward));
}

function dayButton(context, day, month) {
  const events = eventsOf(context.data, day);
  return element(
    "button",
    {
      type: "button",
      class: ["day", day === today() && "now", month && day.slice(0, 7) !== month && "other"].filter(Boolean).join(" "),
      "aria-pressed": day === selectedOf(context.view),
      "data-key": day,
      "data-day": day,
      onclick: () => select(context, day),
    },
    element("span", { class: "hidden" }, words(day, LONG)),
    element("span", { class: "number", "aria-hidden": "true" }, String(Number(day.slice(8)))),
    element("span", { class: "marks" }, events.slice(0, 3).map((event) => element("span", {}, event.title))),
  );
}

const weekdays = (days) =>
  element("div", { class: "weekdays", "aria-hidden": "true" }, days.map((day) => element("span", {}, words(day, { weekday: "short" }))));

function month(context) {
  const selected = selectedOf(context.view);
  const weeks = monthOf(selected);
  return [
    stepper(context, words(selected, { month: "long", year: "numeric" }), plusMonths(selected, -1), plusMonths(selected, 1)),
    weekdays(weeks[0]),
    element("div", { class: "days" }, weeks.flat().map((day) => dayButton(context, day, selected.slice(0, 7)))),
  ];
}

function week(context) {
  const selected = selectedOf(context.view);
  const days = weekOf(selected);
  const short = { day: "numeric", month: "short" };
  const label = `${words(days[0], short)} – ${words(days[6], short)}`;
  return [
    stepper(context, label, plusDays(selected, -7), plusDays(selected, 7)),
    weekdays(days),
    element("div", { class: "days one" }, days.map((day) => dayButton(context, day))),
    element("div", { class: "below" }, element("h4", {}, words(selected, { weekday: "long" })), agenda(context, selected)),
  ];
}

function agenda(context, day) {
  const events = eventsOf(context.data, day);
  if (!events.length) return element("p", { class: "faint" }, "Nothing planned.");
  return element("ul", { class: "agenda" }, events.map((event) => element("li", {}, element("time", {}, event.time), element("span", {}, event.title))));
}

function day(context) {
  const selected = selectedOf(context.view);
  return [
    stepper(context, words(selected, { weekday: "long", day: "numeric", month: "short" }), plusDays(selected, -1), plusDays(selected, 1)),
    agenda(context, selected),
    adder(context),
  ];
}

function adder(context) {
  const submit = (event) => {
    event.preventDefault();
    const title = event.target.elements.title.value.trim();
    if (title) context.save(addEvent(context, title), `The user added the event "${title.slice(0, 200)}".`);
  };
  return element(
    "form",
    { class: "adder", onsubmit: submit },
    element("input", { name: "title", maxlength: 200, placeholder: "New event", "aria-label": "New event", "data-key": "event" }),
    element("button", { type: "submit" }, "Add"),
  );
}

function collapsed(context) {
  const next = inOrder(context.data).find((event) => event.day >= today());
  return element("p", { class: "next" }, next ? `${words(next.day, { weekday: "short", day: "numeric" })} ${next.time} · ${next.title}` : "Nothing ahead.");
}

const VARIANTS = { month, week, day, collapsed };

export const calendar = { title: "Calendar", seed, actions: ACTIONS, show: (context) => [VARIANTS[context.variant](context)].flat() };
