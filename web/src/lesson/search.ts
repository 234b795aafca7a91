// Inverse kinematics in the page: the same searches as those of the library, attempt by attempt.
import type { LessonJoint } from "../payload";
import type { LessonArm, Task } from "./arm";

type Numbers = ArrayLike<number>;
export type Search = "lm" | "ccd";

/** What a search may take: angles [rad], ways [m], how often it tries. */
export interface SearchOptions {
  turn: number;
  slide: number;
  iterations: number;
  restarts: number;
  damping: number;
  up: number;
  down: number;
}

/** Where an attempt ended. */
interface Attempt {
  q: Float64Array;
  iterations: number;
  success: boolean;
}

/** What is left of a target. */
export interface SearchErrors {
  pose: Float64Array;
  left: number[];
  turn: number;
  slide: number;
}

/** Why a target is not reached: what remains, how many components are asked for where joints are too few, which limits bind. */
export interface SearchReasons {
  left: number[];
  rows: number;
  binding: { joint: LessonJoint; limit: number }[];
}

/** The answer of a search, verified by forward kinematics. */
export interface Found extends SearchErrors {
  q: Float64Array;
  success: boolean;
  iterations: number | null;
  attempt: number | null;
  reasons: SearchReasons | null;
}

const SEARCH_SLACK = 1 + 1e-6;
const SEARCH_HALF = Math.PI - 1e-6;
const SEARCH_FREE: Record<Task, number> = { pose: -1, position: -1, pointing: 2 };
const SEARCH_ASKED: Record<Task, number[]> = {
  pose: [1, 1, 1, 1, 1, 1],
  position: [0, 0, 0, 1, 1, 1],
  pointing: [1, 1, 0, 1, 1, 1],
};

/** What a method takes where nothing else is said. */
export const SEARCH_USUAL: Record<Search, SearchOptions> = {
  lm: { turn: 1e-8, slide: 1e-8, iterations: 40, restarts: 100, damping: 0.1, up: 4, down: 0.7 },
  // It has no damping.
  ccd: { turn: 1e-2, slide: 1e-3, iterations: 1000, restarts: 100, damping: 0, up: 1, down: 1 },
};

const searchLow = (joint: LessonJoint) => joint.low ?? -Infinity;
const searchHigh = (joint: LessonJoint) => joint.high ?? Infinity;

/** Coordinates within the limits of the joints that move the tool. */
export function searchClamped(arm: LessonArm, q: Numbers): Float64Array {
  const made = Float64Array.from(q);
  for (const joint of arm.joints)
    made[joint.place] = Math.min(Math.max(made[joint.place], searchLow(joint)), searchHigh(joint));
  return made;
}

/** One attempt of Levenberg and Marquardt: where it ended, its cost, how many iterations it took. */
function searchAttempt(
  arm: LessonArm,
  task: Task,
  target: Float64Array,
  seed: Float64Array,
  options: SearchOptions,
  stall: number,
): Attempt & { cost: number } {
  const q = Float64Array.from(seed);
  const best = { q: Float64Array.from(seed), cost: -1, iterations: 0, success: false };
  let damping = options.damping;
  let again = false;
  let stalled = 0;
  for (;;) {
    const { next, errors } = arm.step(task, q, target, damping);
    best.iterations += 1;
    let over: boolean;
    if (again || best.cost < 0 || errors[0] < best.cost) {
      if (!again) {
        const little = best.cost >= 0 && errors[0] > best.cost * (1 - stall);
        stalled = little ? stalled + 1 : 0;
        if (best.cost >= 0) damping = Math.max(damping * options.down, arm.search.least);
        best.cost = errors[0];
        best.q.set(q);
      }
      again = false;
      best.success = errors[1] <= options.turn ** 2 && errors[2] <= options.slide ** 2;
      let moves = false;
      arm.joints.forEach(({ place }, k) => {
        if (Math.abs(next[k] - q[place]) > 1e-15) moves = true;
        q[place] = next[k];
      });
      over = best.success || !moves || stalled >= arm.search.slow;
    } else {
      damping *= options.up;
      again = true;
      q.set(best.q);
      over = !(damping < arm.search.most);
    }
    if (over || best.iterations >= options.iterations) return best;
  }
}

/** Where attempts begin: the seed, then places within the limits, which `startOf` tells by their number, from 1 on. */
function* searchSeeds(
  arm: LessonArm,
  seed: Float64Array,
  restarts: number,
  startOf: (number: number) => number[],
): Generator<Float64Array> {
  yield Float64Array.from(seed);
  for (let i = 1; i <= restarts; i++) {
    const q = Float64Array.from(seed);
    const start = startOf(i);
    arm.joints.forEach(({ place }, k) => (q[place] = start[k]));
    yield q;
  }
}

/** The answer of the first attempt that succeeds, or the best of all. */
function searchAll(
  arm: LessonArm,
  task: Task,
  target: Float64Array,
  seed: Float64Array,
  options: SearchOptions,
): Attempt & { attempt: number } {
  let found: (Attempt & { cost: number }) | null = null;
  let attempt = 0;
  const stall = options.restarts ? arm.search.stall : 0;
  const by = { free: SEARCH_FREE[task], turn: task === "position" ? 0 : 0.5, slide: 0.5 };
  for (const begin of searchSeeds(arm, seed, options.restarts, (number) => arm.nearestStart(number, target, by))) {
    const one = searchAttempt(arm, task, target, begin, options, stall);
    if (one.success) return { ...one, attempt };
    if (!found || one.cost < found.cost) found = one;
    attempt += 1;
  }
  return { ...(found ?? searchNowhere(seed)), attempt };
}

/** There is always a first attempt; this is what would be there without. */
const searchNowhere = (q: Float64Array): Attempt => ({ q, iterations: 0, success: false });

const searchDot = (a: Numbers, i: number, b: Numbers, j: number) =>
  a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];

/** The angle by which a joint brings the tool nearest to its target [rad]; Wang and Chen, 1991. */
function searchTurn(
  columns: Float64Array,
  o: number,
  tool: Float64Array,
  target: Float64Array,
  turns: number[],
  place: number,
  scale: number,
): number {
  const [ax, ay, az] = [columns[o], columns[o + 1], columns[o + 2]];
  let [k1, k2, k3] = [0, 0, 0];
  if (place > 0) {
    const cx = columns[o + 4] * az - columns[o + 5] * ay;
    const cy = columns[o + 5] * ax - columns[o + 3] * az;
    const cz = columns[o + 3] * ay - columns[o + 4] * ax;
    const [dx, dy, dz] = [cx + target[9] - tool[9], cy + target[10] - tool[10], cz + target[11] - tool[11]];
    const near = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const far = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const most = Math.max(near, far);
    const weight = place * (1 + (most > 0 ? Math.min(near, far) / most : 1)) * scale * scale;
    k1 = weight * (dx * ax + dy * ay + dz * az) * (cx * ax + cy * ay + cz * az);
    k2 = weight * (dx * cx + dy * cy + dz * cz);
    k3 = weight * (ax * (cy * dz - cz * dy) + ay * (cz * dx - cx * dz) + az * (cx * dy - cy * dx));
  }
  for (let j = 0; j < 3; j++) {
    if (!(turns[j] > 0)) continue;
    const i = 3 * j;
    const [ux, uy, uz, wx, wy, wz] = [tool[i], tool[i + 1], tool[i + 2], target[i], target[i + 1], target[i + 2]];
    k1 += turns[j] * (ux * ax + uy * ay + uz * az) * (wx * ax + wy * ay + wz * az);
    k2 += turns[j] * (ux * wx + uy * wy + uz * wz);
    k3 += turns[j] * (ax * (uy * wz - uz * wy) + ay * (uz * wx - ux * wz) + az * (ux * wy - uy * wx));
  }
  return Math.atan2(k3, k2 - k1);
}

/** Moves all joints once, from the tip to the base; the tool goes with them. */
function searchSweep(
  arm: LessonArm,
  q: Float64Array,
  tool: Float64Array,
  columns: Float64Array,
  target: Float64Array,
  turns: number[],
  place: number,
  scale: number,
): void {
  const whole = 2 * Math.PI;
  for (let k = arm.joints.length - 1; k >= 0; k--) {
    const o = 6 * k;
    const joint = arm.joints[k];
    const [low, high] = [searchLow(joint), searchHigh(joint)];
    const turning = searchDot(columns, o, columns, o) > 0.25;
    let there = q[joint.place];
    if (turning) {
      there += searchTurn(columns, o, tool, target, turns, place, scale);
      if (there > high && there - whole >= low) there -= whole;
      if (there < low && there + whole <= high) there += whole;
    } else if (place > 0) {
      there +=
        (target[9] - tool[9]) * columns[o + 3] +
        (target[10] - tool[10]) * columns[o + 4] +
        (target[11] - tool[11]) * columns[o + 5];
    }
    there = Math.min(Math.max(there, low), high);
    const move = there - q[joint.place];
    q[joint.place] = there;
    const [ax, ay, az] = [columns[o], columns[o + 1], columns[o + 2]];
    let [px, py, pz] = [move * columns[o + 3], move * columns[o + 4], move * columns[o + 5]];
    if (turning) {
      const [c, s] = [Math.cos(move), Math.sin(move)];
      const x = columns[o + 4] * az - columns[o + 5] * ay;
      const y = columns[o + 5] * ax - columns[o + 3] * az;
      const z = columns[o + 3] * ay - columns[o + 4] * ax;
      for (let i = 0; i < 9; i += 3) {
        const along = (1 - c) * (ax * tool[i] + ay * tool[i + 1] + az * tool[i + 2]);
        const [u, v, w] = [tool[i], tool[i + 1], tool[i + 2]];
        tool[i] = c * u + s * (ay * w - az * v) + along * ax;
        tool[i + 1] = c * v + s * (az * u - ax * w) + along * ay;
        tool[i + 2] = c * w + s * (ax * v - ay * u) + along * az;
      }
      px = (c - 1) * x + s * (ay * z - az * y);
      py = (c - 1) * y + s * (az * x - ax * z);
      pz = (c - 1) * z + s * (ax * y - ay * x);
    }
    // Columns of the joints before: the tool is elsewhere now, and so is its velocity.
    for (let i = 0; i < o; i += 6) {
      columns[i + 3] += columns[i + 1] * pz - columns[i + 2] * py;
      columns[i + 4] += columns[i + 2] * px - columns[i] * pz;
      columns[i + 5] += columns[i] * py - columns[i + 1] * px;
    }
    tool[9] += px;
    tool[10] += py;
    tool[11] += pz;
  }
}

/** Size of the arm [m]: how far apart its tool is where attempts begin. */
function searchSize(arm: LessonArm, seed: Float64Array): number {
  const places = arm.starts.map((start) => {
    const q = Float64Array.from(seed);
    arm.joints.forEach(({ place }, k) => (q[place] = start[k]));
    return Float64Array.from(arm.look(q).pose.subarray(9));
  });
  const middle = [0, 1, 2].map((i) => places.reduce((sum, place) => sum + place[i], 0) / places.length);
  return Math.max(...places.map((place) => Math.hypot(...middle.map((x, i) => place[i] - x))));
}

/** Cyclic coordinate descent. */
function searchDescend(
  arm: LessonArm,
  task: Task,
  given: Float64Array,
  seed: Float64Array,
  options: SearchOptions,
): Attempt & { attempt: number } {
  const target = new Float64Array(12);
  for (let j = 0; j < 3; j++) for (let i = 0; i < 3; i++) target[3 * j + i] = given[3 * i + j];
  target.set(given.slice(9), 9);
  const turns = { pose: [1, 1, 1], position: [0, 0, 0], pointing: [0, 0, 1] }[task];
  const size = 1 / Math.max(1e-9, searchSize(arm, seed));
  const turnEnough = options.turn * (SEARCH_FREE[task] < 0 ? 0.8 : 1);
  const enough = options.restarts ? 0.9 : 1 - 1e-9;
  const tool = new Float64Array(12);
  const columns = new Float64Array(6 * arm.joints.length);
  let found: (Attempt & { error: number }) | null = null;
  let attempt = 0;
  for (const q of searchSeeds(arm, seed, options.restarts, (number) => arm.starts[number - 1])) {
    const gain = size * [4, 8, 2][attempt % 3];
    let success = false;
    let before = -1;
    let error = 0;
    let done = 0;
    for (let number = 0; number <= options.iterations; number++) {
      const look = arm.look(q);
      columns.set(look.columns);
      for (let j = 0; j < 3; j++) {
        for (let i = 0; i < 3; i++) tool[3 * j + i] = look.pose[3 * i + j];
        tool[9 + j] = look.pose[9 + j];
      }
      let turn = 0;
      for (let j = 0; j < 3; j++) {
        if (!turns[j]) continue;
        const i = 3 * j;
        const x = tool[i + 1] * target[i + 2] - tool[i + 2] * target[i + 1];
        const y = tool[i + 2] * target[i] - tool[i] * target[i + 2];
        const z = tool[i] * target[i + 1] - tool[i + 1] * target[i];
        turn = Math.max(turn, Math.atan2(Math.sqrt(x * x + y * y + z * z), searchDot(tool, i, target, i)));
      }
      const slide = Math.hypot(target[9] - tool[9], target[10] - tool[10], target[11] - tool[11]);
      error = turn + slide * size;
      done = number;
      success = turn <= turnEnough && slide <= options.slide;
      if (success) break;
      if (number % arm.search.patience === 0) {
        const near = turn <= 10 * turnEnough && slide <= 10 * options.slide;
        if (before >= 0 && error > before * (near ? arm.search.patient : enough)) break;
        before = error;
      }
      if (number < options.iterations) searchSweep(arm, q, tool, columns, target, turns, 1, gain);
    }
    if (success) return { q, iterations: done, attempt, success };
    if (!found || error < found.error) found = { q, error, iterations: done, success };
    attempt += 1;
  }
  return { ...(found ?? searchNowhere(seed)), attempt };
}

/**
 * What is left from a pose to a target, in the axes of the target: a rotation vector [rad], then a way [m]; components
 * that are not asked for are 0.
 */
export function searchLeft(task: Task, pose: Numbers, target: Numbers): number[] {
  const free = SEARCH_FREE[task];
  const left = [0, 0, 0, 0, 0, 0];
  let c = 0;
  for (let j = 0; j < 3; j++) {
    if (free >= 0 && free !== j) continue;
    const [ux, uy, uz, wx, wy, wz] = [pose[j], pose[3 + j], pose[6 + j], target[j], target[3 + j], target[6 + j]];
    const cross = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
    c += ux * wx + uy * wy + uz * wz;
    for (let i = 0; i < 3; i++) left[i] += cross[0] * target[i] + cross[1] * target[3 + i] + cross[2] * target[6 + i];
  }
  if (free < 0) {
    c = 0.5 * (c - 1);
    for (let i = 0; i < 3; i++) left[i] *= 0.5;
  }
  const s = Math.hypot(left[0], left[1], left[2]);
  const angle = Math.atan2(s, c);
  if (s > 1e-9) for (let i = 0; i < 3; i++) left[i] *= angle / s;
  if (angle > SEARCH_HALF) searchHalfTurn(pose, target, free, left);
  for (let j = 0; j < 3; j++)
    for (let i = 0; i < 3; i++) left[3 + j] += target[3 * i + j] * (target[9 + i] - pose[9 + i]);
  return left.map((value, i) => value * SEARCH_ASKED[task][i]);
}

/** The rotation vector of what is nearly a half turn, where sines tell too little of the axis. */
function searchHalfTurn(pose: Numbers, target: Numbers, free: number, left: number[]): void {
  if (free >= 0) {
    if (Math.max(...left.slice(0, 3).map(Math.abs)) < 1)
      for (let i = 0; i < 3; i++) left[i] = i === (free + 1) % 3 ? Math.PI : 0;
    return;
  }
  const E = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => target[i] * pose[j] + target[3 + i] * pose[3 + j] + target[6 + i] * pose[6 + j]),
  );
  const outer = E.map((row, i) => row.map((x, j) => 0.5 * (0.5 * (x + E[j][i]) + (i === j ? 1 : 0))));
  const column = [0, 1, 2].reduce((best, i) => (outer[i][i] > outer[best][best] ? i : best), 0);
  const picked = outer.map((row) => row[column]);
  const length = Math.hypot(...picked);
  const side = picked.reduce((sum, x, i) => sum + x * left[i], 0) < 0 ? -1 : 1;
  for (let i = 0; i < 3; i++) left[i] = (Math.PI * side * picked[i]) / length;
}

/** The same posture, angles as near to the seed as whole turns within the limits bring them. */
function searchUnwound(arm: LessonArm, q: Float64Array, seed: Float64Array): Float64Array {
  const made = Float64Array.from(q);
  for (const joint of arm.joints) {
    if (!joint.turns) continue;
    const there = q[joint.place] + 2 * Math.PI * Math.round((seed[joint.place] - q[joint.place]) / (2 * Math.PI));
    if (there >= searchLow(joint) && there <= searchHigh(joint)) made[joint.place] = there;
  }
  return made;
}

/** Errors of coordinates against a target, by forward kinematics: what is left, the angle [rad], the distance [m]. */
export function searchErrors(arm: LessonArm, task: Task, q: Float64Array, target: Numbers): SearchErrors {
  const pose = Float64Array.from(arm.look(q).pose);
  const left = searchLeft(task, pose, target);
  return { pose, left, turn: Math.hypot(...left.slice(0, 3)), slide: Math.hypot(...left.slice(3)) };
}

/** Coordinates that stand at a limit and would go on. */
function searchBinding(arm: LessonArm, q: Float64Array, target: Numbers, left: number[]): SearchReasons["binding"] {
  const { columns } = arm.look(q);
  const e = [0, 3].flatMap((o) =>
    [0, 1, 2].map((i) => target[3 * i] * left[o] + target[3 * i + 1] * left[o + 1] + target[3 * i + 2] * left[o + 2]),
  );
  const worst = Math.max(...columns.map(Math.abs)) * Math.max(...e.map(Math.abs));
  return arm.joints.flatMap((joint, k) => {
    const push = e.reduce((sum, x, i) => sum + x * columns[6 * k + i], 0);
    return [
      [searchLow(joint), -1],
      [searchHigh(joint), 1],
    ]
      .filter(([limit, sign]) => Math.abs(q[joint.place] - limit) <= 1e-9 && sign * push > 1e-3 * worst)
      .map(([limit]) => ({ joint, limit }));
  });
}

/** Why a target is not reached, as data: what remains, whether joints are too few, which limits bind. */
function searchReasons(
  arm: LessonArm,
  task: Task,
  q: Float64Array,
  target: Numbers,
  left: number[],
  options: SearchOptions,
): SearchReasons {
  const rows = SEARCH_ASKED[task].filter(Boolean).length;
  return {
    left: left.map((value, i) => (Math.abs(value) > (i < 3 ? options.turn : options.slide) / Math.sqrt(3) ? value : 0)),
    rows: rows > arm.joints.length ? rows : 0,
    binding: searchBinding(arm, q, target, left),
  };
}

/**
 * Coordinates that bring the tool to a target, verified by forward kinematics.
 * @param arm what moves the tool
 * @param method Levenberg and Marquardt's, or cyclic coordinate descent
 * @param task which part of the target counts
 * @param target nine numbers of its axes by rows, then its place [m]
 * @param seed where to begin
 * @param given what differs from `SEARCH_USUAL`
 */
export function searchPose(
  arm: LessonArm,
  method: Search,
  task: Task,
  target: Numbers,
  seed: Numbers,
  given: Partial<SearchOptions> = {},
): Found {
  const options = { ...SEARCH_USUAL[method], ...given };
  const begin = searchClamped(arm, seed);
  const whole = Float64Array.from(target);
  const found =
    method === "ccd" ? searchDescend(arm, task, whole, begin, options) : searchAll(arm, task, whole, begin, options);
  let q = searchUnwound(arm, found.q, begin);
  let errors = searchErrors(arm, task, q, whole);
  let { iterations } = found;
  const good = () => errors.turn <= options.turn * SEARCH_SLACK && errors.slide <= options.slide * SEARCH_SLACK;
  if (method === "lm" && !good()) {
    const finish = { ...options, restarts: 0, iterations: Math.max(arm.search.polish, options.iterations) };
    const more = searchAll(arm, task, whole, q, finish);
    iterations += more.iterations;
    q = searchUnwound(arm, more.q, begin);
    errors = searchErrors(arm, task, q, whole);
  }
  const success = good();
  const reasons = success ? null : searchReasons(arm, task, q, whole, errors.left, options);
  return { q, success, iterations, attempt: found.attempt, ...errors, reasons };
}
