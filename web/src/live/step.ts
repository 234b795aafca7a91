import { LIVE_A, LIVE_B, LIVE_C, LIVE_D, LIVE_E3, LIVE_E5 } from "./tableau";

/** The entries of a row of coefficients that are not zero: their places and values. */
interface Sparse {
  places: Int32Array;
  values: Float64Array;
}

function liveSparse(row: number[]): Sparse {
  const places = [...row.keys()].filter((i) => row[i] !== 0);
  return { places: Int32Array.from(places), values: Float64Array.from(places, (i) => row[i]) };
}

const LIVE_STAGES = LIVE_A.map(liveSparse);
const LIVE_SUM = liveSparse(LIVE_B);
const LIVE_THIRD = liveSparse(LIVE_E3);
const LIVE_FIFTH = liveSparse(LIVE_E5);
const LIVE_DENSE = LIVE_D.map(liveSparse);

/** One step of the integration, and the motion inside it. The last number of a state is the time. */
export class LiveStepper {
  readonly y0: Float64Array;
  readonly y1: Float64Array;
  /** The state at which rates are asked for. */
  readonly stage: Float64Array;
  readonly K: Float64Array[];
  readonly F: Float64Array[];
  /** What computes the rates at `stage` into each of K: set by whoever owns the equations. */
  rates: (() => void)[] = [];
  h = 0;
  dense = false;

  /**
   * @param size numbers of a state, the time among them
   * @param tolerance error of a step, relative to numbers above 1 and absolute below
   */
  constructor(
    readonly size: number,
    readonly tolerance: number,
  ) {
    this.y0 = new Float64Array(size);
    this.y1 = new Float64Array(size);
    this.stage = new Float64Array(size);
    this.K = Array.from({ length: 16 }, () => new Float64Array(size));
    this.F = Array.from({ length: 7 }, () => new Float64Array(size));
  }

  /** Begin a step at a state: its rates are computed. */
  begin(y: Float64Array): void {
    this.y0.set(y);
    this.stage.set(y);
    this.rates[0]();
    this.h = 0;
    this.dense = false;
  }

  /** A length for the first step, from the sizes of the state and its rates [s]. */
  guess(): number {
    const { y0, K } = this,
      last = this.size - 1;
    let state = 0,
      rate = 0;
    for (let i = 0; i < last; i++) {
      const scale = 1 + Math.abs(y0[i]);
      state += (y0[i] / scale) ** 2;
      rate += (K[0][i] / scale) ** 2;
    }
    if (!(rate > 1e-10 && state > 1e-10)) return 1e-4;
    return Math.min(1e-2, 0.01 * Math.sqrt(state / rate));
  }

  /** Take a step of a length; the estimate of its error, in parts of what is allowed. NaN where it leads nowhere. */
  take(h: number): number {
    const { y0, y1, stage, K } = this,
      last = this.size - 1;
    for (let number = 1; number < 12; number++) {
      this.#sum(LIVE_STAGES[number], h, stage);
      stage[last] = y0[last] + LIVE_C[number] * h;
      this.rates[number]();
    }
    this.#sum(LIVE_SUM, h, y1);
    y1[last] = y0[last] + h;
    this.h = h;
    this.dense = false;
    let fifth = 0,
      third = 0;
    for (let i = 0; i < last; i++) {
      const scale = this.tolerance * Math.max(1, Math.abs(y0[i]), Math.abs(y1[i]));
      const a = liveEntry(LIVE_FIFTH, K, i) / scale,
        b = liveEntry(LIVE_THIRD, K, i) / scale;
      fifth += a * a;
      third += b * b;
    }
    if (fifth === 0 && third === 0) return 0;
    return (Math.abs(h) * fifth) / Math.sqrt((fifth + 0.01 * third) * Math.max(1, last));
  }

  /** Prepare the motion inside the step that was taken last. */
  prepare(): void {
    if (this.dense) return;
    const { y0, y1, stage, K, F, h } = this,
      last = this.size - 1;
    stage.set(y1);
    this.rates[12]();
    for (let number = 13; number < 16; number++) {
      this.#sum(LIVE_STAGES[number], h, stage);
      stage[last] = y0[last] + LIVE_C[number] * h;
      this.rates[number]();
    }
    for (let i = 0; i < last; i++) {
      const change = y1[i] - y0[i];
      F[0][i] = change;
      F[1][i] = h * K[0][i] - change;
      F[2][i] = 2 * change - h * (K[12][i] + K[0][i]);
      for (let row = 0; row < 4; row++) F[3 + row][i] = h * liveEntry(LIVE_DENSE[row], K, i);
    }
    this.dense = true;
  }

  /** Make a straight line of the step: what is shown where there was no step. */
  between(): void {
    for (const polynomial of this.F) polynomial.fill(0);
    for (let i = 0; i < this.size; i++) this.F[0][i] = this.y1[i] - this.y0[i];
    this.dense = true;
  }

  /** The state at a part of the step. */
  at(part: number, out: Float64Array): void {
    if (!this.dense) this.prepare();
    const { F, y0 } = this,
      last = this.size - 1,
      rest = 1 - part;
    for (let i = 0; i < last; i++) {
      let sum = F[6][i] * part;
      sum = (sum + F[5][i]) * rest;
      sum = (sum + F[4][i]) * part;
      sum = (sum + F[3][i]) * rest;
      sum = (sum + F[2][i]) * part;
      sum = (sum + F[1][i]) * rest;
      out[i] = y0[i] + (sum + F[0][i]) * part;
    }
    out[last] = y0[last] + part * this.h;
  }

  #sum(row: Sparse, h: number, out: Float64Array): void {
    const { y0, K } = this,
      last = this.size - 1,
      { places, values } = row;
    for (let i = 0; i < last; i++) {
      let sum = 0;
      for (let j = 0; j < places.length; j++) sum += values[j] * K[places[j]][i];
      out[i] = y0[i] + h * sum;
    }
  }
}

function liveEntry(row: Sparse, K: Float64Array[], i: number): number {
  let sum = 0;
  for (let j = 0; j < row.places.length; j++) sum += row.values[j] * K[row.places[j]][i];
  return sum;
}
