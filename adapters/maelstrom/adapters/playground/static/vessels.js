/**
 * What the example app's vessels do on the page, by vessel id.
 *
 * Each is {title, seed, actions, show}: `actions` give what an action changes of the
 * data and the view, `show` the elements for the variant that the context names.
 */

import { calendar } from "./calendar.js";
import { notes } from "./notes.js";
import { tasks } from "./tasks.js";
import { weather } from "./weather.js";

export const VESSELS = new Map([
  ["calendar", calendar],
  ["weather", weather],
  ["tasks", tasks],
  ["notes", notes],
]);

/** What an action changes: {data?, view?}; nothing where the vessel has no such action. */
export function changeOf(vesselId, action, context, params) {
  const actions = VESSELS.get(vesselId)?.actions ?? {};
  return Object.hasOwn(actions, action) ? actions[action](context, params ?? {}) : {};
}
