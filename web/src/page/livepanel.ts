// Live mode: the page integrates the equations itself, in pieces short enough that it never freezes.
import type { LiveEvent, LiveSystem } from "../live/live";
import type { Changes } from "../live/postures";
import type { PageData, RunEvent, Words } from "../payload";
import type { Moment, Page, Runner } from "./core";
import { consoleSaid } from "./console";
import { domNode, numberText } from "./dom";
import { fieldNumber, shownUnit } from "./joints";
import { GrowingMotion, type Layout, motionLayout } from "./motion";
import { wordNode, wordOf } from "./words";

/** What computing may take of a frame [ms]. */
const RUNNER_BUDGET = 11;
/** States that are kept at most, and the longest time between two of them [s]. */
const RUNNER_ROWS = 400_000;
const RUNNER_PIECE = 1 / 60;

/** How the names of events begin at which an input changed. */
const GIVEN = "input: ";

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
    page.live = this;
  }

  /** Begins anew, from the initial state. */
  begin(run = false): void {
    const { page, system } = this;
    if (this.running) this.hold();
    this.#seen = 0;
    this.pace = 1;
    this.record = [];
    this.#again = [];
    const { q, v, t, structure } = this.initial;
    this.stuck = system.start(
      this.#touched
        ? { q, v, t, structure, parameters: this.parameters }
        : { parameters: this.parameters, changes: this.#changes },
    );
    if (!this.stuck) {
      q.set(system.q);
      v.set(system.v);
      this.moved?.();
    }
    this.motion = new GrowingMotion(this.layout);
    this.motion.add(system.t, system.q, system.v, system.structure, system.memory);
    page.exchange(this.motion, system.t);
    if (run) this.run();
    this.changed?.();
    this.recorded?.();
  }

  /** Whether the motion began as the file says, with its parameters. */
  get asFile(): boolean {
    const same = this.page.data.parameters.every(({ name, live, value }) => !live || this.parameters[name] === value);
    return same && !this.#touched && this.#changes === null;
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
    const row = motion.add(system.t, system.q, system.v, system.structure, system.memory);
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
    if (this.stuck || motion.rows.length > RUNNER_ROWS) this.hold();
    else if (this.running) requestAnimationFrame((next) => this.tick(next));
    this.changed?.();
  }

  /** Integrates until a time [s], or as far as it gets in so many milliseconds; keeps the states on the way. */
  advance(until: number, budget = Infinity): number {
    const { page, motion, system } = this;
    if (!motion) return system.t;
    const began = performance.now();
    const fresh: Moment[] = [];
    const piece = Math.min(Math.max((until - system.t) / 8, 1e-6), RUNNER_PIECE);
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
      fresh.push(motion.add(system.t, system.q, system.v, system.structure, system.memory));
    }
  }

  /** An event of the integrator as the page tells events. */
  told({ time, transition, before, after, loss, impulses }: LiveEvent): RunEvent {
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
    return { time, before, after, said: plain ? "" : transition, loss: impulse ? loss : null, impulse, where };
  }
}

/** The panel. */
export function mountLive(
  element: HTMLElement,
  page: Page<PageData>,
  system: LiveSystem,
  runner: LiveRunner | null,
): void {
  if (!runner) {
    const why = domNode("p", { class: "note" });
    const said = () => (why.textContent = page.say(system.refused));
    said();
    page.on("lang", said);
    element.append(wordNode(page, domNode("h3", {}), "refused"), why);
    return;
  }
  const { coordinates, rates } = page.data;
  const { initial: values, parameters } = runner;

  const act = (key: string, call: () => void, more = "") =>
    wordNode(page, domNode("button", { type: "button", class: `plain ${more}`, onclick: call }), key);
  const go = domNode("button", { type: "button", class: "plain strong", "data-live": "start" });
  go.addEventListener("click", () => {
    if (runner.running) runner.hold();
    else if (runner.motion && !runner.stuck) runner.run();
    else runner.begin(true);
  });
  const again = act("resetLive", () => runner.begin(runner.running));
  again.dataset.live = "reset";
  const state = domNode("p", { class: "live-state", role: "status" });
  const energies = domNode("p", { class: "live-energy" });
  const trouble = domNode("p", { class: "note warn", hidden: true, role: "alert" });
  element.append(
    wordNode(page, domNode("p", { class: "note" }), "about"),
    domNode("div", { class: "panel-tools" }, go, again),
    state,
    trouble,
    energies,
  );

  // --- parameters
  const live = page.data.parameters.filter((parameter) => parameter.live);
  const fixed = page.data.parameters.filter((parameter) => !parameter.live);
  if (live.length || fixed.length) element.append(wordNode(page, domNode("h3", {}), "parameters"));
  const sliders = domNode("div", { class: "joint-list" });
  const drawParameters = () => {
    sliders.replaceChildren(
      ...live.map((parameter, i) => {
        const { scale } = parameter;
        const unit = page.say(parameter.shownUnit);
        const slider = domNode("input", {
          type: "range",
          ...page.named(`parameter-${i}`),
          min: (parameter.low ?? 0) * scale,
          max: (parameter.high ?? 0) * scale,
          step: "any",
        });
        const field = domNode("input", { type: "number", step: "any", "aria-label": parameter.name });
        const name = domNode(
          "label",
          { class: "joint-name", for: page.id(`parameter-${i}`), title: parameter.about || parameter.name },
          parameter.name,
        );
        const show = () => {
          slider.value = String(parameters[parameter.name] * scale);
          field.value = fieldNumber(parameters[parameter.name] * scale, 7);
        };
        const set = (shown: number) => {
          if (!Number.isFinite(shown)) return;
          let value = shown / scale;
          if (parameter.min !== null) value = Math.max(value, parameter.min);
          if (parameter.max !== null) value = Math.min(value, parameter.max);
          parameters[parameter.name] = value;
          show();
          // A motion that goes on does so with the new numbers; one that has not begun begins with them.
          if (runner.motion && !runner.stuck && runner.motion.rows.length > 1) {
            runner.stuck = system.setParameters(parameters);
            changed();
          } else runner.begin(runner.running);
        };
        slider.addEventListener("input", () => set(Number(slider.value)));
        field.addEventListener("change", () => set(field.value === "" ? NaN : Number(field.value)));
        show();
        return domNode("div", { class: "joint" }, name, slider, field, domNode("span", { class: "unit" }, unit));
      }),
    );
  };
  element.append(sliders);
  const built = domNode("p", { class: "note" });
  if (fixed.length) element.append(built);

  // --- initial state
  const head = wordNode(page, domNode("h3", {}), "initial");
  const fields = domNode("table", { class: "initial" });
  const here = act("fromHere", () => {
    if (page.now) runner.from(page.now);
  });
  const file = act("asFile", () => {
    runner.reset();
    drawParameters();
  });
  const place: HTMLSelectElement = domNode("select", {
    onchange: () => runner.from({ ...values, structure: Number(place.value) }),
  });
  wordNode(page, place, "structure", {}, "aria-label");
  const drawFields = () => {
    place.replaceChildren(
      ...page.data.structures.map((structure, i) =>
        domNode("option", { value: i, selected: i === values.structure }, page.say(structure.said)),
      ),
    );
    place.hidden = page.data.structures.length < 2;
    const cell = (array: Float64Array, i: number, kind: string, name: string, key: string) => {
      const { scale, digits } = shownUnit(kind, false);
      const field = domNode("input", { type: "number", step: "any", value: fieldNumber(array[i] * scale, digits) });
      field.setAttribute("aria-label", `${name}: ${wordOf(page, key)}`);
      field.addEventListener("change", () => {
        if (field.value === "" || !Number.isFinite(Number(field.value))) return;
        array[i] = Number(field.value) / scale;
        runner.from(values);
      });
      return domNode("td", {}, field);
    };
    const unit = (kind: string, rate: boolean) => {
      const { word } = shownUnit(kind, false);
      const text = word ? wordOf(page, word) : "";
      return domNode("td", { class: "unit" }, rate ? `${text || "1"}/${wordOf(page, "second")}` : text);
    };
    const partner = runner.layout.partner;
    const rows = coordinates.map((coordinate, i) => {
      const k = partner[i];
      const cells: HTMLElement[] = [domNode("th", { scope: "row", title: coordinate.name }, coordinate.name)];
      cells.push(cell(values.q, i, coordinate.kind, coordinate.name, "initialValue"), unit(coordinate.kind, false));
      if (k >= 0) cells.push(cell(values.v, k, rates[k].kind, rates[k].name, "initialRate"), unit(rates[k].kind, true));
      return domNode("tr", {}, ...cells);
    });
    const spun = new Set(partner);
    rates.forEach((rate, k) => {
      if (spun.has(k)) return;
      rows.push(
        domNode(
          "tr",
          {},
          domNode("th", { scope: "row" }, rate.name),
          domNode("td"),
          domNode("td"),
          cell(values.v, k, rate.kind, rate.name, "initialRate"),
          unit(rate.kind, true),
        ),
      );
    });
    fields.replaceChildren(domNode("tbody", {}, ...rows));
  };
  element.append(
    head,
    domNode("div", { class: "panel-tools" }, here, file, place),
    domNode("div", { class: "scroll-x" }, fields),
  );

  const changed = () => {
    go.textContent = wordOf(page, runner.running ? "stopLive" : runner.motion && !runner.stuck ? "goOn" : "startLive");
    const now = page.motion === runner.motion ? page.now : null;
    const slow =
      runner.running && runner.pace < 0.9
        ? ` · ${wordOf(page, "slow", { times: numberText(runner.pace * page.player.speed, 2) })}`
        : "";
    const where = now && page.say(page.data.structures[now.structure]?.said);
    state.textContent = now
      ? `${numberText(now.t, 5)} ${wordOf(page, "second")}${where ? ` · ${where}` : ""}${slow}`
      : "";
    trouble.hidden = !runner.stuck;
    if (runner.stuck) trouble.textContent = `${wordOf(page, "halted")}: ${page.say(runner.stuck)}`;
    if (now) {
      const { kinetic, potential, total } = system.energies(now.q, now.v);
      const said = Object.entries({ kinetic, potential, whole: total })
        .map(([key, value]) => `${wordOf(page, key)} ${numberText(value)}`)
        .join(" · ");
      energies.textContent = `${wordOf(page, "energy")}, ${wordOf(page, "joule")}: ${said}`;
    } else energies.textContent = "";
  };
  const follow = () => {
    if (element.offsetParent) changed();
  };
  runner.changed = follow;
  runner.moved = drawFields;
  const words = () => {
    drawParameters();
    drawFields();
    built.textContent = wordOf(page, "fixedParameters", { names: fixed.map((parameter) => parameter.name).join(", ") });
    changed();
  };
  page.on("lang", words);
  page.on("time", follow);
  page.on("motion", follow);
  page.on("shown", follow);
  words();
}
