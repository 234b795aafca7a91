// What may be written at a place, as the service says it.
import { snippet, type Completion, type CompletionResult } from "@codemirror/autocomplete";
import type { Words } from "../protocol";
import type { Studio } from "../studio.svelte";

interface Option {
  label: string;
  kind: string;
  detail: Words;
  about: Words;
  insert: string;
  /** The same with places to fill in, as `${1:what}`. */
  snippet: string | null;
}

/** Asks a method of the service what may be written; without an answer nothing is offered. */
export async function offered(studio: Studio, method: string, asked: object): Promise<CompletionResult | null> {
  try {
    const found = await studio.link.call<{ from: number; to: number; items: Option[] }>(
      method,
      { ...asked, lang: studio.lang },
      method,
    );
    if (!found.items.length) return null;
    const options = found.items.map((each, place): Completion => {
      const info = studio.say(each.about);
      return {
        label: each.label,
        type: each.kind,
        detail: studio.say(each.detail),
        // They come in the order in which they are wanted.
        boost: Math.max(-99, -place),
        ...(info ? { info } : {}),
        apply: each.snippet ? snippet(each.snippet) : each.insert,
      };
    });
    return { from: found.from, to: found.to, options, validFor: /^[\w\u0400-\u04ff.-]*$/ };
  } catch {
    return null;
  }
}
