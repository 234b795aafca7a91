// Contacts, stops and dry friction that make structures of their own: what all do next, from event to event.
import type { LiveElement, LiveElements, LiveLeaf, Words } from "../payload";
import {
  type Decided,
  heldTogether,
  impactImpulses,
  LIVE_CLOSED,
  LIVE_FREE,
  LIVE_ROUNDING,
  LIVE_STICK,
  type Problem,
  resting,
  solveContacts,
  tryStatuses,
  wayOf,
} from "./complementarity";
import { leastNorm } from "./linear";
import type { LivePostures } from "./postures";
import { liveShares } from "./shares";
import type { LiveStay } from "./stay";
import type { LiveStepper } from "./step";

/** Gap that counts as closed; what is closed keeps to its surface unless it has slid off, and has no gap any more [m]. */
const LIVE_TOUCHING = 1e-11,
  LIVE_AWAY = 5e5;
/** How far inside its surface something may begin [m]. */
const LIVE_INSIDE = 1e-6;
/** Part of the terms of velocities, and of the largest velocity at events so far, that counts as none. */
const LIVE_RESTING = 1e-11,
  LIVE_SLOW = 1e-11;
/** Gap that counts as zero [m]. */
const LIVE_ZERO = 1e-12;
/** Velocity from which on a hop is surely seen [m/s], and height of a hop, four times over, that is not [m]. */
const LIVE_FAST_HOP = 1e-5,
  LIVE_LOW_HOP = 4e-11;
/** Time that a crowd of impacts may take to be passed over at once [s]: its hops are too low for places to tell. */
const LIVE_CROWDED_HOPS = 2e-5;
/** Impacts at one instant that may follow from each other. */
const LIVE_AGAIN = 50;
/** Strikes of an element that are kept in mind. */
const LIVE_STRIKES = 4;
/** Times that an undecided case is looked at a moment later, and that moment, in parts of a first step. */
const LIVE_ATTEMPTS = 4,
  LIVE_MOMENT = 0.1;
/** By how much equations look later than their instant where they compare it. */
const LIVE_SOON = 2e-15;

/** What a system with contacts has that they move. */
interface Mover extends LivePostures {
  readonly y: Float64Array;
  readonly stepper: LiveStepper;
}

/** What the problems at a state are made of: normals first, then tangents. */
interface Seen {
  gap: Float64Array;
  u: Float64Array;
  size: Float64Array;
  G: Float64Array;
  a: Float64Array;
  P: Float64Array;
  axes: Float64Array;
  free: Float64Array;
  bound: Float64Array;
}

/** What followed from a state: impulses by element (a turn and a push each) and the energy that was lost [J]. */
export interface Followed {
  transition: string;
  told: boolean;
  loss: number;
  impulses: Record<string, number[]>;
}

/** Why there is nothing that follows. */
export type Unfollowed = "contacts" | "inside";

/** What contacts, stops and dry friction of a structure of the file do. */
export class LiveContacts {
  readonly elements: LiveElement[];
  readonly leaves: LiveLeaf[];
  /** Statuses of all elements, and the numbers that they give the equations. */
  statuses: number[];
  readonly numbers: Float64Array;
  /** The largest velocity at events so far. */
  fastest = 0;
  readonly #k: number;
  readonly #rows: number;
  readonly #speeds: number[][];
  readonly #seen: Seen;
  readonly #place: Float64Array;
  readonly #see: () => void;
  readonly #nq: number;
  readonly #nv: number;
  /** Of every row of the layout: its place among normals and tangents of all elements. */
  readonly #placed: Int32Array;

  /**
   * @param system what moves
   * @param stay its structure of the file
   * @param table what the elements are
   */
  constructor(
    readonly system: Mover,
    readonly stay: LiveStay,
    readonly table: LiveElements,
  ) {
    const { nq, nv } = system.table,
      k = table.elements.length,
      rows = k * (1 + table.sides);
    this.elements = table.elements;
    this.leaves = table.leaves;
    this.#k = k;
    this.#rows = rows;
    this.#nq = nq;
    this.#nv = nv;
    this.statuses = this.opened;
    this.numbers = stay.head;
    this.#speeds = table.elements.map(() => []);
    const room = (size: number) => new Float64Array(Math.max(1, size));
    this.#seen = {
      gap: room(k),
      u: room(rows),
      size: room(rows),
      G: room(rows * rows),
      a: room(rows),
      P: room(rows * nv),
      axes: room(6 * rows),
      free: room(nv),
      bound: room(k),
    };
    this.#place = new Float64Array(system.size);
    const see = system.bind(stay.row.data ?? null, { ...this.#seen, y: this.#place });
    this.#see = () => {
      if (system.pulled !== null) system.hold(this.#place);
      see();
    };
    this.#placed = new Int32Array(table.rows);
    table.elements.forEach(({ normal, tangent }, i) => {
      if (normal >= 0) this.#placed[normal] = i;
      if (tangent >= 0) this.#placed[tangent] = k + i;
    });
  }

  /** Statuses of which nothing is known yet. */
  get opened(): number[] {
    return this.elements.map((element) => (element.kind === "grip" ? LIVE_STICK : LIVE_FREE));
  }

  /** Know nothing of a motion before. */
  forget(): void {
    this.statuses = this.opened;
    this.fastest = 0;
    for (const each of this.#speeds) each.length = 0;
  }

  /** What all elements do, as people call it; "" where there is nothing to say. */
  get said(): Words {
    const parts = this.statuses.map((status, i) => this.elements[i].said[status]).filter(({ en }) => en !== "");
    return { en: parts.map(({ en }) => en).join(", "), ru: parts.map(({ ru }) => ru).join(", ") };
  }

  /** The name of what ends a motion where a watched function does, by the statuses until then. */
  ending(leaf: number): string {
    return this.leaves[leaf].names[this.#second(leaf)];
  }

  #second(leaf: number): number {
    const { element, which } = this.leaves[leaf],
      status = this.statuses[element];
    return Number(which === 0 ? status >= LIVE_CLOSED : wayOf(status) !== 0);
  }

  /**
   * What follows from the state of the system: the state after it, and statuses from now on.
   *
   * @param leaf the watched function that ended a motion, -1 where none did
   */
  follow(leaf: number): Followed | Unfollowed {
    const { y } = this.system,
      last = y.length - 1,
      time = y[last];
    let found = this.#successor(leaf);
    for (let turn = 0; typeof found !== "string" && turn < LIVE_AGAIN; turn++) {
      const fastest = this.#strikesAlready(),
        given = y[last] > time;
      if (fastest <= (given ? 0 : LIVE_FAST_HOP)) return found;
      const more = this.#successor(-1);
      if (typeof more === "string") return more;
      const before: Followed = found;
      for (const [name, load] of Object.entries(more.impulses)) {
        const known = before.impulses[name];
        before.impulses[name] = known ? known.map((each, i) => each + load[i]) : load;
      }
      found = {
        transition: before.transition || more.transition,
        told: before.told || more.told,
        loss: before.loss + more.loss,
        impulses: before.impulses,
      };
    }
    return typeof found === "string" ? found : "contacts";
  }

  #look(): Seen {
    const { y } = this.system,
      last = y.length - 1;
    this.#place.set(y);
    if (this.stay.row.switches.length) this.#place[last] += LIVE_SOON * Math.abs(y[last]);
    this.#see();
    return this.#seen;
  }

  /** Velocity that counts as none [m/s]. */
  #rest({ size }: Seen): number {
    return Math.max(LIVE_RESTING * Math.max(...size), LIVE_SLOW * this.fastest);
  }

  /** How fast something that is open goes through its surface at once; 0 where nothing does. */
  #strikesAlready(): number {
    const seen = this.#look(),
      rest = this.#rest(seen);
    let most = 0;
    this.elements.forEach(({ kind }, i) => {
      const open = kind !== "grip" && this.statuses[i] < LIVE_CLOSED && seen.gap[i] <= LIVE_TOUCHING;
      if (open && -seen.u[i] > rest) most = Math.max(most, -seen.u[i]);
    });
    return most;
  }

  #successor(leaf: number): Followed | Unfollowed {
    const { elements } = this,
      k = this.#k,
      before = this.statuses;
    const stopped = leaf >= 0 && this.leaves[leaf].which > 0 && this.#second(leaf) ? this.leaves[leaf].element : -1;
    let transition = leaf >= 0 ? this.ending(leaf) : "";
    let seen = this.#look();
    if (!seen.u.every(Number.isFinite)) return "contacts";
    if (seen.gap.some((gap, i) => elements[i].kind !== "grip" && before[i] < LIVE_CLOSED && gap < -LIVE_INSIDE))
      return "inside";
    const normal = (i: number) => elements[i].kind !== "grip";
    const touches = (i: number) =>
      seen.gap[i] <= LIVE_TOUCHING || (before[i] >= LIVE_CLOSED && seen.gap[i] < LIVE_AWAY);
    const every = [...elements.keys()];
    const closed = every.filter((i) => normal(i) && touches(i));
    this.fastest = Math.max(this.fastest, ...seen.size);
    const rest = this.#rest(seen);
    const struck = closed.filter((i) => seen.u[i] < -rest && (leaf < 0 || before[i] < LIVE_CLOSED));
    let total = new Float64Array(this.#rows),
      loss = 0;
    if (struck.length) {
      for (const i of struck) this.#remember(i, -seen.u[i]);
      const given = this.#impact(closed, seen, rest);
      if (given === null) return "contacts";
      total = given[0];
      const after = given[1];
      for (let row = 0; row < this.#rows; row++) loss -= 0.5 * total[row] * (seen.u[row] + after[row]);
    }
    const impulses: Record<string, number[]> = {};
    for (const i of every) {
      if (!total[i] && !total[k + i]) continue;
      impulses[elements[i].label] = Array.from(
        { length: 6 },
        (_, j) => total[i] * seen.axes[6 * i + j] + total[k + i] * seen.axes[6 * (k + i) + j],
      );
    }
    if (struck.length) {
      this.#push(seen, total);
      seen = this.#look();
      if (this.#crowded(closed, seen, rest)) seen = this.#look();
    }
    const still = closed.filter((i) => seen.u[i] <= rest || (before[i] >= LIVE_CLOSED && !struck.length && leaf >= 0));
    still.push(...every.filter((i) => !normal(i)));
    const held = leaf >= 0 && !struck.length;
    const slipping = new Float64Array(k);
    for (const i of still) {
      const pushes = before[i] >= LIVE_CLOSED || !normal(i),
        slip = seen.u[k + i],
        holds = pushes && held && before[i] % LIVE_CLOSED === LIVE_STICK;
      if (Math.abs(slip) > rest && !holds && i !== stopped) slipping[i] = Math.sign(slip);
    }
    if (!this.#motion(seen, still, slipping)) return "contacts";
    if (struck.length && !transition) transition = `${elements[struck[0]].label} strikes`;
    const told = struck.length > 0 || before.some((status, i) => elements[i].said[status].en !== this.#word(i));
    return { transition, told, loss, impulses };
  }

  #word(i: number): string {
    return this.elements[i].said[this.statuses[i]].en;
  }

  /** Keep in mind how fast an element strikes. */
  #remember(i: number, speed: number): void {
    const own = this.#speeds[i];
    own.push(speed);
    if (own.length > LIVE_STRIKES) own.shift();
  }

  /** Give the state impulses of all rows. */
  #push({ P }: Seen, total: Float64Array): void {
    const { y } = this.system,
      nv = this.#nv;
    for (let row = 0; row < this.#rows; row++) {
      if (total[row]) for (let j = 0; j < nv; j++) y[this.#nq + j] += P[row * nv + j] * total[row];
    }
  }

  #problem(chosen: number[], seen: Seen, values: Float64Array): Problem {
    const k = this.#k,
      rows = [...chosen, ...chosen.map((i) => k + i)],
      n = rows.length,
      G = new Float64Array(n * n);
    rows.forEach((row, i) => {
      rows.forEach((other, j) => {
        G[i * n + j] = seen.G[row * this.#rows + other];
      });
    });
    const own = chosen.map((i) => this.elements[i]);
    return {
      k: chosen.length,
      G,
      b: Float64Array.from(rows, (row) => values[row]),
      friction: own.map(({ friction }) => friction),
      back: own.map(({ back }) => back),
      ways: own.map(() => 0),
      pressed: own.map(() => 0),
      bare: own.map(({ kind }) => kind === "grip"),
    };
  }

  /** Impulses of all rows, and the velocities after them; null where there are none. */
  #impact(closed: number[], seen: Seen, rest: number): [Float64Array<ArrayBuffer>, Float64Array] | null {
    const rows = this.#rows,
      n = closed.length,
      k = this.#k;
    const total = new Float64Array(rows);
    let u = seen.u.slice();
    const own = closed.map((i) => this.elements[i]);
    const laws = { newton: own.map(({ newton }) => newton), poisson: own.map(({ poisson }) => poisson) };
    for (let turn = 0; turn < LIVE_AGAIN; turn++) {
      if (closed.every((i) => u[i] >= -rest)) return [total, u];
      const given = impactImpulses(this.#problem(closed, seen, u), laws);
      if (given === null) return null;
      closed.forEach((i, at) => {
        total[i] += given[at];
        total[k + i] += given[n + at];
      });
      u = seen.u.map((each, row) => {
        let sum = each;
        for (let j = 0; j < rows; j++) sum += seen.G[row * rows + j] * total[j];
        return sum;
      });
    }
    return null;
  }

  /** How long the hops of an element that has just struck go on [s]; infinite where they do not crowd. */
  #lasts(i: number, { a, u }: Seen): number {
    if (a[i] >= 0) return Infinity;
    const own = this.#speeds[i],
      { newton, poisson } = this.elements[i],
      hop = (2 * u[i]) / -a[i];
    const ratios = own.slice(1).map((later, j) => later / own[j]);
    let ratio = own.length === LIVE_STRIKES && Math.max(...ratios) < 1 ? ratios[ratios.length - 1] : Infinity;
    // What hops too low for places to tell will not get higher by itself.
    if (ratio === Infinity && hop < LIVE_CROWDED_HOPS) ratio = Math.max(newton, poisson);
    return ratio < 1 ? hop / (1 - ratio) : Infinity;
  }

  /** Go to the limit of impacts that crowd together, where that is near; whether it was. */
  #crowded(touching: number[], seen: Seen, rest: number): boolean {
    const k = this.#k,
      { y } = this.system;
    let left = 0;
    const closed = touching.filter((i) => {
      const lasts = seen.u[i] > rest ? this.#lasts(i, seen) : 0;
      if (lasts > LIVE_CROWDED_HOPS) return false;
      left = Math.max(left, lasts);
      return true;
    });
    if (left === 0) return false;
    // They push as if they were closed, less what the velocities of the last hop spare them; slips that are no faster
    // than these end as well.
    const slow = 10 * Math.max(...closed.map((i) => Math.abs(seen.u[i])));
    const slipping = new Float64Array(k),
      rows = [...closed];
    for (const i of closed) {
      const { tangent, friction } = this.elements[i],
        slip = seen.u[k + i];
      if (tangent < 0) continue;
      if (Math.abs(slip) <= slow || friction === null) rows.push(k + i);
      else slipping[i] = Math.sign(slip);
    }
    const drag = (i: number) => -this.#pull(i, slipping[i]) * slipping[i];
    const n = rows.length,
      A = new Float64Array(n * n);
    rows.forEach((row, i) => {
      rows.forEach((other, j) => {
        A[i * n + j] = seen.G[row * this.#rows + other];
        if (other < k) A[i * n + j] += drag(other) * seen.G[row * this.#rows + k + other];
      });
    });
    const found = leastNorm(
      A,
      n,
      n,
      Float64Array.from(rows, (row) => -seen.u[row]),
    );
    const total = new Float64Array(this.#rows);
    rows.forEach((row, i) => {
      total[row] += found[i];
      if (row < k) total[k + row] += drag(row) * found[i];
    });
    this.#push(seen, total);
    const now = this.#look(),
      solved = this.#solve(
        now,
        closed,
        slipping,
        this.elements.map(() => LIVE_CLOSED + LIVE_STICK),
      );
    const a = now.free.slice();
    if (solved) {
      closed.forEach((i, at) => {
        for (let j = 0; j < this.#nv; j++) {
          a[j] += now.P[i * this.#nv + j] * solved.x[at] + now.P[(k + i) * this.#nv + j] * solved.x[closed.length + at];
        }
      });
    }
    // The state that much later, with accelerations that stay.
    const q = y.subarray(0, this.#nq),
      v = y.subarray(this.#nq, this.#nq + this.#nv);
    this.system.moved(
      q,
      v.map((each, j) => left * (each + 0.5 * left * a[j])),
    );
    for (let j = 0; j < this.#nv; j++) v[j] += left * a[j];
    y[y.length - 1] += left;
    return true;
  }

  #pull(i: number, way: number): number {
    const { friction, back } = this.elements[i];
    return way < 0 ? back : (friction ?? 0);
  }

  /** Forces, statuses and accelerations of some elements. */
  #solve(seen: Seen, chosen: number[], slipping: Float64Array, prefer: number[]): Decided | null {
    const problem = this.#problem(chosen, seen, seen.a);
    problem.ways = chosen.map((i) => slipping[i]);
    problem.pressed = chosen.map((i) => seen.bound[i]);
    const found = solveContacts(
      problem,
      chosen.map((i) => prefer[i]),
    );
    const closed = found && resting(problem, found);
    return closed ? (tryStatuses(problem, closed) ?? heldTogether(problem, found) ?? found) : found;
  }

  /** Decide what elements that touch and do not part do from now on; whether there is something that they can do. */
  #motion(seen: Seen, still: number[], slipping: Float64Array): boolean {
    const prefer = this.statuses;
    for (let turn = 0; turn < this.#k; turn++) {
      const w = this.#tried(seen, still, slipping, prefer);
      if (w === null) return false;
      seen = this.#look();
      const hidden = this.#hidden(seen, w);
      if (!hidden.length) break;
      this.#stop(seen, [...this.#holding(), ...hidden], 1e-12);
      seen = this.#look();
      still = [...still, ...hidden];
      for (const i of hidden) {
        const slip = seen.u[this.#k + i];
        if (Math.abs(slip) > 1e-9) slipping[i] = Math.sign(slip);
      }
    }
    return true;
  }

  /** The same, whether or not hops can be seen then; the accelerations of all rows, null where there is no solution. */
  #tried(seen: Seen, still: number[], slipping: Float64Array, prefer: number[]): Float64Array | null {
    const k = this.#k,
      rows = this.#rows,
      began = this.system.y.slice();
    // What the structure holds anyway has nothing to decide.
    const idle = still.filter((i) => this.elements[i].kind === "grip" && seen.G[(k + i) * rows + k + i] <= 0);
    const chosen = still.filter((i) => !idle.includes(i));
    const x = new Float64Array(rows);
    for (let attempt = 0; attempt < LIVE_ATTEMPTS; attempt++) {
      const after = this.elements.map(() => LIVE_FREE);
      for (const i of idle) after[i] = LIVE_STICK;
      x.fill(0);
      if (chosen.length) {
        const found = this.#solve(seen, chosen, slipping, prefer);
        if (found === null) return null;
        chosen.forEach((i, at) => {
          x[i] = found.x[at];
          x[k + i] = found.x[chosen.length + at];
        });
        chosen.forEach((i, at) => {
          const status = found.statuses[at],
            pushes = status >= LIVE_CLOSED || this.elements[i].kind === "grip";
          // On the edge of its cone, but not moving: another contact holds it, or what follows decides.
          const rests = wayOf(status) && !slipping[i] && !this.#moves(seen, x, k + i);
          after[i] = rests && pushes ? status - (status % LIVE_CLOSED) + LIVE_STICK : status;
        });
      }
      this.system.y.set(began);
      const here = attempt ? this.#look() : seen;
      this.#stand(after, here, x);
      this.#stop(here, this.#holding(), 1e-14);
      if (attempt === LIVE_ATTEMPTS - 1 || !chosen.length || !this.#undecided()) break;
      seen = this.#look();
    }
    const now = this.#look();
    return now.a.map((each, row) => {
      let sum = each;
      for (let j = 0; j < rows; j++) sum += now.G[row * rows + j] * x[j];
      return sum;
    });
  }

  /** Whether forces move a row. */
  #moves({ G, a }: Seen, x: Float64Array, row: number): boolean {
    let w = a[row],
      size = Math.abs(a[row]);
    for (let j = 0; j < this.#rows; j++) {
      const term = G[row * this.#rows + j] * x[j];
      w += term;
      size += Math.abs(term);
    }
    return Math.abs(w) > LIVE_ROUNDING * size;
  }

  /** Take over statuses: numbers of the equations from now on. */
  #stand(statuses: number[], seen: Seen, x: Float64Array): void {
    this.statuses = statuses;
    const wanted = Float64Array.from(this.#placed, (place) => x[place]);
    const active: number[] = [];
    this.elements.forEach(({ kind, normal, tangent }, i) => {
      const closed = statuses[i] >= LIVE_CLOSED;
      if (closed && normal >= 0) active.push(normal);
      if (tangent >= 0 && statuses[i] % LIVE_CLOSED === LIVE_STICK && (closed || kind === "grip")) active.push(tangent);
    });
    const { G, P } = seen;
    const responses = { G, P, rows: this.#rows, nv: this.#nv, placed: this.#placed };
    this.#number(liveShares(this.table, active, responses, wanted));
    this.stay.attach();
    this.stay.choose();
  }

  /** The block p of the equations. */
  #number({ kept, share }: { kept: number[]; share: Float64Array }): void {
    const { statuses, elements, numbers: p, table } = this;
    p.fill(0);
    for (const row of kept) p[row] = 1;
    elements.forEach(({ pull, bound }, i) => {
      const way = wayOf(statuses[i]);
      if (pull >= 0 && way) p[pull] = -way * this.#pull(i, way) * bound;
    });
    const leaders = new Map<number, number>();
    for (const { element: i, which, place } of this.leaves) {
      const { normal, kind, tight, partners } = elements[i],
        closed = statuses[i] >= LIVE_CLOSED,
        grip = statuses[i] % LIVE_CLOSED,
        way = wayOf(statuses[i]),
        pushes = closed || kind === "grip";
      p[place] = 1;
      if (which === 0 && !closed) {
        // Where a gear has no play, one flank cannot strike while the other pushes.
        if (!(tight && statuses[i + tight] >= LIVE_CLOSED)) p.set([0, 1, 0], place);
      } else if (which === 0) {
        const carries = share.subarray(normal * table.rows, (normal + 1) * table.rows).some(Boolean);
        if (kept.includes(normal) || carries) p.set([0, 0, 1], place);
      } else if (which === 1 && way && pushes) p.set([0, way, 0], place);
      else if (grip === LIVE_STICK && pushes) {
        const sticking = partners.filter(([j]) => statuses[j] === LIVE_CLOSED + LIVE_STICK);
        const first = sticking[0]?.[0] ?? i;
        if (!leaders.has(first)) leaders.set(first, i);
        if (leaders.get(first) !== i) continue;
        p.set([0, 0, 1], place);
        // The numbers of the group are those of the element whose function it is.
        for (const [, at] of sticking) p[at] = 1;
      }
    }
    if (table.share >= 0) p.set(share, table.share);
  }

  /** Places of the rows that hold. */
  #holding(): number[] {
    return [...this.#placed].filter((_, row) => this.numbers[row] !== 0);
  }

  /** Take the velocities of some rows away. */
  #stop(seen: Seen, rows: number[], rank: number): void {
    if (!rows.some((row) => seen.u[row] !== 0)) return;
    const n = rows.length,
      A = new Float64Array(n * n);
    rows.forEach((row, i) => {
      rows.forEach((other, j) => {
        A[i * n + j] = seen.G[row * this.#rows + other];
      });
    });
    const found = leastNorm(
      A,
      n,
      n,
      Float64Array.from(rows, (row) => -seen.u[row]),
      rank,
    );
    const total = new Float64Array(this.#rows);
    rows.forEach((row, i) => (total[row] += found[i]));
    this.#push(seen, total);
  }

  /** Whether a motion would end as soon as it begins; the state is then the one that it comes to a moment later. */
  #undecided(): boolean {
    const { stay, system } = this,
      { stepper, y } = system,
      first = stay.leaves - this.leaves.length;
    stay.look();
    const before = stay.values.slice();
    stepper.begin(y);
    stepper.take(LIVE_MOMENT * stepper.guess());
    stay.place.set(stepper.y1);
    stay.watch();
    for (let leaf = first; leaf < stay.leaves; leaf++) {
      const change = stay.values[leaf] - before[leaf];
      if (Math.abs(before[leaf]) <= 1e-3 * Math.abs(change) && before[leaf] + change < 0) {
        y.set(stepper.y1);
        return true;
      }
    }
    return false;
  }

  /** Elements that are open and would strike again before that could be seen: their hops end here and now. */
  #hidden(seen: Seen, w: Float64Array): number[] {
    const { stay } = this,
      first = stay.leaves - this.leaves.length,
      found: number[] = [];
    stay.look();
    this.leaves.forEach(({ element: i, which, place }, leaf) => {
      if (which !== 0 || this.statuses[i] >= LIVE_CLOSED || seen.gap[i] > LIVE_TOUCHING) return;
      if (seen.gap[i] >= -LIVE_ZERO && seen.u[i] > LIVE_FAST_HOP) return;
      const gap = stay.values[first + leaf];
      // What is a little inside its surface is watched from where it is.
      if (gap < -LIVE_ZERO) this.numbers[place] = -gap;
      else if (gap > LIVE_TOUCHING) return;
      const rate = seen.u[i],
        half = 0.5 * w[i];
      const falls = rate < -LIVE_ZERO || (half < 0 && (rate <= LIVE_ZERO || rate * rate <= LIVE_LOW_HOP * -half));
      if (falls && rate >= -LIVE_FAST_HOP) found.push(i);
    });
    return found;
  }
}
