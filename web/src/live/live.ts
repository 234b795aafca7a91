import type { LiveExit, LiveTable, Words } from "../payload";
import { LiveContacts } from "./contacts";
import { type Pull, pullEnergy } from "./hands";
import { type Beginning, type Kernel, LivePostures } from "./postures";
import { LIVE_WORDS } from "./reasons";
import { LiveStay, liveBindState } from "./stay";
import { LiveStepper } from "./step";

/** Error of a step, relative to numbers above 1 and absolute below. */
const LIVE_TOLERANCE = 1e-11;
/** Transitions, or changes of comparisons, at one instant that count as chattering. */
const LIVE_AT_ONCE = 100;
/** Time between two events that counts as none, in parts of the time and of 1 s. */
const LIVE_CROWD = 1e-7;
/** Events one after another so near to each other that count as endless. */
const LIVE_CROWDED = 5;
/** Time within which a tick and a change of an input count as one instant, in parts of the time and of 1 s. */
const LIVE_INSTANT = 1e-12;
/** The longest step [s]: the motion inside it is to be as good as its end. */
const LIVE_LONGEST = 0.05;
/** Shortest step, in parts of the time and of 1 s. */
const LIVE_SHORTEST = 1e-13;
/** How far off its links a step may end before it counts as wrong [m or rad]. */
const LIVE_OFF = 1e-6;
/** Part of the longest step so far from which on steps have collapsed. */
const LIVE_COLLAPSED = 1e-3;
/** States by which the motion is continued over a singular posture. */
const LIVE_PAST = 8;
/** By how much a continuation may differ from one by fewer states, and its accelerations from those behind. */
const LIVE_CONTINUED = 1e-7,
  LIVE_ACCELERATED = 1e-2;

/**
 * An event of the integrator: the energy lost [J], and of every link that struck a turn and a push; `did` is what contacts
 * that make structures of their own did before and after it.
 */
export interface LiveEvent {
  time: number;
  transition: string;
  before: number;
  after: number;
  loss: number;
  impulses: Record<string, number[]>;
  did?: [Words, Words];
}

/** A state and its rates. */
interface Past {
  y: Float64Array;
  dy: Float64Array;
}

/**
 * The functions of a kit.
 *
 * @param source of `live_kit`
 * @param run runs a classic script; by default a script element of the page does
 */
export function makeKernels(source: string, run: (source: string) => unknown = liveRunInPage): Kernel[] {
  const found: Kernel[][] = [];
  // The script calls a function of this name; it is there only as long as the script runs.
  const global = globalThis as { sistelKernels?: (kernels: Kernel[]) => void };
  const before = global.sistelKernels;
  global.sistelKernels = (kernels) => found.push(kernels);
  try {
    run(source);
  } finally {
    if (before === undefined) delete global.sistelKernels;
    else global.sistelKernels = before;
  }
  if (!found.length) throw new Error("the kernels of this page could not be read");
  return found[0];
}

function liveRunInPage(source: string): void {
  const element = document.createElement("script");
  element.textContent = source;
  document.head.append(element);
  element.remove();
}

/**
 * A system that moves: the page integrates its equations.
 *
 * Fields to read: `t`, `q`, `v`, `structure` (an index), `events` ({time, transition, before, after, loss, impulses}),
 * `refused` (why there is no motion at all, or null), `stopped` (why the motion ended, or null).
 */
export class LiveSystem extends LivePostures {
  /** Why there is no motion at all. */
  readonly refused: Words | null;
  /** Why the motion ended. */
  stopped: Words | null = null;
  events: LiveEvent[] = [];
  /** When it last passed from one stay to another. */
  #moment = -Infinity;
  t: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** The state at the end of the last step. */
  readonly y: Float64Array;
  readonly stepper: LiveStepper;
  readonly longest: number;
  steps = 0;
  readonly #shown: Float64Array;
  readonly #stays: (LiveStay | null)[];
  readonly #passages: { impulses: Float64Array; compute: () => void }[][];
  readonly #loss = new Float64Array(1);
  readonly #after: Float64Array;
  readonly #places: [number, number];
  readonly #inputs = new Map<string, number>();
  #stay: LiveStay | null = null;
  /** Of every structure: its contacts, stops and dry friction, where they decide by themselves what they do. */
  readonly #contacts: (LiveContacts | null)[] = [];
  /** What they do where the motion is. */
  #doing: Words | null = null;
  #pending = -1;
  #switching = false;
  /** When comparisons changed last, and how often then. */
  #turned = NaN;
  #turns = 0;
  #h = 0;
  #begun = false;
  /** What the hand had done when its spring began, and what that held then [J]. */
  #done = 0;
  #stored = 0;
  /** Whether nothing has happened since the start. */
  #fresh = true;
  #atOnce = 0;
  #crowded = 0;
  /** States of this stay, well apart; the longest step of it; where the last jump ended. */
  readonly #past: Past[] = [];
  #widest = 0;

  /**
   * @param kernels of `makeKernels`
   * @param table of `live_kit`
   * @param options error of a step; the longest step [s]
   */
  constructor(kernels: Kernel[], table: LiveTable, options: { tolerance?: number; longest?: number } = {}) {
    super(kernels, table);
    const { start, nq, nv } = table;
    this.refused = table.refused;
    this.t = start.t;
    this.q = Float64Array.from(start.q);
    this.v = Float64Array.from(start.v);
    this.y = new Float64Array(this.size);
    this.stepper = new LiveStepper(this.size, options.tolerance ?? LIVE_TOLERANCE);
    this.longest = options.longest ?? LIVE_LONGEST;
    this.#shown = new Float64Array(this.size);
    this.#stays = table.structures.map(() => null);
    this.#passages = table.structures.map(() => []);
    this.#after = new Float64Array(this.size);
    this.#places = [nq, nv];
    table.memory.forEach(([kind, name], i) => {
      if (kind === "input") this.#inputs.set(name, nq + nv + i);
    });
  }

  /** What contacts, stops and dry friction do that make structures of their own; null where there are none. */
  get doing(): Words | null {
    return this.#doing;
  }

  /** What schemes remember now, in the order of `table.memory`. */
  get memory(): Float64Array {
    const [nq, nv] = this.#places;
    return this.#shown.subarray(nq + nv, this.size - 1);
  }

  /** Where inputs of schemes stand in a state. */
  get inputs(): ReadonlyMap<string, number> {
    return this.#inputs;
  }

  /**
   * Give inputs of schemes other values; the motion goes on with them from where it is. What is due at this instant comes
   * first: a tick reads what was just before it. At the start they are what the motion begins with.
   *
   * @param values by name [SI]
   */
  setInputs(values: Record<string, number>): void {
    const within = this.#here();
    if (within === null || this.#stay === null) return;
    const last = this.size - 1,
      { y } = this;
    this.#stay.remember();
    let changed = false;
    for (const [name, value] of Object.entries(values)) {
      const place = this.#inputs.get(name);
      if (place === undefined || y[place] === value) continue;
      y[place] = value;
      changed = true;
      if (this.#fresh) continue;
      const { structure } = this;
      const transition = `input: ${name} = ${String(value)}`;
      this.events.push({ time: y[last], transition, before: structure, after: structure, loss: 0, impulses: {} });
    }
    this.#show(y);
    if (changed || within) this.#resume(changed && !this.#fresh);
  }

  /** Goes back to what is shown, and does what is due there; whether it was within a step, null where there is no motion. */
  #here(): boolean | null {
    if (!this.#begun || this.stopped !== null || this.#stay === null) return null;
    const last = this.size - 1,
      { y } = this;
    const within = y[last] > this.t;
    if (within) {
      y.set(this.#shown);
      this.#pending = -1;
      this.#switching = false;
      this.#stay.recall();
    }
    for (let turn = 0; turn < LIVE_AT_ONCE && !this.#fresh; turn++) {
      if (this.#pending < 0 && !this.#switching) this.#pending = this.#stay.due(LIVE_INSTANT * Math.max(1, y[last]));
      if (this.#pending >= 0) this.#pass(this.#stay);
      else if (this.#switching) this.#switch(this.#stay);
      else break;
      if (this.stopped !== null) return null;
    }
    return within;
  }

  /** What the hand has done so far [J]. */
  get work(): number {
    return this.#done + (this.#stored - this.#spring());
  }

  /** What the spring of the hand holds now [J]. */
  #spring(): number {
    return this.pulled === null ? 0 : pullEnergy(this.pulled, this.poses(this.q));
  }

  /** Hold a point of a body by a spring, or nothing; the motion goes on with it from where it is. */
  pull(pulled: Pull | null): void {
    if (!this.table.push?.acts) return;
    this.#done = this.work;
    this.#stored = 0;
    if (this.#here() === null) return;
    this.release();
    this.pulled = pulled;
    this.#stored = this.#spring();
    this.#show(this.y);
    this.#resume();
  }

  /**
   * Begin a motion.
   *
   * @param from what is not given is that of the file; without `parameters` these keep the values that they have
   * @returns why it cannot begin
   */
  start(from: Beginning & { parameters?: Record<string, number> | null } = {}): Words | null {
    const { q = null, v = null, t = null, structure = this.table.start.structure } = from;
    const { parameters = null, changes = null } = from;
    this.#begun = false;
    this.stopped = null;
    this.events = [];
    this.#moment = -Infinity;
    this.steps = 0;
    this.release();
    this.#done = this.#stored = 0;
    const written = Object.fromEntries(this.table.parameters.map((row) => [row.name, row.value]));
    const wrong = parameters === null ? null : this.setValues({ ...written, ...parameters });
    if (wrong !== null) return wrong;
    const first = this.beginning({ q, v, t, structure, changes });
    this.structure = structure;
    if (first === null) return LIVE_WORDS.apart;
    this.y.set(first);
    this.#show(this.y);
    if (this.refused !== null) return this.refused;
    this.#begun = true;
    this.#fresh = true;
    this.#atOnce = this.#crowded = 0;
    for (const each of this.#contacts) each?.forget();
    this.#doing = null;
    this.#settle(structure, "");
    if (this.stopped === null) this.#show(this.y);
    return null;
  }

  /**
   * Give live parameters other values; a motion goes on with them from where it is.
   *
   * @param values by name [SI]
   * @returns why they cannot have them
   */
  setParameters(values: Record<string, number>): Words | null {
    const wrong = this.setValues(values);
    if (wrong !== null || !this.#begun) return wrong;
    const [nq, nv] = this.#places;
    const closed = this.close(this.q, null, this.structure, { t: this.t });
    const speeds = closed.success ? this.closeVelocities(closed.q, this.v, [], this.structure, { t: this.t }) : null;
    if (speeds === null || !speeds.success) {
      this.#stop(LIVE_WORDS.apart);
      return LIVE_WORDS.apart;
    }
    this.y.set(this.#shown);
    this.y.set(closed.q);
    this.y.set(speeds.v.subarray(0, nv), nq);
    this.stopped = null;
    this.#show(this.y);
    this.#resume();
    return null;
  }

  /**
   * Move on.
   *
   * @param until time [s]
   * @param options how long it may take; then it returns before
   * @returns the time reached; less than `until` where the budget is spent or the motion has `stopped`
   */
  advance(until: number, { budget_ms: budget = Infinity }: { budget_ms?: number } = {}): number {
    if (!this.#begun) return this.t;
    const clock = globalThis.performance,
      began = clock.now(),
      last = this.size - 1;
    while (this.stopped === null && this.#stay !== null && this.y[last] < until) {
      this.#fresh = false;
      if (this.#pending >= 0) this.#pass(this.#stay);
      else if (this.#switching) this.#switch(this.#stay);
      else this.#step(this.#stay);
      if (clock.now() - began > budget) break;
    }
    const time = Math.min(until, this.y[last]);
    if (time < this.t) return this.t;
    if (time >= this.y[last]) {
      this.#show(this.y);
      return this.t;
    }
    const { stepper } = this;
    stepper.at((time - stepper.y0[last]) / stepper.h, this.#shown);
    this.#shown[last] = time;
    this.straighten(this.#shown);
    this.#show(this.#shown);
    return this.t;
  }

  #show(y: Float64Array): void {
    const [nq, nv] = this.#places;
    this.#shown.set(y);
    this.q.set(y.subarray(0, nq));
    this.v.set(y.subarray(nq, nq + nv));
    this.t = y[this.size - 1];
  }

  #stop(reason: Words): void {
    const time = this.y[this.size - 1],
      name = this.table.structures[this.structure].name;
    const said = Number(time.toPrecision(9));
    this.stopped = {
      en: `${reason.en} at ${said} s, structure "${name}"`,
      ru: `${reason.ru} в момент ${said} с, структура «${name}»`,
    };
  }

  /** The structure, where it moves. */
  #at(structure: number): LiveStay | null {
    const row = this.table.structures[structure];
    if (row.motion === null) {
      this.#stop(row.refused ?? LIVE_WORDS.none);
      return null;
    }
    return (this.#stays[structure] ??= new LiveStay(this, structure, row.motion));
  }

  /** The contacts of a structure that decide by themselves what they do. */
  #deciding(stay: LiveStay): LiveContacts | null {
    const { elements } = this.table;
    if (stay.row.data === undefined || elements === undefined) return null;
    return (this.#contacts[stay.index] ??= new LiveContacts(this, stay, elements));
  }

  /** Go on from the state in which the motion is, after something has changed. */
  #resume(jumped = false): void {
    // Where contacts hold, what is shown between two steps is a little off them.
    this.#stay?.correct(LIVE_OFF);
    this.#settle(this.structure, "", jumped);
  }

  /**
   * Contacts decide what they do, then it goes on; an event is written down where something is to be told.
   *
   * @param structure of the file
   * @param transition that led here, "" for none: it is told already
   * @param jumped see `LiveStay.enter`
   * @param leaf of the contacts, the watched function that ended a motion
   */
  #settle(structure: number, transition: string, jumped = false, leaf = -1): void {
    const stay = this.#at(structure);
    this.structure = structure;
    if (stay === null) return;
    const contacts = this.#deciding(stay);
    if (contacts !== null) {
      const before = this.#doing,
        first = this.#fresh,
        time = this.y[this.size - 1];
      const other = this.#stay === null ? null : this.#deciding(this.#stay);
      if (other !== null && other !== contacts && !first) contacts.statuses = other.statuses.slice();
      const found = contacts.follow(leaf);
      if (typeof found === "string") {
        this.#stop(LIVE_WORDS[found]);
        return;
      }
      this.#doing = contacts.said;
      const struck = Object.keys(found.impulses).length > 0,
        last = this.events[this.events.length - 1] as LiveEvent | undefined;
      if (transition !== "" && last?.time === time) {
        last.loss += found.loss;
        Object.assign(last.impulses, found.impulses);
        last.did = [before ?? this.#doing, this.#doing];
      } else if (struck || (found.told && !first)) {
        const { transition: name, loss, impulses } = found,
          did: [Words, Words] = [before ?? this.#doing, this.#doing];
        this.events.push({ time, transition: name, before: structure, after: structure, loss, impulses, did });
      }
    }
    this.#enter(structure, jumped);
  }

  #enter(structure: number, jumped = false): void {
    this.structure = structure;
    this.#pending = -1;
    this.#switching = false;
    this.#forget();
    const stay = this.#at(structure);
    if (stay === null) return;
    this.#stay = stay;
    const problem = stay.enter(jumped);
    if (problem !== "") this.#stop(LIVE_WORDS[problem]);
    this.#pending = stay.exit;
  }

  #step(stay: LiveStay): void {
    const { stepper, y } = this,
      last = this.size - 1,
      now = y[last];
    stepper.begin(y);
    let h = Math.min(this.longest, this.#h > 0 ? this.#h : stepper.guess()),
      rejected = false,
      error = 0;
    for (;;) {
      if (h < LIVE_COLLAPSED * this.#widest && this.#leap(stay)) return;
      if (!(h > LIVE_SHORTEST * Math.max(1, Math.abs(now)))) {
        this.#stop(Number.isFinite(error) ? LIVE_WORDS.small : LIVE_WORDS.lost);
        return;
      }
      error = stepper.take(h);
      if (error <= 1) break;
      rejected = true;
      h *= Number.isFinite(error) ? Math.max(0.2, 0.9 * error ** -0.125) : 0.1;
    }
    this.steps++;
    this.#h = h * Math.min(rejected ? 1 : 6, error > 0 ? 0.9 * error ** -0.125 : 6);
    stay.tried = false;
    const part = stay.search();
    if (part === -2) {
      // A condition has no value in this step: a shorter one may tell where it ends.
      this.#h = 0.25 * h;
      if (!(this.#h > LIVE_SHORTEST * Math.max(1, Math.abs(now)))) this.#stop(LIVE_WORDS.lost);
      return;
    }
    const happens = part >= 0;
    const length = happens ? this.#land(stay, part) : h;
    if (length > 0) {
      y.set(stepper.y1);
      y[last] = now + length;
      if (!stay.correct(LIVE_OFF)) {
        // Near a posture in which links depend on each other a step may lose them.
        y.set(stepper.y0);
        stay.recall();
        this.#h = 0.25 * h;
        if (!(this.#h > LIVE_SHORTEST * Math.max(1, Math.abs(now)))) this.#stop(LIVE_WORDS.small);
        return;
      }
    }
    if (!happens) {
      this.#keep(stay, h);
      return;
    }
    this.#h = Math.min(this.#h, h);
    // What happens at its end waits until the time has come: the motion inside the step is shown first.
    this.#pending = stay.exit;
    this.#switching = stay.exit < 0 && stay.switches;
  }

  /** Comparisons change. */
  #switch(stay: LiveStay): void {
    this.#switching = false;
    const now = this.y[this.size - 1];
    this.#turns = now === this.#turned ? this.#turns + 1 : 0;
    this.#turned = now;
    if (this.#turns > LIVE_AT_ONCE) {
      this.#stop(LIVE_WORDS.slides);
      return;
    }
    this.#forget();
    const problem = stay.switchModes();
    if (problem !== "") this.#stop(LIVE_WORDS[problem]);
    this.#pending = stay.exit;
  }

  #forget(): void {
    this.#h = 0;
    this.#past.length = 0;
    this.#widest = 0;
  }

  /** Remember where a step began, if that is well apart from what is remembered. */
  #keep(stay: LiveStay, h: number): void {
    if (stay.constant || !stay.row.corrects) return;
    const past = this.#past,
      { y0 } = this.stepper,
      last = this.size - 1;
    this.#widest = Math.max(this.#widest, h);
    if (past.length && y0[last] - past[past.length - 1].y[last] < 0.2 * this.#widest) return;
    const oldest = past.length < LIVE_PAST ? undefined : past.shift();
    const kept = oldest ?? { y: new Float64Array(this.size), dy: new Float64Array(this.size) };
    kept.y.set(y0);
    kept.dy.set(this.stepper.K[0]);
    past.push(kept);
  }

  /**
   * Continue the motion over a posture in which links depend on each other for an instant: the motion is smooth there,
   * its equations are not. Whether the continuation agrees with itself, with the links and with the equations behind.
   */
  #leap(stay: LiveStay): boolean {
    const past = this.#past,
      { y, stepper } = this,
      last = this.size - 1;
    if (past.length < LIVE_PAST || stay.row.switches.length) return false;
    const [before2, before1] = past.slice(-2);
    const time = y[last] + 0.5 * (before1.y[last] - before2.y[last]),
      short = 1e-3 * this.#widest;
    const here = liveContinued(past, time),
      fewer = liveContinued(past.slice(1), time);
    const before = liveContinued(past, time - short),
      after = liveContinued(past, time + short);
    const [nq, nv] = this.#places;
    for (let i = 0; i < nq + nv; i++) {
      if (!(Math.abs(here[i] - fewer[i]) <= LIVE_CONTINUED * Math.max(1, Math.abs(here[i])))) return false;
    }
    const kept = y.slice();
    y.set(here);
    y[last] = time;
    for (let turn = 0; turn < 4; turn++) if (!stay.correct(LIVE_OFF)) turn = 9;
    stepper.begin(y);
    let good = stay.off[0] < 1e-20,
      scale = 1;
    for (let i = nq; i < nq + nv; i++) scale = Math.max(scale, Math.abs(stepper.K[0][i]));
    for (let i = nq; i < nq + nv; i++) {
      const wanted = (after[i] - before[i]) / (2 * short);
      good &&= Math.abs(stepper.K[0][i] - wanted) <= LIVE_ACCELERATED * scale;
    }
    if (!good) {
      y.set(kept);
      stepper.begin(y);
      this.#past.length = 0;
      return false;
    }
    // What the page shows in between is the continuation.
    stepper.y0.set(kept);
    stepper.y1.set(y);
    stepper.h = time - kept[last];
    stepper.between();
    stay.recall();
    this.#h = 0.1 * this.#widest;
    this.#past.length = 0;
    return true;
  }

  /** Take the step anew up to what happens at a part of it, to the last digits; its length [s]. */
  #land(stay: LiveStay, part: number): number {
    const { stepper } = this,
      rate = stay.rate(part);
    let length = part * stepper.h;
    if (!(length > 0)) return 0;
    for (let turn = 0; turn < 3; turn++) {
      stepper.take(length);
      stay.place.set(stepper.y1);
      stay.watch();
      const late = stay.values[stay.leaf] / rate;
      if (!(Math.abs(late) > 1e-15 && Math.abs(late) < 0.01 * length)) break;
      length -= late;
      if (Math.abs(late) < 1e-14) break;
    }
    stepper.take(length);
    return length;
  }

  /** Do what the transition that is due does. */
  #pass(stay: LiveStay): void {
    const before = this.structure,
      written = stay.row.exits.length;
    const { y } = this,
      last = this.size - 1,
      time = y[last];
    if (this.#pending >= written) {
      this.#count(time);
      this.#settle(before, "", false, this.#pending - written);
      if (this.#atOnce > LIVE_AT_ONCE) this.#stop(LIVE_WORDS.chatters);
      return;
    }
    const exit = stay.row.exits[this.#pending];
    if (exit.passage === null) {
      this.#stop(exit.refused ?? LIVE_WORDS.passage);
      return;
    }
    const own = (this.#passages[before][this.#pending] ??= this.#passage(exit));
    own.compute();
    if (!this.#after.every(Number.isFinite)) {
      this.#stop(LIVE_WORDS.passage);
      return;
    }
    if (!Number.isFinite(this.#loss[0])) {
      this.#stop(LIVE_WORDS.meeting);
      return;
    }
    if (exit.tick) {
      // A tick of a clock moves nothing and is no event.
      y.set(this.#after);
      y[last] = time;
      // Contacts do what they did, until what they watch tells otherwise.
      this.#enter(exit.target, true);
      const falls = this.stopped === null && this.#pending < 0 ? (this.#stay?.falling() ?? -1) : -1;
      if (falls >= 0) this.#pending = written + falls;
      return;
    }
    const since = this.#count(time);
    if (since > LIVE_CROWD * Math.max(1, Math.abs(time))) this.#crowded = 0;
    else if (since > 0) this.#crowded++;
    if (!exit.quiet)
      this.events.push({
        time,
        transition: exit.transition,
        before,
        after: exit.target,
        loss: this.#loss[0],
        impulses: Object.fromEntries(exit.links.map((name, i) => [name, [...own.impulses.subarray(6 * i, 6 * i + 6)]])),
      });
    y.set(this.#after);
    y[last] = time;
    this.#settle(exit.target, exit.quiet ? "" : exit.transition);
    if (this.stopped !== null || this.#stay === null) return;
    // What has been left for itself and would pass the same zero at once must not go through it unseen.
    const again = exit.target === before && this.#pending < 0 && this.#stay.fallsAgain();
    if (again || this.#atOnce > LIVE_AT_ONCE || this.#crowded >= LIVE_CROWDED) this.#stop(LIVE_WORDS.chatters);
  }

  /** Count passages at one instant; the time since the last one [s]. */
  #count(time: number): number {
    const since = time - this.#moment;
    this.#moment = time;
    this.#atOnce = since === 0 ? this.#atOnce + 1 : 0;
    return since;
  }

  #passage(exit: LiveExit): { impulses: Float64Array; compute: () => void } {
    const impulses = new Float64Array(Math.max(1, 6 * exit.links.length));
    const live = this.#stay?.row.data === undefined ? this.live : this.#stay.head;
    const blocks = { loss: this.#loss, impulses, live };
    return { impulses, compute: liveBindState(this, exit.passage, this.y, this.#after, blocks) };
  }
}

/** The polynomial with given states and rates at some times (Hermite), at another time. */
function liveContinued(past: Past[], time: number): Float64Array {
  const last = past[0].y.length - 1,
    made = new Float64Array(last + 1);
  for (const { y, dy } of past) {
    let weight = 1,
      slope = 0;
    for (const other of past) {
      if (other.y === y) continue;
      const apart = y[last] - other.y[last];
      weight *= ((time - other.y[last]) / apart) ** 2;
      slope += 2 / apart;
    }
    const far = time - y[last];
    for (let i = 0; i <= last; i++) made[i] += weight * ((1 - far * slope) * y[i] + far * dy[i]);
  }
  return made;
}
