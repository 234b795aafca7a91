// Forces of contacts as arrows: from where a contact touches, against the body that is touched.
import type { Pushes } from "../payload";
import type { Place } from "./core";

/** The longest arrow, over the size of the system. */
const LONGEST = 0.22;
/** Length and half the width of its head, over its length. */
const HEAD = [0.26, 0.1];
/** Shorter arrows, over the longest, are not drawn. */
const LEAST = 0.004;

/** An arrow of a force at a moment: a line with a head, [m]. */
export function pushArrows(pushes: Pushes, size: number, planar: boolean, time: number): Place[][] {
  const { times, rows, usual } = pushes;
  const k = before(times, time);
  const next = Math.min(k + 1, times.length - 1);
  const span = times[next] - times[k];
  const share = span > 0 ? Math.min(Math.max((time - times[k]) / span, 0), 1) : 0;
  const paths: Place[][] = [];
  for (const row of rows) {
    const mixed = (numbers: number[]) =>
      [0, 1, 2].map((i) => (1 - share) * numbers[3 * k + i] + share * numbers[3 * next + i]);
    // What begins or ends between two moments does so at the event, not little by little.
    const [first, last] = [k, next].map((n) => Math.hypot(...row.force.slice(3 * n, 3 * n + 3)));
    if (!(first > 0) || !(last > 0)) continue;
    const force = mixed(row.force);
    const strength = Math.hypot(...force);
    const length = LONGEST * size * Math.min(strength / usual, 3);
    if (length < LEAST * LONGEST * size) continue;
    paths.push(
      arrow(
        mixed(row.place),
        force.map((x) => x / strength),
        length,
        planar,
      ),
    );
  }
  return paths;
}

/** The last of rising times that is not after one. */
function before(times: number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A line with a head. */
export function arrow(from: Place, way: Place, length: number, planar: boolean): Place[] {
  const aside = planar ? [-way[1], way[0], 0] : across(way);
  const tip = from.map((x, i) => x + length * way[i]);
  const [long, wide] = HEAD.map((x) => x * length);
  const barb = (sign: number) => tip.map((x, i) => x - long * way[i] + sign * wide * aside[i]);
  return [from, tip, barb(1), tip, barb(-1)];
}

/** A unit vector at right angles to another. */
function across([x, y, z]: Place): Place {
  const made = Math.abs(z) < 0.9 ? [-y, x, 0] : [0, -z, y];
  const length = Math.hypot(...made);
  return made.map((part) => part / length);
}
