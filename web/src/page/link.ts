// A link that carries the time of the cursor and the parameters that were changed: in what follows # in the address.
import type { PageData } from "../payload";
import type { Page } from "./core";
import type { LiveRunner } from "./runner";

/** So much of a second goes into computing before the page is drawn anew [ms]. */
const LINK_PIECE = 40;

/** Parameters with other values than those of the page [SI]. */
export function changedParameters(page: Page<PageData>, runner: LiveRunner | null): Record<string, number> {
  if (!runner || page.motion !== runner.motion) return {};
  const own = page.data.parameters.filter(({ name, live, value }) => live && runner.parameters[name] !== value);
  return Object.fromEntries(own.map(({ name }) => [name, runner.parameters[name]]));
}

/** What follows # for the state of a page. */
export function linkOf(page: Page<PageData>, runner: LiveRunner | null): string {
  const parts = new URLSearchParams({ t: String(Number(page.time.toPrecision(12))) });
  for (const [name, value] of Object.entries(changedParameters(page, runner))) parts.set(`p.${name}`, String(value));
  return `#${parts}`;
}

/** Takes the state from what follows #; whether there was any, and names of parameters that are not possible. */
export async function followLink(
  page: Page<PageData>,
  runner: LiveRunner | null,
  text: string,
): Promise<{ followed: boolean; refused: string[] }> {
  const parts = new URLSearchParams(text.replace(/^#/, ""));
  const time = Number(parts.get("t") ?? NaN);
  const given: Record<string, number> = {};
  const refused: string[] = [];
  for (const [key, word] of parts) {
    if (!key.startsWith("p.")) continue;
    const row = page.data.parameters.find(({ name }) => name === key.slice(2));
    const value = word.trim() ? Number(word) : NaN;
    const fits = row?.live && runner && Number.isFinite(value);
    if (fits && value >= (row.min ?? -Infinity) && value <= (row.max ?? Infinity)) given[row.name] = value;
    else refused.push(key.slice(2));
  }
  if (runner && Object.keys(given).length) {
    runner.given(given, { q: new Map(), v: new Map() });
    while (Number.isFinite(time) && runner.system.t < time && !runner.stuck) {
      const before = runner.system.t;
      runner.advance(time, LINK_PIECE);
      page.seek(runner.motion?.end ?? time);
      await new Promise((go) => requestAnimationFrame(go));
      if (runner.system.t === before) break;
    }
  }
  if (Number.isFinite(time)) page.seek(time);
  return { followed: Number.isFinite(time) || Object.keys(given).length > 0, refused };
}
