// A work under way in a view: how far it is, what came of it, and a way to interrupt it.
import { Refused } from "../../link";
import type { Studio } from "../../studio.svelte";
import type { JobEntry } from "../../protocol";
import type { Failure } from "./protocol";

export class Working<T> {
  busy = $state(false);
  result = $state.raw<T | null>(null);
  problem = $state.raw<Failure | null>(null);
  #job = $state<string | null>(null);
  #turn = 0;

  constructor(readonly studio: Studio) {}

  /** How far it is, as the server tells it. */
  get entry(): JobEntry | null {
    return this.studio.jobs.find((each) => each.job === this.#job) ?? null;
  }

  /** Works; what was under way in this place before is given up. Answers null where it fails or is given up. */
  async start(name: string, params: object, into = ""): Promise<T | null> {
    await this.stop();
    const turn = ++this.#turn;
    this.busy = true;
    this.problem = null;
    try {
      const found = await this.studio.work<T>(name, params, into, (job) => {
        if (turn === this.#turn) this.#job = job;
        else void this.studio.link.call("run.interrupt", { job }).catch(() => undefined);
      });
      if (turn !== this.#turn) return null;
      this.result = found;
      return found;
    } catch (problem) {
      if (turn !== this.#turn) return null;
      if (!(problem instanceof Refused)) throw problem;
      this.result = null;
      if (problem.code !== "interrupted") this.problem = problem.failure;
      return null;
    } finally {
      if (turn === this.#turn) {
        this.busy = false;
        this.#job = null;
      }
    }
  }

  /** Gives up what is under way. */
  async stop(): Promise<void> {
    const job = this.#job;
    this.#turn++;
    this.busy = false;
    this.#job = null;
    if (job) await this.studio.link.call("run.interrupt", { job }).catch(() => undefined);
  }

  /** Forgets what was found. */
  clear(): void {
    void this.stop();
    this.result = null;
    this.problem = null;
  }
}
