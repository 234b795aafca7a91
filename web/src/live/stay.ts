import type { LiveMotion } from "../payload";
import type { Blocks, LivePostures } from "./postures";
import { LiveRows } from "./rows";
import type { LiveStepper } from "./step";

/** Why a structure cannot be stayed in; "" where it can. */
export type Trouble = "" | "apart" | "lost" | "slides";

/** What a stay takes of the system that moves: its kernels, its state y, its stepper. */
interface Mover extends LivePostures {
  readonly y: Float64Array;
  readonly stepper: LiveStepper;
}

/** Kinds of leaves of conditions: a comparison, or an instant of passing zero upward, downward, or either way. */
const LIVE_HOLDS = 0,
  LIVE_RISES = 1,
  LIVE_FALLS = 2;
/** Operations of the words of conditions. */
const LIVE_AND = -1,
  LIVE_OR = -2,
  LIVE_NOT = -3;
/** Size of a watched function that counts as zero. */
const LIVE_NEAR = 1e-12;
/** The same at the zero of another one, which is found on the dense output. */
const LIVE_TOGETHER = 1e-11;
/** Size of a compared function that is no zero any more after another comparison has changed. */
const LIVE_STALE = 1e-6;
/** Zeros that change nothing within one step. */
const LIVE_MOST_PASSED = 8;
/** How far links that begin to hold may be apart before they are brought together [m or rad]. */
const LIVE_APART = 1e-10;
/** Parts of a step at which watched functions are sampled, less one. */
const LIVE_PARTS = 8;
/** The parts: Chebyshev's extrema, which the polynomial through the samples likes best. */
const LIVE_ANGLES = Float64Array.from(Array(LIVE_PARTS + 1).keys(), (j) => (Math.PI * j) / (2 * LIVE_PARTS));
const LIVE_NODES = LIVE_ANGLES.map((angle) => Math.sin(angle) ** 2);
/** From samples to slopes at the same parts: the derivatives of Lagrange's polynomials. */
const LIVE_SLOPES = liveSlopes(LIVE_NODES);
/** Parts of a short trial step, by which functions that start at zero show where they go. */
const LIVE_TRIALS = Float64Array.from({ length: 11 }, (_, k) => 2 ** (k - 10));
/** The longest trial step [s]. */
const LIVE_TRIAL = 1e-3;
/** How far a function goes in a trial step where it is more than the end of a decay. */
const LIVE_HEAVY = 1e-9;

function liveSlopes(nodes: Float64Array): Float64Array[] {
  const n = nodes.length;
  const weights = Array.from(nodes, (x, j) => nodes.reduce((p, other, k) => (k === j ? p : p * (x - other)), 1));
  const rows = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      rows[i][j] = weights[i] / weights[j] / (nodes[i] - nodes[j]);
      rows[i][i] -= rows[i][j];
    }
  }
  return rows;
}

/** One structure while it moves: its rates, what its conditions watch, its comparisons, the way back to its links. */
export class LiveStay {
  readonly stepper: LiveStepper;
  readonly y: Float64Array;
  /** What the equations begin with: what live parameters determine, or the numbers of statuses. */
  head: Float64Array;
  readonly leaves: number;
  readonly watched: number;
  readonly p: Float64Array;
  readonly modes: Float64Array;
  readonly values: Float64Array;
  readonly place: Float64Array;
  readonly rates: (() => void)[];
  readonly watch: () => void;
  readonly choose: () => void;
  readonly anchor: () => void;
  readonly corrected: Float64Array;
  /** How far the state is off its links, squared. */
  readonly off = new Float64Array(1);
  readonly zeros: Uint8Array;
  readonly signs: Int8Array;
  /** Compared functions that stay so near to zero that their side does not matter. */
  readonly asleep: Uint8Array;
  readonly truths: Uint8Array;
  readonly instants: Int8Array;
  readonly samples: Float64Array;
  readonly slopes = new Float64Array(LIVE_PARTS + 1);
  readonly directions: Int8Array;
  /** Whether nothing can become singular: no links close loops. */
  readonly constant: boolean;
  /** Whether a trial step has been taken from here; the watched functions along it, and where it began. */
  tried = false;
  readonly trial: Float64Array;
  trialFrom = new Float64Array(0);
  /** The function that passes zero, and which way. */
  leaf = -1;
  way = 0;
  found = 0;
  /** The exit that is open. */
  exit = -1;
  /** Whether comparisons change. */
  switches = false;
  readonly #stack: boolean[] = [];
  readonly #nq: number;
  readonly #correct: () => void;
  /** Equations by the rows of contacts, where these are all there is to solve for. */
  readonly #rows: LiveRows | null;

  /**
   * @param system what moves
   * @param index of the structure
   * @param row what moves it in this structure
   */
  constructor(
    system: Mover,
    readonly index: number,
    readonly row: LiveMotion,
  ) {
    const { stepper } = system;
    this.stepper = stepper;
    this.y = system.y;
    this.head = system.live;
    this.leaves = row.leaves;
    this.watched = row.leaves + row.switches.length;
    this.p = new Float64Array(Math.max(1, row.first + row.modes));
    this.modes = this.p.subarray(row.first, row.first + row.modes);
    this.values = new Float64Array(Math.max(1, this.watched));
    this.place = new Float64Array(system.size);
    /** With what a hand does at the state that is asked about. */
    const held = (state: Float64Array, compute: () => void) => () => {
      if (system.pulled !== null) system.hold(state);
      compute();
    };
    // Where contacts decide what they do, numbers that say which rows hold come before the places that are held.
    const { elements } = system.table,
      decides = row.data !== undefined && elements !== undefined,
      masks = decides ? elements.rows : 0;
    const { anchor = null, anchors: count = 0 } = system.table.structures[index];
    const anchors = new Float64Array(Math.max(1, masks + count + (row.found ?? 0))),
      own = anchors.subarray(masks, masks + count),
      holds = anchors.subarray(masks + count);
    if (decides) this.head = new Float64Array(elements.size);
    const g = this.values.subarray(0, row.leaves),
      switches = this.values.subarray(row.leaves);
    this.#rows =
      decides && typeof row.held === "number"
        ? new LiveRows(system, row, elements, { head: this.head, p: this.p, found: holds, switches })
        : null;
    const rows = this.#rows;
    if (rows === null) {
      const watching = { p: this.p, g, switches, y: this.place };
      this.rates = stepper.K.map((dy) =>
        held(stepper.stage, system.bind(row.flow, { y: stepper.stage, p: this.p, dy })),
      );
      this.watch = held(this.place, system.bind(row.watch, watching));
    } else {
      this.rates = stepper.K.map((dy) =>
        held(stepper.stage, () => {
          rows.flow(stepper.stage, dy);
        }),
      );
      this.watch = held(this.place, () => {
        rows.watch(this.place, g);
      });
    }
    this.choose = held(this.y, system.bind(row.choose, { y: this.y, p: this.p, modes: this.modes }));
    const anchored = system.bind(anchor, { y: this.y, p: own });
    const found = system.bind(row.find ?? null, { y: this.y, p: holds });
    this.anchor = () => {
      anchors.set(this.head.subarray(0, masks));
      anchored();
      found();
    };
    this.corrected = new Float64Array(system.size);
    // The state is among the inputs and the outputs of this kernel under one name.
    const p = rows === null ? anchors : own;
    const correct = liveBindState(system, row.correct, this.y, this.corrected, { p, off: this.off });
    this.#correct = () => {
      this.off[0] = 0;
      if (row.correct === null) this.corrected.set(this.y);
      else correct();
      if (rows !== null) this.off[0] += rows.correct(this.corrected);
    };
    this.zeros = new Uint8Array(this.watched);
    this.signs = new Int8Array(this.watched);
    this.asleep = new Uint8Array(this.watched);
    this.truths = new Uint8Array(this.watched);
    this.instants = new Int8Array(this.watched);
    this.samples = new Float64Array((LIVE_PARTS + 1) * Math.max(1, this.watched));
    this.directions = Int8Array.from({ length: this.watched }, (_, i) =>
      i >= row.leaves ? 0 : liveDirection(row.kinds[i] ?? LIVE_FALLS),
    );
    this.trial = new Float64Array(LIVE_TRIALS.length * Math.max(1, this.watched));
    this.#nq = system.table.nq;
    this.constant = system.table.structures[index].rows === 0;
  }

  /** Take over the stepper, and what live parameters or statuses determine. */
  attach(): void {
    this.stepper.rates = this.rates;
    this.p.set(this.head.subarray(0, this.row.first));
  }

  /** Values of the watched functions at the state. */
  look(): void {
    this.place.set(this.y);
    this.watch();
  }

  /** The first tick of a clock that is due at the state, or within some time of it [s]; -1 where none is. */
  due(near: number): number {
    if (this.watched > 0) this.look();
    return this.row.exits.findIndex(({ tick, first }) => tick && this.values[first] >= -near);
  }

  /** Signs of the functions of conditions at the state, before something jumps. */
  remember(): void {
    if (this.watched > 0) this.look();
    for (let i = 0; i < this.leaves; i++) {
      this.zeros[i] = Number(Math.abs(this.values[i]) <= LIVE_NEAR);
      this.truths[i] = Number(this.values[i] > 0);
    }
  }

  /**
   * Begin to stay: "" where that can be, else why not. The exit that is open at once is in `exit`.
   *
   * @param jumped whether what is remembered has just jumped, as at a tick: functions that have jumped over zero with it
   * pass it at this instant
   */
  enter(jumped = false): Trouble {
    this.attach();
    this.anchor();
    this.exit = -1;
    this.tried = false;
    if (this.row.corrects && !this.#closeUp()) return "apart";
    const began = jumped ? this.zeros.slice() : null;
    this.zeros.fill(0);
    this.asleep.fill(0);
    this.instants.fill(0);
    let settled = true;
    if (this.row.modes > 0) {
      this.choose();
      settled = this.settle();
    }
    if (this.watched > 0) {
      this.look();
      if (!this.values.every(Number.isFinite)) return "lost";
    }
    for (let i = 0; i < this.leaves; i++) {
      let value = this.values[i];
      const before = this.truths[i],
        apart = began?.[i] === 0 && Math.abs(value) > LIVE_NEAR;
      this.zeros[i] = Number(Math.abs(value) <= LIVE_NEAR);
      if (this.zeros[i]) value = this.#ahead(i);
      this.truths[i] = Number(value > 0);
      if (apart && this.truths[i] !== before) this.instants[i] = before ? -1 : 1;
    }
    this.exit = this.fired();
    this.#remember();
    return settled || this.exit >= 0 ? "" : "slides";
  }

  /** One step back to the links, where steps end with one; false where the state is farther off than they may be. */
  correct(most: number): boolean {
    if (!this.row.corrects) return true;
    this.#correct();
    if (!(this.off[0] <= most * most)) return false;
    this.y.set(this.corrected);
    return true;
  }

  /** Signs at the state anew, after a step that does not count or a jump. */
  recall(): void {
    this.zeros.fill(0);
    this.look();
    this.#remember();
  }

  #closeUp(): boolean {
    this.#correct();
    let turn = 0;
    for (; this.off[0] > LIVE_APART * LIVE_APART; turn++) {
      if (turn === 20) return false;
      this.y.set(this.corrected.subarray(0, this.#nq));
      this.#correct();
    }
    if (!Number.isFinite(this.off[0])) return false;
    if (turn > 0) this.y.set(this.corrected);
    return true;
  }

  /** Signs from here on: those of functions that are zero now come later. */
  #remember(): void {
    for (let i = 0; i < this.watched; i++) this.signs[i] = this.zeros[i] ? 0 : Math.sign(this.values[i]);
  }

  /** The way that a function which is zero now goes; 0 where it stays. */
  #ahead(i: number): number {
    if (!this.tried) this.#try();
    for (let k = 0; k < LIVE_TRIALS.length; k++) {
      const gone = this.trial[k * this.watched + i] - this.trialFrom[i];
      if (Math.abs(gone) > LIVE_NEAR) return gone;
    }
    return 0;
  }

  /** Whether a function that is zero now, without a rate of its own, goes where it counts as passing zero. */
  fallsAgain(): boolean {
    for (let i = 0; i < this.leaves; i++) {
      if (this.row.kinds[i] === LIVE_HOLDS || !this.zeros[i]) continue;
      const ahead = this.#ahead(i),
        gone = Math.abs(this.trial[i] - this.trialFrom[i]);
      // What has a rate goes as far as the time, other things go by its square at most.
      const rests = gone < 2 ** -14 * this.#goes(i);
      if (rests && ahead !== 0 && (this.directions[i] === 0 || this.directions[i] * ahead > 0)) return true;
    }
    return false;
  }

  /** The first watched function of contacts that is not positive and falls; -1 for none. */
  falling(): number {
    const first = this.row.kinds.length;
    for (let i = first; i < this.leaves; i++) {
      if (this.values[i] < -LIVE_NEAR || (this.zeros[i] && this.#ahead(i) < 0)) return i - first;
    }
    return -1;
  }

  /** How far it goes in a trial step. */
  #goes(i: number): number {
    return Math.abs(this.trial[(LIVE_TRIALS.length - 1) * this.watched + i] - this.trialFrom[i]);
  }

  #try(): void {
    const { stepper } = this;
    this.look();
    this.trialFrom = this.values.slice();
    stepper.begin(this.y);
    stepper.take(Math.min(LIVE_TRIAL, stepper.guess()));
    LIVE_TRIALS.forEach((part, k) => {
      stepper.at(part, this.place);
      this.watch();
      this.trial.set(this.values, k * this.watched);
    });
    this.look();
    this.tried = true;
  }

  /** Make modes agree with what is compared from now on; whether they can. */
  settle(): boolean {
    const { switches, modes: count } = this.row,
      { p, leaves, zeros } = this;
    let heavy = false;
    for (let turn = 0; turn < 2 * (2 * count + 2); turn++) {
      this.tried = false;
      this.look();
      let changed = false;
      for (let i = 0; i < switches.length && !changed; i++) {
        const at = leaves + i,
          [place, kind] = switches[i];
        let value = this.values[at];
        if (turn > 0 && Math.abs(value) > LIVE_STALE) zeros[at] = 0;
        const undecided = zeros[at] || Math.abs(value) <= LIVE_NEAR;
        if (undecided) {
          zeros[at] = 1;
          value = this.#ahead(at);
        }
        const mode = p[place];
        let wanted = mode;
        if (kind === "less" || kind === "less_equal") {
          if (value !== 0) wanted = value < 0 ? 1 : 0;
        } else if (kind === "equal") {
          if (value !== 0) wanted = 0;
        } else if (kind === "not_zero") {
          if (value !== 0) wanted = 1;
        } else if (kind === "floor") {
          if (value < 0) {
            wanted = undecided ? mode - 1 : mode + Math.floor(value);
            zeros[at] = 0;
            zeros[at + 1] = undecided ? 1 : 0;
          }
        } else if (value > 0) {
          wanted = undecided ? mode + 1 : mode + 1 + Math.floor(value);
          zeros[at] = 0;
          zeros[at - 1] = undecided ? 1 : 0;
        }
        if (wanted !== mode) {
          p[place] = wanted;
          changed = true;
          heavy = !undecided || this.#goes(at) > LIVE_HEAVY;
          if (turn > count + 1) this.asleep[at] = 1;
        }
      }
      if (!changed) {
        if (turn > 0) this.asleep.fill(0);
        return true;
      }
    }
    // What dies away at the border of a comparison is on either side of it, and sleeps until it moves again.
    if (heavy) this.asleep.fill(0);
    return !heavy;
  }

  /** Change the modes whose functions pass zero, and settle; "" or why not. An exit that this opens is in `exit`. */
  switchModes(): Trouble {
    const { row, p, leaves, zeros, instants } = this;
    row.switches.forEach(([place, kind], i) => {
      const at = leaves + i;
      if (!zeros[at] || !instants[at]) return;
      if (kind === "less" || kind === "less_equal") {
        p[place] = instants[at] < 0 ? 1 : 0;
      } else if (kind === "floor" && instants[at] < 0) {
        p[place] -= 1;
        zeros[at] = 0;
        zeros[at + 1] = 1;
      } else if (kind === "floor_above" && instants[at] > 0) {
        p[place] += 1;
        zeros[at] = 0;
        zeros[at - 1] = 1;
      }
    });
    const settled = this.settle();
    this.look();
    for (let i = 0; i < leaves; i++) {
      // Functions of conditions that jump over zero with a mode pass it at this instant.
      if (zeros[i] || Math.abs(this.values[i]) <= LIVE_NEAR) continue;
      const now = Number(this.values[i] > 0);
      if (now !== this.truths[i]) {
        instants[i] = now ? 1 : -1;
        this.truths[i] = now;
      }
    }
    this.exit = this.fired();
    this.#remember();
    return settled || this.exit >= 0 ? "" : "slides";
  }

  /** The first exit whose condition holds; -1 where none does. */
  fired(): number {
    const { row, truths, instants } = this,
      stack = this.#stack;
    for (let number = 0; number < row.exits.length; number++) {
      const { word, first } = row.exits[number];
      let top = 0;
      for (const each of word) {
        if (each === LIVE_NOT) {
          stack[top - 1] = !stack[top - 1];
        } else if (each === LIVE_AND || each === LIVE_OR) {
          top--;
          stack[top - 1] = each === LIVE_AND ? stack[top - 1] && stack[top] : stack[top - 1] || stack[top];
        } else {
          const i = first + each,
            kind = row.kinds[i],
            way = instants[i];
          if (kind === LIVE_HOLDS) stack[top++] = truths[i] !== 0;
          else stack[top++] = kind === LIVE_RISES ? way > 0 : kind === LIVE_FALLS ? way < 0 : way !== 0;
        }
      }
      if (stack[0]) return number;
    }
    // Watched functions of contacts come after those of conditions: each of them is an exit of its own.
    for (let i = row.kinds.length; i < this.leaves; i++) {
      if (instants[i] < 0) return row.exits.length + i - row.kinds.length;
    }
    return -1;
  }

  /** The part of the step that was taken last at which something happens first; -1 for none, -2 where it is unknown. */
  search(): number {
    if (this.watched === 0) return -1;
    let low = 0;
    for (let passed = 0; ; passed++) {
      const part = this.#firstZero(low);
      if (part === -2) return -2;
      if (part < 0) {
        for (let i = 0; i < this.watched; i++) {
          const value = this.samples[LIVE_PARTS * this.watched + i];
          if (value !== 0) this.signs[i] = Math.sign(value);
        }
        this.zeros.fill(0);
        return -1;
      }
      this.#lookHere(part);
      this.exit = this.fired();
      if (this.exit >= 0 || this.switches || passed >= LIVE_MOST_PASSED) return part;
      this.#remember();
      low = part;
    }
  }

  #at(part: number): void {
    this.stepper.at(part, this.place);
    this.watch();
  }

  /** Signs of the watched functions just after the zero of one of them. */
  #lookHere(part: number): void {
    const { watched, leaves, zeros, truths, instants } = this,
      step = 1e-5;
    this.#at(part + step);
    const after = this.values.slice();
    this.#at(part - step);
    const before = this.values.slice();
    this.#at(part);
    this.switches = false;
    for (let i = 0; i < watched; i++) {
      const value = this.values[i],
        rate = i === this.leaf ? this.way : after[i] - before[i];
      zeros[i] = 0;
      instants[i] = 0;
      truths[i] = Number(value > 0);
      if (i === this.leaf || Math.abs(value) <= LIVE_TOGETHER) {
        const moves = i === this.leaf || Math.abs(rate) > LIVE_NEAR;
        truths[i] = Number(moves && rate > 0);
        zeros[i] = 1;
        if (moves) instants[i] = rate > 0 ? 1 : -1;
        if (i >= leaves && moves) this.switches = true;
      }
    }
  }

  /** The first zero after a part of the step: its function in `leaf`, its direction in `way`. */
  #firstZero(low: number): number {
    const { watched, samples, values } = this;
    for (let j = 0; j <= LIVE_PARTS; j++) {
      if (j === 0 && low === 0) {
        this.place.set(this.stepper.y0);
        this.watch();
      } else {
        this.#at(low + (1 - low) * LIVE_NODES[j]);
      }
      for (let i = 0; i < watched; i++) {
        if (!Number.isFinite(values[i])) return -2;
        samples[j * watched + i] = values[i];
      }
    }
    let best = 2;
    this.leaf = -1;
    for (let i = 0; i < watched; i++) {
      const found = this.#zeroOf(i, low, best);
      if (found < best) {
        best = found;
        this.leaf = i;
        this.way = this.found;
      }
    }
    return this.leaf < 0 ? -1 : best;
  }

  /** The first zero of one function, with its direction in `found`; beyond the step where there is none before. */
  #zeroOf(i: number, low: number, before: number): number {
    const { watched, samples, slopes } = this,
      direction = this.directions[i],
      first = samples[i],
      // What was zero may have jumped away with a comparison.
      begins = this.zeros[i] !== 0 && Math.abs(first) <= LIVE_STALE;
    const part = (j: number) => low + (1 - low) * LIVE_NODES[j];
    let sign = begins ? 0 : this.signs[i] || Math.sign(first);
    let largest = 0,
      smallest = Infinity,
      changes = false;
    for (let j = 0; j <= LIVE_PARTS; j++) {
      const size = Math.abs(samples[j * watched + i]);
      largest = Math.max(largest, size);
      smallest = Math.min(smallest, size);
      changes ||= Math.sign(samples[j * watched + i]) !== sign;
    }
    if (largest <= LIVE_NEAR) return 2; // it stays at zero
    if (this.asleep[i]) return largest <= LIVE_STALE ? 2 : this.#wakes(i, part);
    if (!changes && smallest > 0.5 * largest) return 2;
    for (let j = 0; j <= LIVE_PARTS; j++) {
      slopes[j] = 0;
      for (let k = 0; k <= LIVE_PARTS; k++) slopes[j] += LIVE_SLOPES[j][k] * samples[k * watched + i];
    }
    if (begins && Math.abs(slopes[0]) > LIVE_NEAR) sign = Math.sign(slopes[0]);
    if (!begins && first !== 0 && Math.sign(first) !== sign) {
      // It has passed zero where the last step ended: rounding lay between.
      this.found = Math.sign(first);
      if (direction === 0 || direction === this.found) return low;
      sign = Math.sign(first);
    }
    for (let j = 1; j <= LIVE_PARTS && part(j - 1) < before; j++) {
      const value = samples[j * watched + i],
        now = begins && Math.abs(value) <= LIVE_NEAR ? 0 : Math.sign(value);
      if (sign === 0) {
        sign = now;
      } else if (now !== 0 && now !== sign) {
        if (direction === 0 || direction === now) {
          this.found = now;
          return this.#refine(i, part(j - 1), part(j), sign);
        }
        sign = now;
      } else if (now === sign && (j > 1 || !begins)) {
        const dip = this.#dip(i, j, part(j - 1), part(j), sign);
        if (dip >= 0) {
          const leaves = direction === 0 || direction === -sign;
          this.found = leaves ? -sign : sign;
          return leaves ? this.#refine(i, part(j - 1), dip, sign) : this.#refine(i, dip, part(j), -sign);
        }
      }
    }
    return 2;
  }

  /** Where a function that was asleep is no zero any more, if its mode is not that of its side. */
  #wakes(i: number, part: (j: number) => number): number {
    const { samples, watched } = this;
    this.asleep[i] = 0;
    let j = 0;
    while (Math.abs(samples[j * watched + i]) <= LIVE_STALE) j++;
    this.found = Math.sign(samples[j * watched + i]);
    const [place, kind] = this.row.switches[i - this.leaves];
    const differs = kind.startsWith("less") && this.p[place] !== Number(this.found < 0);
    return differs ? part(j) : 2;
  }

  /** Where a function reaches beyond zero between two samples of one sign; -1 where it does not. */
  #dip(i: number, j: number, a: number, b: number, sign: number): number {
    const { samples, slopes, watched } = this;
    if (!(sign * slopes[j - 1] < 0 && sign * slopes[j] > 0)) return -1;
    const left = sign * samples[(j - 1) * watched + i],
      right = sign * samples[j * watched + i];
    const width = LIVE_NODES[j] - LIVE_NODES[j - 1];
    // The slopes at both ends are tangents that a convex function stays above.
    if (Math.min(left + 0.5 * sign * slopes[j - 1] * width, right - 0.5 * sign * slopes[j] * width) > 0) return -1;
    const golden = 0.3819660112501051;
    let low = a,
      high = b,
      x = a + golden * (b - a),
      y = b - golden * (b - a);
    let fx = this.#value(i, x) * sign,
      fy = this.#value(i, y) * sign;
    for (let turn = 0; turn < 40; turn++) {
      if (fx < 0) return x;
      if (fy < 0) return y;
      if (fx < fy) {
        [high, y, fy] = [y, x, fx];
        x = low + golden * (high - low);
        fx = this.#value(i, x) * sign;
      } else {
        [low, x, fx] = [x, y, fy];
        y = high - golden * (high - low);
        fy = this.#value(i, y) * sign;
      }
    }
    return -1;
  }

  #value(i: number, part: number): number {
    this.#at(part);
    return this.values[i];
  }

  /** A zero between two parts, the first of which has a sign: false position, halved where it is slow. */
  #refine(i: number, a: number, b: number, sign: number): number {
    let fa = this.#value(i, a) * sign,
      fb = this.#value(i, b) * sign;
    const enough = (1e-15 * Math.max(1, Math.abs(this.stepper.y0[this.stepper.size - 1]))) / Math.abs(this.stepper.h);
    for (let turn = 0; turn < 100 && b - a > enough; turn++) {
      let x = fa > 0 && fb < 0 && turn % 3 < 2 ? a + ((b - a) * fa) / (fa - fb) : 0.5 * (a + b);
      if (!(x > a && x < b)) x = 0.5 * (a + b);
      if (!(x > a && x < b)) break;
      const fx = this.#value(i, x) * sign;
      if (fx === 0) return x;
      if (fx > 0) [a, fa] = [x, fx];
      else [b, fb] = [x, fx];
      if (turn % 3 === 0) {
        // Illinois: the end that stays counts half.
        if (fx > 0) fb *= 0.5;
        else fa *= 0.5;
      }
    }
    return b;
  }

  /** Rate of the function that passes zero, at a part of the step [1/s]. */
  rate(part: number): number {
    const step = 1e-4;
    return (this.#value(this.leaf, part + step) - this.#value(this.leaf, part - step)) / (2 * step * this.stepper.h);
  }
}

function liveDirection(kind: number): number {
  return kind === LIVE_RISES ? 1 : kind === LIVE_FALLS ? -1 : 0;
}

/** A kernel whose inputs and outputs both have a block y. */
export function liveBindState(
  system: LivePostures,
  number: number | null,
  from: Float64Array,
  to: Float64Array,
  blocks: Blocks,
): () => void {
  if (number === null) return () => {};
  const { inputs, outputs } = system.table.kernels[number];
  const room = (block: [string, number]) => blocks[block[0]] ?? new Float64Array(Math.max(1, block[1]));
  const taken = inputs.map((block) =>
    block[0] === "y" ? from : block[0] === "live" ? (blocks.live ?? system.live) : room(block),
  );
  const call = [...taken, ...outputs.map((block) => (block[0] === "y" ? to : room(block)))];
  return system.kernels[number].bind(null, ...call);
}
