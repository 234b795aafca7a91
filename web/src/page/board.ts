// The board of charts: they share a zoom and the page's cursor.
import uPlot from "uplot";
import { PlotsChart } from "./chart";
import type { Page, Said } from "./core";
import { type Drawn, type Entry, PLOTS_SECOND, PLOTS_UNITS, plotsValue } from "./curves";
import { domNode, numberText } from "./dom";
import { panelsStyle } from "./panels";
import { PLOTS_STYLE, PLOTS_WORDS } from "./plotwords";

const PLOTS_ALL = 12;
/** Events that are told by lines; of more, a strip tells how dense they are. */
const PLOTS_LINES = 40;
const PLOTS_FIRST = new Set([
  "quantities",
  "coordinates",
  "velocities",
  "torques",
  "signals",
  "energy",
  "normals",
  "places",
]);

/** Curves of one drawing, with one of another at the same times. */
function joinCurves(own: Drawn, count: number, from: Drawn, curve: number): Drawn {
  const t = Array.from(own.t);
  return { t, y: [...own.y.slice(0, count), t.map((time) => plotsValue(from.t, from.y[curve], time))] };
}

/** All charts, the zoom they share, and the cursor. */
export class PlotsBoard {
  degrees = true;
  charts: PlotsChart[] = [];
  colours: { dim: string; line: string; edge: string; ink: string; hit: string; curves: string[] };
  readonly font: string;
  #zooming = false;
  /** The times that somebody chose [s]. */
  #zoom: [number, number] | null = null;
  #hover: number | null = null;
  /** Groups that are not shown. */
  #hidden = new Set<string>();
  #waits = false;
  /** A curve on its way to another chart. */
  dragged: { chart: PlotsChart; curve: number } | null = null;
  #letters = "";
  readonly #search = domNode("input", { type: "search", class: "plots-search" });
  readonly #chips = domNode("div", { class: "plots-chips", role: "group" });
  readonly #angles = domNode("button", { type: "button", class: "plots-tool", onclick: () => this.turnDegrees() });
  readonly #zoomer = domNode("button", {
    type: "button",
    class: "plots-tool",
    "aria-pressed": "false",
    onclick: () => this.turnZoom(),
  });
  readonly #whole = domNode("button", {
    type: "button",
    class: "plots-tool",
    hidden: true,
    onclick: () => this.setZoom(null),
  });
  readonly #note = domNode("p", { class: "plots-note" });
  readonly #list = domNode("div", { class: "plots-list" });
  readonly #tools = domNode("div", { class: "plots-tools" }, this.#search, this.#whole, this.#zoomer, this.#angles);
  readonly #seen: IntersectionObserver;

  constructor(
    readonly element: HTMLElement,
    readonly page: Page,
  ) {
    this.colours = this.#themed();
    this.font = getComputedStyle(element).fontFamily || "sans-serif";
    element.append(domNode("div", { class: "plots-bar" }, this.#tools, this.#chips), this.#note, this.#list);
    // Charts are drawn when they are seen, and follow the width of their place.
    this.#seen = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const chart = this.charts.find((each) => each.paper === entry.target);
          if (!chart) continue;
          chart.visible = entry.isIntersecting;
          if (chart.visible && entry.target.clientWidth) {
            chart.open();
            chart.resize();
            chart.mark(this.now(), this.#hover);
          }
        }
      },
      { rootMargin: "200px" },
    );
    this.#search.addEventListener("input", () => {
      this.#letters = this.#search.value.trim().toLowerCase();
      this.filter();
    });
    const sized = new ResizeObserver(() => {
      for (const chart of this.charts) if (chart.visible) chart.resize();
      this.move();
    });
    sized.observe(element);
  }

  /** The cursor [s]; null where the motion has no times. */
  now(): number | null {
    return this.page.motion.kind === "posed" ? null : this.page.time;
  }

  /** Shows other charts: `entries` are {chart, source}. */
  show(entries: Entry[]): void {
    this.#seen.disconnect();
    for (const chart of this.charts) chart.drawn?.destroy();
    this.charts = entries.map(({ chart, source, exact, under }) => new PlotsChart(this, chart, source, exact, under));
    this.#list.replaceChildren(...this.charts.map((chart) => chart.element));
    this.#hidden = new Set();
    const few = this.charts.length <= PLOTS_ALL;
    for (const { chart } of this.charts) if (!few && !PLOTS_FIRST.has(chart.group)) this.#hidden.add(chart.group);
    this.#zoom = null;
    this.say();
    for (const chart of this.charts) this.#seen.observe(chart.paper);
    this.move();
  }

  filter(): void {
    // Who looks for something finds it in all groups.
    for (const chart of this.charts)
      chart.element.hidden = this.#letters ? !chart.named(this.#letters) : this.#hidden.has(chart.chart.group);
    this.#note.textContent = this.charts.length ? this.accuracy() : this.page.say(PLOTS_WORDS.none);
    this.#note.hidden = !this.#note.textContent;
  }

  /** Everything that is written, in the language of the page. */
  say(): void {
    const { page } = this;
    const titles = new Map<string, Said>();
    for (const { chart } of this.charts)
      if (!titles.has(chart.group)) titles.set(chart.group, PLOTS_WORDS[chart.group] ?? chart.title);
    this.#chips.setAttribute("aria-label", page.say(PLOTS_WORDS.groups));
    this.#chips.replaceChildren(
      ...[...titles].map(([key, title]) =>
        domNode(
          "button",
          {
            type: "button",
            class: "plots-chip",
            "data-group": key,
            "aria-pressed": String(!this.#hidden.has(key)),
            onclick: (event) => {
              if (!this.#hidden.delete(key)) this.#hidden.add(key);
              (event.currentTarget as Element).setAttribute("aria-pressed", String(!this.#hidden.has(key)));
              this.filter();
            },
          },
          page.say(title),
        ),
      ),
    );
    this.#chips.hidden = titles.size < 2;
    this.#angles.textContent = this.degrees ? "°" : page.say(PLOTS_UNITS.angle.rad);
    this.#angles.title = page.say(PLOTS_WORDS.angles);
    this.#angles.setAttribute("aria-label", `${page.say(PLOTS_WORDS.angles)}: ${this.#angles.textContent}`);
    this.#angles.hidden = !this.charts.some(({ chart }) => chart.kind === "angle");
    this.#search.placeholder = page.say(PLOTS_WORDS.search);
    this.#search.setAttribute("aria-label", page.say(PLOTS_WORDS.search));
    this.#search.hidden = this.charts.length < 4;
    this.#zoomer.textContent = page.say(PLOTS_WORDS.zoom);
    this.#zoomer.title = page.say(PLOTS_WORDS.zoomHelp);
    this.#whole.textContent = page.say(PLOTS_WORDS.whole);
    this.#whole.hidden = this.#zoom === null;
    this.#tools.hidden = !this.charts.length;
    this.filter();
    for (const chart of this.charts) chart.say(page);
  }

  /** What the plots leave out, where they leave out something that can be seen. */
  accuracy(): string {
    const worst = Math.max(
      0,
      ...this.charts.map(({ chart }) => (this.#hidden.has(chart.group) ? 0 : (chart.error ?? 0))),
    );
    if (worst <= 0.02) return "";
    return this.page.say(PLOTS_WORDS[worst > 0.2 ? "crowded" : "near"]).replace("{part}", numberText(100 * worst, 2));
  }

  /** Labels of times, the unit at the last. */
  timed(labels: string[]): string[] {
    return labels.map((label, i) => (i + 1 === labels.length ? `${label} ${this.page.say(PLOTS_SECOND)}` : label));
  }

  /** Whether the curve that is dragged can be shown in a chart: it counts the same, and is not there yet. */
  fits({ chart }: PlotsChart): boolean {
    const from = this.dragged?.chart.chart;
    return Boolean(from && from !== chart && from.kind === chart.kind && from.per === chart.per);
  }

  /** The curve that is dragged is shown in a chart too. */
  drop(target: PlotsChart): void {
    const { dragged } = this;
    this.dragged = null;
    if (!dragged || !this.charts.includes(target)) return;
    const { chart: from, curve } = dragged;
    const both = (): Drawn => joinCurves(target.source(), target.chart.curves.length, from.source(), curve);
    const chart = { ...target.chart, curves: [...target.chart.curves, from.chart.curves[curve]] };
    const { exact, board } = target;
    const [own, other] = [exact, from.exact];
    const told: Entry["exact"] = own && other ? (state) => [...own(state), other(state)[curve]] : undefined;
    const { under } = target;
    const also = under?.map((each) => ({ ...each, curves: () => [...each.curves(), null], at: undefined }));
    const made = new PlotsChart(board, chart, both, told, also);
    this.#seen.unobserve(target.paper);
    target.drawn?.destroy();
    target.element.replaceWith(made.element);
    this.charts[this.charts.indexOf(target)] = made;
    this.#seen.observe(made.paper);
  }

  /** Colours of the theme. */
  paint(): void {
    this.colours = this.#themed();
    for (const chart of this.charts) chart.drawn?.redraw(false);
  }

  #themed(): PlotsBoard["colours"] {
    const style = getComputedStyle(this.element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    return {
      dim: colour("--dim"),
      line: colour("--line"),
      ink: colour("--ink"),
      edge: colour("--edge"),
      hit: colour("--bad"),
      curves: Array.from({ length: 8 }, (_, i) => colour(`--c${i}`)),
    };
  }

  /** The times that are shown [s]. */
  range(): [number, number] {
    if (this.#zoom) return this.#zoom;
    let { begin, end } = this.page.motion;
    if (this.page.motion.kind === "posed" && this.page.data.curves) ({ begin, end } = this.page.data.curves);
    return end > begin ? [begin, end] : [begin, begin + 1];
  }

  setZoom(zoom: [number, number] | null): void {
    this.#zoom = zoom && zoom[1] - zoom[0] > 1e-6 * (this.page.motion.end - this.page.motion.begin) ? zoom : null;
    this.#whole.hidden = this.#zoom === null;
    for (const chart of this.charts) chart.draw();
    this.move();
  }

  /** Times within the motion; all of it where they are wider. */
  #within(low: number, high: number): [number, number] | null {
    const zoom = this.#zoom;
    this.#zoom = null;
    const [begin, end] = this.range();
    this.#zoom = zoom;
    if (high - low >= end - begin) return null;
    const aside = Math.max(begin - low, 0) + Math.min(end - high, 0);
    return [low + aside, high + aside];
  }

  turnDegrees(): void {
    this.degrees = !this.degrees;
    this.say();
    for (const chart of this.charts) if (chart.chart.kind === "angle") chart.draw(true);
    this.move();
  }

  turnZoom(): void {
    this.#zooming = !this.#zooming;
    this.#zoomer.setAttribute("aria-pressed", String(this.#zooming));
  }

  /** Bands of the structures and lines of the events, behind the curves. */
  behind(plot: uPlot): void {
    const { stays, events, kind } = this.page.motion;
    const { min = null } = plot.scales.x ?? {};
    if (kind === "posed" || min === null) return;
    const { ctx, bbox } = plot;
    const place = (t: number) => plot.valToPos(t, "x", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    if (new Set(stays.map((stay) => stay.structure)).size > 1) {
      ctx.globalAlpha = 0.1;
      for (const stay of stays) {
        const [from, to] = [place(stay.begin), place(stay.end)];
        if (to < bbox.left || from > bbox.left + bbox.width || to - from < 0.3) continue;
        ctx.fillStyle = this.colours.curves[stay.structure % 8];
        ctx.fillRect(from, bbox.top, to - from, bbox.height);
      }
    }
    const ratio = window.devicePixelRatio || 1;
    const shown = events
      .map((event) => [place(event.time), Boolean(event.impulse)] as const)
      .filter(([x]) => x >= bbox.left && x <= bbox.left + bbox.width);
    // Lines that would make a wall say nothing.
    const zero = plot.valToPos(0, "y", true);
    if (zero > bbox.top && zero < bbox.top + bbox.height) {
      ctx.globalAlpha = 1;
      ctx.fillStyle = this.colours.edge;
      ctx.fillRect(bbox.left, Math.round(zero), bbox.width, ratio);
    }
    if (shown.length > PLOTS_LINES) {
      // So many events are told by how dense they are.
      const columns = new Map<number, number>();
      for (const [x] of shown)
        columns.set(Math.floor(x / (2 * ratio)), (columns.get(Math.floor(x / (2 * ratio))) ?? 0) + 1);
      const most = Math.max(...columns.values());
      ctx.fillStyle = this.colours.dim;
      for (const [column, count] of columns) {
        ctx.globalAlpha = 0.25 + (0.65 * count) / most;
        ctx.fillRect(2 * ratio * column, bbox.top, 2 * ratio, 5 * ratio);
      }
    } else {
      ctx.setLineDash([2 * ratio, 3 * ratio]);
      ctx.lineWidth = ratio;
      ctx.globalAlpha = shown.length < 12 ? 0.6 : 0.3;
      for (const [x, hit] of shown) {
        ctx.strokeStyle = hit ? this.colours.hit : this.colours.dim;
        ctx.beginPath();
        ctx.moveTo(Math.round(x) + 0.5, bbox.top);
        ctx.lineTo(Math.round(x) + 0.5, bbox.top + bbox.height);
        ctx.stroke();
      }
    }
    ctx.restore();
  }

  /** Pointer over a chart: it seeks, zooms, or reads values. */
  listen(plot: uPlot, over: HTMLElement): void {
    let from: number | null = null;
    let zone: HTMLElement | null = null;
    const timeAt = (event: PointerEvent) => {
      const box = over.getBoundingClientRect();
      return plot.posToVal(Math.min(Math.max(event.clientX - box.left, 0), box.width), "x");
    };
    const seek = (t: number) => {
      if (this.page.motion.kind === "posed") return;
      this.page.player.pause();
      this.page.player.go(t);
    };
    over.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      over.setPointerCapture(event.pointerId);
      from = timeAt(event);
      if (this.#zooming || event.shiftKey) {
        zone = domNode("div", { class: "plots-zone" });
        over.append(zone);
        event.preventDefault();
      } else seek(from);
    });
    over.addEventListener("pointermove", (event) => {
      const t = timeAt(event);
      if (zone) {
        const [a, b] = [from ?? t, t].map((time) => plot.valToPos(time, "x")).sort((x, y) => x - y);
        zone.style.left = `${a}px`;
        zone.style.width = `${b - a}px`;
      } else if (from !== null) seek(t);
      else if (event.pointerType === "mouse") {
        this.#hover = t;
        this.move();
      }
    });
    const end = (event: PointerEvent) => {
      if (zone) {
        const t = timeAt(event);
        zone.remove();
        const [a, b] = [from ?? t, t].sort((x, y) => x - y);
        const pixels = Math.abs(plot.valToPos(b, "x") - plot.valToPos(a, "x"));
        if (event.type === "pointerup" && pixels > 4) {
          this.setZoom([a, b]);
          if (this.#zooming) this.turnZoom();
        }
      }
      from = null;
      zone = null;
    };
    over.addEventListener("pointerup", end);
    over.addEventListener("pointercancel", end);
    over.addEventListener("pointerleave", () => {
      this.#hover = null;
      this.move();
    });
    over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
        event.preventDefault();
        const box = over.getBoundingClientRect();
        const at = plot.posToVal(event.clientX - box.left, "x");
        const [low, high] = this.range();
        const way = event.deltaY || event.deltaX;
        const k = event.shiftKey ? 1 : Math.exp(0.0015 * way);
        const aside = event.shiftKey ? (0.0015 * way * (high - low)) / 2 : 0;
        this.setZoom(this.#within(at + k * (low - at) + aside, at + k * (high - at) + aside));
      },
      { passive: false },
    );
    over.addEventListener("dblclick", () => this.setZoom(null));
  }

  /** Follows the cursor, once a frame. */
  move(): void {
    if (this.#waits) return;
    this.#waits = true;
    requestAnimationFrame(() => {
      this.#waits = false;
      const now = this.now();
      for (const chart of this.charts) if (chart.visible && !chart.element.hidden) chart.mark(now, this.#hover);
    });
  }
}

/** A board without charts yet, which follows the cursor, the language and the theme of the page. */
export function plotsBoard(element: HTMLElement, page: Page): PlotsBoard {
  panelsStyle("plots-style", PLOTS_STYLE);
  const board = new PlotsBoard(element, page);
  page.on("time", () => board.move());
  page.on("lang", () => board.say());
  page.on("theme", () => requestAnimationFrame(() => board.paint()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.paint());
  return board;
}
