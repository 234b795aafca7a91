// Equations of motion by the rows of contacts, stops and dry friction: what holds is solved for in numbers.
import type { LiveElements, LiveMotion } from "../payload";
import { eliminated } from "./complementarity";
import type { LivePostures } from "./postures";

/** Rates, what is watched, and the way back, for the numbers that the statuses of all elements give. */
export class LiveRows {
  readonly #system: LivePostures;
  readonly #table: LiveElements;
  /** The numbers of statuses; see `Layout.numbers`. */
  readonly #head: Float64Array;
  readonly #y: Float64Array;
  readonly #see: () => void;
  readonly #dq: Float64Array;
  readonly #dm: Float64Array;
  readonly #free: Float64Array;
  readonly #J: Float64Array;
  readonly #P: Float64Array;
  readonly #bias: Float64Array;
  readonly #u: Float64Array;
  readonly #value: Float64Array;
  readonly #striking: Float64Array;
  readonly #inside: Float64Array;
  readonly #bound: Float64Array;
  readonly #g: Float64Array;
  readonly #held: Float64Array;
  readonly #away: () => void;
  readonly #a: Float64Array;
  /** What all rows carry. */
  readonly #loads: Float64Array;

  /**
   * @param system what moves
   * @param row of the structure
   * @param table what the elements are
   * @param blocks numbers of statuses, of comparisons, of places that are held; where values of switches go
   */
  constructor(
    system: LivePostures,
    row: LiveMotion,
    table: LiveElements,
    blocks: { head: Float64Array; p: Float64Array; found: Float64Array; switches: Float64Array },
  ) {
    this.#system = system;
    this.#table = table;
    this.#head = blocks.head;
    const { nq, nv, memory } = system.table,
      k = table.elements.length,
      r = table.rows;
    this.#y = new Float64Array(system.size);
    const room = (size: number) => new Float64Array(Math.max(1, size));
    this.#dq = room(nq);
    this.#dm = room(memory.length);
    this.#free = room(nv);
    this.#a = room(nv);
    this.#J = room(r * nv);
    this.#P = room(r * nv);
    this.#bias = room(r);
    this.#u = room(r);
    this.#value = room(r);
    this.#loads = room(r);
    this.#held = room(r);
    this.#striking = room(k);
    this.#inside = room(k);
    this.#bound = room(k);
    this.#g = room(row.kinds.length);
    const outputs = {
      dq: this.#dq,
      dm: this.#dm,
      free: this.#free,
      J: this.#J,
      P: this.#P,
      bias: this.#bias,
      u: this.#u,
      value: this.#value,
      striking: this.#striking,
      inside: this.#inside,
      bound: this.#bound,
      g: this.#g,
      switches: blocks.switches,
    };
    this.#see = system.bind(row.flow, { ...outputs, y: this.#y, p: blocks.p });
    this.#away = system.bind(row.held ?? null, { y: this.#y, p: blocks.found, held: this.#held });
  }

  /** Rates of a state. */
  flow(y: Float64Array, dy: Float64Array): void {
    const { nq, nv, memory } = this.#system.table;
    this.#y.set(y);
    this.#see();
    this.#solve();
    dy.set(this.#dq.subarray(0, nq));
    dy.set(this.#a, nq);
    dy.set(this.#dm.subarray(0, memory.length), nq + nv);
    dy[dy.length - 1] = 1;
  }

  /** The watched functions at a state, those of the file first; values of switches go where they belong. */
  watch(y: Float64Array, values: Float64Array): void {
    this.#y.set(y);
    this.#see();
    this.#solve();
    const { leaves, elements } = this.#table,
      p = this.#head,
      first = values.length - leaves.length;
    values.set(this.#g.subarray(0, first));
    leaves.forEach(({ element: i, which, place }, leaf) => {
      const element = elements[i];
      let value = 0,
        load = 0;
      if (which === 0) {
        value = this.#striking[i];
        if (p[place + 2]) load = this.#loads[element.normal] * this.#inside[i];
      } else {
        if (which === 1) value = this.#u[element.tangent];
        if (p[place + 2]) load = this.#hold(i, which === 1);
      }
      values[first + leaf] = p[place] + (p[place + 1] ? p[place + 1] * value : 0) + p[place + 2] * load;
    });
  }

  /** What is left of friction that holds, of all that hold together, below or above. */
  #hold(i: number, low: boolean): number {
    const { elements } = this.#table;
    const { partners } = elements[i],
      own: [number, number][] = partners.length ? partners : [[i, -1]];
    let load = 0;
    for (const [j, place] of own) {
      const part = place < 0 ? 1 : this.#head[place];
      if (!part) continue;
      const { kind, normal, tangent, grasp } = elements[j];
      // What pulls forwards keeps from slipping backwards.
      const bound = kind === "grip" ? this.#bound[j] : grasp[low ? 1 : 0] * this.#loads[normal];
      load += part * (low ? bound - this.#loads[tangent] : bound + this.#loads[tangent]);
    }
    return load;
  }

  #kept(): number[] {
    const found: number[] = [];
    for (let row = 0; row < this.#table.rows; row++) if (this.#head[row]) found.push(row);
    return found;
  }

  /** How velocities answer to a unit multiplier of a normal: with the friction of what slides by it. */
  #pushed(row: number): Float64Array {
    const { nv } = this.#system.table,
      { elements, groups, rows, share } = this.#table,
      P = this.#P,
      p = this.#head;
    let made = P.subarray(row * nv, (row + 1) * nv);
    const whose = elements.findIndex(({ normal }) => normal === row);
    if (whose < 0) return made;
    const group = groups.find((each) => each.includes(whose)) ?? [];
    for (const j of group) {
      const { pull, normal, tangent, kind } = elements[j];
      if (pull < 0 || kind === "grip" || !p[pull]) continue;
      const part = group.length === 1 ? 1 : p[share + normal * rows + row];
      if (!part) continue;
      if (made.buffer === P.buffer) made = made.slice();
      for (let n = 0; n < nv; n++) made[n] += part * p[pull] * P[tangent * nv + n];
    }
    return made;
  }

  /** Accelerations, and what all rows carry. */
  #solve(): void {
    const { nv } = this.#system.table,
      { elements, rows, share } = this.#table,
      { length } = elements,
      a = this.#a,
      J = this.#J,
      p = this.#head;
    a.set(this.#free.subarray(0, nv));
    for (let i = 0; i < length; i++) {
      const { kind, pull, tangent, bound } = elements[i];
      if (kind !== "grip" || pull < 0 || !p[pull]) continue;
      // The number has the bound of joints in it; that of clutches is of the state.
      const force = bound === 1 ? p[pull] * this.#bound[i] : p[pull];
      for (let n = 0; n < nv; n++) a[n] += force * this.#P[tangent * nv + n];
    }
    this.#loads.fill(0);
    const kept = this.#kept(),
      size = kept.length;
    if (!size) return;
    const pushed = kept.map((row) => this.#pushed(row));
    const A = new Float64Array(size * size),
      right = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const at = kept[i] * nv;
      let sum = this.#bias[kept[i]];
      for (let n = 0; n < nv; n++) sum += J[at + n] * a[n];
      right[i] = -sum;
      for (let j = 0; j < size; j++) {
        let response = 0;
        for (let n = 0; n < nv; n++) response += J[at + n] * pushed[j][n];
        A[i * size + j] = response;
      }
    }
    const x = eliminated(A, right);
    if (x === null) {
      a.fill(NaN);
      return;
    }
    for (let j = 0; j < size; j++) for (let n = 0; n < nv; n++) a[n] += pushed[j][n] * x[j];
    if (share < 0) {
      kept.forEach((row, j) => (this.#loads[row] = x[j]));
      return;
    }
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += p[share + row * rows + kept[j]] * x[j];
      this.#loads[row] = sum;
    }
  }

  /** One step back to what holds, in place; how far off it was, squared. */
  correct(y: Float64Array): number {
    const kept = this.#kept(),
      size = kept.length,
      { nq, nv } = this.#system.table;
    if (!size) return 0;
    this.#y.set(y);
    this.#see();
    this.#away();
    const A = new Float64Array(size * size),
      away = new Float64Array(size),
      fast = new Float64Array(size);
    let off = 0;
    kept.forEach((row, i) => {
      const value = this.#value[row] + this.#held[row];
      off += value * value;
      away[i] = -value;
      fast[i] = -this.#u[row];
      kept.forEach((other, j) => {
        for (let n = 0; n < nv; n++) A[i * size + j] += this.#J[row * nv + n] * this.#P[other * nv + n];
      });
    });
    const shift = eliminated(A, away),
      slow = eliminated(A, fast);
    if (shift === null || slow === null) return NaN;
    const dq = new Float64Array(nv),
      v = y.subarray(nq, nq + nv);
    kept.forEach((row, i) => {
      for (let n = 0; n < nv; n++) {
        dq[n] += this.#P[row * nv + n] * shift[i];
        v[n] += this.#P[row * nv + n] * slow[i];
      }
    });
    this.#system.moved(y.subarray(0, nq), dq);
    return off;
  }
}
