// A text after changes that are not made yet.
import type { Edit } from "../protocol";

/** The text after changes, whose places are those of the text before. */
export function edited(text: string, edits: readonly Edit[]): string {
  let at = 0;
  let made = "";
  for (const { from, to, insert } of [...edits].sort((one, other) => one.from - other.from || one.to - other.to)) {
    made += text.slice(at, from) + insert;
    at = to;
  }
  return made + text.slice(at);
}

/** The innermost of some stretches that a place is in. */
export function innermost<T extends { from: number; to: number }>(stretches: readonly T[], at: number): T | null {
  let found: T | null = null;
  for (const each of stretches)
    if (each.from <= at && at < each.to && (!found || each.from >= found.from)) found = each;
  return found;
}
