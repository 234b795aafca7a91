// Live mode: the page integrates the equations itself, in pieces short enough that it never freezes.
import type { Pull } from "../live/hands";
import type { LiveEvent, LiveSystem } from "../live/live";
import type { Changes } from "../live/postures";
import type { PageData, RunEvent, Words } from "../payload";
import { consoleSaid } from "./consolesaid";
import type { Moment, Motion, Page, Runner } from "./core";
import { GrowingMotion, type Layout, motionLayout } from "./motion";

/** What computing may take of a frame [ms]. */
const RUNNER_BUDGET = 11;
/** States that are kept at most, and the longest time between two of them [s]. */
const RUNNER_ROWS = 400_000;
const RUNNER_PIECE = 1 / 60;

/** How the names of events begin at which an input changed. */
const GIVEN = "input: ";

/** Values of parameters from a time on [SI]. */
interface Given {
  from: number;
  values: Record<string, number>;
}

/** A motion that another is compared with, and the parameters that it had. */
export interface Ghost {
  motion: Motion;
  given: Given[];
}

/** What can be set: parameters, and how the motion begins. */
export interface Setting {
  parameters: Record<string, number>;
  initial: Moment;
  touched: boolean;
  changes: Changes | null;
}

/** Drives a system in time with the clock, and keeps what it computed. */
export class LiveRunner implements Runner {
  readonly layout: Layout;
  /** What a motion begins with; until somebody changes it, what the file says for the values of the parameters. */
  readonly initial: Moment;
  /** Values of the parameters that can be changed [SI]. */
  readonly parameters: Record<string, number> = {};
  running = false;
  motion: GrowingMotion | null = null;
  /** Why the motion cannot go on. */
  stuck: Words | null = null;
  /** How fast it is, compared with what is wanted. */
  pace = 1;
  /** Called when something about it has changed, and when the initial state has. */
  changed: (() => unknown) | null = null;
  moved: (() => unknown) | null = null;
  /** What an operator did in this motion: times, inputs, values [SI]. */
  record: { time: number; input: string; value: number }[] = [];
  /** Called when that grows. */
  recorded: (() => unknown) | null = null;
  /** What is done again, in the order of time. */
  #again: { time: number; input: string; value: number }[] = [];
  #touched = false;
  /** How the start differs from that of the file, unless somebody gave another one. */
  #changes: Changes | null = null;
  #before: number | null = null;
  /** How many events of the system are kept already. */
  #seen = 0;
  /** The motion before this one, to compare with; at first the run of the page. */
  ghost: Ghost | null = null;
  /** The longest time between two states that are kept [s]. */
  piece = RUNNER_PIECE;
  /** How strong hands are, over the usual. */
  strength = 1;
  /** Values of the parameters in this motion, from some time on each. */
  #given: Given[] = [];
  /** Whether a hand has been at work in this motion. */
  #pushed = false;

  constructor(
    readonly page: Page<PageData>,
    readonly system: LiveSystem,
  ) {
    const { start, parameters } = page.data;
    this.layout = motionLayout(page.data);
    this.initial = {
      q: Float64Array.from(start.q),
      v: Float64Array.from(start.v),
      t: start.t,
      structure: start.structure,
    };
    for (const row of parameters) if (row.live && row.value !== null) this.parameters[row.name] = row.value;
    if (page.recorded)
      this.ghost = { motion: page.recorded, given: [{ from: -Infinity, values: { ...this.parameters } }] };
    page.live = this;
  }

  /** The number of the structure in which the system is: those that contacts make are added to the page's when first met. */
  #structure(doing = this.system.doing, base = this.system.structure): number {
    if (doing === null) return base;
    const { structures } = this.page.data,
      { name } = this.system.table.structures[base];
    const whole = this.system.table.structures.length > 1 ? { en: `${name}: `, ru: `${name}: ` } : { en: "", ru: "" };
    const said = { en: whole.en + doing.en, ru: whole.ru + doing.ru };
    if (doing.en === "") return base;
    const known = structures.findIndex((each) => each.said.en === said.en);
    if (known >= 0) return known;
    return structures.push({ name: said.en, key: said.en, said, class: "" }) - 1;
  }

  /** The structure of the file that a structure of the page belongs to. */
  #base(structure: number): number {
    const { structures, start } = this.system.table;
    if (structure < structures.length) return structure;
    const { key } = this.page.data.structures[structure];
    const found = structures.findIndex(({ name }) => key === name || key.startsWith(`${name}: `));
    return found < 0 ? start.structure : found;
  }

  /** Begins anew, from the initial state. */
  begin(run = false): void {
    const { page, system, motion: before } = this;
    if (this.running) this.hold();
    if (before && before.end > before.begin) this.ghost = { motion: before, given: this.#given };
    this.#given = [{ from: -Infinity, values: { ...this.parameters } }];
    this.#pushed = false;
    this.#seen = 0;
    this.pace = 1;
    this.record = [];
    this.#again = [];
    const { q, v, t, structure } = this.initial;
    this.stuck = system.start(
      this.#touched
        ? { q, v, t, structure: this.#base(structure), parameters: this.parameters }
        : { parameters: this.parameters, changes: this.#changes },
    );
    if (!this.stuck) {
      q.set(system.q);
      v.set(system.v);
      this.moved?.();
    }
    this.motion = new GrowingMotion(this.layout);
    this.motion.add(system.t, system.q, system.v, this.#structure(), system.memory);
    page.exchange(this.motion, system.t);
    if (run) this.run();
    this.changed?.();
    this.recorded?.();
  }

  /** Values of the parameters in this motion, from some time on each. */
  get values(): readonly Given[] {
    return this.#given;
  }

  /** Whether as many states are kept as may be. */
  get full(): boolean {
    return (this.motion?.rows.length ?? 0) > RUNNER_ROWS;
  }

  /** Whether the motion began as the file says, with its parameters. */
  get asFile(): boolean {
    const same = this.page.data.parameters.every(({ name, live, value }) => !live || this.parameters[name] === value);
    return same && !this.#touched && this.#changes === null && !this.#pushed;
  }

  /** What the motion begins with and goes on with, to come back to. */
  get setting(): Setting {
    const { q, v, t, structure } = this.initial;
    const initial = { q: Float64Array.from(q), v: Float64Array.from(v), t, structure };
    return { parameters: { ...this.parameters }, initial, touched: this.#touched, changes: this.#changes };
  }

  /** Comes back to what was set before: other parameters act at once, another beginning begins. */
  set({ parameters, initial, touched, changes }: Setting): void {
    const now = this.setting;
    const alike = (a: Float64Array, b: Float64Array) => a.every((x, i) => x === b[i]);
    const begins = touched === now.touched && changes === now.changes && initial.structure === now.initial.structure;
    if (begins && (!touched || (alike(initial.q, now.initial.q) && alike(initial.v, now.initial.v)))) {
      this.change(parameters);
      return;
    }
    Object.assign(this.parameters, parameters);
    this.initial.q.set(initial.q);
    this.initial.v.set(initial.v);
    Object.assign(this.initial, { t: initial.t, structure: initial.structure });
    this.#touched = touched;
    this.#changes = changes;
    this.begin(this.running);
  }

  /**
   * Gives parameters other values [SI]: a motion that goes on does so with them, one that has not begun begins with them.
   * @returns why it cannot; they keep their values then
   */
  change(values: Record<string, number>): Words | null {
    const before = { ...this.parameters };
    Object.assign(this.parameters, values);
    const { system, motion } = this;
    if (!motion || this.stuck || motion.rows.length < 2) {
      this.begin(this.running);
      return this.stuck;
    }
    const wrong = system.setParameters(this.parameters);
    if (wrong && system.stopped === null) {
      Object.assign(this.parameters, before);
      return wrong;
    }
    this.stuck = system.stopped;
    this.#given.push({ from: system.t, values: { ...this.parameters } });
    this.changed?.();
    return wrong;
  }

  /** The stiffness of a hand [N/m]: a quarter of the size away it carries the system, unless it is weaker or stronger. */
  get stiffness(): number {
    const { mass = 0 } = this.system.table.push ?? {};
    return (this.strength * 4 * 9.81 * (mass || 1)) / (this.page.data.size || 1);
  }

  /** Whether hands can push. */
  get pushes(): boolean {
    return this.system.table.push?.acts ?? false;
  }

  /** Holds a point of a body with a hand at a place [m]; null lets go. The motion goes on with it. */
  pull(held: Omit<Pull, "stiffness"> | null): void {
    const { system, motion, page } = this;
    if (!motion || this.stuck || page.motion !== motion) return;
    system.pull(held && { ...held, stiffness: this.stiffness });
    this.#pushed = true;
    this.stuck = system.stopped;
    const row = motion.add(system.t, system.q, system.v, this.#structure(), system.memory, system.pulled);
    page.emit("samples", [row]);
    page.seek(motion.end);
  }

  /** Gives an input of a scheme another value, now; what does not move yet begins to. */
  give(input: string, value: number): void {
    if (!this.motion || this.stuck || this.page.motion !== this.motion) this.begin(true);
    this.#again = [];
    this.#give(input, value);
    this.run();
  }

  #give(input: string, value: number): void {
    const { system, motion, page } = this;
    if (!motion || this.stuck) return;
    system.setInputs({ [input]: value });
    this.stuck = system.stopped;
    this.record.push({ time: system.t, input, value });
    for (; this.#seen < system.events.length; this.#seen++) motion.events.push(this.told(system.events[this.#seen]));
    // The state after it: rows of one time are the two sides of a jump.
    const row = motion.add(system.t, system.q, system.v, this.#structure(), system.memory);
    page.emit("samples", [row]);
    page.seek(motion.end);
    this.recorded?.();
  }

  /** Begins anew, and does what the operator did again at the same instants. */
  replay(): void {
    const done = [...this.record];
    this.begin();
    this.#again = done;
    this.#due();
    this.run();
  }

  /** Does what is to be done again at the present instant. */
  #due(): void {
    while (this.#again.length && this.#again[0].time <= this.system.t) {
      const { input, value } = this.#again[0];
      this.#again.shift();
      this.#give(input, value);
    }
  }

  /** Begins anew from another state. */
  from({ q, v, structure }: Pick<Moment, "q" | "v" | "structure">, run = false): void {
    this.initial.q.set(q);
    this.initial.v.set(v);
    this.initial.structure = structure;
    this.#touched = true;
    this.begin(run);
  }

  /** Begins anew as the file would say with other parameters and other numbers in its start [SI]. */
  given(parameters: Record<string, number>, changes: Changes): void {
    const { start } = this.page.data;
    const run = this.running;
    Object.assign(this.parameters, parameters);
    Object.assign(this.initial, { t: start.t, structure: start.structure });
    this.#touched = false;
    this.#changes = changes.q.size || changes.v.size ? changes : null;
    this.begin(run);
  }

  /** Begins anew as the file says. */
  reset(run = false): void {
    this.#changes = null;
    const { start, parameters } = this.page.data;
    for (const row of parameters) if (row.live && row.value !== null) this.parameters[row.name] = row.value;
    Object.assign(this.initial, { t: start.t, structure: start.structure });
    this.#touched = false;
    this.begin(run);
  }

  /** Goes on with the clock. */
  run(): void {
    if (this.running || !this.motion || this.stuck) return;
    this.page.player.playing = false;
    if (this.page.motion !== this.motion) this.page.exchange(this.motion, this.motion.end);
    this.running = true;
    this.#before = null;
    requestAnimationFrame((now) => this.tick(now));
    this.page.player.show();
    this.changed?.();
  }

  hold(): void {
    this.running = false;
    this.page.player.show();
    this.changed?.();
  }

  tick(now: number): void {
    const { page, system, motion } = this;
    if (!this.running || !motion) return;
    const passed = this.#before === null ? 0.016 : Math.min((now - this.#before) / 1000, 0.1);
    this.#before = now;
    const wanted = passed * page.player.speed;
    const from = system.t;
    this.advance(from + wanted, RUNNER_BUDGET);
    // What the processor could not do in its time is left out, rather than caught up with.
    this.pace += 0.1 * ((system.t - from) / wanted - this.pace);
    page.seek(motion.end);
    if (this.stuck || this.full) this.hold();
    else if (this.running) requestAnimationFrame((next) => this.tick(next));
    this.changed?.();
  }

  /** Integrates until a time [s], or as far as it gets in so many milliseconds; keeps the states on the way. */
  advance(until: number, budget = Infinity): number {
    const { page, motion, system } = this;
    if (!motion) return system.t;
    const began = performance.now();
    const fresh: Moment[] = [];
    const piece = Math.min(Math.max((until - system.t) / 8, 1e-6), this.piece);
    while (system.t < until && !this.stuck) {
      const goal = Math.min(system.t + piece, until, this.#again[0]?.time ?? Infinity);
      system.advance(goal, { budget_ms: budget });
      this.take(motion, fresh);
      this.#due();
      this.stuck = system.stopped;
      if (performance.now() - began > budget) break;
    }
    if (fresh.length) page.emit("samples", fresh);
    return motion.end;
  }

  /** Keeps where the system is, and what has happened since the last time. */
  take(motion: GrowingMotion, fresh: Moment[]): void {
    const { system } = this;
    for (; this.#seen < system.events.length; this.#seen++) motion.events.push(this.told(system.events[this.#seen]));
    if (system.t > motion.end || !motion.rows.length) {
      fresh.push(motion.add(system.t, system.q, system.v, this.#structure(), system.memory, system.pulled));
    }
  }

  /** A transition as people call it. */
  #said(transition: string): string | Words {
    const { leaves = [] } = this.system.table.elements ?? {};
    for (const { names, said } of leaves) {
      const at = names.indexOf(transition);
      if (at >= 0) return said[at];
    }
    return transition;
  }

  /** An event of the integrator as the page tells events. */
  told({ time, transition, before: from, after: to, loss, impulses, did }: LiveEvent): RunEvent {
    const before = this.#structure(did?.[0] ?? null, from),
      after = this.#structure(did?.[1] ?? null, to);
    if (transition.startsWith(GIVEN)) {
      const [input, value] = transition.slice(GIVEN.length).split(/ = (?=[^=]*$)/);
      const said = consoleSaid(this.page.data, input, Number(value));
      return { time, before, after, said, loss: null, impulse: null };
    }
    let impulse: { name: string; size: number } | null = null;
    for (const [name, [, , , x, y, z]] of Object.entries(impulses)) {
      const size = Math.hypot(x, y, z);
      if (size > 1e-12 && size > (impulse?.size ?? 0)) impulse = { name, size };
    }
    const { structures, contacts } = this.page.data;
    const plain = transition === "" || transition === `${structures[before]?.key} → ${structures[after]?.key}`;
    const where = impulse ? contacts[impulse.name] : undefined;
    return {
      time,
      before,
      after,
      said: plain ? "" : this.#said(transition),
      loss: impulse ? loss : null,
      impulse,
      where,
    };
  }
}
