// The board of charts: they share a zoom and the page's cursor.
import uPlot from "uplot";
import type { Words } from "../payload";
import type { Page, Said } from "./core";
import {
  type Drawn,
  type Entry,
  PLOTS_UNITS,
  type ShownChart,
  plotsRange,
  plotsTicks,
  plotsUnit,
  plotsValue,
} from "./curves";
import { domNode, numberText } from "./dom";
import { panelsStyle } from "./panels";

const PLOTS_ALL = 12;
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

/** Words by key; groups of curves are among them. */
export const PLOTS_WORDS: Record<string, Words> = {
  coordinates: { en: "Coordinates", ru: "Координаты" },
  velocities: { en: "Velocities", ru: "Скорости" },
  energy: { en: "Energy", ru: "Энергия" },
  kinetic: { en: "kinetic", ru: "кинетическая" },
  potential: { en: "potential", ru: "потенциальная" },
  total: { en: "total", ru: "полная" },
  quantities: { en: "Asked for", ru: "Заданные" },
  signals: { en: "Signals", ru: "Сигналы" },
  groups: { en: "What is shown", ru: "Что показано" },
  angles: { en: "Angles in degrees or radians", ru: "Углы в градусах или радианах" },
  zoom: { en: "Zoom", ru: "Лупа" },
  zoomHelp: {
    en: "A click or drag over a plot moves in time. With the zoom on, or with Shift, a drag chooses what is shown; a double click shows all.",
    ru: "Щелчок или протяжка по графику переводит время. С лупой или с Shift протяжка выбирает, что показать; двойной щелчок показывает всё.",
  },
  whole: { en: "Whole time", ru: "Всё время" },
  none: { en: "No curves yet: start the live mode.", ru: "Кривых пока нет: запустите режим «вживую»." },
  near: {
    en: "Curves are drawn within {part} % of their range.",
    ru: "Кривые нарисованы с точностью {part} % их размаха.",
  },
  crowded: {
    en: "So much happens here that not every swing of the curves is drawn.",
    ru: "Здесь столько событий, что нарисован не каждый размах кривых.",
  },
};

const PLOTS_STYLE = `
.plots-bar::after{content:"";display:block;clear:both}
.plots-tools{float:right;display:flex;gap:6px;margin:0 0 6px 10px}
.plots-chips{display:contents}
.plots-chip{margin:0 6px 6px 0}
.plots-chip{min-height:30px;padding:0 11px;border:1px solid var(--line);border-radius:15px;background:none;color:var(--dim);
 font-size:13px;cursor:pointer}
.plots-chip:hover{border-color:var(--dim)}
.plots-chip[aria-pressed="true"]{background:color-mix(in srgb,var(--accent) 12%,transparent);border-color:transparent;color:var(--ink)}
.plots-tool{min-height:30px;min-width:34px;padding:0 10px;border:1px solid var(--line);border-radius:7px;background:none;
 color:var(--ink);font-size:13px;cursor:pointer}
.plots-tool:hover{border-color:var(--dim)}
.plots-tool[aria-pressed="true"]{background:var(--accent);border-color:var(--accent);color:var(--paper)}
.plots-note{color:var(--dim);font-size:12px;margin:0 0 6px}
.plots-chart{margin:14px 0 0;padding:0;min-width:0}
.plots-chart figcaption{display:flex;gap:8px;align-items:baseline;font-weight:600;font-size:13px;padding-left:2px}
.plots-unit{color:var(--dim);font-weight:400}
.plots-paper{position:relative;height:164px;margin-top:2px}
.plots-paper .u-over{cursor:crosshair;touch-action:pan-y}
.plots-paper .u-cursor-x,.plots-paper .u-cursor-y,.plots-paper .u-cursor-pt{display:none}
.plots-now,.plots-hover{position:absolute;top:0;bottom:0;left:0;width:0;pointer-events:none;will-change:transform}
.plots-now{border-left:1.5px solid var(--ink)}
.plots-hover{border-left:1px dashed var(--dim)}
.plots-zone{position:absolute;top:0;bottom:0;background:var(--accent);opacity:.16;pointer-events:none}
.plots-legend{position:relative;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(144px,100%),1fr));gap:0 8px;margin:2px 0 0;padding:0;list-style:none}
.plots-key{display:flex;align-items:center;gap:7px;width:100%;min-height:26px;padding:0 4px;border:0;border-radius:6px;background:none;
 text-align:left;cursor:pointer;font-size:12.5px;color:var(--ink)}
.plots-key:hover{background:var(--plate)}
.plots-key::before{content:"";flex:none;width:14px;height:3px;border-radius:2px;background:var(--own)}
.plots-key[aria-pressed="false"]{color:var(--dim)}
.plots-key[aria-pressed="false"]::before{background:var(--line)}
.plots-key[aria-pressed="false"] .plots-name{text-decoration:line-through}
.plots-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;unicode-bidi:isolate;min-width:1.5em}
.plots-value{margin-left:auto;padding-left:2px;color:var(--dim);font-variant-numeric:tabular-nums;white-space:nowrap}
@media (max-width:700px){.plots-bar{display:flex;flex-direction:row-reverse;gap:8px}.plots-tools{float:none;flex:none;margin:0}
.plots-chips{display:flex;flex:1;min-width:0;overflow-x:auto;scrollbar-width:none}.plots-chip{flex:none;margin-bottom:0;border-radius:20px}
.plots-chip,.plots-tool,.plots-key{min-height:40px}.plots-paper{height:190px}}
`;

/** One chart: its title, its paper, its legend. The drawing itself is made when it is first seen. */
class PlotsChart {
  readonly element: HTMLElement;
  readonly paper = domNode("div", { class: "plots-paper", role: "img" });
  /** The drawing, once it was seen. */
  drawn: uPlot | null = null;
  /** Whether it is seen now. */
  visible = false;
  readonly #on: boolean[];
  readonly #title = domNode("span");
  readonly #unitWord = domNode("span", { class: "plots-unit" });
  readonly #nowLine = domNode("div", { class: "plots-now", hidden: true });
  readonly #hoverLine = domNode("div", { class: "plots-hover", hidden: true });
  readonly #values: HTMLElement[];
  readonly #names: HTMLElement[];
  readonly #keys: HTMLElement[];

  constructor(
    readonly board: PlotsBoard,
    readonly chart: ShownChart,
    readonly source: () => Drawn,
  ) {
    this.#on = chart.curves.map(() => true);
    this.#values = chart.curves.map(() => domNode("span", { class: "plots-value" }));
    this.#names = chart.curves.map(() => domNode("span", { class: "plots-name" }));
    this.#keys = chart.curves.map((_, i) => {
      const key = domNode(
        "button",
        { type: "button", class: "plots-key", "aria-pressed": "true", onclick: () => this.turn(i) },
        this.#names[i],
        this.#values[i],
      );
      key.style.setProperty("--own", `var(--c${i % 8})`);
      return key;
    });
    const legend = domNode("ul", { class: "plots-legend" }, ...this.#keys.map((key) => domNode("li", {}, key)));
    this.element = domNode(
      "figure",
      { class: "plots-chart", "data-group": chart.group },
      domNode("figcaption", {}, this.#title, this.#unitWord),
      this.paper,
      legend,
    );
    this.say(board.page);
  }

  say(page: Page): void {
    const { word } = plotsUnit(this.chart, this.board.degrees);
    this.#title.textContent = page.say(this.chart.title);
    this.#unitWord.textContent = page.say(word);
    const names = this.chart.curves.map((curve) => page.say(curve.name));
    names.forEach((name, i) => {
      this.#names[i].textContent = name;
      this.#keys[i].title = name;
    });
    this.paper.setAttribute(
      "aria-label",
      `${page.say(this.chart.title)}, ${page.say(word)}: ${names.slice(0, 8).join(", ")}`,
    );
  }

  /** Times and values in the unit that is shown, as uPlot takes them. */
  data(): uPlot.AlignedData {
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    const { t, y } = this.source();
    return [
      t,
      ...y.map((values) =>
        factor === 1 ? values : Array.from(values, (value) => (value === null ? null : value * factor)),
      ),
    ];
  }

  /** Draws for the first time. */
  open(): void {
    if (this.drawn) return;
    const { board } = this;
    const axis = (more: uPlot.Axis): uPlot.Axis => ({
      stroke: () => board.colours.dim,
      grid: { stroke: () => board.colours.line, width: 1 },
      ticks: { show: false },
      font: `11px ${board.font}`,
      gap: 4,
      ...more,
    });
    const options: uPlot.Options = {
      width: Math.max(120, this.paper.clientWidth),
      height: this.paper.clientHeight || 164,
      pxAlign: 0,
      padding: [6, 10, 0, 0],
      legend: { show: false },
      cursor: {
        show: true,
        x: false,
        y: false,
        points: { show: false },
        drag: { x: false, y: false, setScale: false },
      },
      scales: {
        x: { time: false, range: () => board.range() },
        y: { range: (_, low, high) => plotsRange(low ?? NaN, high ?? NaN) },
      },
      axes: [
        axis({ size: 19, space: 56, values: (_, ticks) => plotsTicks(ticks) }),
        axis({ size: 52, space: 26, values: (_, ticks) => plotsTicks(ticks) }),
      ],
      series: [
        {},
        ...this.chart.curves.map((_, i) => ({
          stroke: () => board.colours.curves[i % 8],
          width: 1.6,
          show: this.#on[i],
          points: { show: false },
          spanGaps: false,
        })),
      ],
      hooks: { drawClear: [(plot) => board.behind(plot)] },
    };
    this.drawn = new uPlot(options, this.data(), this.paper);
    const over = this.drawn.over;
    over.append(this.#hoverLine, this.#nowLine);
    board.listen(this.drawn, over);
    board.move();
  }

  /** Draws again what is shown: `fresh` where the data or its unit is another. */
  draw(fresh = false): void {
    if (!this.drawn) return;
    if (fresh) this.drawn.setData(this.data(), false);
    const [low, high] = this.board.range();
    this.drawn.setScale("x", { min: low, max: high });
  }

  resize(): void {
    if (!this.drawn || !this.paper.clientWidth) return;
    this.drawn.setSize({ width: this.paper.clientWidth, height: this.paper.clientHeight });
  }

  turn(i: number): void {
    this.#on[i] = !this.#on[i];
    this.#keys[i].setAttribute("aria-pressed", String(this.#on[i]));
    this.drawn?.setSeries(i + 1, { show: this.#on[i] });
  }

  /** Moves the lines to the cursor, and writes the values there. */
  mark(now: number | null, hover: number | null): void {
    const time = hover ?? now;
    const { t, y } = this.source();
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    this.#values.forEach((node, i) => {
      const value = time === null ? null : plotsValue(t, y[i], time);
      node.textContent = value === null ? "" : numberText(value * factor, 4);
    });
    if (!this.drawn) return;
    const wide = this.drawn.over.clientWidth;
    for (const [line, at] of [
      [this.#nowLine, now],
      [this.#hoverLine, hover],
    ] as const) {
      const x = at === null ? -1 : this.drawn.valToPos(at, "x");
      line.hidden = !(x >= -0.5 && x <= wide + 0.5);
      if (!line.hidden) line.style.transform = `translateX(${x - 0.75}px)`;
    }
  }
}

/** All charts, the zoom they share, and the cursor. */
export class PlotsBoard {
  degrees = true;
  charts: PlotsChart[] = [];
  colours: { dim: string; line: string; ink: string; hit: string; curves: string[] };
  readonly font: string;
  #zooming = false;
  /** The times that somebody chose [s]. */
  #zoom: [number, number] | null = null;
  #hover: number | null = null;
  /** Groups that are not shown. */
  #hidden = new Set<string>();
  #waits = false;
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
  readonly #tools = domNode("div", { class: "plots-tools" }, this.#whole, this.#zoomer, this.#angles);
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
    this.charts = entries.map(({ chart, source }) => new PlotsChart(this, chart, source));
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
    for (const chart of this.charts) chart.element.hidden = this.#hidden.has(chart.chart.group);
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
    if (shown.length * 4 * ratio < bbox.width) {
      ctx.setLineDash([3 * ratio, 3 * ratio]);
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
