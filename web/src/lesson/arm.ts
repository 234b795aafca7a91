// The arm of a lesson: its kernels, and what follows from a pose and a Jacobian.
import type { Kernel } from "../live/postures";
import { type DhSetting, TableArm, frameOf } from "./table";
import type { DhRow, LessonData, LessonDraw, LessonFrame, LessonJoint, LessonSearch } from "../payload";

type Numbers = ArrayLike<number>;
/** Arrays of a kernel by name. */
type Named = Record<string, Float64Array>;
/** Which part of a pose counts. */
export type Task = "pose" | "position" | "pointing";

/** How poses are compared: the axis about which the tool may turn (-1 for none), and what turns and ways weigh. */
export interface Likeness {
  free: number;
  turn: number;
  slide: number;
}

/** Turns about the fixed axes x, y, z, in this order, that make a rotation: roll, pitch, yaw [rad]. */
export function lessonAngles(R: Numbers): [number, number, number] {
  const flat = Math.hypot(R[0], R[3]);
  if (flat < 1e-9) return [Math.atan2(-R[5], R[4]), Math.atan2(-R[6], flat), 0];
  return [Math.atan2(R[7], R[8]), Math.atan2(-R[6], flat), Math.atan2(R[3], R[0])];
}

/** The rotation of roll, pitch and yaw [rad]: nine numbers by rows. */
export function lessonRotation([roll, pitch, yaw]: number[]): number[] {
  // Right angles are exact: what is typed as 90° is meant so.
  const both = (angle: number) => {
    const quarters = angle / (Math.PI / 2);
    const whole = Math.round(quarters);
    if (Math.abs(quarters - whole) < 1e-15 * Math.max(1, Math.abs(whole)))
      return [
        [0, 1],
        [1, 0],
        [0, -1],
        [-1, 0],
      ][((whole % 4) + 4) % 4];
    return [Math.sin(angle), Math.cos(angle)];
  };
  const [[a, b], [c, d], [e, f]] = [roll, pitch, yaw].map(both);
  return [f * d, f * c * a - e * b, f * c * b + e * a, e * d, e * c * a + f * b, e * c * b - f * a, -c, d * a, d * b];
}

/** The determinant of a matrix of rows, by elimination with pivots. */
export function lessonDeterminant(rows: number[][]): number {
  const m = rows.map((row) => Float64Array.from(row));
  let found = 1;
  for (let k = 0; k < m.length; k++) {
    let best = k;
    for (let i = k + 1; i < m.length; i++) if (Math.abs(m[i][k]) > Math.abs(m[best][k])) best = i;
    if (best !== k) {
      [m[k], m[best]] = [m[best], m[k]];
      found = -found;
    }
    found *= m[k][k];
    if (m[k][k] === 0) return 0;
    for (let i = k + 1; i < m.length; i++) {
      const share = m[i][k] / m[k][k];
      for (let j = k; j < m.length; j++) m[i][j] -= share * m[k][j];
    }
  }
  return found;
}

/** The root of the determinant of JJᵀ, or of JᵀJ where that is smaller: how far a posture is from singular ones. */
export function lessonManipulability(rows: number[][]): number {
  const short = rows.length <= rows[0].length ? rows : rows[0].map((_, k) => rows.map((row) => row[k]));
  const gram = short.map((a) => short.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0)));
  return Math.sqrt(Math.max(0, lessonDeterminant(gram)));
}

const LESSON_FACTOR = 0x2360ed051fc65da44385df649fccf645n;

/**
 * Places drawn within ranges, the first of an endless row: those of NumPy's generator (PCG64, M. O'Neill, 2014).
 * @param draw state of the generator, and the ranges
 * @param count how many
 */
export function lessonDraws(
  { state, increment, first, last }: Pick<LessonDraw, "state" | "increment" | "first" | "last">,
  count: number,
): number[][] {
  const add = BigInt(increment);
  let now = BigInt(state);
  const next = () => {
    now = BigInt.asUintN(128, now * LESSON_FACTOR + add);
    const mixed = BigInt.asUintN(64, (now >> 64n) ^ now);
    const turn = now >> 122n;
    const turned = BigInt.asUintN(64, (mixed >> turn) | (mixed << (64n - turn)));
    return Number(turned >> 11n) / 9007199254740992;
  };
  return Array.from({ length: count }, () => first.map((low, k) => low + (last[k] - low) * next()));
}

/** The kernels of an arm; arrays that they give are their own and are written anew by the next call. */
export class LessonArm {
  readonly nq: number;
  readonly nv: number;
  /** Their limits follow the table. */
  readonly joints: LessonJoint[];
  readonly search: LessonSearch;
  readonly draw: LessonDraw;
  /** Where attempts begin. */
  readonly starts: number[][];
  readonly frame: LessonFrame;
  readonly planar: boolean;
  /** Places among which attempts of Levenberg and Marquardt begin, and the poses there; drawn when they are asked for. */
  choices: { start: number[]; pose: Float64Array }[] | null = null;
  /** What the table says, where it is not as in the file. */
  edited: TableArm | null = null;
  /** What stands around the rows of the table; null where there is none, or where it does not give the arm. */
  readonly table: DhSetting | null;
  readonly #rotors: number[];
  readonly #limits: LessonJoint[];
  readonly #kernels: Record<"poses" | "look" | "forces" | "load", (given: Named) => Named>;
  readonly #steps: Record<string, (given: Named) => Named>;
  readonly #all: Float64Array;
  readonly #tau: Float64Array;
  readonly #damping = new Float64Array(1);

  /**
   * @param kernels of `makeKernels`
   * @param data the payload of the page
   */
  constructor(kernels: Kernel[], data: Pick<LessonData, "lesson" | "bodies" | "coordinates" | "planar">) {
    const { lesson, bodies } = data;
    this.nq = data.coordinates.length;
    this.nv = lesson.nv;
    this.joints = lesson.joints.map((joint) => ({ ...joint }));
    this.#limits = lesson.joints;
    this.#rotors = lesson.rotors;
    this.search = lesson.search;
    this.draw = lesson.draw;
    this.starts = lessonDraws(lesson.draw, lesson.draw.count);
    this.frame = lesson.frame;
    this.planar = data.planar;
    const bind = (number: number | null) => {
      if (number === null) return () => ({});
      const { inputs, outputs } = lesson.arguments[number];
      const made: Named = Object.fromEntries(outputs.map(([name, size]) => [name, new Float64Array(size)]));
      return (given: Named) => {
        kernels[number](...inputs.map(([name]) => given[name]), ...outputs.map(([name]) => made[name]));
        return made;
      };
    };
    this.#kernels = {
      poses: bind(lesson.poses),
      look: bind(lesson.look),
      forces: bind(lesson.forces),
      load: bind(lesson.load),
    };
    this.#steps = Object.fromEntries(Object.entries(lesson.steps).map(([task, number]) => [task, bind(number)]));
    this.#all = new Float64Array(12 * (bodies.length + 1));
    this.#all.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    this.#tau = new Float64Array(this.nv);
    this.table = this.#tableOf(data);
  }

  /** The table with what stands around it, if it gives the arm and every joint is in it. */
  #tableOf({ lesson, bodies, coordinates }: Pick<LessonData, "lesson" | "bodies" | "coordinates">): DhSetting | null {
    const { dh, joints, links, gravity } = lesson;
    if (!dh || dh.rows.length !== joints.length || joints.length !== this.nv) return null;
    const owners = joints.map(({ place }) => coordinates[place].body);
    const moved = [0];
    for (const { number, base } of bodies) {
      const own = owners.indexOf(number);
      moved[number] = own < 0 ? (moved[base] ?? 0) : own + 1;
    }
    const setting = { base: frameOf(dh.base), tool: frameOf(dh.tool), joints: this.joints, moved, links, gravity };
    const known = new TableArm(dh.rows, dh.rows, setting);
    const fits = [0, 0.37, -0.81].every((shift) => {
      const q = Float64Array.from(this.draw.start, (x, i) => x + shift * (1 + 0.1 * i));
      const [own, found] = [Float64Array.from(this.look(q).pose), known.look(q).pose];
      return own.every((x, i) => Math.abs(x - found[i]) < 1e-9);
    });
    return fits ? setting : null;
  }

  /** Takes another table, with other limits; none is that of the file. */
  edit(rows: DhRow[] | null, was: DhRow[], limits: Pick<LessonJoint, "low" | "high">[] | null = null): void {
    if (!this.table) return;
    this.joints.forEach((joint, k) => {
      const { low, high } = limits?.[k] ?? this.#limits[k];
      Object.assign(joint, { low, high });
    });
    this.edited = rows && new TableArm(rows, was, this.table);
    this.choices = null;
  }

  /** Poses of all bodies: 3×4 by rows, the ground first [m]. */
  poses(q: Numbers): Float64Array {
    this.#all.set(this.#kernels.poses({ q: Float64Array.from(q) }).poses, 12);
    return this.edited ? this.edited.poses(q, this.#all) : Float64Array.from(this.#all);
  }

  /** The pose of the tool (nine numbers of its axes by rows, then its place) and its Jacobian, joint by joint. */
  look(q: Float64Array): { pose: Float64Array; columns: Float64Array } {
    if (this.edited) return this.edited.look(q);
    const { pose, columns } = this.#kernels.look({ q });
    return { pose, columns };
  }

  /**
   * Where an attempt after the first begins: of some places, the one whose pose is nearest to the target.
   * @param attempt from 1 on
   * @param target nine numbers of its axes by rows, then its place [m]
   * @param by how poses are compared
   */
  nearestStart(attempt: number, target: Numbers, by: Likeness): number[] {
    const { choice } = this.search;
    this.choices ??= lessonDraws(this.draw, this.draw.count * choice).map((start) => {
      const q = Float64Array.from(this.draw.start);
      this.joints.forEach(({ place }, k) => (q[place] = start[k]));
      return { start, pose: Float64Array.from(this.look(q).pose) };
    });
    let best = this.starts[attempt - 1];
    let least = Infinity;
    for (const each of this.choices.slice((attempt - 1) * choice, attempt * choice)) {
      let [alike, away] = [0, 0];
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++)
          if (by.free < 0 || by.free === j) alike += (by.free < 0 ? 1 : 2) * each.pose[3 * i + j] * target[3 * i + j];
        away += (each.pose[9 + i] - target[9 + i]) ** 2;
      }
      const cost = by.slide * away - by.turn * alike;
      if (cost < least) [least, best] = [cost, each.start];
    }
    return best;
  }

  /** A step of Levenberg and Marquardt: coordinates `next` of the joints, and `errors`. */
  step(
    task: Task,
    q: Float64Array,
    target: Float64Array,
    damping: number,
  ): { next: Float64Array; errors: Float64Array } {
    if (this.edited) return this.edited.step(task, q, target, damping);
    this.#damping[0] = damping;
    const { next, errors } = this.#steps[task]({ q, target, damping: this.#damping });
    return { next, errors };
  }

  /** Forces of the joints, with a mass at the place of the tool [N or N·m]. */
  forces(q: Float64Array, v: Float64Array, a: Float64Array, mass = 0): Float64Array {
    if (this.edited) {
      const tau = this.edited.forces(q, v, a, mass, this.poses(q));
      return tau.map((force, i) => force + this.#rotors[i] * a[i]);
    }
    this.#tau.set(this.#kernels.forces({ q, v, a }).inverse_dynamics);
    if (mass > 0) {
      const { load } = this.#kernels.load({ q, v, a });
      for (let i = 0; i < this.nv; i++) this.#tau[i] += mass * load[i];
    }
    return this.#tau;
  }

  /** The Jacobian by rows: turns about x, y, z, then ways along them; of a planar arm those that there are. */
  jacobian(q: Float64Array): number[][] {
    const { columns } = this.look(q);
    const rows = this.planar ? [2, 3, 4] : [0, 1, 2, 3, 4, 5];
    return rows.map((i) => this.joints.map((_, k) => columns[6 * k + i]));
  }
}
