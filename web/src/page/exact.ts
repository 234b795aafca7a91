// Curves of coordinates, velocities, energies and turns as the states of a motion have them, sharp at events.
import type { Chart, CommonData, Spin } from "../payload";
import type { Moment, Motion } from "./core";
import type { Drawn, Entry, ShownChart } from "./curves";
import { RecordedMotion } from "./motion";

/** About so many states of a run are drawn. */
const EXACT_STATES = 6000;
/** Parts of an interval between two keys, at most. */
const EXACT_PARTS = 48;

/** What is read at a state, by what curves are of. */
type Reading = (state: Moment) => (number | null)[];

/**
 * Turns of quaternions as vectors along the axis, as long as the angle [rad]; they go on beyond half a turn, as long as
 * states come one after another.
 */
export class Turns {
  #last: number[][];

  constructor(readonly spins: Spin[]) {
    this.#last = spins.map(() => [0, 0, 0]);
  }

  row(q: ArrayLike<number>): number[] {
    return this.spins.flatMap(({ q: i }, n) => {
      const size = Math.hypot(q[i + 1], q[i + 2], q[i + 3]);
      const last = this.#last[n];
      if (size < 1e-12) return (this.#last[n] = [0, 0, 0]);
      const axis = [1, 2, 3].map((k) => q[i + k] / size);
      let angle = 2 * Math.atan2(size, q[i]);
      // The same turn is told by this vector with any whole number of turns more: the nearest goes on.
      const before = last.reduce((sum, x, k) => sum + x * axis[k], 0);
      angle += 2 * Math.PI * Math.round((before - angle) / (2 * Math.PI));
      return (this.#last[n] = axis.map((x) => x * angle));
    });
  }
}

/** The states of a run that are drawn: both sides of every event. */
export function statesOf(motion: RecordedMotion): Moment[] {
  const parts = Math.min(Math.max(Math.floor(EXACT_STATES / motion.times.length), 1), EXACT_PARTS);
  const made: Moment[] = [];
  motion.stays.forEach(({ structure }, stay) => {
    for (let i = motion.firsts[stay]; i < motion.firsts[stay + 1] - 1; i++) {
      const length = motion.times[i + 1] - motion.times[i];
      const last = i + 2 === motion.firsts[stay + 1] ? parts : parts - 1;
      for (let k = 0; k <= last; k++) {
        const t = k === parts ? motion.times[i + 1] : motion.times[i] + (k / parts) * length;
        made.push({ t, ...motion.between(i, k / parts, length), structure });
      }
    }
  });
  return made;
}

/** Curves that break where they jump: between two values at one time there is none. */
export function brokenCurves({ t, y }: Drawn): Drawn {
  const ranges = y.map((values) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) if (value !== null) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return high - low;
  });
  const times: number[] = [];
  const made: (number | null)[][] = y.map(() => []);
  for (let i = 0; i < t.length; i++) {
    const jumps = i > 0 && t[i] === t[i - 1] ? y.map((values, k) => jumped(values[i - 1], values[i], ranges[k])) : [];
    if (jumps.some(Boolean)) {
      times.push(t[i]);
      y.forEach((values, k) => made[k].push(jumps[k] ? null : values[i]));
    }
    times.push(t[i]);
    y.forEach((values, k) => made[k].push(values[i]));
  }
  return { t: times, y: made };
}

function jumped(before: number | null, after: number | null, range: number): boolean {
  return before !== null && after !== null && Math.abs(after - before) > 2e-3 * range;
}

/** What tells where bodies are at some coordinates, and their energies. */
interface Weighed {
  poses(q: ArrayLike<number>): ArrayLike<number>;
  energies?(q: ArrayLike<number>, v: ArrayLike<number>): { kinetic: number; potential: number };
}

/** What a motion is of; without its system, its states tell coordinates and velocities alone. */
interface Described {
  data: Pick<CommonData, "spins" | "coordinates"> & Partial<Pick<CommonData, "places">>;
  system?: Weighed | null;
}

/** The charts of a run: where states tell the curves, from them; quaternions as turns. */
export function exactEntries(page: Described, motion: Motion | null, entries: Entry[]): Entry[] {
  if (!(motion instanceof RecordedMotion)) return entries;
  const { spins } = page.data;
  const hidden = new Set(spins.flatMap(({ q }) => [q, q + 1, q + 2, q + 3]));
  let states: Moment[] | null = null;
  const drawn = (reading: () => Reading): (() => Drawn) => {
    let made: Drawn | null = null;
    return () => {
      if (made) return made;
      const [read, all] = [reading(), (states ??= statesOf(motion))];
      const rows = all.map(read);
      const y = (rows[0] ?? []).map((_, k) => rows.map((row) => row[k]));
      return (made = brokenCurves({ t: all.map((state) => state.t), y }));
    };
  };
  const made: Entry[] = [];
  const turns = turnCharts(page, spins).map((chart, n): Entry => {
    const reading = () => {
      const each = new Turns([spins[n]]);
      return (state: Moment) => each.row(state.q);
    };
    return { chart, source: drawn(reading) };
  });
  entries.forEach((entry, place) => {
    const { group } = entry.chart;
    const kept = entry.chart.curves.filter(({ of }) => group !== "coordinates" || of === undefined || !hidden.has(of));
    const read =
      exactReading(
        group,
        kept.map(({ of }) => of ?? 0),
      ) ?? weighedReading(page, group, kept);
    const chart = { ...entry.chart, curves: kept };
    if (!read) made.push({ ...entry, source: brokenSource(entry.source) });
    else if (kept.length) made.push({ chart, source: drawn(() => read), exact: read });
    if (group === "coordinates" && entries[place + 1]?.chart.group !== group) made.push(...turns.splice(0));
  });
  return made;
}

function brokenSource(source: () => Drawn): () => Drawn {
  let made: Drawn | null = null;
  return () => (made ??= brokenCurves(source()));
}

/** What tells the curves of a group at a state; null where states do not. */
export function exactReading(group: string, of: number[]): Reading | null {
  if (group === "coordinates") return ({ q }) => of.map((i) => q[i] ?? null);
  if (group === "velocities") return ({ v }) => of.map((i) => v[i] ?? null);
  return null;
}

/** What tells energies and places at a state: the system itself, where it is known. */
function weighedReading({ data, system }: Described, group: string, curves: ShownChart["curves"]): Reading | null {
  if (!system) return null;
  if (group === "energy")
    return ({ q, v }) => {
      const { kinetic = 0, potential = 0 } = system.energies?.(q, v) ?? {};
      return curves.map(({ of = 0, zero = 0 }) => [kinetic, potential, kinetic + potential][of] - zero);
    };
  const { places } = data;
  if (group !== "places" || !places) return null;
  return ({ q }) => {
    const poses = system.poses(q);
    return curves.map(({ of = 0 }) => {
      const { body, p } = places[Math.floor(of / 3)];
      const at = 12 * body + 4 * (of % 3);
      return p.reduce((sum, value, k) => sum + poses[at + k] * value, poses[at + 3]);
    });
  };
}

/** Charts of the turns of quaternions, one a body. */
export function turnCharts(page: Described, spins: Spin[]): ShownChart[] {
  return spins.map(({ q }) => {
    const body = page.data.coordinates[q].name.replace(/\.[^.]*$/, "");
    const kind: Chart["kind"] = "angle";
    const title = { en: `Turn of ${body} (axis × angle)`, ru: `Поворот: ${body} (ось × угол)` };
    const curves = ["x", "y", "z"].map((axis) => ({ name: `${body} ${axis}` }));
    return { group: "coordinates", title, kind, per: 0, milli: false, curves };
  });
}
