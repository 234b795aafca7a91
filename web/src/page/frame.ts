// What every page has around its panels: the header, the tabs, the window with the keys.
import { lookTools } from "../look/tools";
import type { Page } from "./core";
import { domNode, found } from "./dom";
import { wordNode, wordOf } from "./words";

/** Keys, and the word of what they do. */
export type KeyWords = [string, string][];
/** Fills an element with a panel. */
export type Mount<P> = (element: HTMLElement, page: P) => void | Promise<void>;

const MAIN_KEYS: KeyWords = [
  ["Space", "keySpace"],
  ["← →", "keyArrows"],
  ["Shift ← →", "keyShift"],
  ["Home End", "keyEnds"],
  ["+ −", "keySpeed"],
  ["L", "keyLoop"],
  ["R", "keyReset"],
  ["Ctrl Z", "keyUndo"],
  ["?", "keyHelp"],
];

/** Header: name, summary, language, theme, help. */
export function mainHeader(element: HTMLElement, page: Page, help: () => void): void {
  const title = found(element, "h1");
  const summary = found(element, ".facts");
  const tools = found(element, ".tools");
  // A page alone speaks for its document.
  const places = page.alone ? [page.root, document.documentElement] : [page.root];
  const look = lookTools(page, places);
  const ask = domNode("button", { type: "button", class: "tool word", "data-id": "help", onclick: help }, "?");
  wordNode(page, ask, "help", {}, ["aria-label", "title"]);
  const warned = page.data.run?.warnings.length ?? 0;
  if (warned) {
    const warnings = domNode(
      "button",
      { type: "button", class: "tool word warned", "data-id": "warnings", onclick: () => page.choose("events") },
      `! ${warned}`,
    );
    wordNode(page, warnings, "warningsOf", { count: warned }, ["aria-label", "title"]);
    tools.append(warnings);
  }
  tools.append(...look.tools, ask);
  const draw = () => {
    title.textContent = page.say(page.data.name);
    summary.textContent = page.say(page.data.summary);
    look.draw();
  };
  page.on("lang", draw);
  page.on("theme", draw);
  draw();
}

/** Tabs with panels; a panel is made when it is first shown. */
export function mainTabs<P extends Page>(
  bar: HTMLElement,
  place: HTMLElement,
  page: P,
  panels: [string, Mount<P>][],
): void {
  interface Entry {
    key: string;
    tab: HTMLElement;
    panel: HTMLElement;
    mount: Mount<P>;
    mounted: Promise<void> | null;
  }
  const made = new Map<string, Entry>();
  const choose = async (key: string, focus = false) => {
    for (const { tab, panel, key: own } of made.values()) {
      const on = own === key;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      panel.hidden = !on;
      if (on && focus) tab.focus();
    }
    const entry = made.get(key);
    if (!entry) return;
    entry.mounted ??= (async () => {
      try {
        await entry.mount(entry.panel, page);
      } catch (problem) {
        console.error(problem);
        const why = problem instanceof Error ? problem.message : String(problem);
        entry.panel.append(domNode("p", { class: "note warn" }, wordOf(page, "failed", { why })));
      }
    })();
    await entry.mounted;
    page.panel = key;
    page.emit("shown", key);
  };
  for (const [key, mount] of panels) {
    const tab = domNode("button", {
      type: "button",
      role: "tab",
      ...page.named(`tab-${key}`),
      "aria-controls": page.id(`panel-${key}`),
      onclick: () => choose(key),
    });
    wordNode(page, tab, key);
    const panel = domNode("div", {
      role: "tabpanel",
      ...page.named(`panel-${key}`),
      "aria-labelledby": page.id(`tab-${key}`),
      class: "panel",
      hidden: true,
    });
    bar.append(tab);
    place.append(panel);
    made.set(key, { key, tab, panel, mount, mounted: null });
  }
  bar.addEventListener("keydown", (event) => {
    const keys = [...made.keys()];
    const now = keys.indexOf(page.panel);
    const ways: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: keys.length - 1 };
    const to = ways[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void choose(keys[(to + keys.length) % keys.length], true);
  });
  page.choose = choose;
}

/**
 * The keys, in a window of their own.
 * @param page where it stands
 * @param keys keys, and the words of what they do
 * @param pointer the word of what a pointer does
 * @returns what opens and closes it
 */
export function mainHelp(page: Page, keys = MAIN_KEYS, pointer = "pointerHelp"): () => void {
  const window_ = domNode("dialog", { class: "help" });
  page.root.append(window_);
  const draw = () => {
    const rows = keys.map(([key, word]) =>
      domNode(
        "tr",
        {},
        domNode("th", { scope: "row" }, domNode("kbd", {}, key)),
        domNode("td", {}, wordOf(page, word)),
      ),
    );
    window_.replaceChildren(
      domNode("h2", {}, wordOf(page, "help")),
      domNode("table", {}, domNode("tbody", {}, ...rows)),
      domNode("p", {}, wordOf(page, pointer)),
      domNode("p", { class: "dim" }, wordOf(page, "made")),
      domNode("form", { method: "dialog" }, domNode("button", { class: "plain strong" }, wordOf(page, "close"))),
    );
    window_.setAttribute("aria-label", wordOf(page, "help"));
  };
  page.on("lang", draw);
  draw();
  return () => (window_.open ? window_.close() : window_.showModal());
}
