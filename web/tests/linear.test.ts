import { expect, test } from "vitest";
import { leastNorm } from "../src/live/linear";

const solve = (rows: number[][], b: number[]) =>
  leastNorm(Float64Array.from(rows.flat()), rows.length, rows[0].length, Float64Array.from(b));

test("one solution is found", () => {
  const x = solve(
    [
      [2, 1],
      [1, 3],
    ],
    [3, 5],
  );
  expect(x[0]).toBeCloseTo(0.8, 14);
  expect(x[1]).toBeCloseTo(1.4, 14);
});

test("of many solutions the shortest is", () => {
  const x = solve([[1, 2, 2]], [9]);
  [1, 2, 2].forEach((value, i) => expect(x[i]).toBeCloseTo(value, 14));
});

test("rows that repeat each other count once, and what contradicts is met halfway", () => {
  const twice = solve(
    [
      [1, 1],
      [1, 1],
    ],
    [2, 2],
  );
  expect([...twice].map((x) => Number(x.toFixed(12)))).toEqual([1, 1]);
  const apart = solve(
    [
      [1, 0],
      [1, 0],
    ],
    [0, 2],
  );
  expect(apart[0]).toBeCloseTo(1, 12);
  expect(apart[1]).toBe(0);
});

test("nothing is moved for nothing", () => {
  expect([...solve([[0, 0, 0]], [1])]).toEqual([0, 0, 0]);
});

test("rows that are alike but for rounding do not send the answer far away", () => {
  const x = solve(
    [
      [1, 1],
      [1, 1 + 1e-13],
    ],
    [2, 2.5],
  );
  expect(Math.hypot(...x)).toBeLessThan(2);
});
