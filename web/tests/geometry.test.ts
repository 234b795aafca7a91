import { expect, test } from "vitest";
import { geometrySlots } from "../src/page/geometry";
import { growth, linkStretch } from "../src/page/stretch";
import { viewScaled } from "../src/page/view";
import { reshapeScheme, type Scheme } from "../src/scheme/moving";

test("a window shows what has grown as large as before, where it is now", () => {
  const window = [-10, -10, 120, 120];
  expect(viewScaled(window, [0, 0, 100, 50], [0, 0, 200, 100])).toEqual([-20, -20, 240, 240]);
  expect(viewScaled(window, [0, 0, 100, 50], [30, 0, 130, 50])).toEqual([20, -10, 120, 120]);
  // What is thin tells nothing of how much larger the rest has become.
  expect(viewScaled(window, [0, 0, 100, 1], [0, 0, 100, 30])[2]).toBe(120);
  expect(viewScaled(window, null, [0, 0, 1, 1])).toEqual(window);
});

test("growth is that of the longest sides", () => {
  const box = (x: number, y: number, z: number): [number[], number[]] => [
    [0, 0, 0],
    [x, y, z],
  ];
  expect(growth(box(1, 2, 0.01), box(1, 3, 1))).toBe(1.5);
  expect(growth(box(0, 0, 0), box(0, 0, 0))).toBe(1);
});

test("a link is turned and stretched to where its end has to be", () => {
  const ways: [number[], number[]][] = [
    [
      [0, 0.3, 0],
      [0, 0.45, 0],
    ],
    [
      [0.1, 0, 0.2],
      [0.3, -0.1, 0.05],
    ],
    [
      [0, 0, 1],
      [0, 0, -0.5],
    ],
  ];
  const turned = ([x, y, z, angle]: number[], p: number[]) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const dot = x * p[0] + y * p[1] + z * p[2];
    const cross = [y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0]];
    return p.map((value, i) => value * c + cross[i] * s + [x, y, z][i] * dot * (1 - c));
  };
  for (const [was, now] of ways) {
    const { turn, along, stretch } = linkStretch(was, now);
    // Into the axes in which y is along the link, stretched there, and out again: as X3D has scaleOrientation.
    const [x, y, z] = turned([along[0], along[1], along[2], -along[3]], was);
    const end = turned(turn, turned(along, [x, y * stretch, z]));
    end.forEach((value, i) => expect(value).toBeCloseTo(now[i], 12));
  }
});

test("places lead to numbers that can be set", () => {
  const data = { scheme: { pieces: [{ parts: ["M", 1, "z"] }] }, places: [{ p: [0, 2, 0] }] };
  const slots = geometrySlots(data, [
    ["scheme", "pieces", 0, "parts", 1],
    ["places", 0, "p", 1],
  ]);
  slots.forEach(([holder, key], i) => (holder[key] = 10 + i));
  expect(data).toEqual({ scheme: { pieces: [{ parts: ["M", 10, "z"] }] }, places: [{ p: [0, 11, 0] }] });
});

test("attributes are written from texts and numbers", () => {
  const set: string[] = [];
  const element = { getAttribute: () => "a", setAttribute: (name: string, text: string) => set.push(name, text) };
  const root = { querySelectorAll: () => [element] } as unknown as Element;
  const pieces = [{ id: "a", attribute: "d", parts: ["m0,0v", 12.34567, "h", -1e-7, "z"] }];
  reshapeScheme(root, { kind: "planar", pieces } as unknown as Scheme);
  expect(set).toEqual(["d", "m0,0v12.3457h0z"]);
});
