// The board of charts: they share a zoom and the page's cursor.
import uPlot from "uplot";
import type { Words } from "../payload";
import type { Page, Said } from "./core";
import {
  type Drawn,
  type Entry,
  PLOTS_SECOND,
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
/** Events that are told by lines; of more, a strip tells how dense they are. */
const PLOTS_LINES = 40;
/** Steps between labels. */
const PLOTS_STEPS = Array.from({ length: 44 }, (_, i) => [1, 2, 2.5, 5].map((part) => part * 10 ** (i - 22))).flat();

/** The way of a curve, which breaks where it has no value, even between two values at one time. */
function brokenPath(plot: uPlot, series: number, first: number, last: number): uPlot.Series.Paths {
  const [times, values] = [plot.data[0], plot.data[series]];
  const stroke = new Path2D();
  let pen = false;
  for (let i = first; i <= last; i++) {
    const value = values[i];
    if (value === null || value === undefined || !Number.isFinite(value)) pen = false;
    else {
      const [x, y] = [plot.valToPos(times[i], "x", true), plot.valToPos(value, "y", true)];
      if (pen) stroke.lineTo(x, y);
      else stroke.moveTo(x, y);
      pen = true;
    }
  }
  return { stroke, fill: null, clip: null, band: null, flags: 1 };
}

/** How wide the longest of some labels is [pixels]. */
function lettersWide(ctx: CanvasRenderingContext2D, labels: (string | null)[], font: string): number {
  const before = ctx.font;
  ctx.font = `11px ${font}`;
  const wide = Math.max(0, ...labels.map((label) => ctx.measureText(label ?? "").width));
  ctx.font = before;
  return Math.ceil(wide);
}

/** Curves of one drawing, with one of another at the same times. */
function joinCurves(own: Drawn, count: number, from: Drawn, curve: number): Drawn {
  const t = Array.from(own.t);
  return { t, y: [...own.y.slice(0, count), t.map((time) => plotsValue(from.t, from.y[curve], time))] };
}
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
    en: "A click or drag over a plot moves in time. With the zoom on, or with Shift, a drag chooses what is shown; Ctrl and the wheel come nearer, Shift and the wheel go aside; a double click shows all. A name can be dragged to another plot of the same unit.",
    ru: "Щелчок или протяжка по графику переводит время. С лупой или с Shift протяжка выбирает, что показать; Ctrl и колесо приближают, Shift и колесо сдвигают; двойной щелчок показывает всё. Имя можно перетащить на другой график той же единицы.",
  },
  whole: { en: "Whole time", ru: "Всё время" },
  search: { en: "Find curves", ru: "Найти кривые" },
  constant: { en: "constant", ru: "постоянно" },
  compared: { en: "dashed: the run of the page", ru: "пунктир: расчёт страницы" },
  jumps: { en: "{count} events", ru: "событий: {count}" },
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
.plots-search{min-height:30px;width:120px;padding:0 9px;border:1px solid var(--edge);border-radius:6px;background:var(--paper);color:var(--ink);font-size:13px}
.plots-remark{margin-left:auto;color:var(--dim);font-weight:400;font-size:12px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.plots-chart.over{outline:2px dashed var(--accent);outline-offset:3px;border-radius:6px}
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
.plots-search{width:92px}.plots-chip,.plots-tool,.plots-key,.plots-search{min-height:40px}.plots-paper{height:190px}}
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
  readonly #remark = domNode("span", { class: "plots-remark" });
  /** Curves that do not vary: they leave the plot for the remark. */
  #flat: boolean[] = [];
  readonly #nowLine = domNode("div", { class: "plots-now", hidden: true });
  readonly #hoverLine = domNode("div", { class: "plots-hover", hidden: true });
  readonly #values: HTMLElement[];
  readonly #names: HTMLElement[];
  readonly #keys: HTMLElement[];

  constructor(
    readonly board: PlotsBoard,
    readonly chart: ShownChart,
    readonly source: () => Drawn,
    readonly exact: Entry["exact"] = undefined,
    readonly other: Entry["other"] = undefined,
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
      key.draggable = true;
      key.addEventListener("dragstart", () => (board.dragged = { chart: this, curve: i }));
      return key;
    });
    const legend = domNode("ul", { class: "plots-legend" }, ...this.#keys.map((key) => domNode("li", {}, key)));
    this.element = domNode(
      "figure",
      { class: "plots-chart", "data-group": chart.group },
      domNode("figcaption", {}, this.#title, this.#unitWord, this.#remark),
      this.paper,
      legend,
    );
    this.element.addEventListener("dragover", (event) => {
      if (!board.fits(this)) return;
      event.preventDefault();
      this.element.classList.add("over");
    });
    this.element.addEventListener("dragleave", () => this.element.classList.remove("over"));
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.element.classList.remove("over");
      board.drop(this);
    });
    this.say(board.page);
  }

  /** Whether a curve, or the chart, has a name with these letters; without letters, all have. */
  named(letters: string): boolean {
    const { page } = this.board;
    const texts = [this.chart.title, ...this.chart.curves.map(({ name }) => name)].map((text) => page.say(text));
    return texts.some((text) => text.toLowerCase().includes(letters));
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
    this.#still(y, factor);
    return [
      t,
      ...y.map((values) =>
        factor === 1 ? values : Array.from(values, (value) => (value === null ? null : value * factor)),
      ),
    ];
  }

  /** Which curves do not vary, and what they are; a plot of nothing else shows them all the same. */
  #still(y: Drawn["y"], factor: number): void {
    const { page } = this.board;
    const ends = y.map((values) => {
      let [low, high] = [Infinity, -Infinity];
      for (const value of values)
        if (value !== null && Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
      return [low, high];
    });
    const size = Math.max(
      0,
      ...ends.map(([low, high]) => Math.max(Math.abs(low), Math.abs(high))).filter(Number.isFinite),
    );
    const flat = ends.map(([low, high]) => low <= high && high - low <= 1e-9 * size);
    const before = this.#flat.join();
    this.#flat = flat.every(Boolean) || this.other ? flat.map(() => false) : flat;
    const told = this.#flat.flatMap((still, i) =>
      still
        ? [
            `${page.say(this.chart.curves[i].name)}: ${numberText(Math.abs(ends[i][0]) < 1e-9 * size ? 0 : ends[i][0] * factor, 4)}`,
          ]
        : [],
    );
    if (this.other) told.push(page.say(PLOTS_WORDS.compared));
    this.#remark.textContent = this.#remark.title = told.join(" · ");
    if (this.drawn && before !== this.#flat.join())
      this.#flat.forEach((still, i) => this.drawn?.setSeries(i + 1, { show: this.#on[i] && !still }));
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
    const data = this.data();
    const options: uPlot.Options = {
      width: Math.max(120, this.paper.clientWidth),
      height: this.paper.clientHeight || 164,
      pxAlign: 0,
      padding: [6, this.#margin(), 0, 0],
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
        axis({ size: 19, space: 56, grid: { show: false }, values: (_, ticks) => board.timed(plotsTicks(ticks)) }),
        axis({
          // As wide as its labels: none is cut.
          size: (plot, values) => Math.max(30, 8 + lettersWide(plot.ctx, values ?? [], board.font)),
          space: 24,
          incrs: PLOTS_STEPS,
          values: (_, ticks) => plotsTicks(ticks),
        }),
      ],
      series: [
        {},
        ...this.chart.curves.map((_, i) => ({
          stroke: () => board.colours.curves[i % 8],
          width: 1.8,
          show: this.#on[i] && !this.#flat[i],
          points: { show: false },
          spanGaps: false,
          paths: brokenPath,
        })),
      ],
      hooks: {
        drawClear: [(plot) => (board.behind(plot), this.#under(plot))],
        draw: [(plot) => this.#ends(plot)],
      },
    };
    this.drawn = new uPlot(options, data, this.paper);
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
    this.drawn?.setSeries(i + 1, { show: this.#on[i] && !this.#flat[i] });
  }

  /** Room for the names of curves at their right ends. */
  #margin(): number {
    const longest = Math.max(0, ...this.chart.curves.map(({ name }) => this.board.page.say(name).length));
    return this.chart.curves.length > 1 ? Math.min(84, 12 + 6 * longest) : 14;
  }

  /** Names of the curves at their right ends; where many ends meet, none. */
  #ends(plot: uPlot): void {
    if (this.chart.curves.length < 2) return;
    const { ctx, bbox } = plot;
    const ratio = window.devicePixelRatio || 1;
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    const { t, y } = this.source();
    const right = Math.min(plot.scales.x.max ?? 0, t[t.length - 1] ?? 0);
    const room = this.#margin() * ratio;
    const ends = this.chart.curves.flatMap(({ name }, i) => {
      const value = this.#on[i] && !this.#flat[i] ? plotsValue(t, y[i], right) : null;
      if (value === null) return [];
      return [{ i, text: this.board.page.say(name), y: plot.valToPos(value * factor, "y", true) }];
    });
    const near = 11 * ratio;
    ctx.save();
    ctx.font = `${11 * ratio}px ${this.board.font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (const end of ends) {
      const met = ends.filter((other) => Math.abs(other.y - end.y) < near).length;
      if (met > 1 || end.y < bbox.top - 2 || end.y > bbox.top + bbox.height + 2) continue;
      let { text } = end;
      while (text.length > 1 && ctx.measureText(text).width > room - 8 * ratio) text = `${text.slice(0, -2)}…`;
      ctx.fillStyle = this.board.colours.curves[end.i % 8];
      ctx.fillText(text, bbox.left + bbox.width + 5 * ratio, end.y);
    }
    ctx.restore();
  }

  /** Another motion, faded and dashed, under the curves. */
  #under(plot: uPlot): void {
    const drawn = this.other?.();
    if (!drawn) return;
    const { ctx, bbox } = plot;
    const ratio = window.devicePixelRatio || 1;
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.4 * ratio;
    ctx.globalAlpha = 0.6;
    ctx.setLineDash([5 * ratio, 4 * ratio]);
    drawn.y.forEach((values, i) => {
      if (!this.#on[i]) return;
      ctx.strokeStyle = this.board.colours.curves[i % 8];
      ctx.beginPath();
      let pen = false;
      for (let k = 0; k < drawn.t.length; k++) {
        const value = values[k];
        if (value === null) pen = false;
        else {
          const [x, y] = [plot.valToPos(drawn.t[k], "x", true), plot.valToPos(value * factor, "y", true)];
          if (pen) ctx.lineTo(x, y);
          else ctx.moveTo(x, y);
          pen = true;
        }
      }
      ctx.stroke();
    });
    ctx.restore();
  }

  /** Moves the lines to the cursor, and writes the values there. */
  mark(now: number | null, hover: number | null): void {
    const time = hover ?? now;
    const { t, y } = this.source();
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    // What is read is what the state has, where that is known; a curve is drawn through few of them.
    const state = this.exact && time !== null ? this.board.page.motion.at(time) : null;
    const told = state && this.exact?.(state);
    this.#values.forEach((node, i) => {
      const value = time === null ? null : told ? told[i] : plotsValue(t, y[i], time);
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
    this.charts = entries.map(({ chart, source, exact, other }) => new PlotsChart(this, chart, source, exact, other));
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
    const made = new PlotsChart(board, chart, both, told);
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
