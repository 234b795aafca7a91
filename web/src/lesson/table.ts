// The table of Denavit and Hartenberg: frames of its rows, and the arm that it describes.
import type { DhRow, LessonJoint, LessonLink } from "../payload";
import type { Task } from "./arm";

type Numbers = ArrayLike<number>;
/** A pose: three rows of four numbers. */
export type Frame = Float64Array;

/** What a row does, one after another: turn about z, go along z, go along x, turn about x. */
export const DH_MOVES = ["theta", "d", "a", "alpha"] as const;
export type DhMove = (typeof DH_MOVES)[number];

const TABLE_LEAST = 1e-12,
  TABLE_HALF = 1e-9;

/** The product of two poses. */
export function frameProduct(a: Numbers, b: Numbers): Frame {
  const made = new Float64Array(12);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 4; j++) {
      let sum = j === 3 ? a[4 * i + 3] : 0;
      for (let k = 0; k < 3; k++) sum += a[4 * i + k] * b[4 * k + j];
      made[4 * i + j] = sum;
    }
  return made;
}

/** The pose that undoes another. */
export function frameInverse(a: Numbers): Frame {
  const made = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      made[4 * i + j] = a[4 * j + i];
      made[4 * i + 3] -= a[4 * j + i] * a[4 * j + 3];
    }
  }
  return made;
}

/** The pose of rows of four numbers, as the payload has them. */
export function frameOf(rows: number[][]): Frame {
  return Float64Array.from(rows.slice(0, 3).flat());
}

/** One move of a row. */
export function dhMotion(move: DhMove, value: number): Frame {
  const made = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const [c, s] = [Math.cos(value), Math.sin(value)];
  if (move === "d") made[11] = value;
  else if (move === "a") made[3] = value;
  else if (move === "theta") [made[0], made[1], made[4], made[5]] = [c, -s, s, c];
  else [made[5], made[6], made[9], made[10]] = [c, -s, s, c];
  return made;
}

/** The four numbers of a row at a value of its joint. */
export function dhNumbers(row: DhRow, q: number): Record<DhMove, number> {
  const turns = row.kind === "revolute";
  return { theta: row.theta + (turns ? q : 0), d: row.d + (turns ? 0 : q), a: row.a, alpha: row.alpha };
}

/** Frames before, between and behind the rows, in the world. */
export function dhFrames(rows: DhRow[], base: Numbers, values: Numbers): Frame[] {
  const made: Frame[] = [Float64Array.from(base)];
  rows.forEach((row, i) => {
    const numbers = dhNumbers(row, values[i]);
    made.push(DH_MOVES.reduce((frame, move) => frameProduct(frame, dhMotion(move, numbers[move])), made[i]));
  });
  return made;
}

/** What stands around the rows. */
export interface DhSetting {
  base: Frame;
  tool: Frame;
  /** The joints of the rows, and the bodies: the number of joints that move each, the ground first. */
  joints: LessonJoint[];
  moved: number[];
  links: LessonLink[];
  gravity: number[];
}

/** An arm whose table has been changed; bodies keep their shapes and masses, and go with the frames of their joints. */
export class TableArm {
  constructor(
    readonly rows: DhRow[],
    readonly was: DhRow[],
    readonly setting: DhSetting,
  ) {}

  values(q: Numbers): number[] {
    return this.setting.joints.map(({ place }) => q[place]);
  }

  frames(q: Numbers): Frame[] {
    return dhFrames(this.rows, this.setting.base, this.values(q));
  }

  /** Poses of bodies from those of the arm as it was. */
  poses(q: Numbers, poses: Numbers): Float64Array {
    const now = this.frames(q);
    const before = dhFrames(this.was, this.setting.base, this.values(q));
    const made = Float64Array.from(poses);
    this.setting.moved.forEach((k, body) => {
      const own = made.slice(12 * body, 12 * body + 12);
      made.set(frameProduct(now[k], frameProduct(frameInverse(before[k]), own)), 12 * body);
    });
    return made;
  }

  /** The pose of the tool and the Jacobian, as the kernels of the arm give them. */
  look(q: Numbers): { pose: Float64Array; columns: Float64Array } {
    const frames = this.frames(q);
    const tool = frameProduct(frames[this.rows.length], this.setting.tool);
    const pose = Float64Array.of(
      ...[0, 1, 2].flatMap((i) => [...tool.subarray(4 * i, 4 * i + 3)]),
      tool[3],
      tool[7],
      tool[11],
    );
    const columns = new Float64Array(6 * this.rows.length);
    this.rows.forEach((row, k) => {
      const f = frames[k];
      const z = [f[2], f[6], f[10]];
      if (row.kind !== "revolute") columns.set(z, 6 * k + 3);
      else {
        columns.set(z, 6 * k);
        columns.set(
          cross(
            z,
            [3, 7, 11].map((i) => tool[i] - f[i]),
          ),
          6 * k + 3,
        );
      }
    });
    return { pose, columns };
  }

  /** A step of Levenberg and Marquardt, as the kernels of the arm take it. */
  step(task: Task, q: Numbers, target: Numbers, damping: number): { next: Float64Array; errors: Float64Array } {
    const { joints } = this.setting;
    const { pose, columns } = this.look(q);
    const { rows, errors } = tableErrors(task, pose, columns, target, joints.length);
    const push = joints.map((_, k) => rows.reduce((sum, { e, J }) => sum + e * J[k], 0));
    const free = joints.map(({ place, low, high }, k) =>
      (low !== null && q[place] <= low && push[k] < 0) || (high !== null && q[place] >= high && push[k] > 0) ? 0 : 1,
    );
    const held = rows.map(({ J }) => J.map((x, k) => x * free[k]));
    const small = damping * errors[0] + TABLE_LEAST;
    const S = held.map((a, i) => held.map((b, j) => inner(a, b) + (i === j ? small : 0)));
    const y = solved(
      S,
      rows.map(({ e }) => e),
    );
    const next = Float64Array.from(joints, ({ place, low, high }, k) => {
      const value = q[place] + held.reduce((sum, row, i) => sum + row[k] * y[i], 0);
      return Math.max(Math.min(value, high ?? Infinity), low ?? -Infinity);
    });
    return { next, errors: Float64Array.from(errors) };
  }

  /** Forces of the joints in a motion, with a mass at the tool [N or N·m]: Newton and Euler, in the world. */
  forces(q: Numbers, v: Numbers, a: Numbers, mass: number, poses: Numbers): Float64Array {
    const { joints, moved, links, gravity } = this.setting;
    const frames = this.frames(q);
    const n = joints.length;
    // Of every frame: its turning, the rate of that, and how its origin accelerates, falling upward with gravity.
    const w = [[0, 0, 0]];
    const dw = [[0, 0, 0]];
    const dv = [gravity.map((x) => -x)];
    for (let k = 0; k < n; k++) {
      const [f, g] = [frames[k], frames[k + 1]];
      const z = [f[2], f[6], f[10]];
      const [rate, change] = [v[joints[k].place], a[joints[k].place]];
      const arm = [3, 7, 11].map((i) => g[i] - f[i]);
      if (this.rows[k].kind === "revolute") {
        w.push(z.map((x, i) => w[k][i] + rate * x));
        const turn = cross(w[k], z);
        dw.push(z.map((x, i) => dw[k][i] + change * x + rate * turn[i]));
      } else {
        w.push(w[k]);
        dw.push(dw[k]);
      }
      const [euler, centre] = [cross(dw[k + 1], arm), cross(w[k + 1], cross(w[k + 1], arm))];
      const made = dv[k].map((x, i) => x + euler[i] + centre[i]);
      if (this.rows[k].kind !== "revolute") {
        const twice = cross(w[k], z);
        made.forEach((_, i) => (made[i] += change * z[i] + 2 * rate * twice[i]));
      }
      dv.push(made);
    }
    const tau = new Float64Array(n);
    const add = (k: number, at: number[], force: number[], moment: number[]) => {
      for (let j = 0; j < k; j++) {
        const f = frames[j];
        const z = [f[2], f[6], f[10]];
        const about = cross(
          [3, 7, 11].map((i, axis) => at[axis] - f[i]),
          force,
        );
        tau[joints[j].place] += this.rows[j].kind === "revolute" ? inner(z, moment) + inner(z, about) : inner(z, force);
      }
    };
    const pulled = (k: number, at: number[]) => {
      const g = frames[k];
      const arm = [3, 7, 11].map((i, axis) => at[axis] - g[i]);
      const [euler, centre] = [cross(dw[k], arm), cross(w[k], cross(w[k], arm))];
      return dv[k].map((x, i) => x + euler[i] + centre[i]);
    };
    links.forEach(({ mass: own, com, inertia }, i) => {
      const [o, k] = [12 * (i + 1), moved[i + 1]];
      const R = [0, 4, 8].map((row) => [poses[o + row], poses[o + row + 1], poses[o + row + 2]]);
      const at = R.map((row, axis) => inner(row, com) + poses[o + 4 * axis + 3]);
      const [xx, yy, zz, xy, xz, yz] = inertia;
      const I = [
        [xx, xy, xz],
        [xy, yy, yz],
        [xz, yz, zz],
      ];
      const inside = (x: number[]) => [0, 1, 2].map((j) => R.reduce((sum, row, axis) => sum + row[j] * x[axis], 0));
      const outside = (x: number[]) => R.map((row) => inner(row, x));
      const turned = (x: number[]) => {
        const own = inside(x);
        return outside(I.map((row) => inner(row, own)));
      };
      const gyro = cross(w[k], turned(w[k]));
      add(
        k,
        at,
        pulled(k, at).map((x) => own * x),
        turned(dw[k]).map((x, axis) => x + gyro[axis]),
      );
    });
    if (mass > 0) {
      const { pose } = this.look(q);
      const at = [pose[9], pose[10], pose[11]];
      add(
        n,
        at,
        pulled(n, at).map((x) => mass * x),
        [0, 0, 0],
      );
    }
    return tau;
  }
}

function cross(a: Numbers, b: Numbers): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function inner(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Errors of a pose against a target with their Jacobians, and the cost with both squares of errors. */
function tableErrors(
  task: Task,
  pose: Numbers,
  columns: Numbers,
  target: Numbers,
  n: number,
): { rows: { e: number; J: number[] }[]; errors: number[] } {
  const rows: { e: number; J: number[] }[] = [];
  const errors = [0, 0, 0];
  const line = (i: number) => Array.from({ length: n }, (_, k) => columns[6 * k + i]);
  const axis = (R: Numbers, j: number) => [R[j], R[3 + j], R[6 + j]];
  if (task !== "position") {
    const used = task === "pose" ? [0, 1, 2] : [2];
    const sine = [0, 0, 0];
    let cosine = 0;
    for (const j of used) {
      const [own, asked] = [axis(pose, j), axis(target, j)];
      cross(own, asked).forEach((x, i) => (sine[i] += x));
      cosine += inner(own, asked);
    }
    if (task === "pose") {
      sine.forEach((x, i) => (sine[i] = 0.5 * x));
      cosine = 0.5 * (cosine - 1);
    }
    const upper = 1 + cosine;
    const stretch = cosine < 0 ? Math.sqrt(2 / Math.max(upper, TABLE_HALF)) : 1;
    const versine = cosine < 0 ? 1 - cosine : inner(sine, sine) / Math.max(upper, 1);
    errors[0] += versine;
    errors[1] = 2 * versine;
    const e = sine.map((x) => x * stretch);
    if (task === "pose") e.forEach((x, i) => rows.push({ e: x, J: line(i) }));
    else {
      const lines = [0, 1, 2].map(line);
      for (const j of [0, 1]) {
        const way = axis(target, j);
        rows.push({ e: inner(way, e), J: lines[0].map((_, k) => way.reduce((sum, x, i) => sum + x * lines[i][k], 0)) });
      }
    }
  }
  for (let i = 0; i < 3; i++) {
    const way = target[9 + i] - pose[9 + i];
    rows.push({ e: way, J: line(3 + i) });
    errors[2] += way * way;
  }
  errors[0] += 0.5 * errors[2];
  return { rows, errors };
}

/** The solution of a positive system, by Cholesky's way without roots. */
function solved(S: number[][], b: number[]): number[] {
  const n = b.length;
  const L = S.map((row) => [...row]);
  const D = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    let own = S[j][j];
    for (let k = 0; k < j; k++) own -= L[j][k] * L[j][k] * D[k];
    D[j] = own;
    for (let i = j + 1; i < n; i++) {
      let entry = S[i][j];
      for (let k = 0; k < j; k++) entry -= L[i][k] * L[j][k] * D[k];
      L[i][j] = entry / own;
    }
  }
  const x = [...b];
  for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
  for (let i = 0; i < n; i++) x[i] /= D[i];
  for (let i = n - 1; i >= 0; i--) for (let k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
  return x;
}
