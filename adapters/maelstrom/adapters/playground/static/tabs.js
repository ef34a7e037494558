/** Tabs as the ARIA practices have them: arrow keys move, the panel follows. */

export function makeTabs(...rest) {
  const changed = rest.pop();
  const tabs = rest;
  const select = (chosen, focus = true) => {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !selected;
    }
    if (focus) chosen.focus();
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => {
      select(tab);
      changed(tab);
    });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      select(next);
      changed(next);
    });
  }
  return { select };
}
