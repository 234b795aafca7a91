import { expect, test } from "vitest";
import { LiveStepper } from "../src/live/step";

/** A swing x″ = -x from x = 1: x, x′ and the time. */
function swing(): LiveStepper {
  const stepper = new LiveStepper(3, 1e-11);
  stepper.rates = stepper.K.map((rate) => () => {
    rate[0] = stepper.stage[1];
    rate[1] = -stepper.stage[0];
  });
  return stepper;
}

function gone(h: number, until: number): Float64Array {
  const stepper = swing();
  const y = Float64Array.of(1, 0, 0);
  for (let i = 0; i < Math.round(until / h); i++) {
    stepper.begin(y);
    stepper.take(h);
    y.set(stepper.y1);
  }
  return y;
}

test("halving the step divides the error by about two to the eighth", () => {
  const error = (h: number) => {
    const y = gone(h, 4);
    return Math.hypot(y[0] - Math.cos(4), y[1] + Math.sin(4));
  };
  const ratio = error(1) / error(0.5);
  expect(ratio).toBeGreaterThan(150);
  expect(ratio).toBeLessThan(600);
});

test("the estimate is in parts of what is allowed", () => {
  const stepper = swing();
  stepper.begin(Float64Array.of(1, 0, 0));
  expect(stepper.take(0.05)).toBeLessThan(1);
  expect(stepper.take(1)).toBeGreaterThan(1);
});

test("inside a step the motion is as good as at its end", () => {
  const stepper = swing();
  stepper.begin(Float64Array.of(1, 0, 0));
  stepper.take(0.4);
  const at = new Float64Array(3);
  for (const part of [0, 0.1, 0.37, 0.5, 0.9, 1]) {
    stepper.at(part, at);
    expect(at[2]).toBeCloseTo(0.4 * part, 15);
    expect(Math.abs(at[0] - Math.cos(at[2]))).toBeLessThan(1e-9);
    expect(Math.abs(at[1] + Math.sin(at[2]))).toBeLessThan(1e-9);
  }
});
