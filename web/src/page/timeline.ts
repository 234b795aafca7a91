// The timeline: structures as bands of colour, events as marks, the cursor.
import type { Entered, RunEvent, Warned } from "../payload";
import type { Page } from "./core";
import { domNode, numberText } from "./dom";
import { timeText } from "./player";
import { type Gaps, wordNode, wordOf } from "./words";

/** Colour of a structure by its number. */
export function structureColour(number: number): string {
  return `var(--st${number % 8})`;
}

/** What is said of an event: a line each for when, what, how hard. */
export function eventLines(page: Page, event: RunEvent): string[] {
  const lines = [`${numberText(event.time, 6)} ${wordOf(page, "second")}`];
  const [before, after] = [event.before, event.after].map((number) => page.say(page.data.structures[number]?.said));
  if (page.say(event.said)) lines.push(page.say(event.said));
  lines.push(before === after ? before : `${before} → ${after}`);
  if (event.impulse) {
    lines.push(
      `${wordOf(page, "impulse")}: ${page.say(event.impulse.name)} ${numberText(event.impulse.size)} ${wordOf(page, "newtonSecond")}`,
    );
  }
  if (event.loss) lines.push(`${wordOf(page, "loss")}: ${numberText(event.loss)} ${wordOf(page, "joule")}`);
  return lines;
}

/** Bands, marks, cursor; clicking and dragging seek. */
export function mountTimeline(element: HTMLElement, page: Page): void {
  const bands = domNode("div", { class: "timeline-bands", "aria-hidden": "true" });
  const marks = document.createElement("canvas");
  marks.className = "timeline-marks";
  marks.setAttribute("aria-hidden", "true");
  const cursor = domNode("div", { class: "timeline-cursor", "aria-hidden": "true" });
  const hint = domNode("div", { class: "hint", role: "tooltip", hidden: true });
  const bar = domNode(
    "div",
    { class: "timeline-bar", role: "slider", tabindex: "0", "aria-orientation": "horizontal" },
    bands,
    marks,
    cursor,
    hint,
  );
  wordNode(page, bar, "timeline", {}, "aria-label");
  element.append(bar);

  const share = (t: number) => {
    const { begin, end } = page.motion;
    return end > begin ? (t - begin) / (end - begin) : 0;
  };
  const timeAt = (x: number) => {
    const box = bar.getBoundingClientRect();
    const { begin, end } = page.motion;
    return begin + Math.min(Math.max((x - box.left) / box.width, 0), 1) * (end - begin);
  };

  const drawBands = () => {
    const { stays, kind } = page.motion;
    element.hidden = kind === "posed" || !(page.motion.end > page.motion.begin);
    if (element.hidden) return;
    const wide = bar.clientWidth || 1;
    // Bands narrower than a pixel are drawn as one, of the structure that lasts longest in them.
    const shown: { structure: number; from: number; to: number; longest: number }[] = [];
    for (const stay of stays) {
      const last = shown.at(-1);
      const from = share(stay.begin) * wide;
      const to = share(stay.end) * wide;
      if (last && to - last.from < 1.5) {
        last.to = to;
        if (stay.end - stay.begin > last.longest)
          [last.longest, last.structure] = [stay.end - stay.begin, stay.structure];
      } else if (last && last.structure === stay.structure && from - last.to < 0.5) last.to = to;
      else shown.push({ structure: stay.structure, from, to, longest: stay.end - stay.begin });
    }
    bands.replaceChildren(
      ...shown.map(({ structure, from, to }) => {
        const node = domNode("div", { class: "timeline-band" });
        node.style.left = `${from}px`;
        node.style.width = `${Math.max(to - from, 1)}px`;
        node.style.setProperty("--own", structureColour(structure));
        if (to - from > 28) node.append(domNode("span", {}, page.say(page.data.structures[structure]?.said)));
        return node;
      }),
    );
    const ratio = window.devicePixelRatio || 1;
    marks.width = Math.max(1, Math.round(wide * ratio));
    marks.height = Math.max(1, Math.round(bar.clientHeight * ratio));
    const pen = marks.getContext("2d");
    if (!pen) return;
    pen.fillStyle = getComputedStyle(bar).getPropertyValue("--ink");
    let before = -Infinity;
    const strongest = Math.max(...page.motion.events.map((event) => event.impulse?.size ?? 0), 1e-30);
    for (const event of page.motion.events) {
      const x = Math.round(share(event.time) * marks.width);
      if (x === before) continue;
      before = x;
      const size = event.impulse ? 0.35 + 0.65 * Math.sqrt((event.impulse.size ?? 0) / strongest) : 0.3;
      const high = size * 0.42 * marks.height;
      pen.fillRect(x - ratio / 2, marks.height - high, ratio, high);
    }
  };
  const drawCursor = () => {
    cursor.style.left = `${100 * share(page.time)}%`;
    const structure = page.now ? page.say(page.data.structures[page.now.structure]?.said) : "";
    const { begin, end } = page.motion;
    bar.setAttribute("aria-valuemin", String(begin));
    bar.setAttribute("aria-valuemax", String(end));
    bar.setAttribute("aria-valuenow", String(Number(page.time.toPrecision(8))));
    bar.setAttribute("aria-valuetext", `${timeText(page, page.time)} ${wordOf(page, "second")}, ${structure}`);
    if (document.activeElement === bar && !hover)
      showHint(nearest(page.time, 1e-7), share(page.time) * bar.clientWidth);
  };

  const nearest = (t: number, within: number) => {
    let found: RunEvent | null = null;
    for (const event of page.motion.events) {
      const away = Math.abs(event.time - t);
      if (away <= within && (!found || away < Math.abs(found.time - t))) found = event;
    }
    return found;
  };
  const showHint = (event: RunEvent | null, x: number, t: number | null = null) => {
    if (!event && t === null) {
      hint.hidden = true;
      return;
    }
    let lines: string[] = [];
    if (event) lines = eventLines(page, event);
    else if (t !== null) {
      const state = page.motion.at(t);
      lines = [
        `${timeText(page, t)} ${wordOf(page, "second")}`,
        page.say(state && page.data.structures[state.structure]?.said),
      ];
    }
    hint.replaceChildren(...lines.map((line, i) => domNode("div", { class: i ? "" : "hint-time" }, line)));
    hint.hidden = false;
    const half = hint.offsetWidth / 2;
    hint.style.left = `${Math.min(Math.max(x, half), Math.max(bar.clientWidth - half, half))}px`;
  };

  let drags = false;
  let hover = false;
  bar.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    drags = true;
    bar.setPointerCapture(event.pointerId);
    page.player.playing = false;
    const near = nearest(timeAt(event.clientX), reachOf());
    page.player.go(near ? near.time : timeAt(event.clientX));
  });
  const reachOf = () => (4 / (bar.clientWidth || 1)) * (page.motion.end - page.motion.begin);
  bar.addEventListener("pointermove", (event) => {
    hover = true;
    const t = timeAt(event.clientX);
    if (drags) page.player.go(t);
    showHint(nearest(t, reachOf()), event.clientX - bar.getBoundingClientRect().left, t);
  });
  for (const name of ["pointerup", "pointercancel"]) bar.addEventListener(name, () => (drags = false));
  bar.addEventListener("pointerleave", () => {
    hover = false;
    hint.hidden = true;
  });
  bar.addEventListener("focus", drawCursor);
  bar.addEventListener("blur", () => (hint.hidden = true));

  new ResizeObserver(drawBands).observe(bar);
  page.on("motion", drawBands);
  page.on("lang", () => (drawBands(), drawCursor()));
  page.on("theme", drawBands);
  let waits = false;
  page.on("samples", () => {
    // A growing motion is redrawn now and then.
    if (waits) return;
    waits = true;
    setTimeout(() => ((waits = false), drawBands()), 100);
  });
  page.on("time", drawCursor);
  drawBands();
}

const EVENTS_LISTED = 400;

/** What a user must know of the run; every row seeks. */
function warningList(page: Page, warnings: Warned[]): HTMLElement {
  let hinted = "";
  const rows = warnings.map((warning) => {
    const seek = domNode("button", {
      type: "button",
      class: "warning-row",
      onclick: () => (page.player.pause(), page.player.go(warning.time)),
    });
    const often = warning.count > 1 ? ` (×${warning.count})` : "";
    const lines = [domNode("span", { class: "event-name" }, page.say(warning.said) + often)];
    const hint = warning.hint ? page.say(warning.hint) : "";
    if (hint && hint !== hinted) lines.push(domNode("span", { class: "event-more" }, hint)); // the same advice is given once
    hinted = hint;
    if (warning.place) lines.push(domNode("span", { class: "event-more" }, warning.place));
    seek.append(
      domNode("span", { class: "warning-mark", "aria-hidden": "true" }, "!"),
      domNode("span", { class: "event-time" }, `${timeText(page, warning.time)} ${wordOf(page, "second")}`),
      domNode("span", { class: "event-text" }, ...lines),
    );
    return domNode("li", {}, seek);
  });
  return domNode(
    "section",
    { class: "warnings", "aria-label": wordOf(page, "warnings") },
    domNode("h3", {}, wordOf(page, "warnings")),
    domNode("ul", { class: "warning-list" }, ...rows),
  );
}

/** States that behaviours enter; every row seeks. */
function enteredList(page: Page, { all, rows }: Entered): HTMLElement {
  const list = rows.map(({ time, behaviour, state }) => {
    const seek = domNode(
      "button",
      { type: "button", class: "event-row", onclick: () => (page.player.pause(), page.player.go(time)) },
      domNode("span", {}),
      domNode("span", { class: "event-time" }, `${numberText(time, 6)} ${wordOf(page, "second")}`),
      domNode(
        "span",
        { class: "event-text" },
        domNode("span", { class: "event-name" }, state),
        domNode("span", { class: "event-more" }, behaviour),
      ),
    );
    seek.dataset.time = String(time);
    return domNode("li", {}, seek);
  });
  const note = all > rows.length ? wordOf(page, "enteredShown", { shown: rows.length, all }) : "";
  return domNode(
    "section",
    { class: "entered", "aria-label": wordOf(page, "entered") },
    domNode("h3", {}, wordOf(page, "entered")),
    domNode("ol", { class: "event-list" }, ...list),
    ...(note ? [domNode("p", { class: "note" }, note)] : []),
  );
}

/** A table of what happened; every row seeks. */
export function mountEvents(element: HTMLElement, page: Page): void {
  const draw = () => {
    const events = page.motion.events;
    const said = (key: string, gaps: Gaps = {}) => domNode("p", { class: "note" }, wordOf(page, key, gaps));
    const parts: HTMLElement[] = [];
    const run = page.data.run;
    if (page.motion.kind === "recorded" && run) {
      if (run.stopped) parts.push(said("stopped", { why: page.say(run.stopped) }));
      if (run.end < run.whole)
        parts.push(said("timeShown", { shown: numberText(run.end, 5), all: numberText(run.whole, 5) }));
      if (run.eventsInAll > events.length)
        parts.push(said("eventsShown", { all: run.eventsInAll, shown: events.length }));
      if (run.joined > 0) parts.push(said("staysJoined", { count: run.joined }));
    }
    const warnings = page.motion.kind === "recorded" ? (run?.warnings ?? []) : [];
    if (warnings.length) parts.push(warningList(page, warnings));
    const entered = page.motion.kind === "recorded" ? run?.entered : null;
    if (!events.length) parts.push(said(entered?.rows.length ? "sameStructure" : "noEvents"));
    const rows = events.slice(0, EVENTS_LISTED).map((event) => {
      const [when, ...lines] = eventLines(page, event);
      const seek = domNode("button", {
        type: "button",
        class: "event-row",
        onclick: () => (page.player.pause(), page.player.go(event.time)),
      });
      const text = domNode(
        "span",
        { class: "event-text" },
        ...lines.map((line, i) => domNode("span", { class: i ? "event-more" : "event-name" }, line)),
      );
      const mark = domNode("span", { class: "event-mark" });
      mark.style.setProperty("--own", structureColour(event.after));
      seek.append(mark, domNode("span", { class: "event-time" }, when), text);
      seek.dataset.time = String(event.time);
      return domNode("li", {}, seek);
    });
    if (rows.length) parts.push(domNode("ol", { class: "event-list" }, ...rows));
    if (events.length > EVENTS_LISTED) parts.push(said("rowsShown", { shown: EVENTS_LISTED, all: events.length }));
    if (entered?.rows.length) parts.push(enteredList(page, entered));
    element.replaceChildren(...parts);
    mark();
  };
  const mark = () => {
    for (const list of element.querySelectorAll(".event-list")) {
      let last: HTMLElement | null = null;
      for (const row of list.querySelectorAll<HTMLElement>(".event-row")) {
        row.removeAttribute("aria-current");
        if (Number(row.dataset.time) <= page.time + 1e-9) last = row;
      }
      last?.setAttribute("aria-current", "time");
    }
  };
  let shown = -1;
  page.on("motion", draw);
  page.on("lang", draw);
  page.on("samples", () => {
    if (page.motion.events.length === shown) return;
    shown = page.motion.events.length;
    draw();
  });
  page.on("time", () => element.offsetParent && mark());
  draw();
}
