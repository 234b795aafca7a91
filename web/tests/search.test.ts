import { expect, test } from "vitest";
import { LessonArm, lessonAngles, lessonDeterminant, lessonManipulability, lessonRotation } from "../src/lesson/arm";
import { searchLeft, searchPose } from "../src/lesson/search";
import type { Kernel } from "../src/live/postures";
import type { LessonData } from "../src/payload";

const [FIRST, SECOND] = [0.5, 0.3];

/** Place, axes and Jacobian of the tip of two links that turn about z. */
function tip(q: ArrayLike<number>) {
  const [a, b] = [q[0], q[0] + q[1]];
  const [x2, y2] = [SECOND * Math.cos(b), SECOND * Math.sin(b)];
  const [x, y] = [FIRST * Math.cos(a) + x2, FIRST * Math.sin(a) + y2];
  return { b, x, y, J: [-y, -y2, x, x2] };
}

const look: Kernel = (q, pose, columns) => {
  const { b, x, y, J } = tip(q);
  pose.set([Math.cos(b), -Math.sin(b), 0, Math.sin(b), Math.cos(b), 0, 0, 0, 1, x, y, 0]);
  columns.set([0, 0, 1, J[0], J[2], 0, 0, 0, 1, J[1], J[3], 0]);
};

/** A damped step for the place alone; errors are the cost, the square of the turn and that of the way. */
const step: Kernel = (q, target, damping, next, errors) => {
  const { x, y, J } = tip(q);
  const [dx, dy] = [target[9] - x, target[10] - y];
  const cost = 0.5 * (dx * dx + dy * dy);
  const shift = damping[0] * cost + 1e-15;
  const [m, n, k] = [J[0] ** 2 + J[2] ** 2 + shift, J[0] * J[1] + J[2] * J[3], J[1] ** 2 + J[3] ** 2 + shift];
  const [f, g] = [J[0] * dx + J[2] * dy, J[1] * dx + J[3] * dy];
  const d = m * k - n * n;
  const limit = (angle: number) => Math.min(Math.max(angle, -3), 3);
  next.set([limit(q[0] + (k * f - n * g) / d), limit(q[1] + (m * g - n * f) / d)]);
  errors.set([cost, 0, dx * dx + dy * dy]);
};

function arm(): LessonArm {
  const none: Kernel = () => undefined;
  const blocks = (inputs: [string, number][], outputs: [string, number][]) => ({ inputs, outputs });
  const joint = (name: string, place: number) => ({ place, low: -3, high: 3, name, turns: true });
  const lesson = {
    poses: 0,
    look: 1,
    steps: { position: 2, pose: 2, pointing: 2 },
    forces: null,
    load: null,
    arguments: [
      blocks([["q", 2]], [["poses", 24]]),
      blocks(
        [["q", 2]],
        [
          ["pose", 12],
          ["columns", 12],
        ],
      ),
      blocks(
        [
          ["q", 2],
          ["target", 12],
          ["damping", 1],
        ],
        [
          ["next", 2],
          ["errors", 3],
        ],
      ),
    ],
    joints: [joint("shoulder", 0), joint("elbow", 1)],
    search: { slow: 3, least: 1e-12, most: 1e12, stall: 0.01, choice: 4, polish: 40, patience: 10, patient: 0.99 },
    draw: { state: "123456789", increment: "987654321", first: [-3, -3], last: [3, 3], count: 100, start: [0, 0] },
    nv: 2,
    source: "lesson",
    frame: { name: "tip", body: 2, p: [SECOND, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    dh: null,
    networks: { ik: null, dynamics: null },
  };
  const data = {
    lesson,
    bodies: [1, 2],
    coordinates: [1, 2],
    planar: true,
  } as unknown as LessonData;
  return new LessonArm([none, look, step], data);
}

const at = (x: number, y: number) => [1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, 0];

test.each(["lm", "ccd"] as const)("%s brings the tip to places within reach", (method) => {
  const own = arm();
  for (const [x, y] of [
    [0.6, 0.3],
    [-0.4, 0.5],
    [0.1, -0.25],
    [-0.2, -0.6],
  ]) {
    const found = searchPose(own, method, "position", at(x, y), [0.4, 0.4]);
    expect(found.success).toBe(true);
    const there = tip(found.q);
    expect(Math.hypot(there.x - x, there.y - y)).toBeLessThan(method === "lm" ? 1.1e-8 : 1.1e-3);
    expect(found.reasons).toBeNull();
  }
});

test("what is beyond reach is told, with what is left", () => {
  const found = searchPose(arm(), "lm", "position", at(2, 0), [0.4, 0.4], { restarts: 3 });
  expect(found.success).toBe(false);
  expect(found.slide).toBeCloseTo(2 - FIRST - SECOND, 3);
  expect(found.reasons?.rows).toBe(3);
  expect(found.reasons?.left[3]).toBeCloseTo(1.2, 3);
});

test("a limit that stops the arm is named", () => {
  const own = arm();
  own.joints[1].high = 0.2;
  own.joints[1].low = -0.2;
  const found = searchPose(own, "ccd", "position", at(0.1, 0), [0.1, 0.1], { restarts: 2, iterations: 60 });
  expect(found.success).toBe(false);
  expect(found.reasons?.binding.map(({ joint }) => joint.name)).toEqual(["elbow"]);
});

test("what is left of a turn is its vector, at half turns too", () => {
  const target = at(0, 0);
  const turned = (angle: number) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [c, -s, 0, s, c, 0, 0, 0, 1, 0.1, 0, 0];
  };
  for (const angle of [0.3, -1.2, 3, Math.PI]) {
    const left = searchLeft("pose", turned(angle), target);
    expect(Math.abs(left[2])).toBeCloseTo(Math.abs(angle), 9);
    expect(left[3]).toBeCloseTo(-0.1, 12);
  }
  expect(searchLeft("position", turned(1), target).slice(0, 3).map(Math.abs)).toEqual([0, 0, 0]);
});

test("angles and rotations are each other's inverse", () => {
  for (const angles of [
    [0.3, -0.7, 2.1],
    [Math.PI / 2, 0, -Math.PI / 2],
  ]) {
    lessonAngles(lessonRotation(angles)).forEach((value, i) => expect(value).toBeCloseTo(angles[i], 12));
  }
  expect(lessonRotation([Math.PI / 2, 0, 0])).toEqual([1, 0, 0, 0, 0, -1, -0, 1, 0]);
});

test("determinants and manipulability", () => {
  expect(
    lessonDeterminant([
      [0, 2],
      [3, 1],
    ]),
  ).toBe(-6);
  const jacobian = arm().jacobian(Float64Array.of(0.3, Math.PI / 2));
  expect(lessonManipulability(jacobian.slice(1))).toBeCloseTo(FIRST * SECOND, 12);
});
