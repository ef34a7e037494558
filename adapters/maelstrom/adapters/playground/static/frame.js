/** The frame that the user drags: its size in pixels, and never what is drawn in it. */

import { ChartSizer } from "./maelstrom.js";

/** Pixels of a cell: the smallest that six columns of a month can be read in. */
export const CELL = 56;

const KEYS = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

/**
 * Watches the frame; calls `changed(dimensions, resize)` for each change of the cells.
 * `known` is the size that the chart had when it was last arranged, if it was.
 */
export function watchFrame(frame, known, changed) {
  let sizer = new ChartSizer(CELL, CELL, { dimensions: known });
  let timer = 0;
  const measure = () => {
    clearTimeout(timer);
    const taken = sizer.measure(frame.clientWidth, frame.clientHeight, performance.now());
    sizer = taken.sizer;
    if (taken.resize) changed(sizer.dimensions, taken.resize);
    if (sizer.due != null) timer = setTimeout(measure, Math.max(1, Math.ceil(sizer.due - performance.now())));
  };
  new ResizeObserver(measure).observe(frame);
}

/** Dragging the grip, or the arrow keys on it, sizes the frame; Home fills the room. */
export function makeResizable(frame, grip) {
  const size = (width, height) => {
    const room = frame.parentElement;
    frame.style.width = `${Math.max(CELL, Math.min(width, room.clientWidth))}px`;
    frame.style.height = `${Math.max(CELL, Math.min(height, room.clientHeight))}px`;
  };
  grip.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const from = [frame.offsetWidth - down.clientX, frame.offsetHeight - down.clientY];
    grip.setPointerCapture(down.pointerId);
    const move = (event) => size(from[0] + event.clientX, from[1] + event.clientY);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", () => grip.removeEventListener("pointermove", move), { once: true });
  });
  grip.addEventListener("keydown", (event) => {
    if (event.key === "Home") {
      frame.style.width = frame.style.height = "";
    } else if (KEYS.has(event.key)) {
      const [across, down] = KEYS.get(event.key);
      size(frame.offsetWidth + across * CELL, frame.offsetHeight + down * CELL);
    } else return;
    event.preventDefault();
  });
}
