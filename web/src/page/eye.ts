// Where the viewer of a scene stands: pixels of the window and places of the world.
import type { Eye, Place } from "./core";
import type { XBrowser } from "./xite";

type Numbers = ArrayLike<number>;

/**
 * The camera of a scene.
 * @param canvas that it is drawn in
 * @param browser of X_ITE
 * @param axes of the world in those of the scene, by rows
 */
export function sceneEye(canvas: Element, browser: XBrowser, axes: Numbers): Eye {
  const view = () => {
    const node = browser.activeViewpoint?.getValue();
    const { left, top, width, height } = canvas.getBoundingClientRect();
    if (!node || !(width > 0) || !(height > 0)) return null;
    // Matrices of X_ITE are columns of four, one after another.
    const C = node.getCameraSpaceMatrix();
    const P = node.getProjectionMatrixWithLimits(1, 2, [0, 0, width, height]);
    return { C, P, left, top, width, height };
  };
  /** A place of the world in the axes of the camera. */
  const inside = (C: Numbers, place: Place) => {
    const scene = [0, 1, 2].map((i) => place.reduce((sum, x, k) => sum + axes[3 * i + k] * x, 0) - C[12 + i]);
    return solved(C, scene);
  };
  return {
    aim(x, y, near) {
      const now = view();
      if (!now) return null;
      const { C, P, left, top, width, height } = now;
      const deep = inside(C, near)[2];
      const w = P[11] * deep + P[15];
      const across = [(2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height];
      const at = [0, 1].map((i) => (across[i] * w - P[8 + i] * deep - P[12 + i]) / P[5 * i]);
      const scene = [0, 1, 2].map((i) => C[i] * at[0] + C[4 + i] * at[1] + C[8 + i] * deep + C[12 + i]);
      return [0, 1, 2].map((k) => scene.reduce((sum, value, i) => sum + axes[3 * i + k] * value, 0));
    },
    seen(place) {
      const now = view();
      if (!now) return null;
      const { C, P, left, top, width, height } = now;
      const [u, v, deep] = inside(C, place);
      const w = P[11] * deep + P[15];
      if (!(w > 0)) return null;
      const [right, up] = [0, 1].map((i) => (P[5 * i] * (i ? v : u) + P[8 + i] * deep + P[12 + i]) / w);
      return [left + (0.5 + 0.5 * right) * width, top + (0.5 - 0.5 * up) * height, -deep];
    },
  };
}

/** The solution of the three equations whose columns are the first of a camera. */
function solved(C: Numbers, b: number[]): [number, number, number] {
  const column = (i: number) => [C[4 * i], C[4 * i + 1], C[4 * i + 2]];
  const [u, v, w] = [0, 1, 2].map(column);
  const cross = (a: number[], c: number[]) => [
    a[1] * c[2] - a[2] * c[1],
    a[2] * c[0] - a[0] * c[2],
    a[0] * c[1] - a[1] * c[0],
  ];
  const dot = (a: number[], c: number[]) => a.reduce((sum, x, i) => sum + x * c[i], 0);
  const volume = dot(u, cross(v, w));
  return [dot(b, cross(v, w)) / volume, dot(b, cross(w, u)) / volume, dot(b, cross(u, v)) / volume];
}
