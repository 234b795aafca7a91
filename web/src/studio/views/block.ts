// What a block of the canvas is given.
import type { Opens, SchemeNode } from "../protocol";
import type { Studio } from "../studio.svelte";
import type { Replay } from "./replay.svelte";

export interface BlockData extends Record<string, unknown> {
  node: SchemeNode;
  studio: Studio;
  replay: Replay;
  /** Places that a wire leads to and nothing else. */
  wired: ReadonlySet<string>;
  /** What is wrong with it. */
  wrong: string;
  opens(what: Opens): void;
  set(id: string, attribute: string, value: string): void;
}
