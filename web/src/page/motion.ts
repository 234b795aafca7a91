// What moves: a run from the page's keys, a motion that is being integrated, a posture by hand.
import type { Pull } from "../live/hands";
import type { CommonData, RunData, RunEvent, RunKeys, Spin, Stay } from "../payload";
import type { Moment, Motion } from "./core";

/** How states are laid out: joints with quaternions, and of every coordinate its velocity, or -1. */
export interface Layout {
  nq: number;
  nv: number;
  spins: Spin[];
  partner: Int32Array;
}

/** The keys of a run: times, then columns of accelerations, velocities and coordinates. */
export interface Keys {
  t: Float64Array;
  a: Float64Array[];
  v: Float64Array[];
  q: Float64Array[];
}

type Numbers = ArrayLike<number>;

/** The last of `values[from…to)` that is not above `t`; `from` where none is. */
export function lastNotAbove(values: Numbers, t: number, from: number, to: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Rates of the coordinates from the velocities: the same numbers, but for quaternions and places of free bodies, whose
 * velocities are in the body's axes.
 */
export function coordinateRates(
  q: Float64Array,
  v: Float64Array,
  { spins, partner }: Pick<Layout, "spins" | "partner">,
  out: Float64Array,
): Float64Array {
  for (let i = 0; i < q.length; i++) out[i] = partner[i] < 0 ? 0 : v[partner[i]];
  for (const { q: i, v: k, free } of spins) {
    const [w, x, y, z] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
    const [a, b, c] = [v[k], v[k + 1], v[k + 2]];
    out[i] = (-x * a - y * b - z * c) / 2;
    out[i + 1] = (w * a + y * c - z * b) / 2;
    out[i + 2] = (w * b + z * a - x * c) / 2;
    out[i + 3] = (w * c + x * b - y * a) / 2;
    if (!free) continue;
    const [e, f, g] = [v[k + 3], v[k + 4], v[k + 5]];
    // v + 2 u × (u × v + w v) for the unit quaternion (w, u).
    const [p, r, s] = [y * g - z * f + w * e, z * e - x * g + w * f, x * f - y * e + w * g];
    out[i + 4] = e + 2 * (y * s - z * r);
    out[i + 5] = f + 2 * (z * p - x * s);
    out[i + 6] = g + 2 * (x * r - y * p);
  }
  return out;
}

/** Which coordinates are numbers of quaternions, and which velocity belongs to each of the others. */
export function motionLayout(data: Pick<CommonData, "spins" | "partners" | "coordinates" | "rates">): Layout {
  return {
    nq: data.coordinates.length,
    nv: data.rates.length,
    spins: data.spins,
    partner: Int32Array.from(data.partners),
  };
}

/** Makes the quaternions of q units. */
export function normaliseSpins(q: Float64Array, spins: Spin[]): Float64Array {
  for (const { q: i } of spins) {
    const length = Math.hypot(q[i], q[i + 1], q[i + 2], q[i + 3]);
    if (length > 0) for (let k = i; k < i + 4; k++) q[k] /= length;
    else q[i] = 1;
  }
  return q;
}

/**
 * The keys of a run out of their bytes: every column as by how much it differs from what the columns before let expect.
 * @param bytes of all columns
 * @param columns bytes of a number, the least value, and what a step is worth
 * @param count numbers of a column
 * @param layout of the state
 */
export function readKeys(
  bytes: Uint8Array,
  columns: number[][],
  count: number,
  { nq, nv, partner }: Pick<Layout, "nq" | "nv" | "partner">,
): Keys {
  let from = 0;
  let place = 0;
  const read = (expected: ((i: number) => number) | null = null) => {
    const [size, low, step] = columns[place++];
    const column = new Float64Array(count);
    let value = 0;
    for (let i = 0; i < count; i++) {
      let folded = 0;
      for (let k = size - 1; k >= 0; k--) folded = 256 * folded + bytes[from + k * count + i];
      value += folded % 2 ? -(folded + 1) / 2 : folded / 2;
      if (expected && i) value += Math.floor(expected(i) / step + 0.5);
      column[i] = low + value * step;
    }
    from += size * count;
    return column;
  };
  const each = (n: number, make: (k: number) => Float64Array) => Array.from({ length: n }, (_, k) => make(k));
  const t = read();
  const h = (i: number) => t[i] - t[i - 1];
  const a = each(nv, () => read());
  const v = each(nv, (k) => read((i) => (h(i) * (a[k][i - 1] + a[k][i])) / 2));
  const q = each(nq, (n) => {
    const k = partner[n];
    if (k < 0) return read();
    return read((i) => (h(i) * (v[k][i - 1] + v[k][i])) / 2 + (h(i) * h(i) * (a[k][i - 1] - a[k][i])) / 12);
  });
  return { t, a, v, q };
}

/** A run from its keys. */
export class RecordedMotion implements Motion {
  readonly kind = "recorded";
  /** Of the clock; where several runs share it, it goes beyond this one, which then stays as it begins or ends. */
  begin: number;
  end: number;
  readonly own: readonly [number, number];
  readonly events: RunEvent[];
  readonly stays: Stay[];
  readonly times: Float64Array;
  readonly q: Float64Array[];
  readonly v: Float64Array[];
  readonly a: Float64Array[];
  /** Where the keys of every stay begin. */
  readonly firsts: number[] = [0];
  readonly #begins: number[];
  readonly #rate: [Float64Array, Float64Array];
  readonly #row: { q: Float64Array; v: Float64Array }[];

  /**
   * @param run `page.data.run`
   * @param bytes its keys
   * @param layout of the state
   */
  constructor(
    run: RunKeys & Partial<Pick<RunData, "events">>,
    bytes: Uint8Array,
    readonly layout: Layout,
  ) {
    const { nq, nv } = layout;
    const keys = readKeys(bytes, run.columns, run.keys, layout);
    this.begin = run.begin;
    this.end = run.end;
    this.own = [run.begin, run.end];
    this.events = run.events ?? [];
    this.stays = run.stays;
    this.times = keys.t;
    this.q = keys.q;
    this.v = keys.v;
    this.a = keys.a;
    let first = 0;
    for (const size of run.counts) this.firsts.push((first += size));
    // The ends of stays are known exactly.
    run.stays.forEach(({ begin, end }, i) => {
      this.times[this.firsts[i]] = begin;
      this.times[this.firsts[i + 1] - 1] = end;
    });
    this.#begins = run.stays.map((stay) => stay.begin);
    this.#rate = [new Float64Array(nq), new Float64Array(nq)];
    this.#row = [0, 1].map(() => ({ q: new Float64Array(nq), v: new Float64Array(nv) }));
  }

  /** The state at a time [s]; at an event the one after it, with `before` the one before. */
  at(t: number, before = false): Moment {
    let stay = lastNotAbove(this.#begins, t, 0, this.#begins.length);
    if (before) while (stay > 0 && this.#begins[stay] >= t) stay -= 1;
    const from = this.firsts[stay];
    const to = this.firsts[stay + 1];
    const i = Math.min(lastNotAbove(this.times, t, from, to), to - 2);
    const length = this.times[i + 1] - this.times[i];
    const share = length > 0 ? Math.min(Math.max((t - this.times[i]) / length, 0), 1) : 0;
    return { t, ...this.between(i, share, length), structure: this.stays[stay].structure };
  }

  between(i: number, s: number, length: number): Pick<Moment, "q" | "v"> {
    const { nq, nv, spins } = this.layout;
    this.#row.forEach((row, side) => {
      for (let k = 0; k < nq; k++) row.q[k] = this.q[k][i + side];
      for (let k = 0; k < nv; k++) row.v[k] = this.v[k][i + side];
      coordinateRates(row.q, row.v, this.layout, this.#rate[side]);
    });
    const [first, last] = this.#row;
    const a = (1 + 2 * s) * (1 - s) * (1 - s);
    const b = s * s * (3 - 2 * s);
    const c = length * s * (1 - s) * (1 - s);
    const d = -length * s * s * (1 - s);
    const q = new Float64Array(nq);
    const v = new Float64Array(nv);
    for (let k = 0; k < nq; k++) q[k] = a * first.q[k] + b * last.q[k] + c * this.#rate[0][k] + d * this.#rate[1][k];
    for (let k = 0; k < nv; k++) v[k] = a * first.v[k] + b * last.v[k] + c * this.a[k][i] + d * this.a[k][i + 1];
    return { q: normaliseSpins(q, spins), v };
  }
}

/** A motion that grows: rows as they are computed; two rows at the time of an event. */
export class GrowingMotion implements Motion {
  readonly kind = "live";
  readonly times: number[] = [];
  readonly rows: Moment[] = [];
  readonly events: RunEvent[] = [];
  readonly stays: Stay[] = [];
  readonly #rate: [Float64Array, Float64Array];

  constructor(readonly layout: Layout) {
    this.#rate = [new Float64Array(layout.nq), new Float64Array(layout.nq)];
  }

  get begin(): number {
    return this.times[0] ?? 0;
  }

  get end(): number {
    return this.times.at(-1) ?? 0;
  }

  /** One more state; times never go back. */
  add(t: number, q: Numbers, v: Numbers, structure: number, memory: Numbers = [], pull: Pull | null = null): Moment {
    this.times.push(t);
    const row: Moment = { t, q: Float64Array.from(q), v: Float64Array.from(v), structure };
    if (memory.length) row.m = Float64Array.from(memory);
    if (pull) row.pull = pull;
    this.rows.push(row);
    const last = this.stays.at(-1);
    if (last && last.structure === structure) last.end = t;
    else {
      if (last) last.end = t;
      this.stays.push({ structure, begin: t, end: t });
    }
    return row;
  }

  at(t: number): Moment | null {
    if (!this.rows.length) return null;
    const i = lastNotAbove(this.times, t, 0, this.times.length);
    const first = this.rows[i];
    const last = this.rows[i + 1];
    if (!last || last.t <= first.t || t <= first.t)
      return { t, q: first.q, v: first.v, structure: first.structure, m: first.m, pull: first.pull };
    const { nq, nv, spins } = this.layout;
    const length = last.t - first.t;
    const s = Math.min((t - first.t) / length, 1);
    [first, last].forEach((row, side) => coordinateRates(row.q, row.v, this.layout, this.#rate[side]));
    const a = (1 + 2 * s) * (1 - s) * (1 - s);
    const b = s * s * (3 - 2 * s);
    const c = length * s * (1 - s) * (1 - s);
    const d = -length * s * s * (1 - s);
    const q = new Float64Array(nq);
    const v = new Float64Array(nv);
    for (let k = 0; k < nq; k++) q[k] = a * first.q[k] + b * last.q[k] + c * this.#rate[0][k] + d * this.#rate[1][k];
    for (let k = 0; k < nv; k++) v[k] = first.v[k] + s * (last.v[k] - first.v[k]);
    return { t, q: normaliseSpins(q, spins), v, structure: first.structure, m: first.m, pull: first.pull };
  }
}

/** A posture by hand: nothing moves. */
export class PosedMotion implements Motion {
  readonly kind = "posed";
  readonly begin: number;
  readonly end: number;
  readonly events: RunEvent[] = [];
  readonly stays: Stay[] = [];

  constructor(readonly state: Moment) {
    this.begin = state.t;
    this.end = state.t;
  }

  at(): Moment {
    return this.state;
  }
}
