// Where a scene is looked at from: its viewpoints, parallel lines or not, nearer and farther, all of it.
import type { SFRotation, SFVec3f, X3D, XBrowser, XNode, XScene } from "../xite";

type Numbers = ArrayLike<number>;

/** A place to look from. */
export interface Stand {
  at: number[];
  /** Axis and angle. */
  turn: number[];
  centre: number[];
  /** Half of what the smaller side of the window shows at the centre [m]. */
  half: number;
}

/** A part of the way from the eyes to what they look at: nothing nearer is shown. */
export const NEAR = 0.01;

/**
 * A place to look from in a direction, near enough to see some points well and all of them.
 * @param points that must be seen, three numbers each [m]
 * @param turn axis and angle of who looks
 * @param angle that the smaller side of the window sees [rad]
 * @param ratio of the width of the window to its height
 */
export function fitStand(points: number[][], turn: number[], angle: number, ratio: number): Stand {
  const [right, above, back] = turnAxes(turn);
  const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const seen = points.map((point) => [dot(point, right), dot(point, above), dot(point, back)]);
  const ends = (k: number) => [Math.min(...seen.map((p) => p[k])), Math.max(...seen.map((p) => p[k]))];
  const middle = [0, 1, 2].map((k) => (ends(k)[0] + ends(k)[1]) / 2);
  const room = 0.03 * Math.hypot(...[0, 1, 2].map((k) => ends(k)[1] - ends(k)[0])) || 1e-3;
  // The larger side of the window sees as much more as it is longer.
  const [wide, high] = [Math.max(ratio, 1), Math.max(1 / ratio, 1)];
  let [distance, half] = [0, 0];
  for (const p of seen) {
    const aside = Math.max((Math.abs(p[0] - middle[0]) + room) / wide, (Math.abs(p[1] - middle[1]) + room) / high);
    distance = Math.max(distance, p[2] - middle[2] + (1.08 * aside) / Math.tan(angle / 2));
    half = Math.max(half, 1.08 * aside);
  }
  const world = (a: number, b: number, c: number) => [0, 1, 2].map((k) => a * right[k] + b * above[k] + c * back[k]);
  const centre = world(middle[0], middle[1], middle[2]);
  return { at: world(middle[0], middle[1], middle[2] + distance), turn, centre, half };
}

/** The axes of who looks: to the right, above, behind. */
function turnAxes([x, y, z, angle]: number[]): number[][] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 1 - c;
  return [
    [c + k * x * x, k * x * y + s * z, k * x * z - s * y],
    [k * x * y - s * z, c + k * y * y, k * y * z + s * x],
    [k * x * z + s * y, k * y * z - s * x, c + k * z * z],
  ];
}

/** The camera of a scene. */
export class Camera {
  /** Whether parallel lines stay parallel. */
  parallel = false;
  /** The number of the viewpoint that was chosen last. */
  chosen = 0;
  readonly #X3D: X3D;
  readonly #browser: XBrowser;
  readonly #points: XNode[];
  readonly #free: XNode;
  readonly #ortho: XNode;

  /**
   * @param holder the node that has the viewpoints
   */
  constructor(X3D: X3D, browser: XBrowser, scene: XScene, holder: XNode) {
    [this.#X3D, this.#browser] = [X3D, browser];
    this.#points = [...holder.children];
    [this.#free, this.#ortho] = ["Viewpoint", "OrthoViewpoint"].map((type) => scene.createNode(type));
    this.#free.fieldOfView = this.angle;
    holder.children.push(this.#free, this.#ortho);
  }

  /** What the smaller side of the window sees [rad]. */
  get angle(): number {
    return Number(this.#points[0].fieldOfView);
  }

  /** Where the eyes are now. */
  get stand(): Stand | null {
    const view = this.#browser.activeViewpoint?.getValue();
    if (!view) return null;
    const vector = ({ x, y, z }: SFVec3f) => [x, y, z];
    const { x, y, z, angle } = view.getUserOrientation();
    const [at, centre] = [vector(view.getUserPosition()), vector(view.getUserCenterOfRotation())];
    const far = Math.hypot(...at.map((value, k) => value - centre[k]));
    const half = this.parallel
      ? Number((this.#ortho.fieldOfView as Numbers)[3]) * view.getFieldOfViewScale()
      : far * Math.tan(this.angle / 2);
    return { at, turn: [x, y, z, angle], centre, half };
  }

  /** Looks from a viewpoint of the scene. */
  choose(number: number): void {
    this.chosen = number;
    const point = this.#points[number];
    if (!this.parallel) {
      bind(point);
      return;
    }
    const vector = ({ x, y, z }: SFVec3f) => [x, y, z];
    const { x, y, z, angle }: SFRotation = point.orientation;
    const [at, centre] = [vector(point.position), vector(point.centerOfRotation)];
    const far = Math.hypot(...at.map((value, k) => value - centre[k]));
    this.look({ at, turn: [x, y, z, angle], centre, half: far * Math.tan(this.angle / 2) });
  }

  /** Looks from a place. */
  look({ at, turn, centre, half }: Stand): void {
    const { SFVec3f, SFRotation, MFFloat } = this.#X3D;
    const node = this.parallel ? this.#ortho : this.#free;
    if (this.parallel) node.fieldOfView = new MFFloat(-half, -half, half, half);
    node.position = new SFVec3f(...at);
    node.orientation = new SFRotation(...turn);
    node.centerOfRotation = new SFVec3f(...centre);
    bind(node);
  }

  /** Lets parallel lines stay parallel, or not, from the same place. */
  setParallel(on: boolean): void {
    const eye = this.stand;
    if (on === this.parallel || !eye) return;
    this.parallel = on;
    this.look(eye);
  }

  /** Comes nearer by a factor. */
  zoom(factor: number): void {
    const view = this.#browser.activeViewpoint?.getValue();
    if (!view) return;
    if (this.parallel) {
      view.setFieldOfViewScale(view.getFieldOfViewScale() / factor);
      return;
    }
    const centre = view.getUserCenterOfRotation().copy();
    view.setUserPosition(
      view
        .getUserPosition()
        .copy()
        .subtract(centre)
        .multiply(1 / factor)
        .add(centre),
    );
  }

  /** Moves the near plane along with the eyes: what is near is not cut, and what is far does not flicker. */
  near(): void {
    const view = this.#browser.activeViewpoint;
    const eye = this.stand;
    if (!view || !eye) return;
    const near = NEAR * Math.hypot(...eye.at.map((value, k) => value - eye.centre[k]));
    if (near > 0 && !(Math.abs(view.nearDistance / near - 1) < 0.2)) view.nearDistance = near;
  }
}

/** A viewpoint that is bound already goes back to its place only when it is bound anew. */
function bind(point: XNode): void {
  if (point.isBound) point.set_bind = false;
  point.set_bind = true;
}
