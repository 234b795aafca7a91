import type { LiveTable, Words } from "../payload";
import { type Pull, pullForces } from "./hands";
import { leastNorm } from "./linear";

/** A function of a kit: blocks of numbers that it reads, then those that it writes. */
export type Kernel = (...blocks: Float64Array[]) => void;
/** Blocks by name. */
export type Blocks = Record<string, Float64Array>;
type Numbers = ArrayLike<number>;

/** What closes the loops of a structure: what is off, and how velocities change that. */
interface Closing {
  rows: number;
  value: Float64Array;
  J: Float64Array;
  drift: Float64Array;
  forced: number[];
  find: () => void;
  compute: () => void;
}

/** What a motion begins with; what is not given is that of the file. */
export interface Beginning {
  q?: Numbers | null;
  v?: Numbers | null;
  t?: number | null;
  structure?: number;
  /** Coordinates and velocities by index that differ from those of the file, and count as given there. */
  changes?: Changes | null;
}

/** A state whose loads are asked for; `m` is what schemes remember, `pull` what a hand does. */
export interface LoadedState {
  t: number;
  q: Numbers;
  v: Numbers;
  structure: number;
  m?: Numbers;
  pull?: Pull;
}

/** Values by index [SI]. */
export interface Changes {
  q: ReadonlyMap<number, number>;
  v: ReadonlyMap<number, number>;
}

/** How far apart links may be to count as closed [m or rad]. */
const LIVE_CLOSED = 1e-10;
/** Velocity that constraints may be off by, relative to the largest one. */
const LIVE_MET = 1e-9;

/** The postures of a system: where its bodies are, and coordinates that close its loops. */
export class LivePostures {
  /** Numbers of a state: coordinates, velocities, memory, the time. */
  readonly size: number;
  /** Values of the live parameters, in the order of the kernels. */
  readonly values: Float64Array;
  /** What the kernels read of them. */
  readonly live: Float64Array;
  /** The present one, where something moves. */
  structure: number;
  /** Called when live parameters have got other values. */
  changed: (() => void) | null = null;
  /** What a hand holds. */
  pulled: Pull | null = null;
  /** Its forces on the velocities [N or N·m], and on the bodies: moments about their poles and forces in the world. */
  readonly push: Float64Array;
  readonly wrench: Float64Array;
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #y: Float64Array;
  readonly #poses: Float64Array;
  readonly #energies: Float64Array;
  readonly #placing: () => void;
  readonly #rays: Float64Array;
  readonly #seeing: () => void;
  readonly #weighing: () => void;
  readonly #twists: Float64Array;
  readonly #twisting: () => void;
  readonly #carrying: ({ found: Float64Array; compute: () => void } | null)[];
  readonly #closing: (Closing | null)[];
  readonly #line: (() => void) | null = null;
  readonly #sizes: Float64Array | null = null;
  readonly #weigh: (() => void) | null = null;
  readonly #began: { q: Float64Array; v: Float64Array; compute: () => void } | null = null;

  /**
   * @param kernels of `makeKernels`
   * @param table of `live_kit`
   */
  constructor(
    readonly kernels: Kernel[],
    readonly table: LiveTable,
  ) {
    this.structure = table.start.structure;
    this.size = table.nq + table.nv + table.memory.length + 1;
    const live = table.parameters.filter((row) => row.live);
    this.values = Float64Array.from(
      live.sort((a, b) => (a.place ?? 0) - (b.place ?? 0)),
      (row) => row.value,
    );
    this.live = new Float64Array(Math.max(1, table.hoisted ?? 0));
    this.push = new Float64Array(table.nv);
    this.wrench = new Float64Array(6 * table.bodies);
    this.#q = new Float64Array(table.nq);
    this.#v = new Float64Array(table.nv);
    this.#y = new Float64Array(this.size);
    this.#poses = new Float64Array(12 * (table.bodies + 1));
    this.#poses[0] = this.#poses[5] = this.#poses[10] = 1;
    this.#energies = new Float64Array(5);
    const own = { q: this.#q, v: this.#v, poses: this.#poses.subarray(12), energies: this.#energies };
    this.#placing = this.bind(table.poses, own);
    const { rays = null } = table;
    this.#rays = new Float64Array(rays === null ? 0 : table.kernels[rays].outputs[0][1]);
    this.#seeing = this.bind(rays, { q: this.#q, rays: this.#rays });
    this.#weighing = this.bind(table.energies, own);
    this.#twists = new Float64Array(6 * table.nv);
    this.#twisting = this.bind(table.push?.twists ?? null, { q: this.#q, twists: this.#twists });
    this.#carrying = table.structures.map(() => null);
    this.#closing = table.structures.map(() => null);
    const { line = null, sizes = null, begin = null } = table;
    if (line !== null) {
      this.#line = this.bind(line, { live: this.values, hoisted: this.live });
      this.#line();
    }
    if (sizes !== null) {
      this.#sizes = new Float64Array(table.kernels[sizes].outputs[0][1]);
      this.#weigh = this.bind(sizes, { live: this.values, sizes: this.#sizes });
    }
    if (begin !== null) {
      const q = Float64Array.from(table.start.q),
        v = Float64Array.from(table.start.v);
      this.#began = { q, v, compute: this.bind(begin, { live: this.values, q, v }) };
    }
  }

  /** A kernel with its blocks by name; what is not given is room of its own. */
  bind(number: number | null, blocks: Blocks): () => void {
    if (number === null) return () => {};
    const { inputs, outputs } = this.table.kernels[number];
    const own: Blocks = { live: this.live, push: this.push, wrench: this.wrench };
    const given = (block: [string, number]) => blocks[block[0]] ?? new Float64Array(Math.max(1, block[1]));
    const inside = (block: [string, number]) => blocks[block[0]] ?? own[block[0]] ?? given(block);
    const call = [...inputs.map(inside), ...outputs.map(given)];
    return this.kernels[number].bind(null, ...call);
  }

  /**
   * The poses of all bodies in the world, the ground first: rows of 3×4 matrices [m].
   *
   * @param q coordinates
   * @param out 12·(bodies + 1) numbers; a new array by default
   */
  poses(q: Numbers, out: Float64Array = new Float64Array(this.#poses.length)): Float64Array {
    this.#q.set(q);
    this.#placing();
    out.set(this.#poses);
    return out;
  }

  /** How every velocity moves what hangs on it: its turn, and what it gives the origin of the world, six numbers each. */
  twists(q: Numbers): Float64Array {
    this.#q.set(q);
    this.#twisting();
    return this.#twists;
  }

  /** Computes what the hand does at a state that begins with these coordinates. */
  hold(state: Numbers): void {
    const { pulled } = this;
    if (pulled === null) return;
    for (let i = 0; i < this.table.nq; i++) this.#q[i] = state[i];
    this.#twisting();
    this.#placing();
    pullForces(pulled, this.#poses, this.#twists, this.table, this.push, this.wrench);
  }

  /** Moment and force of every joint and link in a state, in the world, by name; null where the page does not know them. */
  loads(state: LoadedState): Record<string, number[]> | null {
    const { loads = null, carriers = [] } = this.table.structures[state.structure] ?? {};
    if (loads === null) return null;
    const own = (this.#carrying[state.structure] ??= this.#loading(loads));
    const { nq, nv } = this.table;
    const y = this.#y;
    y.fill(0);
    y.set(state.q);
    y.set(state.v, nq);
    if (state.m) y.set(state.m, nq + nv);
    y[y.length - 1] = state.t;
    const held = this.pulled;
    this.release();
    this.pulled = state.pull ?? null;
    this.hold(state.q);
    own.compute();
    this.release();
    this.pulled = held;
    return Object.fromEntries(carriers.map((name, i) => [name, [...own.found.subarray(6 * i, 6 * i + 6)]]));
  }

  #loading(number: number): { found: Float64Array; compute: () => void } {
    const found = new Float64Array(this.table.kernels[number].outputs[0][1]);
    return { found, compute: this.bind(number, { y: this.#y, loads: found }) };
  }

  /** Takes the hand away. */
  release(): void {
    this.pulled = null;
    this.push.fill(0);
    this.wrench.fill(0);
  }

  /** Both ends of every ray of the sensors [m]. */
  rays(q: Numbers): number[][][] {
    if (!this.#rays.length) return [];
    this.#q.set(q);
    this.#seeing();
    const made: number[][][] = [];
    for (let i = 0; i < this.#rays.length; i += 6) {
      made.push([Array.from(this.#rays.subarray(i, i + 3)), Array.from(this.#rays.subarray(i + 3, i + 6))]);
    }
    return made;
  }

  /** Energies [J] and the centre of mass [m]. */
  energies(q: Numbers, v: Numbers): { kinetic: number; potential: number; total: number; centre: number[] } {
    this.#q.set(q);
    this.#v.set(v);
    this.#weighing();
    const [kinetic, potential, ...centre] = this.#energies;
    return { kinetic, potential, total: kinetic + potential, centre };
  }

  /** The coordinates and velocities that the file begins with, for the values that parameters have now. */
  first(): { q: Float64Array; v: Float64Array } {
    const { start } = this.table;
    if (this.#began === null) return { q: Float64Array.from(start.q), v: Float64Array.from(start.v) };
    this.#began.compute();
    return { q: this.#began.q.slice(), v: this.#began.v.slice() };
  }

  /**
   * The posture in which the file begins, for the values that parameters have now, with loops closed.
   *
   * @param near coordinates to begin with where the file gives none: those of today's values
   * @param structure its index
   */
  opening(near: Numbers, structure = this.structure): Float64Array {
    const { t, givenQ } = this.table.start;
    const first = this.first().q;
    const q = Float64Array.from(near);
    for (const i of givenQ) q[i] = first[i];
    const kept = this.close(q, givenQ, structure, { t });
    return kept.success ? kept.q : this.close(q, null, structure, { t }).q;
  }

  /**
   * Give live parameters other values.
   *
   * @param values by name [SI]; those that are not named stay
   * @returns why they cannot have them; they keep their values then
   */
  setValues(values: Record<string, number>): Words | null {
    const before = this.values.slice();
    for (const row of this.table.parameters) {
      if (Object.hasOwn(values, row.name) && row.place !== null) this.values[row.place] = values[row.name];
    }
    const wrong = this.#refresh();
    if (wrong !== null) {
      this.values.set(before);
      this.#refresh();
    } else if (this.values.some((value, i) => value !== before[i])) this.changed?.();
    return wrong;
  }

  #refresh(): Words | null {
    const none = { en: "the equations do not hold for these values", ru: "уравнения не годятся для этих значений" };
    if (!this.values.every(Number.isFinite)) return none;
    this.#line?.();
    this.#weigh?.();
    const fits = this.live.every(Number.isFinite) && (this.#sizes?.every((size) => size >= 0) ?? true);
    return fits ? null : none;
  }

  /** Coordinates after all joints have moved with constant velocities for a unit of time; in place. */
  moved(q: Float64Array, v: Float64Array): Float64Array {
    for (const [nq, nv, at, first] of this.table.joints) {
      if (nq === nv) {
        for (let i = 0; i < nv; i++) q[at + i] += v[first + i];
      } else {
        liveTurn(q, at, nq, v, first);
      }
    }
    return q;
  }

  /**
   * Bring coordinates to where the links of a structure hold, by the least change at every step.
   *
   * @param q coordinates
   * @param fixed coordinates that stay where they are
   * @param structure its index; the present one by default
   * @param options the time, for links that depend on it; whether the limits of joints are kept
   */
  close(
    q: Numbers,
    fixed: number | number[] | null = null,
    structure = this.structure,
    options: { t?: number; limits?: boolean } = {},
  ): { q: Float64Array; success: boolean; error: number } {
    const own = this.#of(structure),
      { nq, nv } = this.table;
    const made = Float64Array.from(q);
    this.#normalise(made);
    const wanted = fixed === null ? [] : [fixed].flat();
    const held = new Set(wanted.map((place) => this.#rateOf(place)));
    const y = this.#y;
    y.fill(0);
    this.#remember(y, structure, options.t ?? this.table.start.t);
    const rows = own.rows - own.forced.length; // postures may leave the motions of the file
    if (rows === 0) return { q: this.#limited(made, held, options), success: true, error: 0 };
    y.set(made);
    own.find();
    let error = Infinity;
    for (let turn = 0; turn < 100; turn++) {
      y.set(made.subarray(0, nq));
      own.compute();
      const last = error;
      error = 0;
      for (let i = 0; i < rows; i++) error = Math.max(error, Math.abs(own.value[i]));
      if (!Number.isFinite(error) || error === 0) break;
      if (error < LIVE_CLOSED && error >= 0.25 * last) break;
      const change = this.#solve(own, rows, own.value, held);
      let longest = 0;
      for (const part of change) longest = Math.max(longest, Math.abs(part));
      const step = longest > 0.5 ? 0.5 / longest : 1;
      for (let i = 0; i < nv; i++) change[i] *= -step;
      this.moved(made, change);
      if (options.limits) this.#limited(made, held, options);
    }
    return { q: made, success: error < LIVE_CLOSED, error };
  }

  /**
   * Velocities that the links of a structure allow: given ones stay as they are if they can, else the nearest.
   *
   * @param q closed coordinates
   * @param v velocities
   * @param fixed velocities to keep
   * @param structure its index; the present one by default
   * @param options the time, for links that depend on it
   */
  closeVelocities(
    q: Numbers,
    v: Numbers,
    fixed: number[] = [],
    structure = this.structure,
    options: { t?: number } = {},
  ): { v: Float64Array; success: boolean } {
    const own = this.#of(structure),
      { nq, nv } = this.table,
      y = this.#y;
    const made = Float64Array.from(v);
    if (own.rows === 0) return { v: made, success: true };
    y.fill(0);
    y.set(q);
    y.set(v, nq);
    this.#remember(y, structure, options.t ?? this.table.start.t);
    own.find();
    own.compute();
    const lack = Float64Array.from(own.drift);
    let scale = 1;
    for (const part of made) scale = Math.max(scale, Math.abs(part));
    for (let i = 0; i < own.rows; i++) for (let k = 0; k < nv; k++) lack[i] += own.J[i * nv + k] * made[k];
    const kept = new Set(fixed);
    for (const rate of own.forced) kept.delete(rate);
    for (const held of kept.size ? [kept, new Set<number>()] : [kept]) {
      const change = this.#solve(own, own.rows, lack, held);
      const next = made.map((part, k) => part - change[k]);
      let left = 0;
      for (let i = 0; i < own.rows; i++) {
        let sum = own.drift[i];
        for (let k = 0; k < nv; k++) sum += own.J[i * nv + k] * next[k];
        left = Math.max(left, Math.abs(sum));
      }
      if (left <= LIVE_MET * scale) return { v: next, success: true };
    }
    return { v: made, success: false };
  }

  /** How far links are apart at coordinates, and how that changes with velocities, by rows; programmed motions last. */
  links(q: Numbers, structure: number, t: number): { rows: number; value: Float64Array; J: Float64Array } {
    const own = this.#of(structure),
      y = this.#y;
    y.fill(0);
    y.set(q);
    this.#remember(y, structure, t);
    own.find();
    own.compute();
    return { rows: own.rows, value: own.value.slice(), J: own.J.slice() };
  }

  /** A state to begin with: as `start` says, made to meet what holds. Null where there is none. */
  beginning(from: Beginning): Float64Array | null {
    const { q = null, v = null, t = null, structure = this.table.start.structure, changes = null } = from;
    const { start, nq, nv } = this.table,
      time = t ?? start.t,
      first = this.first(),
      own = this.#of(structure);
    const place = Float64Array.from(q ?? first.q),
      rates = Float64Array.from(v ?? first.v);
    for (const [i, value] of changes?.q ?? []) place[i] = value;
    for (const [i, value] of changes?.v ?? []) rates[i] = value;
    const y = this.#y;
    y.fill(0);
    y.set(place);
    this.#remember(y, structure, time);
    own.find();
    own.compute();
    const links = own.rows - own.forced.length;
    own.forced.forEach((rate, i) => {
      place[this.#placeOf(rate)] -= own.value[links + i];
    });
    const forced = own.forced.map((rate) => this.#placeOf(rate));
    const known = q === null ? [...new Set([...start.givenQ, ...(changes?.q.keys() ?? [])])] : [];
    const given = known.filter((at) => this.#rateOf(at) >= 0);
    let found = this.close(place, [...given, ...forced], structure, { t: time });
    for (const fixed of [forced, []]) if (!found.success) found = this.close(place, fixed, structure, { t: time });
    if (!found.success) return null;
    const speeds = this.closeVelocities(
      found.q,
      rates,
      v === null ? [...new Set([...start.givenV, ...(changes?.v.keys() ?? [])])] : [...Array(nv).keys()],
      structure,
      { t: time },
    );
    if (!speeds.success) return null;
    const made = new Float64Array(this.size);
    made.set(found.q);
    made.set(speeds.v, nq);
    this.#remember(made, structure, time);
    return made;
  }

  #remember(y: Float64Array, structure: number, time: number): void {
    const { nq, nv, memory, structures } = this.table;
    memory.forEach(([kind, name, begins], i) => {
      const entries = Number(name === structures[structure]?.name);
      y[nq + nv + i] = kind === "entries" ? entries : kind === "entered" ? time : begins;
    });
    y[y.length - 1] = time;
  }

  #of(structure: number): Closing {
    const known = this.#closing[structure];
    if (known) return known;
    return (this.#closing[structure] = this.#made(structure));
  }

  #made(structure: number): Closing {
    // Structures that contacts make close the loops of the file's.
    const { structures, start, nv } = this.table,
      row = structures[structure] ?? structures[start.structure],
      rows = row.rows + row.forced.length;
    const p = new Float64Array(Math.max(1, row.anchors ?? 0));
    const value = new Float64Array(rows),
      J = new Float64Array(rows * nv),
      drift = new Float64Array(rows);
    const own = { y: this.#y, p, value, J, drift };
    const find = this.bind(row.anchor ?? null, own),
      compute = this.bind(rows ? row.constraints : null, own);
    return { rows, value, J, drift, forced: row.forced, find, compute };
  }

  /** The shortest change of the velocities that are not held. */
  #solve(own: Closing, rows: number, wanted: Float64Array, held: Set<number>): Float64Array {
    const { nv } = this.table,
      J = own.J.slice(0, rows * nv);
    for (const rate of held) for (let i = 0; i < rows; i++) if (rate >= 0) J[i * nv + rate] = 0;
    return leastNorm(J, rows, nv, wanted.slice(0, rows));
  }

  #rateOf(place: number): number {
    for (const [nq, nv, at, first] of this.table.joints) {
      if (place >= at && place < at + nq) return nq === nv ? first + place - at : -1;
    }
    return -1;
  }

  #placeOf(rate: number): number {
    for (const [nq, nv, at, first] of this.table.joints) {
      if (rate >= first && rate < first + nv) return at + rate - first + nq - nv;
    }
    return -1;
  }

  #limited(q: Float64Array, held: Set<number>, options: { limits?: boolean }): Float64Array {
    if (!options.limits) return q;
    this.table.limits.forEach(([low, high], i) => {
      if (held.has(this.#rateOf(i))) return;
      if (low !== null && q[i] < low) q[i] = low;
      if (high !== null && q[i] > high) q[i] = high;
    });
    return q;
  }

  #normalise(q: Float64Array): void {
    for (const [nq, nv, at] of this.table.joints) if (nq !== nv) liveUnit(q, at);
  }

  /** Quaternions of a state get the length 1. */
  straighten(q: Float64Array): void {
    this.#normalise(q);
  }
}

function liveUnit(q: Float64Array, at: number): void {
  const length = Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3]);
  for (let i = 0; i < 4; i++) q[at + i] = length > 0 ? q[at + i] / length : Number(i === 0);
}

/** A joint with a quaternion after it has turned by a vector in the body's axes, and moved in them. */
function liveTurn(q: Float64Array, at: number, nq: number, v: Float64Array, first: number): void {
  const a = v[first],
    b = v[first + 1],
    c = v[first + 2],
    angle = Math.hypot(a, b, c);
  const [w, x, y, z] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  if (nq === 7) {
    const [d, e, f] = [v[first + 3], v[first + 4], v[first + 5]];
    q[at + 4] += (1 - 2 * (y * y + z * z)) * d + 2 * (x * y - w * z) * e + 2 * (x * z + w * y) * f;
    q[at + 5] += 2 * (x * y + w * z) * d + (1 - 2 * (x * x + z * z)) * e + 2 * (y * z - w * x) * f;
    q[at + 6] += 2 * (x * z - w * y) * d + 2 * (y * z + w * x) * e + (1 - 2 * (x * x + y * y)) * f;
  }
  const s = angle < 1e-8 ? 0.5 : Math.sin(angle / 2) / angle,
    k = Math.cos(angle / 2);
  q[at] = w * k - s * (x * a + y * b + z * c);
  q[at + 1] = x * k + s * (w * a + y * c - z * b);
  q[at + 2] = y * k + s * (w * b + z * a - x * c);
  q[at + 3] = z * k + s * (w * c + x * b - y * a);
  liveUnit(q, at);
}
