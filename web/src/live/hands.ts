// What a hand does: a spring from a point of a body to a place of the world.
import type { LiveTable } from "../payload";

type Numbers = ArrayLike<number>;

/** A spring of no length: its force is the stiffness times the way from the point to where the hand is. */
export interface Pull {
  /** Number of the body, and the point of it that is held [m]. */
  body: number;
  p: number[];
  /** Where the hand is in the world [m]. */
  to: number[];
  /** [N/m] */
  stiffness: number;
}

/** Where a point of a body is in the world [m]; `poses` are rows of 12 numbers, the ground first. */
export function pointOf(poses: Numbers, body: number, p: Numbers): number[] {
  const o = 12 * body;
  return [0, 4, 8].map(
    (i) => poses[o + i] * p[0] + poses[o + i + 1] * p[1] + poses[o + i + 2] * p[2] + poses[o + i + 3],
  );
}

/** The force of a hand [N]. */
export function pullForce({ body, p, to, stiffness }: Pull, poses: Numbers): number[] {
  return pointOf(poses, body, p).map((x, i) => stiffness * (to[i] - x));
}

/** What the spring of a hand holds [J]. */
export function pullEnergy(pull: Pull, poses: Numbers): number {
  return (0.5 * Math.hypot(...pullForce(pull, poses)) ** 2) / pull.stiffness;
}

/** Velocities on the way from a body to the ground. */
export function ratesOn({ joints, push }: Pick<LiveTable, "joints" | "push">, body: number): number[] {
  const found: number[] = [];
  for (let at = body; at > 0 && push; at = push.bases[at - 1]) {
    const [, nv, , first] = joints[at - 1];
    for (let k = first; k < first + nv; k++) found.push(k);
  }
  return found;
}

/** How a place of the world that is fixed in a body moves with a velocity [m/s]: v₀ + ω × x. */
export function movedBy(twists: Numbers, rate: number, [x, y, z]: Numbers & Iterable<number>): number[] {
  const o = 6 * rate;
  const [a, b, c] = [twists[o], twists[o + 1], twists[o + 2]];
  return [twists[o + 3] + b * z - c * y, twists[o + 4] + c * x - a * z, twists[o + 5] + a * y - b * x];
}

/** Writes what a hand does on the velocities, by virtual power, and on the bodies. */
export function pullForces(
  pull: Pull,
  poses: Numbers,
  twists: Numbers,
  table: Pick<LiveTable, "joints" | "push">,
  push: Float64Array,
  wrench: Float64Array,
): void {
  const { body, p } = pull;
  const [x, y, z] = pointOf(poses, body, p);
  const [f, g, h] = pullForce(pull, poses);
  push.fill(0);
  for (const rate of ratesOn(table, body)) {
    const [a, b, c] = movedBy(twists, rate, [x, y, z]);
    push[rate] = a * f + b * g + c * h;
  }
  const pole = 12 * body;
  const [u, v, w] = [x - poses[pole + 3], y - poses[pole + 7], z - poses[pole + 11]];
  wrench.set([v * h - w * g, w * f - u * h, u * g - v * f, f, g, h], 6 * (body - 1));
}
