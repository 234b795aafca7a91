// A ball that falls and bounces, with its kernels written by hand: what `live_kit` would print for it.
import type { LiveTable } from "../src/payload";
import type { Kernel } from "../src/live/postures";

export const GRAVITY = 9.81;

/** The state is the height, the velocity and the time; the ball leaves its structure where the height falls to 0. */
export function ball(restitution: number): { kernels: Kernel[]; table: LiveTable } {
  const flow: Kernel = (y, dy) => {
    dy[0] = y[1];
    dy[1] = -GRAVITY;
  };
  const watch: Kernel = (y, g) => {
    g[0] = y[0];
  };
  const passage: Kernel = (y, after, loss, impulses) => {
    after[0] = 0;
    after[1] = -restitution * y[1];
    after[2] = y[2];
    loss[0] = 0.5 * y[1] ** 2 * (1 - restitution ** 2);
    impulses[4] = -(1 + restitution) * y[1];
  };
  const poses: Kernel = (q, made) => made.set([1, 0, 0, 0, 0, 1, 0, q[0], 0, 0, 1, 0]);
  const energies: Kernel = (q, v, made) => made.set([0.5 * v[0] ** 2, GRAVITY * q[0], 0, q[0], 0]);
  const table: LiveTable = {
    nq: 1,
    nv: 1,
    bodies: 1,
    joints: [[1, 1, 0, 0]],
    limits: [[null, null]],
    memory: [],
    poses: 3,
    energies: 4,
    structures: [
      {
        name: "flies",
        rows: 0,
        forced: [],
        constraints: null,
        anchors: 0,
        anchor: null,
        motion: {
          flow: 0,
          watch: 1,
          leaves: 1,
          kinds: [2],
          exits: [
            {
              transition: "bounce",
              target: 0,
              word: [0],
              first: 0,
              passage: 2,
              links: ["floor"],
              refused: null,
              tick: false,
              quiet: false,
            },
          ],
          first: 0,
          modes: 0,
          switches: [],
          choose: null,
          corrects: false,
          correct: null,
        },
      },
    ],
    start: { q: [1], v: [0], t: 0, structure: 0, givenQ: [0], givenV: [0] },
    refused: null,
    parameters: [],
    kernels: [
      { inputs: [["y", 3]], outputs: [["dy", 3]] },
      { inputs: [["y", 3]], outputs: [["g", 1]] },
      {
        inputs: [["y", 3]],
        outputs: [
          ["y", 3],
          ["loss", 1],
          ["impulses", 6],
        ],
      },
      { inputs: [["q", 1]], outputs: [["poses", 12]] },
      {
        inputs: [
          ["q", 1],
          ["v", 1],
        ],
        outputs: [["energies", 5]],
      },
    ],
  };
  return { kernels: [flow, watch, passage, poses, energies], table };
}
