// Neuro-fuzzy networks: rules with Gaussian memberships and linear answers, evaluated through logarithms.
import type { DynamicsNetworks, IkNetworks, Network } from "../payload";

type Numbers = ArrayLike<number>;

const ANFIS_FARTHEST = 1e140;

/** What a network answers to its inputs. */
export function anfisValue({ low, span, centres, widths, consequents }: Network, x: Numbers): number {
  const scaled = low.map((least, j) => (x[j] - least) / span[j]);
  const logarithms = centres.map((centre, i) => {
    let sum = 0;
    for (let j = 0; j < scaled.length; j++) {
      const far = Math.min(Math.max((scaled[j] - centre[j]) / widths[i][j], -ANFIS_FARTHEST), ANFIS_FARTHEST);
      sum += far * far;
    }
    return -0.5 * sum;
  });
  // Products of a dozen small numbers are soon below the least one: the greatest weight is made 1.
  const most = Math.max(...logarithms);
  let whole = 0;
  let found = 0;
  logarithms.forEach((logarithm, i) => {
    const weight = Math.exp(logarithm - most);
    let answer = consequents[i][scaled.length];
    for (let j = 0; j < scaled.length; j++) answer += scaled[j] * consequents[i][j];
    whole += weight;
    found += weight * answer;
  });
  return found / whole;
}

/** What networks of inverse kinematics are told of a target: nine numbers of its axes by rows, then its place [m]. */
export function anfisInputs(
  { orientation, middle, uses }: Pick<IkNetworks, "orientation" | "middle" | "uses">,
  R: Numbers,
): number[] {
  const all = [R[9], R[10], R[11]];
  if (orientation === "axes") all.push(R[0], R[3], R[6], R[2], R[5], R[8]);
  if (orientation === "angles") {
    const angles = [Math.atan2(R[7], R[8]), Math.atan2(-R[6], Math.hypot(R[0], R[3])), Math.atan2(R[3], R[0])];
    const whole = 2 * Math.PI;
    angles.forEach((angle, i) => {
      const away = angle - middle[i] + Math.PI;
      all.push(middle[i] + (away - whole * Math.floor(away / whole)) - Math.PI);
    });
  }
  return uses.map((index) => all[index]);
}

/** Coordinates that networks give for a target, within the ranges that they learnt. */
export function anfisCoordinates(nets: IkNetworks, target: Numbers): Float64Array {
  const x = anfisInputs(nets, target);
  return Float64Array.from(nets.networks, (net, i) =>
    Math.min(Math.max(anfisValue(net, x), nets.low[i]), nets.high[i]),
  );
}

/** Forces that networks give for a motion. */
export function anfisForces(nets: DynamicsNetworks, q: Float64Array, v: Float64Array, a: Float64Array): Float64Array {
  const signals = [...q, ...v, ...a];
  return Float64Array.from(nets.networks, (net, i) =>
    anfisValue(
      net,
      nets.uses[i].map((index) => signals[index]),
    ),
  );
}
