// Postures that bring a point of a body to a place: inverse kinematics of closed loops, by projection.
import { movedBy, pointOf, ratesOn } from "./hands";
import { leastNorm } from "./linear";
import type { LivePostures } from "./postures";

/** Distance that counts as none, in parts of the size of the system, and steps at most. */
const REACH_NEAR = 1e-10,
  REACH_TURNS = 40;
/** The longest step, in parts of the size; how much a step costs, in parts of its square. */
const REACH_STEP = 0.25,
  REACH_DAMPING = 1e-5;

/** What a posture is asked for: a point of a body [m] at a place of the world [m], in a system of some size [m]. */
export interface Reach {
  body: number;
  p: number[];
  to: number[];
  structure: number;
  t: number;
  size: number;
}

/**
 * The posture nearby in which a point is nearest to a place: loops stay closed, joints within their limits.
 *
 * A step is the least change of the velocities that moves the point on its way, among those that keep the loops; then
 * the loops are closed exactly.
 */
export function reachPlace(
  system: LivePostures,
  from: ArrayLike<number>,
  { body, p, to, structure, t, size }: Reach,
): { q: Float64Array; left: number } {
  const { nv } = system.table;
  const rates = ratesOn(system.table, body);
  const far = (q: Float64Array) => {
    const at = pointOf(system.poses(q), body, p);
    return { at, way: to.map((x, i) => x - at[i]) };
  };
  let q: Float64Array = Float64Array.from(from),
    here = far(q),
    left = Math.hypot(...here.way),
    longest = REACH_STEP * size;
  for (let turn = 0; turn < REACH_TURNS && left > REACH_NEAR * size && longest > REACH_NEAR * size; turn++) {
    const twists = Float64Array.from(system.twists(q));
    const J = [0, 1, 2].map(() => new Float64Array(nv));
    for (const rate of rates) movedBy(twists, rate, here.at).forEach((x, i) => (J[i][rate] = x));
    const { rows, value, J: whole } = system.links(q, structure, t);
    const { structures, start } = system.table;
    const links = rows - (structures[structure] ?? structures[start.structure]).forced.length; // postures may leave the motions of the file
    const free = links > 0 ? J.map((row) => along(row, whole, links, nv)) : J;
    const step = Math.min(1, longest / left);
    const push = damped(
      free,
      here.way.map((x) => step * x),
      REACH_DAMPING * size * size,
    );
    const change = new Float64Array(nv);
    free.forEach((row, i) => row.forEach((x, k) => (change[k] += push[i] * x)));
    if (links > 0) {
      const back = leastNorm(whole.slice(0, links * nv), links, nv, value.slice(0, links));
      for (let k = 0; k < nv; k++) change[k] -= back[k];
    }
    const made = system.moved(Float64Array.from(q), change);
    const closed = system.close(made, null, structure, { t, limits: true });
    const next = closed.success ? far(closed.q) : null;
    const distance = next ? Math.hypot(...next.way) : Infinity;
    if (!next || !(distance < left)) {
      longest = 0.25 * Math.min(longest, left);
      continue;
    }
    if (distance > 0.9999 * left) return { q: closed.q, left: distance };
    [q, here, left] = [closed.q, next, distance];
  }
  return { q, left };
}

/** What is left of a row of velocities when links keep hold of them. */
function along(row: Float64Array, links: Float64Array, m: number, n: number): Float64Array {
  const across = new Float64Array(m);
  for (let i = 0; i < m; i++) for (let k = 0; k < n; k++) across[i] += links[i * n + k] * row[k];
  const taken = leastNorm(links.slice(0, m * n), m, n, across);
  return row.map((x, k) => x - taken[k]);
}

/** The solution of (A Aᵀ + μ) x = b for the three rows of A. */
function damped(rows: Float64Array[], b: number[], mu: number): number[] {
  const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, value, k) => sum + value * y[k], 0);
  const [u, v, w] = rows.map((x, i) => rows.map((y, j) => dot(x, y) + (i === j ? mu : 0)));
  const cross = (x: number[], y: number[]) => [
    x[1] * y[2] - x[2] * y[1],
    x[2] * y[0] - x[0] * y[2],
    x[0] * y[1] - x[1] * y[0],
  ];
  const [vw, wu, uv] = [cross(v, w), cross(w, u), cross(u, v)];
  const volume = u.reduce((sum, x, i) => sum + x * vw[i], 0);
  // The matrix is symmetric: columns of its inverse are these products over the volume.
  return [0, 1, 2].map((i) => (b[0] * vw[i] + b[1] * wu[i] + b[2] * uv[i]) / volume);
}
