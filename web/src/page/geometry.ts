// What follows parameters: numbers of the payload are computed anew where parameters get other values.
import { type LiveSystem, makeKernels } from "../live/live";
import type { PageData } from "../payload";
import type { Motion, Page } from "./core";

/** Where a number stands: what holds it, and its key. */
type Slot = [Record<string | number, number>, string | number];

/** The numbers of a payload that places lead to. */
export function geometrySlots(data: object, places: (string | number)[][]): Slot[] {
  return places.map((place) => {
    let holder: unknown = data;
    for (const key of place.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key];
    return [holder as Slot[0], place[place.length - 1]];
  });
}

/** Keeps pictures, points and frames of a page where the parameters of its system have them. */
export async function followParameters(page: Page<PageData>, system: LiveSystem): Promise<void> {
  followMotions(page, system);
  const { geometry } = page.data;
  if (!geometry) return;
  const [kernel] = makeKernels(await page.unpack(geometry.id));
  const slots = geometrySlots(page.data, geometry.places);
  const numbers = new Float64Array(slots.length);
  const put = (values: Float64Array) => {
    kernel(values, numbers);
    // Lengths that cannot be leave the picture as it is.
    if (!numbers.every(Number.isFinite)) return false;
    slots.forEach(([holder, key], i) => (holder[key] = numbers[i]));
    return true;
  };
  system.changed = () => {
    if (put(system.values)) page.emit("geometry", null);
  };
  page.withValues = (values, act) => {
    put(values);
    act();
    put(system.values);
  };
}

/** A run that was recorded has the parameters of the file; a motion to which one comes back has those that it had. */
function followMotions(page: Page<PageData>, system: LiveSystem): void {
  const live = system.table.parameters.filter((row) => row.live && row.place !== null);
  const valuesNow = () => Object.fromEntries(live.map((row) => [row.name, system.values[row.place ?? 0]]));
  const written = Object.fromEntries(live.map((row) => [row.name, row.value]));
  const known = new WeakMap<Motion, Record<string, number>>();
  let last: Motion | null = null;
  page.on("motion", (motion) => {
    if (last && last !== motion && last.kind === "live") known.set(last, valuesNow());
    last = motion;
    const values = motion.kind === "recorded" ? written : known.get(motion);
    if (values) system.setValues(values);
  });
}
