import { expect, test } from "vitest";
import { type Pull, movedBy, pullEnergy, pullForces, ratesOn } from "../src/live/hands";
import { Steps } from "../src/page/history";

const joints: [number, number, number, number][] = [
  [1, 1, 0, 0],
  [1, 1, 1, 1],
  [1, 1, 2, 2],
];
const push = { twists: 0, bases: [0, 1, 0], mass: 1, acts: true };

test("velocities on the way to the ground are those that move a body", () => {
  expect(ratesOn({ joints, push }, 2)).toEqual([1, 0]);
  expect(ratesOn({ joints, push }, 3)).toEqual([2]);
});

test("a place turns about the origin and goes along", () => {
  const twists = [0, 0, 2, 0.5, 0, 0];
  expect(movedBy(twists, 0, [1, 3, 0])).toEqual([0.5 - 6, 2, 0]);
});

test("generalized forces are those of virtual power, and moments those about the pole", () => {
  // Hinges about z at (0, 0) and (1, 0); the second body stands at its hinge, turned by a right angle.
  const twists = [0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0];
  const poses = [
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0,
  ];
  const pull: Pull = { body: 2, p: [2, 0, 0], to: [4, 2, 0], stiffness: 10 };
  const [found, wrench] = [new Float64Array(3).fill(7), new Float64Array(18)];
  pullForces(pull, poses, twists, { joints, push }, found, wrench);
  // The point is at (1, 2): the force is (30, 0).
  expect([...found]).toEqual([-60, -60, 0]);
  expect([...wrench.subarray(6, 12)]).toEqual([0, 0, -60, 30, 0, 0]);
  expect(pullEnergy(pull, poses)).toBeCloseTo(45, 12);
});

test("steps go back and forth, and small changes of one thing are one", () => {
  let [value, time] = [0, 0];
  const steps = new Steps<number>(
    () => value,
    (state) => (value = state),
    () => time,
  );
  const set = (what: string, next: number) => {
    steps.note(what);
    value = next;
  };
  set("a", 1);
  time += 10;
  set("a", 2);
  time += 10;
  set("b", 3);
  expect([steps.canUndo, steps.canRedo]).toEqual([true, false]);
  steps.undo();
  expect(value).toBe(2);
  steps.undo();
  expect(value).toBe(0);
  expect(steps.canUndo).toBe(false);
  steps.redo();
  steps.redo();
  expect([value, steps.canRedo]).toEqual([3, false]);
  steps.undo();
  set("c", 9);
  expect(steps.canRedo).toBe(false);
});
