import { describe, expect, it } from "vitest";
import {
  impactImpulses,
  LIVE_CLOSED,
  LIVE_STICK,
  type Problem,
  solveContacts,
  tryStatuses,
} from "../src/live/complementarity";

/** Numbers that look random, the same every time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (1103515245 * state + 12345) % 2147483648;
    yield state / 1073741824 - 1;
  }
}

/** Contacts of bodies that answer to forces with a positive definite matrix. */
function problem(k: number, seed: number, friction: number): Problem {
  const n = 2 * k,
    next = numbers(seed),
    B = Float64Array.from({ length: n * n }, () => next.next().value),
    G = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      for (let m = 0; m < n; m++) G[i * n + j] += B[i * n + m] * B[j * n + m];
      if (i === j) G[i * n + j] += 0.3;
    }
  const none = new Array<number>(k).fill(0);
  return {
    k,
    G,
    b: Float64Array.from({ length: n }, () => next.next().value),
    friction: none.map(() => friction),
    back: none.map(() => friction),
    ways: none,
    pressed: none,
    bare: none.map(() => false),
  };
}

/** By how much forces break the laws of contact and friction. */
function broken({ k, G, b, friction }: Problem, x: Float64Array): number {
  const n = 2 * k;
  let worst = 0;
  for (let i = 0; i < k; i++) {
    const w = [i, k + i].map((row) => b[row] + x.reduce((sum, each, j) => sum + G[row * n + j] * each, 0));
    const bound = (friction[i] ?? 0) * x[i];
    worst = Math.max(worst, -x[i], -w[0], Math.abs(x[i] * w[0]), Math.abs(x[k + i]) - bound);
    // What slides is on the edge of its cone, against the slip.
    worst = Math.max(worst, Math.abs(w[1] * x[k + i] + bound * Math.abs(w[1])));
  }
  return worst;
}

describe("contacts", () => {
  it("obeys the laws, for few contacts by trials and for many by pivots", () => {
    for (const k of [1, 2, 3, 7, 8]) {
      for (let seed = 1; seed <= 20; seed++) {
        const posed = problem(k, 100 * k + seed, 0.3);
        const found = solveContacts(posed);
        expect(found).not.toBeNull();
        if (found) expect(broken(posed, found.x)).toBeLessThan(1e-9);
      }
    }
  });

  it("shares a load that statics does not determine as evenly as it may", () => {
    const posed: Problem = { ...problem(2, 1, 0), G: Float64Array.of(1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1) };
    posed.b = Float64Array.of(-2, -2, 0, 0);
    posed.friction = [0.5, 0.5];
    posed.back = [0.5, 0.5];
    const held = tryStatuses(posed, [LIVE_CLOSED + LIVE_STICK, LIVE_CLOSED + LIVE_STICK]);
    expect(held && [...held.x]).toEqual([expect.closeTo(1, 12), expect.closeTo(1, 12), 0, 0]);
  });

  it("gives back what Newton and Poisson say", () => {
    const ball = { ...problem(1, 5, 0), G: Float64Array.of(2, 0, 0, 2), b: Float64Array.of(-3, 1) };
    for (const laws of [
      { newton: [0.5], poisson: [0] },
      { newton: [0], poisson: [0.5] },
    ]) {
      const given = impactImpulses(ball, laws);
      expect(given && ball.b[0] + 2 * given[0]).toBeCloseTo(1.5, 14);
      const rough = impactImpulses({ ...ball, friction: [0.1], back: [0.1] }, laws);
      expect(rough && rough[1] / rough[0]).toBeCloseTo(-0.1, 12);
    }
  });
});
