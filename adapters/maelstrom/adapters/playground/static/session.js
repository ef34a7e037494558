/** The way to the server: one turn, the history, the diagnostics; errors are values. */

/** Requests are answered within the server's turn timeout; past this nothing will come. */
const PATIENCE_MS = 90_000;

/** {value} or {error: {type, message}}; never throws. */
async function ask(path, options = {}) {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(path, { credentials: "same-origin", signal, ...options });
    const value = await response.json().catch(() => null);
    if (response.ok && value) return { value };
    const { type = `http_${response.status}`, message = response.statusText } = value ?? {};
    return { error: { type, message } };
  } catch (error) {
    const message = error.name === "TimeoutError" ? "The server took too long." : "The server cannot be reached.";
    return { error: { type: "unreachable", message } };
  }
}

export const fetchApp = () => ask("/playground/app.json");

export const fetchHistory = (sessionId) => ask(`/v1/sessions/${encodeURIComponent(sessionId)}/history?limit=200`);

export const fetchTurns = (sessionId, id) =>
  ask(`/playground/turns/${encodeURIComponent(sessionId)}${id ? `?id=${encodeURIComponent(id)}` : ""}`);

export const sendMessage = (sessionId, id, payload) =>
  ask("/v1/messages", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sessionId, id, timestamp: Date.now(), payload }),
  });
