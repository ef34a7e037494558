/** Elements from values. Text is set as text: nothing here reads HTML. */

/**
 * An element with attributes, listeners (`onclick`), and children: elements or texts.
 * `class`, `data-*` and the rest are attributes: true is an empty one, false and null
 * leave it out. Those of ARIA are words: "true" and "false".
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") made[name] = value;
    else if (name.startsWith("aria-")) made.setAttribute(name, String(value));
    else if (value === true) made.setAttribute(name, "");
    else if (value != null && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return made;
}

/** A drawing of some paths in a box of 24 by 24, in the color of the text. */
export function drawing(paths, attributes = {}) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  for (const d of paths) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** Replace what an element holds; the focus stays on the element of the same key. */
export function refill(holder, ...children) {
  const key = holder.contains(document.activeElement) && document.activeElement.dataset.key;
  holder.replaceChildren(...children.flat(Infinity));
  if (!key) return;
  const same = [...holder.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  (same ?? holder).focus({ preventScroll: true });
}

/** Whether the user prefers less motion. */
export const lessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
