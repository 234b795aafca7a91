// What the panels of a lesson know of each other.
import { Page } from "../page/core";
import type { LessonData, Networks } from "../payload";
import type { LessonArm } from "./arm";
import type { Branch } from "./branches";
import type { DhSteps } from "./dh";
import type { Method, Solution } from "./inverse";
import type { LessonMotion } from "./travel";

/** The arm and what was computed of it. */
export interface LessonState {
  readonly arm: LessonArm;
  readonly networks: Networks;
  /** Nine numbers of its axes by rows, then its place [m]; null where the fields say none. */
  target: number[] | null;
  solution: Solution | null;
  motion: LessonMotion | null;
}

/** The page of a lesson; its panels add what they can do. */
export class LessonPage extends Page<LessonData> {
  lesson!: LessonState & {
    /** The moves of the table, one after another. */
    steps: DhSteps;
    /** All postures that reach the target. */
    branches: Branch[];
    /** Shows where the tool is. */
    forward: () => void;
    /** Solves for the target. */
    inverse: () => Solution | null;
    takeTarget: (pose: ArrayLike<number>) => void;
    /** Follows a target that is being moved, from the posture that is shown. */
    follow: () => void;
    /** Computes the trajectory. */
    travel: (play?: boolean) => LessonMotion | null;
    putEnd: (side: "from" | "to", q: ArrayLike<number>) => void;
    /** Goes to the trajectory that ends with the answer. */
    useAnswer: () => Promise<void>;
  };
  /** Solves by a method, for whoever looks at the page from outside. */
  solve!: (
    method: Method,
    task: LessonData["lesson"]["begin"]["task"],
    target: ArrayLike<number>,
    seed: ArrayLike<number>,
    options?: Record<string, number>,
  ) => Solution;

  /** Coordinates as they are shown now. */
  get q(): Float64Array {
    return this.now?.q ?? Float64Array.from(this.data.start.q);
  }
}
