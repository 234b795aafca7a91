// A scene in space at other lengths: its figures, its viewpoints and its floor.
import type { PageSceneData } from "../payload";
import type { Page } from "./core";
import { axisAngle } from "./scene";
import type { X3D, XNode, XScene } from "./xite";

type Turn = [number, number, number, number];
/** Least and greatest places along three axes [m]. */
type Extent = [number[], number[]];

/**
 * How a link from the origin is turned and stretched so that its far end is elsewhere.
 * @param was where it ends in its figure [m]
 * @param now where it has to end [m]
 */
export function linkStretch(was: number[], now: number[]): { turn: Turn; along: Turn; stretch: number } {
  const [before, after] = [Math.hypot(...was), Math.hypot(...now)];
  const [a, b] = [was.map((part) => part / before), now.map((part) => part / (after || 1))];
  return { turn: shortestTurn(a, b), along: shortestTurn([0, 1, 0], a), stretch: Math.max(after / before, 1e-6) };
}

/** The shortest turn from one unit vector to another: an axis with an angle [rad]. */
function shortestTurn(a: number[], b: number[]): Turn {
  const [x, y, z] = [0, 1, 2].map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
  const sine = Math.hypot(x, y, z);
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (sine > 1e-12) return [x / sine, y / sine, z / sine, Math.atan2(sine, cosine)];
  // Half a turn is about anything across.
  const across = Math.abs(a[0]) < 0.9 ? [0, a[2], -a[1]] : [-a[2], 0, a[0]];
  const size = Math.hypot(...across);
  return [across[0] / size, across[1] / size, across[2] / size, cosine < 0 ? Math.PI : 0];
}

/** Sets the figures that follow parameters, and shows what has grown or shrunk as large as it was. */
export function sceneStretch(X3D: X3D, scene: XScene, page: Page, info: PageSceneData): () => void {
  const before = extentOf(page, info);
  const floor = [...scene.rootNodes].find((node) => node.getNodeName() === "Floor");
  const height = floor?.translation.y ?? 0;
  const views = [...scene.getNamedNode(info.camera).children].slice(0, info.views.length).map((view) => ({
    view,
    position: placeOf(view.position),
    centre: placeOf(view.centerOfRotation),
  }));
  return () => {
    for (const { node, at, axes, scale, was, now } of info.nodes) {
      const figure = scene.getNamedNode(node);
      if (at) figure.translation = new X3D.SFVec3f(...at);
      if (axes) figure.rotation = new X3D.SFRotation(...axisAngle(axes));
      if (scale) figure.scale = new X3D.SFVec3f(...scale.map((part) => Math.max(part, 1e-6)));
      if (was && now) stretchLink(X3D, figure, was, now);
    }
    const after = extentOf(page, info);
    if (!before || !after) return;
    const k = growth(before, after);
    const moved = (p: number[]) => p.map((x, i) => middle(after, i) + k * (x - middle(before, i)));
    for (const { view, position, centre } of views) {
      view.position = new X3D.SFVec3f(...moved(position));
      view.centerOfRotation = new X3D.SFVec3f(...moved(centre));
    }
    // What hangs lower must not hang under the floor; a floor that carries something stays.
    if (floor && !Object.keys(page.data.contacts).length) {
      const { x, z } = floor.translation;
      floor.translation = new X3D.SFVec3f(x, height + Math.min(after[0][1] - before[0][1], 0), z);
    }
  };
}

function stretchLink(X3D: X3D, figure: XNode, was: number[], now: number[]): void {
  const { turn, along, stretch } = linkStretch(was, now);
  figure.rotation = new X3D.SFRotation(...turn);
  figure.scaleOrientation = new X3D.SFRotation(...along);
  figure.scale = new X3D.SFVec3f(1, stretch, 1);
}

function placeOf({ x, y, z }: { x: number; y: number; z: number }): number[] {
  return [x, y, z];
}

function middle([low, high]: Extent, i: number): number {
  return (low[i] + high[i]) / 2;
}

/** How many times larger something has become, by its longest sides. */
export function growth(before: Extent, after: Extent): number {
  const longest = ([low, high]: Extent) => Math.max(...high.map((x, i) => x - low[i]));
  const k = longest(after) / longest(before);
  return k > 0 && Number.isFinite(k) ? k : 1;
}

/** What poles, points and frames cover where the file begins, in the axes of the scene. */
function extentOf(page: Page, info: PageSceneData): Extent | null {
  const { system, data } = page;
  if (!system?.opening) return null;
  const { q, structure } = data.start;
  const poses = system.poses(system.opening(q, structure));
  const low = [Infinity, Infinity, Infinity];
  const high = low.map((x) => -x);
  for (const { body, p } of data.places) {
    const place = [0, 1, 2].map((row) => {
      const k = 12 * body + 4 * row;
      return poses[k] * p[0] + poses[k + 1] * p[1] + poses[k + 2] * p[2] + poses[k + 3];
    });
    for (let i = 0; i < 3; i++) {
      const x = place.reduce((sum, value, k) => sum + info.axes[3 * i + k] * value, 0);
      low[i] = Math.min(low[i], x);
      high[i] = Math.max(high[i], x);
    }
  }
  return data.places.length ? [low, high] : null;
}
