// Signals of a run along its time: what wires and scopes show.
import { Refused } from "../link";
import type { Curves } from "../protocol";
import type { Studio } from "../studio.svelte";

/** As many instants as a window has columns. */
const MOST = 1200;

export class Replay {
  /** [s] */
  time = $state(0);
  playing = $state(false);
  times = $state.raw<number[]>([]);
  #curves = $state.raw(new Map<string, { unit: string; values: number[] }>());
  #asked = "";
  #frame = 0;
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  get end(): number {
    return this.times.at(-1) ?? 0;
  }

  get begin(): number {
    return this.times[0] ?? 0;
  }

  /** Fetches what is not here yet. */
  async read(run: string | null, names: readonly string[]): Promise<void> {
    const asked = JSON.stringify([run, names]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    if (run === null || !names.length) {
      this.times = [];
      this.#curves = new Map();
      return;
    }
    try {
      const found = await this.#studio.link.call<Curves>("runs.curves", { id: run, names, most: MOST }, "curves");
      if (asked !== this.#asked) return;
      this.times = found.times;
      this.#curves = new Map(found.curves.map((each) => [each.name, each]));
      if (this.time > this.end || this.time < this.begin) this.time = this.end;
    } catch (problem) {
      this.#asked = "";
      if (!(problem instanceof Refused)) throw problem;
      if (problem.code !== "left-out") this.#studio.complain(problem);
    }
  }

  curve(name: string): { unit: string; values: number[] } | null {
    return this.#curves.get(name) ?? null;
  }

  /** The value at the time that is shown: signals of clocks hold, so nothing is put between two instants. */
  value(name: string): number | null {
    const values = this.#curves.get(name)?.values;
    if (!values?.length) return null;
    return values[this.index()] ?? null;
  }

  index(): number {
    const { times } = this;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((times[middle] ?? 0) <= this.time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  play(): void {
    if (this.playing) {
      this.stop();
      return;
    }
    if (this.time >= this.end) this.time = this.begin;
    this.playing = true;
    let before = performance.now();
    const step = (now: number) => {
      if (!this.playing) return;
      this.time = Math.min(this.end, this.time + (now - before) / 1000);
      before = now;
      if (this.time >= this.end) this.playing = false;
      else this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop(): void {
    this.playing = false;
    cancelAnimationFrame(this.#frame);
  }
}
