// One chart of the board: its drawing, its legend, its marks.
import uPlot from "uplot";
import type { PlotsBoard } from "./board";
import type { Page } from "./core";
import {
  type Drawn,
  type Entry,
  type ShownChart,
  type Under,
  plotsRange,
  plotsDigits,
  plotsTicks,
  plotsUnit,
  plotsValue,
} from "./curves";
import { domNode, numberText } from "./dom";
import { PLOTS_WORDS } from "./plotwords";

/** Steps between labels. */
/** What a reading may be beside the range of its curve, and still be nothing: states of a page have no more digits. */
const CHART_DUST = 1e-4;
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

/** One chart: its title, its paper, its legend. The drawing itself is made when it is first seen. */
export class PlotsChart {
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
    readonly under: Under[] = [],
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
    this.#flat = flat.every(Boolean) || this.under.length ? flat.map(() => false) : flat;
    const told = this.#flat.flatMap((still, i) =>
      still
        ? [
            `${page.say(this.chart.curves[i].name)}: ${numberText(Math.abs(ends[i][0]) < 1e-9 * size ? 0 : ends[i][0] * factor, 4)}`,
          ]
        : [],
    );
    if (this.under.some(({ name }) => name === undefined)) told.push(page.say(PLOTS_WORDS.compared));
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
        y: { range: (_, low, high) => plotsRange(...this.#reach(low ?? NaN, high ?? NaN)) },
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
        drawClear: [(plot) => (board.behind(plot), this.#drawUnder(plot))],
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

  /** Values that the other motions have too, within the times that are shown. */
  #reach(low: number, high: number): [number, number] {
    const [from, to] = this.board.range();
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    for (const { curves, shown } of this.under) {
      if (shown && !shown()) continue;
      curves().forEach((curve, i) => {
        if (!curve || !this.#on[i]) return;
        for (let k = 0; k < curve.t.length; k++) {
          const value = curve.y[k];
          if (value === null || !Number.isFinite(value) || curve.t[k] < from || curve.t[k] > to) continue;
          low = low <= value * factor ? low : value * factor;
          high = high >= value * factor ? high : value * factor;
        }
      });
    }
    return [low, high];
  }

  /** Other motions, faded and dashed, under the curves. */
  #drawUnder(plot: uPlot): void {
    if (!this.under.length) return;
    const { ctx, bbox } = plot;
    const ratio = window.devicePixelRatio || 1;
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.4 * ratio;
    ctx.globalAlpha = 0.6;
    for (const { dash, curves, shown } of this.under) {
      if (shown && !shown()) continue;
      ctx.setLineDash(dash.map((length) => length * ratio));
      curves().forEach((curve, i) => {
        if (!curve || !this.#on[i]) return;
        ctx.strokeStyle = this.board.colours.curves[i % 8];
        ctx.beginPath();
        let pen = false;
        for (let k = 0; k < curve.t.length; k++) {
          const value = curve.y[k];
          if (value === null) pen = false;
          else {
            const [x, y] = [plot.valToPos(curve.t[k], "x", true), plot.valToPos(value * factor, "y", true)];
            if (pen) ctx.lineTo(x, y);
            else ctx.moveTo(x, y);
            pen = true;
          }
        }
        ctx.stroke();
      });
    }
    ctx.restore();
  }

  /** Moves the lines to the cursor, and writes the values there. */
  mark(now: number | null, hover: number | null): void {
    const time = hover ?? now;
    const { t, y } = this.source();
    const { factor } = plotsUnit(this.chart, this.board.degrees);
    // What is read is what the state has, where that is known; a curve is drawn through few of them.
    const { motion } = this.board.page;
    const [begin, end] = motion.own ?? [-Infinity, Infinity];
    const there = time !== null && time >= begin && time <= end;
    const state = this.exact && there ? motion.at(time) : null;
    const told = state && this.exact?.(state);
    const others = this.under.flatMap(({ at, shown }) =>
      at && time !== null && (!shown || shown()) ? [at(time)] : [],
    );
    this.#values.forEach((node, i) => {
      const value = !there ? null : told ? told[i] : plotsValue(t, y[i], time);
      const values = [value, ...others.map((other) => other[i] ?? null)];
      const { low = 0, high = low } = this.chart.curves[i];
      const ranged = this.chart.curves[i].low !== undefined;
      const { error = 0 } = this.chart;
      // What is read off a drawn curve has no digits beyond the drawing.
      const digits = (each: number) => (told ? 4 : plotsDigits(each, error, high - low));
      const texts = values.map((each) => {
        if (each === null) return "";
        // What is nothing beside its range is the rounding of the states that a page keeps; so is all that does not vary.
        const beside = Math.max(high - low, Math.abs(high), Math.abs(low));
        const dust = told && ranged && (high === low || Math.abs(each) <= CHART_DUST * beside);
        return numberText((dust ? (high === low ? low : 0) : each) * factor, digits(each));
      });
      node.textContent = others.length ? texts.map((text) => text || "—").join(" · ") : texts[0];
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
