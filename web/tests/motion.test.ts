import { expect, test } from "vitest";
import { GrowingMotion, coordinateRates, lastNotAbove, normaliseSpins } from "../src/page/motion";
import { plotsRange, plotsSlopes, plotsTicks, plotsValue, PlotsGrowth } from "../src/page/curves";
import { axisAngle } from "../src/page/scene";

test("the last that is not above", () => {
  const values = [0, 1, 1, 2, 5];
  expect([-1, 0, 1, 1.5, 9].map((t) => lastNotAbove(values, t, 0, 5))).toEqual([0, 0, 2, 2, 4]);
});

test("rates of a quaternion keep its length", () => {
  const q = normaliseSpins(Float64Array.of(1, 2, -1, 0.5), [{ q: 0, v: 0, free: false }]);
  const rate = coordinateRates(
    q,
    Float64Array.of(0.3, -2, 1),
    { spins: [{ q: 0, v: 0, free: false }], partner: Int32Array.of(-1, -1, -1, -1) },
    new Float64Array(4),
  );
  expect(q.reduce((sum, x, i) => sum + x * rate[i], 0)).toBeCloseTo(0, 14);
  expect(2 * Math.hypot(...rate)).toBeCloseTo(Math.hypot(0.3, 2, 1), 12);
});

test("a motion that grows goes through its rows, and jumps at events", () => {
  const motion = new GrowingMotion({ nq: 1, nv: 1, spins: [], partner: Int32Array.of(0) });
  motion.add(0, [0], [1], 0);
  motion.add(1, [1], [1], 0);
  motion.add(1, [1], [-1], 1);
  motion.add(2, [0], [-1], 1);
  expect(motion.at(0.5)?.q[0]).toBeCloseTo(0.5, 14);
  expect(motion.at(1)?.v[0]).toBe(-1);
  expect(motion.stays).toEqual([
    { structure: 0, begin: 0, end: 1 },
    { structure: 1, begin: 1, end: 2 },
  ]);
});

test("curves of a growing motion are thinned, jumps stay", () => {
  const growth = new PlotsGrowth(1, 100);
  for (let i = 0; i < 500; i++) growth.add(Math.floor(i / 2), [i]);
  expect(growth.t.length).toBeLessThanOrEqual(100);
  expect(growth.t[growth.t.length - 1]).toBe(249);
  expect(growth.y[0].length).toBe(growth.t.length);
});

test("slopes of a parabola are exact, nothing passes a gap", () => {
  const t = [0, 1, 3, 4];
  const slopes = plotsSlopes(
    t,
    t.map((x) => x * x),
  );
  t.forEach((x, i) => expect(slopes[i]).toBeCloseTo(2 * x, 12));
  expect(plotsSlopes([0, 1, 2, 3], [0, 1, null, 5])[1]).toBe(1);
  expect(plotsValue([0, 1, 1, 2], [0, 1, 5, 6], 1)).toBe(5);
  expect(plotsValue([0, 1], [0, 1], 3)).toBeNull();
});

test("axes have room and readable numbers", () => {
  expect(plotsRange(2, 2)).toEqual([1.98, 2.02]);
  expect(plotsTicks([0, 0.25, 0.5, 0.75])).toEqual(["0", "0.25", "0.50", "0.75"]);
  expect(plotsTicks([0, 2.5, 5, 7.5])).toEqual(["0", "2.5", "5.0", "7.5"]);
  expect(plotsTicks([-0.5, 0, 0.5])).toEqual(["−0.5", "0", "0.5"]);
  expect(plotsTicks([0, 2e6])[1]).toBe("2·10⁶");
});

test("axis and angle of turns, of half turns and of none", () => {
  expect(axisAngle([1, 0, 0, 0, 1, 0, 0, 0, 1])).toEqual([0, 0, 1, 0]);
  const [x, y, z, angle] = axisAngle([-1, 0, 0, 0, 1, 0, 0, 0, -1]);
  expect([Math.abs(x), Math.abs(y), Math.abs(z), angle]).toEqual([0, 1, 0, Math.PI]);
});
