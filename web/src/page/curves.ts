// Curves: what the numbers of charts are, before they are drawn.
import type { Chart, Curves, Words } from "../payload";
import type { Language, Moment, Said } from "./core";
import { panelsIndex } from "./panels";

const PLOTS_GAP = 65535;
const PLOTS_KEPT = 6000;
/** Half a step of what is packed, over the range of a curve. */
const PLOTS_LEAST = 1.3e-4;
const PLOTS_TOGETHER = 6;

export type Quantity = Chart["kind"];
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
  /** Names, what a curve is of, from where it counts, and its range. */
  curves: { name: Said; of?: number; zero?: number; low?: number; high?: number }[];
  error?: number;
}

/** Times [s], and for every curve its values [SI]. */
export interface Drawn {
  t: number[] | Float64Array;
  y: (number | null)[][];
}

/** How motions under another are dashed, in pictures and in plots [pixels]. */
export const DASHES = [
  [7, 4],
  [2, 3],
  [10, 3, 2, 3],
];

/** Curves of another motion, for the curves of a chart; null where it has none of that name. */
export interface Under {
  dash: number[];
  /** What the motion is called; without, that it is the run of the page. */
  name?: string;
  shown?: () => boolean;
  curves: () => ({ t: Drawn["t"]; y: (number | null)[] } | null)[];
  /** Values at a time; without, they are not told. */
  at?: (t: number) => (number | null)[];
}

/**
 * How many digits of a value are known that is read off a drawn curve: those that are not below its error.
 * @param error how far the curve may be from what it is of, over its range
 * @param range of the curve
 */
export function plotsDigits(value: number, error: number, range: number): number {
  const off = Math.max(error, PLOTS_LEAST) * Math.abs(range);
  if (!(off > 0) || value === 0) return 4;
  const digits = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(off)) + 1;
  return Math.min(Math.max(digits, 1), 4);
}

/** A chart, and where its numbers come from. */
export interface Entry {
  chart: ShownChart;
  source: () => Drawn;
  /** Other motions, drawn under this one. */
  under?: Under[];
  /** What states tell by themselves: the values of all curves at one. */
  exact?: (state: Moment) => (number | null)[];
}

/** Words of units by what is counted. */
export const PLOTS_UNITS: Record<Quantity, Record<string, Said>> = {
  angle: { rad: { en: "rad", ru: "рад" }, deg: "°" },
  length: { m: { en: "m", ru: "м" }, mm: { en: "mm", ru: "мм" } },
  number: { "": "" },
  force: { N: { en: "N", ru: "Н" } },
  moment: { Nm: { en: "N·m", ru: "Н·м" } },
  energy: { J: { en: "J", ru: "Дж" } },
  power: { W: { en: "W", ru: "Вт" } },
};
export const PLOTS_SECOND = { en: "s", ru: "с" };

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
    // What states tell has no times.
    if (!chart.count) return { t: [], y: chart.curves.map(() => []) };
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
    const half = size > 0 ? 0.01 * size : 1;
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
  let decimals = step > 0 ? Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 6) : 0;
  // Steps of 2.5 need a digit more, or labels would be wrong.
  const whole = (x: number) => Math.abs(x - Math.round(x)) < 1e-6 * Math.max(1, Math.abs(x));
  while (decimals < 7 && !values.every((value) => whole(value * 10 ** decimals))) decimals += 1;
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
  y: (number | null)[][];

  constructor(
    width: number,
    readonly most = PLOTS_KEPT,
  ) {
    this.y = Array.from({ length: width }, () => []);
  }

  add(t: number, row: number[]): void {
    const last = this.t.at(-1);
    if (last !== undefined && t < last) return;
    if (last === t) this.#break(t, row);
    this.t.push(t);
    row.forEach((value, i) => this.y[i].push(value));
    if (this.t.length > this.most) this.thin();
  }

  /** Where a curve jumps it has no value in between. */
  #break(t: number, row: number[]): void {
    const before = this.y.map((values) => values.at(-1) ?? null);
    const jumps = row.map((value, i) => Math.abs(value - (before[i] ?? value)) > 1e-9 * (1 + Math.abs(value)));
    if (!jumps.some(Boolean)) return;
    this.t.push(t);
    row.forEach((value, i) => this.y[i].push(jumps[i] ? null : value));
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
