// Signals of a run along its time: what wires and scopes show.
import { Refused } from "../link";
import type { Curve, Curves } from "../protocol";
import type { Studio } from "../studio.svelte";

/** As many instants as a window has columns. */
const MOST = 1200;

/** A stretch of time that scopes show [s]. */
export interface Stretch {
  from: number;
  to: number;
}

export class Replay {
  /** [s] */
  time = $state(0);
  playing = $state(false);
  times = $state.raw<number[]>([]);
  begin = $state(0);
  end = $state(0);
  /** What scopes show; null for the whole run. */
  stretch = $state.raw<Stretch | null>(null);
  /** Values now, while the machine moves live: they stand before those of a run. */
  live = $state.raw<Record<string, number | null> | null>(null);
  #curves = $state.raw(new Map<string, Curve>());
  /** Values exactly at a time, once the hand rests there. */
  #exact = $state.raw<{ time: number; values: Record<string, number | null> } | null>(null);
  /** The last instant that was told before the time that is shown: looked for once, for all who ask. */
  readonly #index = $derived.by(() => {
    const { times, time } = this;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((times[middle] ?? 0) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  });
  #asked = "";
  #resting: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  /** Whether nothing of the run was shown yet: it is shown as it ended. */
  #fresh = false;
  #run: string | null = null;
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  get run(): string | null {
    return this.#run;
  }

  /** Fetches what is not here yet. */
  async read(run: string | null, names: readonly string[]): Promise<void> {
    const asked = JSON.stringify([run, [...names].sort()]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    if (run !== this.#run) {
      this.#fresh = true;
      this.stretch = null;
      this.#exact = null;
    }
    this.#run = run;
    if (run === null || !names.length) {
      this.times = [];
      this.#curves = new Map();
      return;
    }
    try {
      const found = await this.fetch(names, null);
      if (asked !== this.#asked || !found) return;
      this.times = found.times;
      this.begin = found.begin;
      this.end = found.end;
      this.#curves = new Map(found.curves.map((each) => [each.name, each]));
      if (this.#fresh || this.time > this.end || this.time < this.begin) this.time = this.end;
      this.#fresh = false;
      this.#rest();
    } catch (problem) {
      this.#asked = "";
      if (!(problem instanceof Refused)) throw problem;
      if (problem.code !== "left-out") this.#studio.note("error", problem.failure.message);
    }
  }

  /** Curves in a stretch of time, as finely as there are columns. */
  async fetch(names: readonly string[], stretch: Stretch | null, latest = "curves"): Promise<Curves | null> {
    if (this.#run === null) return null;
    return this.#studio.link.call<Curves>(
      "runs.curves",
      { id: this.#run, names, most: MOST, lang: this.#studio.lang, ...(stretch ?? {}) },
      latest,
    );
  }

  curve(name: string): Curve | null {
    return this.#curves.get(name) ?? null;
  }

  /** The value at the time that is shown: signals of clocks hold, so nothing is put between two instants. */
  value(name: string): number | null {
    if (this.live) return this.live[name] ?? null;
    const exact = this.playing ? null : this.#exact;
    if (exact && exact.time === this.time && name in exact.values) return exact.values[name] ?? null;
    const values = this.#curves.get(name)?.values;
    if (!values?.length) return null;
    return values[this.#index] ?? null;
  }

  /** Shows a time; values between what was fetched follow when it stays. */
  at(time: number): void {
    this.stop();
    this.time = Math.min(this.end, Math.max(this.begin, time));
    this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => void this.#read(), 60);
  }

  async #read(): Promise<void> {
    const { time } = this;
    const names = [...this.#curves.keys()];
    if (this.#run === null || !names.length || this.playing) return;
    try {
      const values = await this.#studio.link.call<Record<string, number | null>>(
        "runs.values",
        { id: this.#run, names, t: time },
        "values",
      );
      this.#exact = { time, values };
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
    }
  }

  play(): void {
    if (this.playing) {
      this.stop();
      this.#rest();
      return;
    }
    if (this.time >= this.end) this.time = this.begin;
    this.playing = true;
    let before = performance.now();
    const step = (now: number) => {
      if (!this.playing) return;
      this.time = Math.min(this.end, this.time + (now - before) / 1000);
      before = now;
      if (this.time >= this.end) {
        this.playing = false;
        this.#rest();
      } else this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop(): void {
    this.playing = false;
    cancelAnimationFrame(this.#frame);
  }
}
