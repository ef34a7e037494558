/**
 * What the vessels hold, in localStorage: the app's data a vessel (tasks, notes, events)
 * and what one instance looks at (a month, a city). One entry a key, so that an id is
 * never a key of an object; a change in another tab arrives as a `storage` event.
 */

const PREFIX = "maelstrom.";

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key));
  } catch {
    return null; // not ours, or cut short: start anew
  }
}

function write(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page works on, and forgets on reload.
  }
}

/** The session's id, the same in all tabs; a new one where there is none. */
export function sessionId() {
  const known = read("session");
  return typeof known === "string" ? known : newSession();
}

/** Begin a session, and forget what was looked at; the app's data stays. */
export function newSession() {
  const old = Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX}view.`));
  for (const key of old) localStorage.removeItem(key);
  const id = `playground-${crypto.randomUUID()}`;
  write("session", id);
  return id;
}

/** The app's data of a vessel, seeded on first sight. */
export function data(vesselId, seed) {
  const held = read(`data.${vesselId}`);
  if (held != null) return held;
  const fresh = seed();
  write(`data.${vesselId}`, fresh);
  return fresh;
}

export const setData = (vesselId, value) => write(`data.${vesselId}`, value);
export const view = (instanceId) => read(`view.${instanceId}`) ?? {};
export const setView = (instanceId, value) => write(`view.${instanceId}`, value);

/** Call back when another tab changed what a vessel holds. */
export function onChange(call) {
  addEventListener("storage", ({ key }) => {
    if (key?.startsWith(`${PREFIX}data.`) || key?.startsWith(`${PREFIX}view.`)) call();
  });
}
