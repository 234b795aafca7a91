// What every page has around its panels: the header, the tabs, the window with the keys.
import { domNode } from "./core.js";
import { wordNode, wordOf } from "./words.js";

const MAIN_KEYS = [
  ["Space", "keySpace"],
  ["← →", "keyArrows"],
  ["Shift ← →", "keyShift"],
  ["Home End", "keyEnds"],
  ["+ −", "keySpeed"],
  ["L", "keyLoop"],
  ["R", "keyReset"],
  ["?", "keyHelp"],
];

/** Header: name, summary, language, theme, help. */
export function mainHeader(element, page, help) {
  const title = element.querySelector("h1");
  const summary = element.querySelector("p");
  const tools = element.querySelector(".header-tools");
  const lang = domNode("button", { type: "button", class: "tool word", id: "language", onclick: () => page.setLang(page.lang === "ru" ? "en" : "ru") });
  wordNode(page, lang, "language", {}, ["aria-label", "title"]);
  const theme = domNode("button", { type: "button", class: "tool word", id: "theme" });
  theme.addEventListener("click", () => page.setTheme({ auto: "dark", dark: "light", light: "auto" }[page.theme]));
  const ask = domNode("button", { type: "button", class: "tool word", id: "help", onclick: help }, "?");
  wordNode(page, ask, "help", {}, ["aria-label", "title"]);
  const warned = page.data.run?.warnings?.length ?? 0;
  if (warned) {
    const warnings = domNode("button", { type: "button", class: "tool word warned", id: "warnings", onclick: () => page.choose("events") }, `! ${warned}`);
    wordNode(page, warnings, "warningsOf", { count: warned }, ["aria-label", "title"]);
    tools.append(warnings);
  }
  tools.append(lang, theme, ask);
  const draw = () => {
    title.textContent = page.say(page.data.name);
    summary.textContent = page.say(page.data.summary);
    lang.textContent = page.lang === "ru" ? "EN" : "RU";
    document.documentElement.lang = page.lang;
    theme.textContent = { auto: "◐", light: "○", dark: "●" }[page.theme];
    const said = wordOf(page, { auto: "themeAuto", light: "themeLight", dark: "themeDark" }[page.theme]);
    for (const name of ["aria-label", "title"]) theme.setAttribute(name, said);
    if (page.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = page.theme;
  };
  page.on("lang", draw);
  page.on("theme", draw);
  draw();
}

/** Tabs with panels; a panel is made when it is first shown. */
export function mainTabs(bar, place, page, panels) {
  const made = new Map();
  const choose = async (key, focus = false) => {
    for (const { tab, panel, key: own } of made.values()) {
      const on = own === key;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      panel.hidden = !on;
      if (on && focus) tab.focus();
    }
    const entry = made.get(key);
    if (!entry.mounted) {
      entry.mounted = (async () => {
        try {
          await entry.mount(entry.panel, page);
        } catch (problem) {
          console.error(problem);
          entry.panel.append(domNode("p", { class: "note warn" }, wordOf(page, "failed", { why: String(problem.message ?? problem) })));
        }
      })();
    }
    await entry.mounted;
    page.panel = key;
    page.emit("shown", key);
  };
  for (const [key, mount] of panels) {
    const tab = domNode("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`, onclick: () => choose(key) });
    wordNode(page, tab, key);
    const panel = domNode("div", { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, class: "panel", hidden: true });
    bar.append(tab);
    place.append(panel);
    made.set(key, { key, tab, panel, mount, mounted: null });
  }
  bar.addEventListener("keydown", (event) => {
    const keys = [...made.keys()];
    const now = keys.indexOf(page.panel);
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: keys.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(keys[(to + keys.length) % keys.length], true);
  });
  page.choose = choose;
}

/**
 * The keys, in a window of their own.
 * @param {Object} page
 * @param {Array<[string, string]>} [keys] keys, and the words of what they do
 * @param {string} [pointer] the word of what a pointer does
 * @returns {Function} opens and closes it
 */
export function mainHelp(page, keys = MAIN_KEYS, pointer = "pointerHelp") {
  const window_ = domNode("dialog", { class: "help" });
  document.body.append(window_);
  const draw = () => {
    const rows = keys.map(([key, word]) => domNode("tr", {}, domNode("th", { scope: "row" }, domNode("kbd", {}, key)), domNode("td", {}, wordOf(page, word))));
    window_.replaceChildren(
      domNode("h2", {}, wordOf(page, "help")),
      domNode("table", {}, domNode("tbody", {}, ...rows)),
      domNode("p", {}, wordOf(page, pointer)),
      domNode("p", { class: "faint" }, wordOf(page, "made")),
      domNode("form", { method: "dialog" }, domNode("button", { class: "plain strong" }, wordOf(page, "close"))),
    );
    window_.setAttribute("aria-label", wordOf(page, "help"));
  };
  page.on("lang", draw);
  draw();
  return () => (window_.open ? window_.close() : window_.showModal());
}
