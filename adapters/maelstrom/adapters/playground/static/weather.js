/** The weather of any city, made up from its name and the date: the same on each visit. */

import { plusDays, today, words } from "./dates.js";
import { drawing, element } from "./dom.js";

const SUN = "M12 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M19 5l-1.7 1.7M6.7 17.3L5 19";
const LOW_SUN = "M8 3v1.5M2.5 9H4M4 4.7l1.1 1.1M12.3 5.5L13.3 4.5M5.5 11a3.6 3.6 0 0 1 6.3-3";
const CLOUD = "M7.5 18a3.7 3.7 0 0 1-.4-7.4a5.3 5.3 0 0 1 10.2 1A3.3 3.3 0 0 1 17.3 18z";
const HIGH_CLOUD = "M7.5 14.5a3.7 3.7 0 0 1-.4-7.4a5.3 5.3 0 0 1 10.2 1a3.3 3.3 0 0 1 0 6.4z";
const DROPS = "M8.5 17.5l-1 3M12.5 17.5l-1 3M16.5 17.5l-1 3";

const SKIES = [
  [[SUN], "Sunny"],
  [[LOW_SUN, CLOUD], "Mostly sunny"],
  [[CLOUD], "Overcast"],
  [[HIGH_CLOUD, DROPS], "Rain"],
];

const sign = (sky) => drawing(sky[0], { class: "glyph", role: "img", "aria-label": sky[1] });

/** FNV-1a: a number from a text, well spread and the same everywhere. */
function spread(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
  return hash >>> 0;
}

function weatherOn(city, day) {
  const climate = 4 + (spread(city) % 18);
  const number = spread(`${city} ${day}`);
  return { high: climate + (number % 9), low: climate - 3 - ((number >>> 4) % 5), sky: SKIES[(number >>> 8) % SKIES.length], wind: 4 + ((number >>> 12) % 24) };
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
      { type: "button", "aria-label": `${units === "celsius" ? "°C" : "°F"}, show ${other}`, "data-key": "units", onclick: () => context.save({ view: { units: other } }, `The user chose ${other}.`) },
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
      sign(sky),
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
          sign(sky),
          element("strong", {}, degrees(high, units)),
          element("span", { class: "faint" }, degrees(low, units)),
        );
      }),
    ),
  ];
}

const VARIANTS = { current, forecast };

export const weather = { title: "Weather", seed: () => [], actions: ACTIONS, show: (context) => VARIANTS[context.variant](context) };
