import { describe, expect, it } from "vitest";
import { eigenvalues } from "../src/live/swings";

/** Coefficients of the characteristic polynomial by Faddeev and LeVerrier: another way to the same numbers. */
function polynomial(A: number[], n: number): number[] {
  let M = A.map(() => 0);
  const c = Array.from({ length: n + 1 }, () => 0);
  c[n] = 1;
  for (let k = 1; k <= n; k++) {
    const next = A.map(() => 0);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        for (let l = 0; l < n; l++) next[i * n + j] += A[i * n + l] * M[l * n + j];
        if (i === j) next[i * n + j] += c[n - k + 1];
      }
    M = next;
    let trace = 0;
    for (let i = 0; i < n; i++) for (let l = 0; l < n; l++) trace += A[i * n + l] * M[l * n + i];
    c[n - k] = -trace / k;
  }
  return c;
}

describe("eigenvalues", () => {
  it("are those of an oscillator, of zeros, and of a Jordan block", () => {
    const swing = eigenvalues([0, 1, -9.81, 0], 2).sort((a, b) => a[1] - b[1]);
    expect(swing[1][1]).toBeCloseTo(Math.sqrt(9.81), 13);
    expect(Math.abs(swing[1][0])).toBeLessThan(1e-14);
    expect(eigenvalues([0, 1, 0, 0], 2).every(([re, im]) => re === 0 && im === 0)).toBe(true);
    const block = eigenvalues([2, 1, 0, 0, 2, 1, 0, 0, 2], 3);
    for (const [re, im] of block) expect(Math.hypot(re - 2, im)).toBeLessThan(1e-4);
  });

  it("are zeros of the characteristic polynomial", () => {
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5;
    for (const n of [1, 2, 3, 5, 8]) {
      const A = Array.from({ length: n * n }, random);
      const c = polynomial(A, n);
      const found = eigenvalues(A, n);
      expect(found).toHaveLength(n);
      let [re, im] = [1, 0];
      for (const [a, b] of found) {
        let [x, y] = [0, 0];
        for (let k = n; k >= 0; k--) [x, y] = [x * a - y * b + c[k], x * b + y * a];
        expect(Math.hypot(x, y)).toBeLessThan(1e-13);
        [re, im] = [re * a - im * b, re * b + im * a];
      }
      // Each once: their product is the determinant.
      expect(re).toBeCloseTo((n % 2 ? -1 : 1) * c[0], 12);
      expect(im).toBeCloseTo(0, 12);
    }
  });
});
