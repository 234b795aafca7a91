// Puts the page together.
import { domNode, makePage, unpackBlock } from "./core.js";
import { LiveSystem, makeKernels } from "../../live/live.js";
import { mountEquations } from "./equations.js";
import { mountJoints } from "./joints.js";
import { LiveRunner, mountLive } from "./livepanel.js";
import { mountModel } from "./model.js";
import { PosedMotion, RecordedMotion, motionLayout } from "./motion.js";
import { Player, listenToKeys, mountPlayer } from "./player.js";
import { mountPlots } from "./plots.js";
import { mountScene } from "./scene.js";
import { mountEvents, mountTimeline } from "./timeline.js";
import { mountChart, mountView } from "./view.js";
import { wordNode, wordOf } from "./words.js";

/** Header: name, summary, language, theme, help. */
function mainHeader(element, page, help) {
  const title = element.querySelector("h1");
  const summary = element.querySelector("p");
  const tools = element.querySelector(".header-tools");
  const lang = domNode("button", { type: "button", class: "tool word", id: "language", onclick: () => page.setLang(page.lang === "ru" ? "en" : "ru") });
  wordNode(page, lang, "language", {}, ["aria-label", "title"]);
  const theme = domNode("button", { type: "button", class: "tool word", id: "theme" });
  theme.addEventListener("click", () => page.setTheme({ auto: "dark", dark: "light", light: "auto" }[page.theme]));
  const ask = domNode("button", { type: "button", class: "tool word", id: "help", onclick: help }, "?");
  wordNode(page, ask, "help", {}, ["aria-label", "title"]);
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
function mainTabs(bar, place, page, panels) {
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

/** The keys, in a window of their own. */
function mainHelp(page) {
  const window_ = domNode("dialog", { class: "help" });
  document.body.append(window_);
  const draw = () => {
    const rows = [
      ["Space", "keySpace"],
      ["← →", "keyArrows"],
      ["Shift ← →", "keyShift"],
      ["Home End", "keyEnds"],
      ["+ −", "keySpeed"],
      ["L", "keyLoop"],
      ["R", "keyReset"],
      ["?", "keyHelp"],
    ].map(([keys, word]) => domNode("tr", {}, domNode("th", { scope: "row" }, domNode("kbd", {}, keys)), domNode("td", {}, wordOf(page, word))));
    window_.replaceChildren(
      domNode("h2", {}, wordOf(page, "help")),
      domNode("table", {}, domNode("tbody", {}, ...rows)),
      domNode("p", {}, wordOf(page, "pointerHelp")),
      domNode("p", { class: "faint" }, wordOf(page, "made")),
      domNode("form", { method: "dialog" }, domNode("button", { class: "plain strong" }, wordOf(page, "close"))),
    );
    window_.setAttribute("aria-label", wordOf(page, "help"));
  };
  page.on("lang", draw);
  draw();
  return () => (window_.open ? window_.close() : window_.showModal());
}

/** Makes the page of the document's payload. */
export async function startPage() {
  const data = JSON.parse(new TextDecoder().decode(await unpackBlock("payload")));
  const page = makePage(data);
  window.sistel = page;
  const parts = Object.fromEntries([...document.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
  const help = mainHelp(page);
  mainHeader(parts.header, page, help);
  wordNode(page, parts.picture, "picture", {}, "aria-label");
  wordNode(page, parts.transport, "transport", {}, "aria-label");
  wordNode(page, parts.side, "panels", {}, "aria-label");
  wordNode(page, parts.tabs, "panels", {}, "aria-label");
  const kernels = makeKernels(await page.unpack(data.live.id));
  page.system = new LiveSystem(await kernels, data.live.table);
  const layout = motionLayout(data);
  new Player(page);
  if (data.live.on && !page.system.refused) new LiveRunner(page);
  if (data.run) {
    page.recorded = new RecordedMotion(data.run, await page.unpackBytes(data.run.id), layout);
    page.showRun = () => page.exchange(page.recorded, page.recorded.begin);
  }
  const { q, v, t, structure } = data.start;
  page.exchange(page.recorded ?? new PosedMotion({ t, q: Float64Array.from(q), v: Float64Array.from(v), structure }), data.run?.begin ?? t);
  mountTimeline(parts.timeline, page);
  mountPlayer(parts.transport, page);
  listenToKeys(page, {
    help,
    reset: () => {
      if (page.motion.kind === "live") page.live.begin(page.live.running);
      page.picture?.fit?.();
    },
  });
  const panels = [];
  if (data.curves || page.live) panels.push(["plots", mountPlots]);
  if (data.chart) panels.push(["chart", mountChart]);
  if (data.run) panels.push(["events", mountEvents]);
  panels.push(["joints", mountJoints]);
  if (data.live.on) panels.push(["live", mountLive]);
  if (data.equations) panels.push(["equations", mountEquations]);
  if (data.tree) panels.push(["model", mountModel]);
  mainTabs(parts.tabs, parts.panels, page, panels);
  // A scene takes seconds to load; the panels need not wait for it.
  await Promise.all([
    mountView(parts.picture, page, { mountScene: data.scene ? mountScene : null }),
    page.choose(data.run ? "plots" : "joints"),
  ]);
  page.seek(page.time);
  // What moves on its own may disturb; who asked for less of it presses play.
  if (data.run && !matchMedia("(prefers-reduced-motion: reduce)").matches) page.player.play();
  page.ready = true;
  document.documentElement.dataset.ready = "yes";
  return page;
}
