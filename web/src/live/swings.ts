// Small swings of a system about the equilibrium that lies downhill from where it starts: periods, and how they fade.
import type { Words } from "../payload";
import { leastNorm } from "./linear";
import type { LiveSystem } from "./live";

/** Velocities up to which swings are looked for. */
const SWINGS_MOST = 16;
/** The longest step towards the equilibrium [m or rad], and how many there are at most. */
const SWINGS_STRIDE = 0.3,
  SWINGS_STEPS = 400;
/** By how much coordinates and velocities are moved for differences; four of them make an error of the fourth order. */
const SWINGS_APART = 2e-3;
/** Parts of the greatest eigenvalue below which one counts as zero, and of its own size below which its real part does. */
const SWINGS_ZERO = 1e-5,
  SWINGS_FADE = 1e-8;

/** One way to move: it swings with a period, or does not and only grows or fades; `rate` is by how much [1/s]. */
export interface Swing {
  /** [s]; null where it does not swing. */
  period: number | null;
  /** Of the amplitude: below 0 it fades, above 0 it grows [1/s]. */
  rate: number;
}

/** What was found: the equilibrium, and the swings about it, the slowest first; `free` counts motions without any. */
export interface Swings {
  q: Float64Array;
  swings: Swing[];
  free: number;
}

const SWINGS_WORDS = {
  none: { en: "the page has no equations of this structure", ru: "уравнений этой структуры на странице нет" },
  large: { en: "the system has too many coordinates for that", ru: "для этого у системы слишком много координат" },
  turns: { en: "bodies turn freely in space", ru: "тела свободно поворачиваются в пространстве" },
  loose: {
    en: "links that may let go hold some of the coordinates",
    ru: "часть координат держат связи, которые могут отпустить",
  },
  rolls: { en: "wheels roll without slipping", ru: "колёса катятся без скольжения" },
  still: { en: "links leave nothing to move", ru: "связи не оставляют подвижности" },
  driven: {
    en: "a scheme or a programmed motion drives the system",
    ru: "системой управляет схема или программное движение",
  },
  jumps: { en: "its forces jump, as dry friction does", ru: "силы меняются скачком, как сухое трение" },
  nowhere: {
    en: "downhill from this start there is no equilibrium",
    ru: "если спускаться из этого начала, равновесия нет",
  },
} satisfies Record<string, Words>;

/**
 * Small swings.
 *
 * @param system begun, and used for nothing else meanwhile
 * @returns what was found, or why nothing can be
 */
export function smallSwings(system: LiveSystem): Swings | Words {
  const { nq, nv, memory } = system.table;
  const motion = system.table.structures[system.structure].motion;
  if (motion === null) return SWINGS_WORDS.none;
  if (nq !== nv) return SWINGS_WORDS.turns;
  if (nv > SWINGS_MOST || nv === 0) return SWINGS_WORDS.large;
  const { structure } = system,
    { rows, forced } = system.table.structures[structure];
  if (memory.length || forced.length) return SWINGS_WORDS.driven;
  if (motion.corrects && motion.exits.length) return SWINGS_WORDS.loose;
  if (motion.modes || motion.data !== undefined) return SWINGS_WORDS.jumps;
  const chart = restOf(system);
  if (chart === null) return SWINGS_WORDS.nowhere;
  const { ways, q } = chart,
    n = ways.length,
    size = 2 * n;
  if (n === 0) return SWINGS_WORDS.still;
  for (const way of ways) {
    const { v } = system.closeVelocities(q, way, [], structure, { t: system.t });
    if ((rows || motion.corrects) && v.some((part, i) => Math.abs(part - way[i]) > 1e-9)) return SWINGS_WORDS.rolls;
  }
  const A = new Float64Array(size * size);
  for (let j = 0; j < n; j++) {
    const stiff = slopes((s) => chart.rates(s, null), j, n),
      damp = slopes((s) => chart.rates(null, s), j, n);
    for (let i = 0; i < n; i++) {
      A[(n + i) * size + j] = stiff[i];
      A[(n + i) * size + n + j] = damp[i];
    }
    A[j * size + n + j] = 1;
  }
  const found = eigenvalues(A, size);
  const greatest = Math.max(...found.map(([re, im]) => Math.hypot(re, im)));
  const moving = found.filter(([re, im]) => Math.hypot(re, im) > SWINGS_ZERO * greatest);
  const swings = moving
    .filter(([re, im]) => im >= -SWINGS_FADE * Math.hypot(re, im))
    .map(([re, im]) => {
      const whole = Math.hypot(re, im);
      const swinging = im > SWINGS_FADE * whole;
      return { period: swinging ? (2 * Math.PI) / im : null, rate: Math.abs(re) > SWINGS_FADE * whole ? re : 0 };
    })
    .sort((a, b) => (b.period ?? 0) - (a.period ?? 0) || b.rate - a.rate);
  return { q, swings, free: found.length - moving.length };
}

/** Motions near a posture that its links allow: as many numbers as there are ways to move. */
class Chart {
  /** Directions at right angles to each other, and to everything that links hold. */
  readonly ways: Float64Array[];
  readonly #links: { rows: number; J: Float64Array };

  constructor(
    readonly system: LiveSystem,
    readonly q: Float64Array,
  ) {
    const { nv } = system.table;
    const { rows, J } = (this.#links = system.links(q, system.structure, system.t));
    const held: Float64Array[] = [];
    // Rows of links first, then the axes: what is new in each.
    const given = Array.from({ length: rows }, (_, i) => J.slice(i * nv, (i + 1) * nv));
    this.ways = [];
    for (const row of given) orthogonal(row, held, held);
    for (let i = 0; i < nv; i++) {
      const axis = new Float64Array(nv);
      axis[i] = 1;
      orthogonal(axis, [...held, ...this.ways], this.ways);
    }
  }

  /** The posture at some numbers, its links closed; they stay what they are, for it is closed across the ways. */
  at(s: ArrayLike<number>): Float64Array {
    const { system, ways } = this,
      { rows, J } = this.#links,
      q = this.q.slice();
    ways.forEach((way, j) => way.forEach((part, i) => (q[i] += s[j] * part)));
    for (let turn = 0; rows && turn < 60; turn++) {
      const { value } = system.links(q, system.structure, system.t);
      const change = leastNorm(J.slice(), rows, q.length, value);
      change.forEach((part, i) => (q[i] -= part));
      if (!(Math.max(...change.map(Math.abs)) > 1e-15)) break;
    }
    return q;
  }

  /** Accelerations along the ways, at some numbers and at rest, or here with some velocities. */
  rates(s: ArrayLike<number> | null, u: ArrayLike<number> | null): Float64Array {
    const { system, ways } = this,
      { nq, nv } = system.table,
      y = system.y.slice();
    y.set(s ? this.at(s) : this.q);
    y.fill(0, nq, nq + nv);
    if (u) ways.forEach((way, j) => way.forEach((part, i) => (y[nq + i] += u[j] * part)));
    system.stepper.begin(y);
    const a = system.stepper.K[0];
    return Float64Array.from(ways, (way) => way.reduce((sum, part, i) => sum + part * a[nq + i], 0));
  }
}

/** Adds what is new in a vector, of length 1, to some; nothing where that is only dust. */
function orthogonal(vector: Float64Array, known: Float64Array[], to: Float64Array[]): void {
  const length = Math.hypot(...vector);
  if (!(length > 0)) return;
  const made = vector.map((part) => part / length);
  for (let turn = 0; turn < 2; turn++)
    for (const other of known) {
      const along = made.reduce((sum, part, i) => sum + part * other[i], 0);
      other.forEach((part, i) => (made[i] -= along * part));
    }
  const left = Math.hypot(...made);
  if (left > 1e-7) to.push(made.map((part) => part / left));
}

/** Goes downhill, at rest, to where nothing accelerates; null where it does not come to that. */
function restOf(system: LiveSystem): Chart | null {
  let chart = new Chart(system, system.q.slice()),
    a = chart.rates(null, null);
  const strength = (of: Float64Array) => Math.max(0, ...of.map(Math.abs));
  let h = 0.05 / (strength(a) || 1);
  for (let turn = 0; turn < SWINGS_STEPS; turn++) {
    const n = chart.ways.length;
    // (1/h − ∂a/∂s) ds = a: downhill while h is small, and the method of Newton once it is large.
    const M = new Float64Array(n * n);
    for (let j = 0; j < n; j++) {
      const column = slopes((s) => chart.rates(s, null), j, n);
      for (let i = 0; i < n; i++) M[i * n + j] = (i === j ? 1 / h : 0) - column[i];
    }
    const step = solved(M, a.slice(), n);
    if (step === null || !step.every(Number.isFinite)) return null;
    const longest = strength(step);
    const part = longest > SWINGS_STRIDE ? SWINGS_STRIDE / longest : 1;
    const next = new Chart(system, chart.at(step.map((each) => part * each)));
    const b = next.rates(null, null);
    if (!b.every(Number.isFinite)) return null;
    if (longest < 1e-11 && h * strength(b) < 1e3) return next;
    if (part === 1 && strength(b) < strength(a)) h = Math.min(h * 2, 1e9);
    else if (strength(b) > 2 * strength(a)) h /= 2;
    chart = next;
    a = b;
  }
  return null;
}

/** Slopes of a function of n numbers at zero by one of them. */
function slopes(of: (s: Float64Array) => Float64Array, j: number, n: number): Float64Array {
  const at = (steps: number) => {
    const s = new Float64Array(n);
    s[j] = steps * SWINGS_APART;
    return of(s);
  };
  const [far, near, back, rear] = [at(2), at(1), at(-1), at(-2)];
  return far.map((_, i) => (8 * (near[i] - back[i]) - (far[i] - rear[i])) / (12 * SWINGS_APART));
}

/** x of M x = b by elimination with pivots; M and b are overwritten; null where M is singular. */
function solved(M: Float64Array, b: Float64Array, n: number): Float64Array | null {
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(M[i * n + k]) > Math.abs(M[p * n + k])) p = i;
    if (!(Math.abs(M[p * n + k]) > 0)) return null;
    for (let j = 0; j < n && p !== k; j++) [M[k * n + j], M[p * n + j]] = [M[p * n + j], M[k * n + j]];
    [b[k], b[p]] = [b[p], b[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = M[i * n + k] / M[k * n + k];
      for (let j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) b[i] -= M[i * n + j] * b[j];
    b[i] /= M[i * n + i];
  }
  return b;
}

type Complex = [number, number];

const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const minus = ([a, b]: Complex, [c, d]: Complex): Complex => [a - c, b - d];

/**
 * Eigenvalues by complex QR steps with shifts (Golub and Van Loan, "Matrix Computations", section 7.5).
 *
 * @param A n × n numbers by rows
 * @param n its size
 */
export function eigenvalues(A: ArrayLike<number>, n: number): Complex[] {
  const H: Complex[][] = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => [A[i * n + j], 0]));
  toHessenberg(H);
  const found: Complex[] = [];
  let last = n - 1,
    turns = 0;
  while (last >= 0) {
    let first = last;
    const size = (k: number) => Math.hypot(...H[k][k]);
    const small = (k: number) =>
      Math.hypot(...H[k][k - 1]) <= 1e-16 * (size(k) + size(k - 1) || 1) || Math.hypot(...H[k][k - 1]) < 1e-290;
    while (first > 0 && !small(first)) first--;
    if (first > 0) H[first][first - 1] = [0, 0];
    if (first === last || turns > 60) {
      found.push(H[last][last]);
      last--;
      turns = 0;
      continue;
    }
    turns++;
    qrStep(H, first, last, turns % 11 === 0 ? [1.5 * Math.hypot(...H[last][last - 1]), 0] : shiftOf(H, last));
  }
  return found;
}

/** The eigenvalue of the last 2 × 2 block that is nearer to its last number. */
function shiftOf(H: Complex[][], last: number): Complex {
  const a = H[last - 1][last - 1],
    d = H[last][last];
  const half: Complex = [0.5 * (a[0] - d[0]), 0.5 * (a[1] - d[1])];
  const square = times(half, half),
    product = times(H[last - 1][last], H[last][last - 1]);
  const inside: Complex = [square[0] + product[0], square[1] + product[1]];
  const length = Math.hypot(...inside);
  const re = Math.sqrt(0.5 * (length + Math.abs(inside[0])));
  const im = re > 0 ? inside[1] / (2 * re) : 0;
  const root: Complex = inside[0] >= 0 ? [re, im] : [Math.abs(im), inside[1] < 0 ? -re : re];
  const sign = root[0] * half[0] + root[1] * half[1] > 0 ? -1 : 1;
  return [d[0] + half[0] + sign * root[0], d[1] + half[1] + sign * root[1]];
}

/** One step: rotations make the shifted block triangular, and are multiplied on from the right. */
function qrStep(H: Complex[][], first: number, last: number, shift: Complex): void {
  for (let k = first; k <= last; k++) H[k][k] = minus(H[k][k], shift);
  const turns: [Complex, Complex][] = [];
  for (let k = first; k < last; k++) {
    const a = H[k][k],
      b = H[k + 1][k];
    const length = Math.hypot(...a, ...b) || 1;
    const c: Complex = [a[0] / length, -a[1] / length],
      s: Complex = [b[0] / length, -b[1] / length];
    turns.push([c, s]);
    for (let j = k; j <= last; j++) {
      const [x, y] = [H[k][j], H[k + 1][j]];
      const [p, r] = [times(c, x), times(s, y)];
      const [u, w] = [times([s[0], -s[1]], x), times([c[0], -c[1]], y)];
      H[k][j] = [p[0] + r[0], p[1] + r[1]];
      H[k + 1][j] = minus(w, u);
    }
  }
  turns.forEach(([c, s], i) => {
    const k = first + i;
    for (let j = first; j <= Math.min(last, k + 1); j++) {
      const [x, y] = [H[j][k], H[j][k + 1]];
      const [p, r] = [times([c[0], -c[1]], x), times([s[0], -s[1]], y)];
      const [u, w] = [times(s, x), times(c, y)];
      H[j][k] = [p[0] + r[0], p[1] + r[1]];
      H[j][k + 1] = minus(w, u);
    }
  });
  for (let k = first; k <= last; k++) H[k][k] = [H[k][k][0] + shift[0], H[k][k][1] + shift[1]];
}

/** Zeros below the first line under the diagonal, by elimination with pivots; eigenvalues stay. */
function toHessenberg(H: Complex[][]): void {
  const n = H.length;
  for (let k = 1; k < n - 1; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.hypot(...H[i][k - 1]) > Math.hypot(...H[p][k - 1])) p = i;
    if (p !== k) {
      [H[k], H[p]] = [H[p], H[k]];
      for (const row of H) [row[k], row[p]] = [row[p], row[k]];
    }
    const pivot = H[k][k - 1][0];
    if (pivot === 0) continue;
    for (let i = k + 1; i < n; i++) {
      // Only real numbers so far.
      const factor = H[i][k - 1][0] / pivot;
      if (factor === 0) continue;
      for (let j = k - 1; j < n; j++) H[i][j] = [H[i][j][0] - factor * H[k][j][0], 0];
      for (const row of H) row[k] = [row[k][0] + factor * row[i][0], 0];
    }
  }
}
