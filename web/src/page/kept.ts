// Runs that a page has computed by itself: how they are kept, and how they move again.
import type { Chart, PageData, RunEvent, Stay, StructureRow, Words } from "../payload";
import { unboxed } from "./box";
import type { Moment, Motion, Page } from "./core";
import { type Drawn, type Entry, plotsUnit } from "./curves";
import { exactReading } from "./exact";
import { GrowingMotion, type Layout } from "./motion";
import { liveCharts } from "./plots";
import type { LiveRunner } from "./runner";

/** Rows of a run, unless that many would be further apart than `COARSEST`. */
const ROWS = 4000;
const COARSEST = 1 / 120;
/** What computing may take before the window is let go [ms]. */
const PIECE = 30;
/** Signals that are kept of a run, at most. */
const SIGNALS = 200;

/** A run as it is kept: plain data, with arrays of numbers. */
export interface Kept {
  name: string;
  /** What the equations are: runs of the same ones can be told bodies by bodies. */
  kit: string;
  /** Values of the live parameters [SI]. */
  values: Record<string, number>;
  /** Names of coordinates, and of those whose rates velocities are. */
  names: { q: string[]; v: string[] };
  t: Float64Array;
  /** States by rows: coordinates, velocities, what schemes remember. */
  q: Float64Array;
  v: Float64Array;
  m: Float64Array;
  structure: Uint16Array;
  structures: StructureRow[];
  stays: Stay[];
  events: RunEvent[];
  charts: (Pick<Chart, "group" | "kind" | "per" | "milli"> & { title: Words; names: string[]; of: number[] } & Drawn)[];
  /** Signals of schemes at the rows, with their units. */
  signals: { name: string; unit: Words; held: boolean; values: Float64Array }[];
  /** What an operator touched: times, inputs, values [SI]. */
  touched: { time: number; input: string; value: number }[];
  /** Why it ended before its time. */
  stuck: Words | null;
}

/** What a window hands over to a page that it shows. */
export interface Handed {
  /** Compute a run instead of showing anything. */
  order?: {
    name: string;
    until: number;
    /** Told how far it is; false ends it. */
    share(share: number): boolean;
    done(kept: Kept): void;
    failed(why: Words): void;
  };
  /** Show this run, and others over it. */
  run?: Kept;
  compared?: Kept[];
}

/** What the window around this page hands over; nothing where there is none, or it is of somebody else. */
export function handedOver(): Handed {
  const frame: (Element & { handed?: Handed }) | null = frameElement;
  if (frame?.handed) return frame.handed;
  // A page that was saved with its run has it inside.
  const inside = document.querySelector("script[data-kept]")?.textContent;
  return inside ? { run: unboxed(inside) as Kept } : {};
}

const fnv = (text: string) => {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b) + 1;
  }
  return `${(a >>> 0).toString(16)}${(b >>> 0).toString(16)} ${text.length}`;
};

/** What the equations of a page are, whatever values its parameters have. */
export async function kitOf(page: Page<PageData>): Promise<string> {
  const { coordinates, rates } = page.data;
  return fnv((await page.unpack(page.data.live.id)) + JSON.stringify([coordinates, rates]));
}

/** Computes a run to a time [s], as fast as it goes; the window can be used meanwhile. */
export async function computed(
  page: Page<PageData>,
  runner: LiveRunner,
  order: NonNullable<Handed["order"]>,
): Promise<Kept | null> {
  runner.begin();
  const { begin = 0 } = runner.motion ?? {};
  runner.piece = Math.min(COARSEST, (order.until - begin) / ROWS);
  for (;;) {
    const before = runner.system.t;
    runner.advance(order.until, PIECE);
    if (runner.stuck || runner.system.t >= order.until || runner.full) break;
    if (!order.share((runner.system.t - begin) / (order.until - begin)) && runner.system.t > begin) break;
    if (runner.system.t === before) break;
    await new Promise((go) => setTimeout(go, 0));
  }
  return kept(page, runner, order.name);
}

/** The motion of a page as a run; null where nothing has moved. */
export async function kept(page: Page<PageData>, runner: LiveRunner, name: string): Promise<Kept | null> {
  const { motion, system } = runner;
  if (!motion || motion.end <= motion.begin) return null;
  const { rows } = motion;
  const all = (of: (row: Moment) => ArrayLike<number>) => {
    const width = of(rows[0]).length;
    const made = new Float64Array(width * rows.length);
    rows.forEach((row, i) => made.set(of(row), width * i));
    return made;
  };
  const charts = liveCharts(page, motion, rows.length * 2);
  // Each state is told with the parameters that it had.
  let given = -1;
  const list = runner.values;
  const told = page.signals?.control.signals.slice(0, SIGNALS) ?? [];
  const signals = told.map(({ name, kind, memory }) => {
    const unit = plotsUnit({ kind, per: 0, milli: false }, false).word;
    return { name, unit, held: memory !== null, values: new Float64Array(rows.length) };
  });
  rows.forEach((row, i) => {
    for (let next = list[given + 1]; next && next.from <= row.t; next = list[given + 1]) {
      system.setValues(next.values);
      given++;
    }
    charts.take(row);
    if (signals.length && page.signals)
      page.signals.at(row).forEach((value, k) => {
        const signal = signals[k];
        if (signal) signal.values[i] = value ?? NaN;
      });
  });
  return {
    name,
    kit: await kitOf(page),
    values: { ...runner.parameters },
    names: { q: page.data.coordinates.map((each) => each.name), v: page.data.rates.map((each) => each.name) },
    t: Float64Array.from(motion.times),
    q: all((row) => row.q),
    v: all((row) => row.v),
    m: all((row) => row.m ?? []),
    structure: Uint16Array.from(rows, (row) => row.structure),
    structures: structuredClone(page.data.structures),
    stays: structuredClone(motion.stays),
    events: structuredClone(motion.events),
    charts: charts.entries.map(({ chart, source }) => {
      const { group, kind, per, milli, title, curves } = chart;
      const both = typeof title === "string" ? { en: title, ru: title } : title;
      const { t, y } = source();
      return {
        ...{ group, kind, per, milli, title: both, t: Float64Array.from(t), y },
        names: curves.map((each) => (typeof each.name === "string" ? each.name : each.name.en)),
        of: curves.map((each) => each.of ?? -1),
      };
    }),
    signals,
    touched: [...runner.record],
    stuck: system.stopped,
  };
}

/** A run that a page has computed, as it moves again. */
export class KeptMotion implements Motion {
  readonly kind = "recorded";
  begin: number;
  end: number;
  readonly own: readonly [number, number];
  readonly events: RunEvent[];
  readonly stays: Stay[];
  readonly rows: readonly Moment[];
  readonly #grown: GrowingMotion;

  constructor(
    readonly kept: Kept,
    readonly layout: Layout,
  ) {
    const { t, q, v, m, structure } = kept;
    this.#grown = new GrowingMotion(layout);
    const [nq, nv, nm] = [q, v, m].map((all) => all.length / t.length);
    for (let i = 0; i < t.length; i++) {
      const memory = m.subarray(nm * i, nm * i + nm);
      this.#grown.add(t[i], q.subarray(nq * i, nq * i + nq), v.subarray(nv * i, nv * i + nv), structure[i], memory);
    }
    this.rows = this.#grown.rows;
    this.events = kept.events;
    this.stays = kept.stays;
    this.begin = t[0];
    this.end = t[t.length - 1];
    this.own = [this.begin, this.end];
  }

  at(t: number): Moment | null {
    return this.#grown.at(t);
  }

  /** Its charts. */
  entries(): Entry[] {
    return this.kept.charts.map(({ names, of, t, y, ...chart }) => ({
      chart: { ...chart, curves: names.map((name, i) => (of[i] < 0 ? { name } : { name, of: of[i] })) },
      source: () => ({ t, y }),
      exact: exactReading(chart.group, of) ?? undefined,
    }));
  }
}
