// Plots: charts over time that share the page's cursor, of a run or of a motion that grows.
import uPlot from "uplot";
import type { Chart, CommonData, Curves, Words } from "../payload";
import type { Language, Moment, Motion, Page, Said } from "./core";
import { domNode, numberText } from "./dom";
import { panelsIndex, panelsStyle } from "./panels";

const PLOTS_GAP = 65535;
const PLOTS_KEPT = 6000;
const PLOTS_TOGETHER = 8;
const PLOTS_ALL = 12;
const PLOTS_FIRST = new Set(["quantities", "coordinates", "velocities", "torques", "energy", "normals", "places"]);

type Quantity = Chart["kind"];
type Numbers = ArrayLike<number>;
/** Values of a curve; null where there is none. */
type Values = ArrayLike<number | null>;

/** What a chart shows: curves that share an axis. */
export interface ShownChart {
  group: string;
  title: Said;
  kind: Quantity;
  per: number;
  milli: boolean;
  curves: { name: Said }[];
  error?: number;
}

/** Times [s], and for every curve its values [SI]. */
export interface Drawn {
  t: number[] | Float64Array;
  y: (number | null)[][];
}

/** A chart, and where its numbers come from. */
export interface Entry {
  chart: ShownChart;
  source: () => Drawn;
}

const PLOTS_WORDS: Record<string, Words> = {
  coordinates: { en: "Coordinates", ru: "Координаты" },
  velocities: { en: "Velocities", ru: "Скорости" },
  energy: { en: "Energy", ru: "Энергия" },
  kinetic: { en: "kinetic", ru: "кинетическая" },
  potential: { en: "potential", ru: "потенциальная" },
  total: { en: "total", ru: "полная" },
  quantities: { en: "Asked for", ru: "Заданные" },
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
const PLOTS_UNITS: Record<Quantity, Record<string, Said>> = {
  angle: { rad: { en: "rad", ru: "рад" }, deg: "°" },
  length: { m: { en: "m", ru: "м" }, mm: { en: "mm", ru: "мм" } },
  number: { "": "" },
  force: { N: { en: "N", ru: "Н" } },
  moment: { Nm: { en: "N·m", ru: "Н·м" } },
  energy: { J: { en: "J", ru: "Дж" } },
  power: { W: { en: "W", ru: "Вт" } },
};
const PLOTS_SECOND = { en: "s", ru: "с" };

/** The unit of a chart: what to multiply SI with, and its word; angles in degrees or radians. */
export function plotsUnit(
  chart: Pick<ShownChart, "kind" | "per" | "milli">,
  degrees: boolean,
): { factor: number; word: Words } {
  const units = PLOTS_UNITS[chart.kind];
  const key =
    chart.kind === "angle"
      ? degrees
        ? "deg"
        : "rad"
      : chart.kind === "length"
        ? chart.milli
          ? "mm"
          : "m"
        : Object.keys(units)[0];
  const factor = key === "deg" ? 180 / Math.PI : key === "mm" ? 1000 : 1;
  const per = chart.per ? ["", "", "²", "³"][chart.per] : null;
  const write = (lang: Language) => {
    const unit = units[key];
    const word = typeof unit === "string" ? unit : unit[lang];
    return per === null ? word : `${word || "1"}/${PLOTS_SECOND[lang]}${per}`;
  };
  return { factor, word: { en: write("en"), ru: write("ru") } };
}

/** The curves of a packed block: for every chart its times [s] and its curves [SI]. */
export function plotsDecode(data: Curves, bytes: Uint8Array): Drawn[] {
  const times = data.charts.reduce((sum, chart) => sum + chart.count, 0);
  const numbers = data.charts.reduce((sum, chart) => sum + chart.count * chart.curves.length, 0);
  let time = 0;
  let place = 4 * times;
  return data.charts.map((chart) => {
    const t = new Float64Array(chart.count);
    let whole = 0;
    for (let i = 0; i < chart.count; i++, time++) {
      whole +=
        bytes[time] + 256 * (bytes[times + time] + 256 * (bytes[2 * times + time] + 256 * bytes[3 * times + time]));
      t[i] = data.begin + (whole / 4294967295) * (data.end - data.begin);
    }
    const y = chart.curves.map(({ low, high }) => {
      const values = new Array<number | null>(chart.count);
      let code = 0;
      for (let i = 0; i < chart.count; i++, place++) {
        code = (code + bytes[place] + 256 * bytes[numbers + place]) & 0xffff;
        values[i] = code === PLOTS_GAP ? null : low + (code / data.levels) * (high - low);
      }
      return values;
    });
    return plotsSmooth(
      t,
      y,
      chart.curves.map(({ low, high }): [number, number] => [low, high]),
    );
  });
}

/**
 * Slopes of the parabolas through a point and its neighbours, or through the three at an end; points at the same time
 * are the two sides of a jump, which nothing passes, nor does anything pass a gap.
 */
export function plotsSlopes(t: Numbers, y: Values): Float64Array {
  const count = t.length;
  const width = (i: number) => {
    const inside = i >= 0 && i + 1 < count && t[i + 1] > t[i] && y[i] !== null && y[i + 1] !== null;
    return inside ? t[i + 1] - t[i] : 0;
  };
  const way = (i: number) => (width(i) ? ((y[i + 1] ?? 0) - (y[i] ?? 0)) / width(i) : 0);
  const end = (i: number, beyond: number) => {
    const [h, k] = [width(i), width(beyond)];
    return k > 0 ? ((2 * h + k) * way(i) - h * way(beyond)) / (h + k) : way(i);
  };
  return Float64Array.from({ length: count }, (_, i) => {
    const [before, after] = [width(i - 1), width(i)];
    if (before > 0 && after > 0) return (before * way(i) + after * way(i - 1)) / (before + after);
    return after > 0 ? end(i, i + 1) : before > 0 ? end(i - 1, i - 2) : 0;
  });
}

const PLOTS_SAG = 4e-4;
const PLOTS_PARTS = 16;

/**
 * The cubics between the points of curves as broken lines, with so many more points that nobody sees the difference.
 * @param t common times
 * @param curves their values
 * @param ranges least and greatest value of each
 */
export function plotsSmooth(t: Float64Array, curves: (number | null)[][], ranges: [number, number][]): Drawn {
  const slopes = curves.map((y) => plotsSlopes(t, y));
  const at = (k: number, i: number, s: number) => {
    const [m, h, r] = [slopes[k], t[i + 1] - t[i], 1 - s];
    const [a, b] = [curves[k][i], curves[k][i + 1]];
    if (a === null || b === null) return null;
    const value = (1 + 2 * s) * r * r * a + s * s * (3 - 2 * s) * b + h * s * r * (r * m[i] - s * m[i + 1]);
    return Math.min(Math.max(value, ranges[k][0]), ranges[k][1]);
  };
  const times: number[] = [];
  const made: (number | null)[][] = curves.map(() => []);
  for (let i = 0; i < t.length; i++) {
    times.push(t[i]);
    curves.forEach((y, k) => made[k].push(y[i]));
    if (i + 1 === t.length || !(t[i + 1] > t[i])) continue;
    let sag = 0;
    curves.forEach((y, k) => {
      const span = ranges[k][1] - ranges[k][0];
      const [a, b] = [y[i], y[i + 1]];
      if (!(span > 0) || a === null || b === null) return;
      for (const s of [0.25, 0.5, 0.75]) sag = Math.max(sag, Math.abs((at(k, i, s) ?? a) - a - s * (b - a)) / span);
    });
    const parts = Math.min(PLOTS_PARTS, Math.ceil(Math.sqrt(sag / PLOTS_SAG)));
    for (let j = 1; j < parts; j++) {
      times.push(t[i] + (j / parts) * (t[i + 1] - t[i]));
      curves.forEach((_, k) => made[k].push(at(k, i, j / parts)));
    }
  }
  return { t: Float64Array.from(times), y: made };
}

/** A curve at a time, on the straight line between its points; at a jump the value after it. */
export function plotsValue(t: Numbers, y: Values, time: number): number | null {
  const i = panelsIndex(t, time);
  if (i < 0 || !t.length) return null;
  if (i === t.length - 1) return time - t[i] > 1e-9 * (1 + Math.abs(t[i])) ? null : y[i];
  const [a, b] = [y[i], y[i + 1]];
  if (a === null || b === null) return time === t[i] ? a : null;
  return a + ((time - t[i]) / (t[i + 1] - t[i])) * (b - a);
}

/** An interval of values with room around it; what varies by dust only is a straight line. */
export function plotsRange(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= Math.max(1e-9 * size, 1e-300)) {
    const half = size > 0 ? 0.1 * size : 1;
    return [low - half, high + half];
  }
  const edge = 0.07 * (high - low);
  return [low - edge, high + edge];
}

/** Round numbers of an axis as people read them, all with as many digits as their distance needs. */
export function plotsTicks(values: number[]): string[] {
  const size = Math.max(...values.map(Math.abs));
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : size;
  if (size >= 1e5 || (size > 0 && size < 1e-3)) {
    const power = Math.floor(Math.log10(size) + 1e-9);
    const raised = [...String(power)].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻").join("");
    return values.map((value) =>
      Math.abs(value) < 1e-9 * size
        ? "0"
        : `${String(Number((value / 10 ** power).toPrecision(3))).replace("-", "−")}·10${raised}`,
    );
  }
  const decimals = step > 0 ? Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 6) : 0;
  return values.map((value) => {
    const text = value.toFixed(decimals);
    return (Number(text) === 0 ? "0" : text).replace("-", "−");
  });
}

/**
 * Curves of a motion that grows; of the older half every second sample is dropped when there are too many.
 */
export class PlotsGrowth {
  t: number[] = [];
  y: number[][];

  constructor(
    width: number,
    readonly most = PLOTS_KEPT,
  ) {
    this.y = Array.from({ length: width }, () => []);
  }

  add(t: number, row: number[]): void {
    const last = this.t.at(-1);
    if (last !== undefined && t < last) return;
    this.t.push(t);
    row.forEach((value, i) => this.y[i].push(value));
    if (this.t.length > this.most) this.thin();
  }

  thin(): void {
    const half = this.t.length >> 1;
    // Both sides of a jump stay.
    const kept = (i: number) => i >= half || i % 2 === 0 || this.t[i] === this.t[i - 1] || this.t[i] === this.t[i + 1];
    const rows = [...this.t.keys()].filter(kept);
    const even = rows.length < this.t.length ? rows : rows.filter((i) => i >= half || i % 2 === 0);
    this.t = even.map((i) => this.t[i]);
    this.y = this.y.map((values) => even.map((i) => values[i]));
  }
}

const PLOTS_STYLE = `
.plots-bar::after{content:"";display:block;clear:both}
.plots-tools{float:right;display:flex;gap:6px;margin:0 0 6px 10px}
.plots-chips{display:contents}
.plots-chip{margin:0 6px 6px 0}
.plots-chip{min-height:30px;padding:0 11px;border:1px solid var(--line);border-radius:15px;background:none;color:var(--faint);
 font-size:13px;cursor:pointer}
.plots-chip:hover{border-color:var(--faint)}
.plots-chip[aria-pressed="true"]{background:color-mix(in srgb,var(--accent) 12%,transparent);border-color:transparent;color:var(--ink)}
.plots-tool{min-height:30px;min-width:34px;padding:0 10px;border:1px solid var(--line);border-radius:7px;background:none;
 color:var(--ink);font-size:13px;cursor:pointer}
.plots-tool:hover{border-color:var(--faint)}
.plots-tool[aria-pressed="true"]{background:var(--accent);border-color:var(--accent);color:var(--paper)}
.plots-note{color:var(--faint);font-size:12px;margin:0 0 6px}
.plots-chart{margin:14px 0 0;padding:0;min-width:0}
.plots-chart figcaption{display:flex;gap:8px;align-items:baseline;font-weight:600;font-size:13px;padding-left:2px}
.plots-unit{color:var(--faint);font-weight:400}
.plots-paper{position:relative;height:164px;margin-top:2px}
.plots-paper .u-over{cursor:crosshair;touch-action:pan-y}
.plots-paper .u-cursor-x,.plots-paper .u-cursor-y,.plots-paper .u-cursor-pt{display:none}
.plots-now,.plots-hover{position:absolute;top:0;bottom:0;left:0;width:0;pointer-events:none;will-change:transform}
.plots-now{border-left:1.5px solid var(--ink)}
.plots-hover{border-left:1px dashed var(--faint)}
.plots-zone{position:absolute;top:0;bottom:0;background:var(--accent);opacity:.16;pointer-events:none}
.plots-legend{position:relative;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(144px,100%),1fr));gap:0 8px;margin:2px 0 0;padding:0;list-style:none}
.plots-key{display:flex;align-items:center;gap:7px;width:100%;min-height:26px;padding:0 4px;border:0;border-radius:6px;background:none;
 text-align:left;cursor:pointer;font-size:12.5px;color:var(--ink)}
.plots-key:hover{background:var(--plate)}
.plots-key::before{content:"";flex:none;width:14px;height:3px;border-radius:2px;background:var(--own)}
.plots-key[aria-pressed="false"]{color:var(--faint)}
.plots-key[aria-pressed="false"]::before{background:var(--line)}
.plots-key[aria-pressed="false"] .plots-name{text-decoration:line-through}
.plots-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;unicode-bidi:isolate;min-width:1.5em}
.plots-value{margin-left:auto;padding-left:2px;color:var(--faint);font-variant-numeric:tabular-nums;white-space:nowrap}
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
      key.style.setProperty("--own", `var(--curve-${i % 8})`);
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
      stroke: () => board.colours.faint,
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
  colours: { faint: string; line: string; ink: string; hit: string; curves: string[] };
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
    const colour = (name: string) => style.getPropertyValue(name).trim() || "#888";
    return {
      faint: colour("--faint"),
      line: colour("--line"),
      ink: colour("--ink"),
      hit: colour("--accent2"),
      curves: Array.from({ length: 8 }, (_, i) => colour(`--curve-${i}`)),
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
        ctx.strokeStyle = hit ? this.colours.hit : this.colours.faint;
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

/**
 * Which curves of a motion that grows share a chart: those that do in the charts of the run, where there is one, else
 * those of a kind.
 * @param recorded `page.data.curves`
 * @param curves all that there are
 * @param firsts where the curves of each group begin
 */
export function plotsParts(
  recorded: Pick<Curves, "charts"> | null,
  curves: { group: string; kind: string }[],
  firsts: Record<string, number>,
): { part: number[]; milli: boolean }[] {
  const parts: { part: number[]; milli: boolean }[] = [];
  const left = new Set(curves.keys());
  for (const chart of recorded?.charts ?? []) {
    if (!(chart.group in firsts)) continue;
    const part = chart.curves.map(({ of }) => firsts[chart.group] + of).filter((i) => left.has(i));
    for (const i of part) left.delete(i);
    if (part.length) parts.push({ part, milli: chart.milli });
  }
  const alike = new Map<string, number[]>();
  for (const i of left) {
    const key = `${curves[i].group} ${curves[i].kind}`;
    const last = alike.get(key);
    if (last && last.length < PLOTS_TOGETHER) last.push(i);
    else {
      const part = [i];
      alike.set(key, part);
      parts.push({ part, milli: false });
    }
  }
  return parts;
}

/** Charts of coordinates, velocities and energies of a motion that grows. */
function plotsLive(page: Page, motion: Motion) {
  const { coordinates, rates }: CommonData = page.data;
  const { system } = page;
  const curves: { group: string; name: Said; kind: Quantity; per: number }[] = [
    ...coordinates.map(({ name, kind }) => ({ group: "coordinates", name, kind, per: 0 })),
    ...rates.map(({ name, kind }) => ({ group: "velocities", name, kind, per: 1 })),
  ];
  if (system?.energies)
    for (const name of ["kinetic", "potential", "total"])
      curves.push({ group: "energy", name: PLOTS_WORDS[name], kind: "energy", per: 0 });
  const growth = new PlotsGrowth(curves.length);
  const firsts = { coordinates: 0, velocities: coordinates.length, energy: coordinates.length + rates.length };
  const entries = plotsParts(page.data.curves, curves, firsts).map(({ part, milli }) => {
    const { group, kind, per } = curves[part[0]];
    return {
      chart: {
        group,
        title: PLOTS_WORDS[group],
        kind,
        per,
        milli,
        curves: part.map((i) => ({ name: curves[i].name })),
      },
      source: () => ({ t: growth.t, y: part.map((i) => growth.y[i]) }),
    };
  });
  let lowest: number | null = null;
  return {
    motion,
    entries,
    take({ t, q, v }: Moment) {
      const row = [...q, ...v];
      if (system?.energies) {
        const { kinetic, potential } = system.energies(q, v);
        // Its zero means nothing: it counts from where the motion began.
        lowest ??= potential;
        row.push(kinetic, potential - lowest, kinetic + potential - lowest);
      }
      growth.add(t, row);
    },
  };
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

/** Plots of the page's motion. */
export async function mountPlots(element: HTMLElement, page: Page): Promise<void> {
  const { curves } = page.data;
  const decoded = curves ? plotsDecode(curves, await page.unpackBytes(curves.id)) : [];
  const recorded: Entry[] = curves ? curves.charts.map((chart, i) => ({ chart, source: () => decoded[i] })) : [];
  const board = plotsBoard(element, page);
  let live: ReturnType<typeof plotsLive> | null = null;
  let shown: Entry[] | null = null;

  const begin = () => {
    const { motion } = page;
    if (motion.kind === "live") {
      live = plotsLive(page, motion);
      for (const row of motion.rows ?? []) live.take(row);
      shown = live.entries;
      board.show(shown);
    } else if (shown !== recorded) {
      live = null;
      shown = recorded;
      board.show(recorded);
    } else board.move();
  };
  let waits = false;
  page.on("samples", (rows) => {
    if (!live || page.motion !== live.motion) return;
    for (const row of rows) live.take(row);
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      if (!element.offsetParent) return;
      for (const chart of board.charts) if (chart.visible && !chart.element.hidden) chart.draw(true);
      board.move();
    }, 66);
  });
  page.on("motion", begin);
  begin();
}
