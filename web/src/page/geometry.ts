// What follows parameters: numbers of the payload are computed anew where parameters get other values.
import { type LiveSystem, makeKernels } from "../live/live";
import type { PageData } from "../payload";
import type { Page } from "./core";

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
  const { geometry } = page.data;
  if (!geometry) return;
  const [kernel] = makeKernels(await page.unpack(geometry.id));
  const slots = geometrySlots(page.data, geometry.places);
  const numbers = new Float64Array(slots.length);
  system.changed = () => {
    kernel(system.values, numbers);
    // Lengths that cannot be leave the picture as it is.
    if (!numbers.every(Number.isFinite)) return;
    slots.forEach(([holder, key], i) => (holder[key] = numbers[i]));
    page.emit("geometry", null);
  };
}
