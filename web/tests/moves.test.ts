import { expect, test } from "vitest";
import { anfisValue } from "../src/lesson/anfis";
import { MOVES_POLYNOMIALS, movesAt, movesFastest, movesPolynomial, movesTimesOf } from "../src/lesson/moves";

test.each(MOVES_POLYNOMIALS)("a %s move begins and ends at rest", (kind) => {
  const move = movesPolynomial(kind, [1, -2], [3, 5], 2);
  const [first, middle, last] = [0, 1, 2].map((t) => movesAt(move, t));
  expect([...first.q]).toEqual([1, -2]);
  expect([...last.q]).toEqual([3, 5]);
  for (const end of [first, last]) end.v.forEach((speed) => expect(speed).toBeCloseTo(0, 12));
  expect(middle.q[0]).toBeCloseTo(2, 12);
  expect(middle.q[1]).toBeCloseTo(1.5, 12);
});

test("the fastest move keeps its limits, reaches one, and all axes end together", () => {
  const limits = [
    { velocity: 1, acceleration: 2, jerk: 10 },
    { velocity: 0.5, acceleration: 4, jerk: Infinity },
  ];
  const move = movesFastest([0, 0], [2, -1], limits);
  if ("least" in move) throw new Error("it is possible");
  const end = move.knots[move.knots.length - 1];
  const rows = Array.from({ length: 2001 }, (_, i) => movesAt(move, (end * i) / 2000));
  limits.forEach(({ velocity, acceleration }, k) => {
    expect(Math.max(...rows.map((row) => Math.abs(row.v[k])))).toBeLessThanOrEqual(velocity * (1 + 1e-9));
    expect(Math.max(...rows.map((row) => Math.abs(row.a[k])))).toBeLessThanOrEqual(acceleration * (1 + 1e-9));
  });
  expect(Math.max(...rows.map((row) => row.v[0]))).toBeCloseTo(1, 6);
  expect(rows[2000].q[0]).toBeCloseTo(2, 12);
  expect(rows[2000].q[1]).toBeCloseTo(-1, 12);
  const faster = movesFastest([0, 0], [2, -1], limits, 0.5 * end);
  expect("least" in faster && faster.least).toBeCloseTo(end, 12);
});

test("a trapezoid has the duration of the closed form", () => {
  const move = movesFastest([0], [3], [{ velocity: 1, acceleration: 2, jerk: Infinity }]);
  if ("least" in move) throw new Error("it is possible");
  expect(move.knots[move.knots.length - 1]).toBeCloseTo(3 / 1 + 1 / 2, 12);
  // Accelerations jump at the knots: these stand twice among the times.
  const times = movesTimesOf(move, 10);
  expect(times.filter(({ even }) => even).length).toBe(11);
  expect(times.filter(({ even }) => !even).length).toBeGreaterThanOrEqual(4);
});

test("one rule answers with its plane, and far away rules still answer", () => {
  const net = { low: [0, 0], span: [2, 4], centres: [[0.5, 0.5]], widths: [[0.2, 0.2]], consequents: [[1, 2, 3]] };
  expect(anfisValue(net, [1, 2])).toBeCloseTo(0.5 + 1 + 3, 12);
  expect(anfisValue(net, [1e6, -1e6])).toBeCloseTo(5e5 - 5e5 + 3, 6);
});
