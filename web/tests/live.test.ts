import { expect, test } from "vitest";
import { LiveSystem, makeKernels } from "../src/live/live";
import { GRAVITY, ball } from "./ball";

function started(restitution: number): LiveSystem {
  const { kernels, table } = ball(restitution);
  const system = new LiveSystem(kernels, table);
  expect(system.start()).toBeNull();
  return system;
}

const FALL = Math.sqrt(2 / GRAVITY);

test("a fall is where the closed form has it, at any time that is asked for", () => {
  const system = started(0.8);
  for (const t of [0.1, 0.2, 0.25, 0.4]) {
    expect(system.advance(t)).toBe(t);
    expect(Math.abs(system.q[0] - (1 - 0.5 * GRAVITY * t * t))).toBeLessThan(1e-11);
    expect(Math.abs(system.v[0] + GRAVITY * t)).toBeLessThan(1e-11);
  }
});

test("events are located to the last digits", () => {
  const e = 0.8;
  const system = started(e);
  system.advance(2.5);
  expect(system.stopped).toBeNull();
  let time = FALL;
  system.events.forEach((event, n) => {
    expect(Math.abs(event.time - time)).toBeLessThan(1e-12);
    const speed = Math.sqrt(2 * GRAVITY) * e ** n;
    expect(event.transition).toBe("bounce");
    expect(event.loss).toBeCloseTo(0.5 * speed ** 2 * (1 - e ** 2), 9);
    expect(event.impulses.floor[4]).toBeCloseTo((1 + e) * speed, 9);
    time += (2 * speed * e) / GRAVITY;
  });
  expect(system.events.length).toBe(4);
  const { total } = system.energies(system.q, system.v);
  expect(total).toBeCloseTo(GRAVITY * e ** 8, 9);
});

test("bounces without end are told, not followed forever", () => {
  const system = started(0.5);
  const whole = FALL * (1 + (2 * 0.5) / (1 - 0.5));
  const reached = system.advance(5);
  expect(reached).toBeLessThan(whole + 1e-9);
  expect(reached).toBeGreaterThan(whole - 1e-3);
  expect(system.stopped?.en).toContain("without end");
  expect(system.stopped?.ru).toContain("без конца");
});

test("a budget of no time still goes on, step by step, to the same place", () => {
  const [whole, parts] = [started(0.9), started(0.9)];
  whole.advance(1.5);
  let calls = 0;
  for (; parts.t < 1.5 && calls < 1e4; calls++) parts.advance(1.5, { budget_ms: 0 });
  expect(calls).toBeGreaterThan(3);
  expect([...parts.q, ...parts.v]).toEqual([...whole.q, ...whole.v]);
});

test("another beginning is kept, and a motion that is not begun stays", () => {
  const { kernels, table } = ball(1);
  const system = new LiveSystem(kernels, table);
  expect(system.advance(1)).toBe(0);
  system.start({ q: [2], v: [3], t: 10 });
  system.advance(10.1);
  expect(system.q[0]).toBeCloseTo(2 + 0.3 - 0.5 * GRAVITY * 0.01, 11);
});

test("a script without kernels is refused, and leaves no name behind", () => {
  expect(() => makeKernels("", () => undefined)).toThrow("could not be read");
  expect("sistelKernels" in globalThis).toBe(false);
  const register = "sistelKernels";
  const kernels = makeKernels("", () =>
    (globalThis as unknown as Record<string, (k: unknown[]) => void>)[register]([1]),
  );
  expect(kernels).toEqual([1]);
});
