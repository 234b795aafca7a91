// The ghost: how the motion before this one was at the same time, faded.
import { LivePostures } from "../live/postures";
import type { LiveSystem } from "../live/live";
import type { Page } from "./core";
import type { Ghost, LiveRunner } from "./runner";

/** Where bodies of ghosts are: with the parameters that they had. */
export class Shades {
  shown = true;
  readonly #postures: LivePostures;

  constructor(
    readonly page: Page,
    system: LiveSystem,
    readonly runner: LiveRunner,
  ) {
    this.#postures = new LivePostures(system.kernels, system.table);
  }

  /** Values of the live parameters of the ghost, since its poses were asked for. */
  get values(): Float64Array {
    return this.#postures.values;
  }

  /** Poses of the ghost at the cursor; null where there is none. */
  get poses(): Float64Array | null {
    const { page, runner } = this;
    const { ghost } = runner;
    if (!this.shown || !ghost || page.motion !== runner.motion) return null;
    const state = ghost.motion.at(Math.min(page.time, ghost.motion.end));
    if (!state) return null;
    this.#postures.setValues(valuesAt(ghost, state.t));
    return this.#postures.poses(state.q);
  }
}

function valuesAt({ given }: Ghost, t: number): Record<string, number> {
  return given.findLast(({ from }) => from <= t)?.values ?? {};
}
