/** The weather of any city, made up from its name and the date: the same on each visit. */

import { plusDays, today, words } from "./dates.js";
import { element } from "./dom.js";

const SKIES = [
  ["☀", "Sunny"],
  ["🌤", "Mostly sunny"],
  ["⛅", "Cloudy at times"],
  ["☁", "Overcast"],
  ["🌧", "Rain"],
  ["🌦", "Showers"],
];

/** FNV-1a: a number from a text, well spread and the same everywhere. */
function spread(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
  return hash >>> 0;
}

function weatherOn(city, day) {
  const climate = 4 + (spread(city) % 18);
  const number = spread(`${city} ${day}`);
  return { high: climate + (number % 9), low: climate - 3 - ((number >> 4) % 5), sky: SKIES[(number >> 8) % SKIES.length], wind: 4 + ((number >> 12) % 24) };
}

const degrees = (celsius, units) => (units === "fahrenheit" ? `${Math.round(celsius * 1.8 + 32)} °F` : `${celsius} °C`);

const ACTIONS = {
  setLocation: (context, { city }) => ({ view: { city } }),
  setUnits: (context, { units }) => ({ view: { units } }),
  refresh: () => ({ view: { asked: Date.now() } }),
};

function place(context) {
  const { city = "Lisbon", units = "celsius" } = context.view;
  const submit = (event) => {
    event.preventDefault();
    const wanted = event.target.elements.city.value.trim();
    if (wanted && wanted !== city) context.save({ view: { city: wanted } }, `The user asked for the weather in ${wanted}.`);
  };
  const other = units === "celsius" ? "fahrenheit" : "celsius";
  return element(
    "form",
    { class: "place", onsubmit: submit },
    element("input", { name: "city", value: city, maxlength: 80, "aria-label": "City", "data-key": "city", onchange: (event) => event.target.form.requestSubmit() }),
    element(
      "button",
      { type: "button", "aria-label": `Show ${other}`, "data-key": "units", onclick: () => context.save({ view: { units: other } }, `The user chose ${other}.`) },
      units === "celsius" ? "°C" : "°F",
    ),
  );
}

function current(context) {
  const { city = "Lisbon", units } = context.view;
  const { high, low, sky, wind } = weatherOn(city, today());
  return [
    place(context),
    element(
      "div",
      { class: "sky" },
      element("span", { class: "glyph", "aria-hidden": "true" }, sky[0]),
      element("span", { class: "degrees" }, degrees(high, units)),
      element("span", { class: "faint" }, sky[1], element("br"), `Low ${degrees(low, units)} · wind ${wind} km/h`),
    ),
  ];
}

function forecast(context) {
  const { city = "Lisbon", units } = context.view;
  const days = Array.from({ length: 5 }, (_, index) => plusDays(today(), index));
  return [
    place(context),
    element(
      "ul",
      { class: "forecast" },
      days.map((day) => {
        const { high, low, sky } = weatherOn(city, day);
        return element(
          "li",
          {},
          element("span", {}, words(day, { weekday: "short" })),
          element("span", { class: "glyph", role: "img", "aria-label": sky[1] }, sky[0]),
          element("strong", {}, degrees(high, units)),
          element("span", { class: "faint" }, degrees(low, units)),
        );
      }),
    ),
  ];
}

const VARIANTS = { current, forecast };

export const weather = { title: "Weather", seed: () => [], actions: ACTIONS, show: (context) => VARIANTS[context.variant](context) };
