// Trajectories of coordinates: polynomials, and the fastest moves within limits; as the library makes them.
import type { Trajectory } from "../payload";

type Numbers = ArrayLike<number>;

/** Of one axis; a jerk may be Infinity. */
export interface Limits {
  velocity: number;
  acceleration: number;
  jerk: number;
}

/** Times of the rise of the speed, of the cruise, and of all of it [s]. */
interface Ramp {
  short: number;
  steady: number;
  cruise: number;
  total: number;
}

const MOVES_UPPER: Record<string, number[]> = {
  cubic: [3, -2],
  quintic: [10, -15, 6],
  septic: [35, -84, 70, -20],
};

/** Kinds of trajectories that have a duration of their own, and those that follow limits. */
export const MOVES_POLYNOMIALS = Object.keys(MOVES_UPPER);

/** One polynomial from rest to rest, told twice: from its beginning up to the middle, from there on from its end. */
export function movesPolynomial(kind: string, q0: number[], q1: number[], duration: number): Trajectory {
  const upper = MOVES_UPPER[kind];
  const count = upper.length;
  const piece = (first: number[], last: number[], back: boolean) => {
    const rows = Array.from({ length: 2 * count }, () => new Array<number>(q0.length).fill(0));
    rows[0] = [...first];
    upper.forEach((weight, row) => {
      const power = count + row;
      const sign = back && power % 2 ? -1 : 1;
      rows[power] = first.map((x, i) => (sign * (weight * (last[i] - x))) / duration ** power);
    });
    return rows;
  };
  const [a, b] = [[...q0], [...q1]];
  return {
    knots: [0, 0.5 * duration, duration],
    origins: [a.map(() => 0), a.map(() => duration)],
    coefficients: [piece(a, b, false), piece(b, a, true)],
  };
}

function movesTimes(peak: number, acceleration: number, jerk: number): [number, number] {
  const reached = peak >= acceleration * (acceleration / jerk);
  const short = reached ? acceleration / jerk : Math.sqrt(peak / jerk);
  return [short, reached ? Math.max(peak / acceleration - short, 0) : 0];
}

/** Rise, cruise and fall of the speed of one axis: the fastest over a distance. */
function movesRamp(distance: number, { velocity, acceleration, jerk }: Limits): Ramp {
  if (!(distance > 0)) return { short: 0, steady: 0, cruise: 0, total: 0 };
  let peak = Math.min(
    Math.sqrt((2 * distance) / (1 / acceleration + 1 / acceleration)),
    Math.cbrt(0.5 * distance * Math.sqrt(jerk)) ** 2,
  );
  // Both bounds are above the peak; from there Newton's steps on a convex function only go down to it.
  for (let i = 0; i < 60; i++) {
    const [short, steady] = movesTimes(peak, acceleration, jerk);
    const rise = 2 * short + steady;
    const reached = peak >= acceleration * (acceleration / jerk);
    const slope = 2 * (reached ? peak / acceleration + (0.5 * acceleration) / jerk : 1.5 * Math.sqrt(peak / jerk));
    const better = Math.max(peak - (0.5 * peak * (rise + rise) - distance) / slope, 0.5 * peak);
    if (better >= peak) break;
    peak = Math.min(better, peak);
  }
  peak = Math.min(peak, velocity);
  const [short, steady] = movesTimes(peak, acceleration, jerk);
  const busy = 2 * (short + short) + steady + steady;
  const cruise = peak >= velocity ? Math.max(distance / peak - 0.5 * busy, 0) : 0;
  return { short, steady, cruise, total: 2 * short + steady + cruise + (2 * short + steady) };
}

/**
 * The fastest move from rest to rest within limits, all axes ending together.
 * @param q0 where it begins
 * @param q1 where it ends
 * @param limits of every axis
 * @param duration a longer one than the shortest [s]
 * @returns the least duration where the given one is shorter
 */
export function movesFastest(
  q0: Numbers,
  q1: Numbers,
  limits: Limits[],
  duration: number | null = null,
): Trajectory | { least: number } {
  const ramps = limits.map((limit, i) => movesRamp(Math.abs(q1[i] - q0[i]), limit));
  const least = Math.max(...ramps.map(({ total }) => total));
  if (duration !== null && duration < least * (1 - 1e-12)) return { least };
  const total = Math.max(duration ?? least, least);
  const there = Array.from(q1);
  if (!(total > 0)) return { knots: [0, 0], origins: [there.map(() => 0)], coefficients: [[there]] };
  const axes = ramps.map((ramp, i) => movesAxis(q0[i], q1[i], ramp, total));
  // Pieces of axes that change at different times, cut at all of these times.
  const knots = [...new Set(axes.flatMap((axis) => axis.knots))].sort((a, b) => a - b);
  const origins: number[][] = [];
  const coefficients: number[][][] = [];
  for (const begin of knots.slice(0, -1)) {
    const pieces = axes.map(({ knots: own }) => {
      let piece = -1;
      for (const knot of own) if (knot <= begin) piece += 1;
      return Math.min(Math.max(piece, 0), 6);
    });
    origins.push(pieces.map((piece, i) => axes[i].origins[piece]));
    coefficients.push([0, 1, 2, 3].map((power) => pieces.map((piece, i) => axes[i].rows[piece][power])));
  }
  return { knots, origins, coefficients };
}

/** Seven pieces of one axis in a total time. */
function movesAxis(
  q0: number,
  q1: number,
  ramp: Ramp,
  total: number,
): { knots: number[]; origins: number[]; rows: number[][] } {
  const moving = ramp.total > 0;
  const slow = moving ? total / ramp.total : 1;
  const [short, steady] = [ramp.short * slow, ramp.steady * slow];
  const rise = 2 * short + steady;
  const mean = total - 0.5 * rise - 0.5 * rise;
  // What the peak must be for the distance to be exact in these times.
  const w = moving ? (q1 - q0) / mean : 0;
  const span = short + steady;
  const a = span > 0 ? w / span : 0;
  const j = short > 0 ? a / short : 0;
  const cuts = [0, short, short + steady, rise, total - rise, total - (short + steady), total - short, total];
  const knots: number[] = [];
  for (const cut of cuts) knots.push(Math.max(Math.min(cut, total), knots.at(-1) ?? -Infinity));
  const way = 0.5 * w * rise;
  const rows = moving
    ? [
        [q0, 0, 0, j],
        [q0 + (j * short ** 3) / 6, 0.5 * j * short ** 2, a, 0],
        [q0 + way, w, 0, -j],
        [q0 + way, w, 0, 0],
        [q1 - way, w, 0, -j],
        [q1 - (j * short ** 3) / 6, 0.5 * j * short ** 2, -a, 0],
        [q1, 0, 0, j],
      ]
    : Array.from({ length: 7 }, () => [q1, 0, 0, 0]);
  return {
    knots,
    origins: [0, 1, 3, 3, 4, 6, 7].map((i) => knots[i]),
    rows: rows.map(([x, v, b, c]) => [x, v, 0.5 * b, c * (1 / 6)]),
  };
}

/** Coordinates, velocities and accelerations of a trajectory at a time; `before`: at a knot, of the piece before it. */
export function movesAt(
  { knots, origins, coefficients }: Trajectory,
  time: number,
  before = false,
): { q: Float64Array; v: Float64Array; a: Float64Array } {
  const t = Math.min(Math.max(time, knots[0]), knots[knots.length - 1]);
  const last = knots.length - 2;
  let [low, high] = [0, last];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (before ? knots[middle] < t : knots[middle] <= t) low = middle;
    else high = middle - 1;
  }
  const rows = coefficients[low];
  const n = rows[0].length;
  const made = [0, 1, 2].map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    const tau = t - origins[low][i];
    for (let order = 0; order < 3; order++) {
      let value = 0;
      for (let power = rows.length - 1; power >= order; power--) {
        const factor = order === 0 ? 1 : order === 1 ? power : power * (power - 1);
        value = value * tau + factor * rows[power][i];
      }
      made[order][i] = time === t || order === 0 ? value : 0;
    }
  }
  return { q: made[0], v: made[1], a: made[2] };
}

/** Times of equal steps, and the knots between them; a knot at which accelerations jump stands twice. */
export function movesTimesOf(move: Trajectory, count: number): { t: number; before: boolean; even: boolean }[] {
  const { knots } = move;
  const [begin, end] = [knots[0], knots[knots.length - 1]];
  const rows = Array.from({ length: count + 1 }, (_, i) => ({
    t: i === count ? end : begin + ((end - begin) * i) / count,
    before: i === count,
    even: true,
  }));
  // Of very many knots, none is seen.
  if (knots.length > 2 && knots.length < 400) {
    const size = Math.max(1e-300, ...rows.map((row) => Math.max(...movesAt(move, row.t, row.before).a.map(Math.abs))));
    for (const t of knots.slice(1, -1)) {
      const [left, right] = [movesAt(move, t, true), movesAt(move, t)];
      if (!left.a.some((x, i) => Math.abs(x - right.a[i]) > 1e-9 * size)) continue;
      rows.push({ t, before: true, even: false }, { t, before: false, even: false });
    }
  }
  // Equal times stay in their order: what is before comes first.
  return rows.sort((a, b) => a.t - b.t || Number(b.before) - Number(a.before));
}
