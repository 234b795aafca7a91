// All postures with one pose of the tool: searches from many places, and what is alike counted once.
import type { LessonArm, Task } from "./arm";
import { searchErrors, searchPose } from "./search";

/** Attempts, and how near postures are that count as one [rad or m]. */
const BRANCH_STARTS = 240,
  BRANCH_ALIKE = 1e-5;
/** Attempts without anything new after which there is nothing more to expect. */
const BRANCH_PATIENCE = 140;
/** Errors that a posture may have [rad and m]. */
const BRANCH_EXACT = 1e-10;

/** A posture with the pose that was asked for. */
export interface Branch {
  q: Float64Array;
  turn: number;
  slide: number;
  /** How far the joints go from where one begins [rad or m]. */
  way: number;
}

/** Whether postures can be listed: as many joints as what is asked for has components, so that they are apart. */
export function branchesApart(arm: LessonArm, task: Task): boolean {
  const rows = arm.planar ? { pose: 3, position: 2, pointing: 3 }[task] : { pose: 6, position: 3, pointing: 5 }[task];
  return arm.joints.length <= rows;
}

/**
 * The postures within the limits that bring the tool to a target, the one that is nearest to the seed first.
 *
 * Searches begin at the seed, at places all over the ranges, and where a known posture is with some joints turned: by a
 * half, or to the other side. What they find is polished, verified by forward kinematics, and kept once.
 */
export function branchesOf(arm: LessonArm, task: Task, target: ArrayLike<number>, seed: ArrayLike<number>): Branch[] {
  const found: Branch[] = [];
  const goal = Float64Array.from(target);
  const begin = Float64Array.from(seed);
  const options = { restarts: 0, turn: BRANCH_EXACT, slide: BRANCH_EXACT, iterations: 60 };
  const starts: Float64Array[] = [begin];
  const whole = 2 * Math.PI;
  const alike = (a: Float64Array, b: Float64Array) =>
    arm.joints.every(({ place, turns }) => {
      const away = Math.abs(a[place] - b[place]);
      return (turns ? Math.abs(away - whole * Math.round(away / whole)) : away) < BRANCH_ALIKE;
    });
  let vain = 0;
  const look = (start: Float64Array) => {
    const { q, turn, slide, success } = searchPose(arm, "lm", task, goal, start, options);
    vain++;
    if (!success || found.some((each) => alike(each.q, q))) return;
    vain = 0;
    const near = unwound(arm, q, begin);
    const way = Math.hypot(...arm.joints.map(({ place }) => near[place] - begin[place]));
    found.push({ q: near, turn, slide, way });
    starts.push(...turned(arm, near));
  };
  for (const place of drawn(arm, begin)) {
    for (let start = starts.pop(); start; start = starts.pop()) look(start);
    look(place);
    if (vain > BRANCH_PATIENCE) break;
  }
  return found.sort((a, b) => a.way - b.way);
}

/** Places all over the ranges of the joints. */
function* drawn(arm: LessonArm, from: Float64Array): Generator<Float64Array> {
  const { first, last } = arm.draw;
  // Multiples of irrational numbers fill a box evenly (Kronecker); the same ones every time.
  for (let i = 1; i <= BRANCH_STARTS; i++) {
    const q = Float64Array.from(from);
    arm.joints.forEach(({ place, low, high }, k) => {
      const [a, b] = [low ?? first[k], high ?? last[k]];
      const share = (i * Math.sqrt([2, 3, 5, 7, 11, 13, 17, 19, 23][k % 9])) % 1;
      q[place] = a + (b - a) * share;
    });
    yield q;
  }
}

/** Where other postures of an arm often are: one joint half a turn on, or on the other side, or two of them. */
function turned(arm: LessonArm, q: Float64Array): Float64Array[] {
  const made: Float64Array[] = [];
  const changed = (changes: [number, number][]) => {
    const next = Float64Array.from(q);
    for (const [k, value] of changes) {
      const { place, low, high, turns } = arm.joints[k];
      let there = value;
      if (turns && high !== null && there > high) there -= 2 * Math.PI;
      if (turns && low !== null && there < low) there += 2 * Math.PI;
      next[place] = Math.min(Math.max(there, low ?? -Infinity), high ?? Infinity);
    }
    made.push(next);
  };
  const at = (k: number) => q[arm.joints[k].place];
  const n = arm.joints.length;
  for (let k = 0; k < n; k++) {
    changed([[k, -at(k)]]);
    if (arm.joints[k].turns) changed([[k, at(k) + Math.PI]]);
  }
  if (n >= 6)
    changed([
      [n - 3, at(n - 3) + Math.PI],
      [n - 2, -at(n - 2)],
      [n - 1, at(n - 1) + Math.PI],
    ]);
  return made;
}

/** The same posture with angles as near to another as whole turns within the limits bring them. */
function unwound(arm: LessonArm, q: Float64Array, near: Float64Array): Float64Array {
  const made = Float64Array.from(q);
  for (const { place, turns, low, high } of arm.joints) {
    if (!turns) continue;
    const there = q[place] + 2 * Math.PI * Math.round((near[place] - q[place]) / (2 * Math.PI));
    if (there >= (low ?? -Infinity) && there <= (high ?? Infinity)) made[place] = there;
  }
  return made;
}

/** How far postures are from the target, all of them. */
export function branchesWorst(arm: LessonArm, task: Task, target: ArrayLike<number>, all: Branch[]): number {
  return Math.max(0, ...all.map(({ q }) => searchErrors(arm, task, q, target)).map(({ turn, slide }) => turn + slide));
}
