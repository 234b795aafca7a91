// Signals of schemes at the cursor: of a live motion from its states, of a run from its curves and its record.
import type { LiveSystem } from "../live/live";
import type { ControlData, PageData } from "../payload";
import type { Moment, Page } from "./core";
import { type Drawn, plotsDecode, plotsValue } from "./curves";

/** What tells values of signals, by their numbers in `page.data.control.signals` [SI]. */
export class SignalReader {
  readonly #flows: ((() => void) | null)[] = [];
  readonly #state: Float64Array;
  readonly #flowing: Float64Array;
  /** Curves of signals by their numbers. */
  readonly #curves = new Map<number, { drawn: Drawn; place: number }>();
  readonly #inputs: Set<number>;

  constructor(
    readonly page: Page<PageData>,
    readonly system: LiveSystem,
    readonly control: ControlData,
  ) {
    const { flowing = [], structures } = system.table;
    this.#state = new Float64Array(system.size);
    this.#flowing = new Float64Array(Math.max(1, flowing.length));
    this.#inputs = new Set(control.inputs.flatMap(({ signals }) => signals));
    for (const { signals = null } of structures) {
      const out = signals === null ? "" : system.table.kernels[signals].outputs[0][0];
      this.#flows.push(signals === null ? null : system.bind(signals, { y: this.#state, [out]: this.#flowing }));
    }
  }

  /** Unpacks the curves of the run. */
  async load(): Promise<void> {
    const { curves } = this.page.data;
    if (!curves || this.#curves.size) return;
    const decoded = plotsDecode(curves, await this.page.unpackBytes(curves.id));
    const names = new Map(this.control.signals.map(({ name }, i) => [name, i]));
    curves.charts.forEach((chart, k) => {
      if (chart.group !== "signals") return;
      chart.curves.forEach(({ name }, place) => {
        const i = names.get(this.page.say(name));
        if (i !== undefined) this.#curves.set(i, { drawn: decoded[k], place });
      });
    });
  }

  /** Values of all signals at a moment of what moves; null where nothing tells them. */
  at(moment: Moment): (number | null)[] {
    const { page, control } = this;
    if (moment.m) return this.#live(moment, moment.m);
    if (page.motion.kind === "recorded") return control.signals.map((_, i) => this.#recorded(i, moment.t));
    return control.signals.map((_, i) => (this.#inputs.has(i) ? control.given[i] : null));
  }

  #live({ q, v, t, structure }: Moment, m: Float64Array): (number | null)[] {
    const { nq, nv } = this.system.table;
    const flow = this.#flows[structure] ?? null;
    if (flow) {
      this.#state.set(q);
      this.#state.set(v, nq);
      this.#state.set(m, nq + nv);
      this.#state[this.#state.length - 1] = t;
      flow();
    }
    return this.control.signals.map(({ memory, flow: place }) =>
      memory !== null ? m[memory] : place !== null && flow ? this.#flowing[place] : null,
    );
  }

  #recorded(i: number, t: number): number | null {
    if (this.#inputs.has(i)) {
      let value = this.control.given[i];
      for (const [time, signal, next] of this.control.record) if (signal === i && time <= t) value = next;
      return value;
    }
    const found = this.#curves.get(i);
    if (!found) return null;
    const value = plotsValue(found.drawn.t, found.drawn.y[found.place], t);
    return value !== null && this.control.signals[i].truth ? Math.round(value) : value;
  }
}
