// Moves a scheme that `moving_scheme` has prepared: groups of bodies, springs, labels, the camera.
import type { PlanarScheme, SchemeFigure, SchemeSpring, SpatialScheme } from "../payload";

export type Scheme = PlanarScheme | SpatialScheme;
type Numbers = ArrayLike<number>;
type Part = (id: string) => Element | null;

const schemeParts = new WeakMap<Element, Map<string, Element>>();

/** Parts of a scheme by their ids, found once. */
export function schemePart(root: Element): Part {
  const known = schemeParts.get(root) ?? new Map<string, Element>();
  if (!schemeParts.has(root)) {
    for (const element of root.querySelectorAll("[id]")) known.set(element.getAttribute("id") ?? "", element);
    schemeParts.set(root, known);
  }
  return (id) => known.get(id) ?? null;
}

function schemeNumber(x: number): string {
  return String(Math.round(x * 1e4) / 1e4);
}

/**
 * A point of a body in the picture [mm].
 * @param poses World poses, row-major 3×4 [m], the ground first.
 * @param body Number of the body.
 * @param x In the axes of the body [mm].
 * @param y The same.
 */
export function schemePoint(poses: Numbers, body: number, x: number, y: number): [number, number] {
  const k = 12 * body;
  return [
    poses[k] * x + poses[k + 1] * y + 1e3 * poses[k + 3],
    poses[k + 4] * x + poses[k + 5] * y + 1e3 * poses[k + 7],
  ];
}

/**
 * The path of a spring from one point to another [mm].
 * @param a Where it begins.
 * @param b Where it ends.
 * @param spring Number of half turns, half the width, straight ends [mm].
 */
export function springPath(
  a: number[],
  b: number[],
  spring: Pick<SchemeSpring, "coils" | "half" | "straight">,
): string {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const start = `M${schemeNumber(a[0])},${schemeNumber(a[1])}`;
  if (length < 1e-6) return `${start}h0`;
  const ux = (b[0] - a[0]) / length;
  const uy = (b[1] - a[1]) / length;
  const straight = Math.min(spring.straight, 0.2 * length);
  let d = start;
  for (let i = 0; i <= spring.coils; i++) {
    const s = straight + ((length - 2 * straight) * i) / spring.coils;
    const side = i === 0 || i === spring.coils ? 0 : i % 2 ? spring.half : -spring.half;
    d += `L${schemeNumber(a[0] + ux * s - uy * side)},${schemeNumber(a[1] + uy * s + ux * side)}`;
  }
  return `${d}L${schemeNumber(b[0])},${schemeNumber(b[1])}`;
}

/** How far the camera has gone [mm]; points of the ground are seen at their place less this. */
export function schemeCamera(description: Scheme, poses: Numbers): [number, number] {
  const follow = description.follow;
  if (!follow?.home) return [0, 0];
  const spatial = description.kind === "spatial";
  const [x, y] = spatial ? schemeProject(poses, follow.body, [0, 0, 0]) : schemePoint(poses, follow.body, 0, 0);
  return [follow.x ? x - follow.home[0] : 0, follow.y ? y - follow.home[1] : 0];
}

const schemeCosine = Math.sqrt(3) / 2;

/**
 * A point or, with weight 0, a direction of a body on the paper of an isometric scheme.
 * @param poses World poses, row-major 3×4 [m], the ground first.
 * @param body Number of the body.
 * @param p In the axes of the body [mm].
 * @param weight 1 for a point.
 * @returns x and y on the paper, y down, and how near it is [mm].
 */
export function schemeProject(poses: Numbers, body: number, p: number[], weight = 1): [number, number, number] {
  const k = 12 * body;
  const out = [0, 4, 8].map(
    (i) => poses[k + i] * p[0] + poses[k + i + 1] * p[1] + poses[k + i + 2] * p[2] + 1e3 * weight * poses[k + i + 3],
  );
  return [schemeCosine * (out[1] - out[0]), (out[0] + out[1]) / 2 - out[2], out[0] + out[1] + out[2]];
}

/** The path of a figure of an isometric scheme. */
export function figurePath(figure: SchemeFigure, poses: Numbers): string {
  const places = figure.points.map(([body, ...p]) => schemeProject(poses, body, p));
  const at = (x: number, y: number) => `${schemeNumber(x)},${schemeNumber(y)}`;
  if (figure.kind === "spring") {
    return springPath(places[0], places[1], { coils: 12, half: 0.6 * figure.radius, straight: 1.2 * figure.radius });
  }
  if (figure.kind === "line" || figure.kind === "area") {
    return `M${places.map(([x, y]) => at(x, y)).join("L")}${figure.kind === "area" ? "z" : ""}`;
  }
  const [x, y] = places[0];
  const r = figure.radius;
  if (figure.kind === "ball") {
    return `M${at(x - r, y)}A${r},${r},0,1,0,${at(x + r, y)}A${r},${r},0,1,0,${at(x - r, y)}z`;
  }
  const [ax, ay, toward] = schemeProject(poses, figure.points[0][0], figure.axis, 0);
  const length = Math.hypot(ax, ay);
  const [ux, uy] = length > 1e-9 ? [-ay / length, ax / length] : [1, 0];
  const long = r * Math.sqrt(1.5);
  const [wx, wy] = [long * ux, long * uy];
  const [bx, by] = [figure.half * ax, figure.half * ay];
  if (figure.kind === "sleeve") {
    return `M${at(x - bx + wx, y - by + wy)}L${at(x + bx + wx, y + by + wy)}L${at(x + bx - wx, y + by - wy)}L${at(x - bx - wx, y - by - wy)}z`;
  }
  const round = [long, (long * Math.abs(toward)) / Math.sqrt(3), (Math.atan2(uy, ux) * 180) / Math.PI];
  const arc = `A${round.map(schemeNumber).join(",")}`;
  if (figure.kind === "tube") {
    const [a, b] = [at(x - bx + wx, y - by + wy), at(x + bx + wx, y + by + wy)];
    return `M${a}L${b}${arc},0,0,${at(x + bx - wx, y + by - wy)}L${at(x - bx - wx, y - by - wy)}${arc},0,0,${a}z`;
  }
  const side = toward >= 0 ? 1 : -1;
  const [cx, cy] = [x + side * bx, y + side * by];
  return `M${at(cx - wx, cy - wy)}${arc},1,0,${at(cx + wx, cy + wy)}${arc},1,0,${at(cx - wx, cy - wy)}z`;
}

/** Figures of an isometric scheme: paths, and the nearest in front. */
function moveFigures(description: SpatialScheme, poses: Numbers, part: Part): void {
  const seen: [number, Element][] = [];
  for (const figure of description.figures) {
    const element = part(figure.id);
    if (!element) continue;
    element.setAttribute("d", figurePath(figure, poses));
    let near = 0;
    for (const [body, ...p] of figure.points) near += schemeProject(poses, body, p)[2];
    seen.push([near / figure.points.length + figure.bias, element]);
  }
  const layer = part(`${description.prefix}фигуры`);
  seen.sort((a, b) => a[0] - b[0]);
  // Only what has changed its place is moved: pages that stand still do nothing.
  let place = layer?.firstElementChild ?? null;
  for (const [, element] of seen) {
    if (element === place) place = element.nextElementSibling;
    else layer?.insertBefore(element, place);
  }
  for (const label of description.labels) {
    const [x, y] = schemeProject(poses, label.body, label.at);
    const shifted = `translate(${schemeNumber(x + label.shift[0])},${schemeNumber(y + label.shift[1])})`;
    part(label.id)?.setAttribute("transform", shifted);
  }
}

/** Write anew the attributes that follow parameters, from the numbers that the description has now. */
export function reshapeScheme(root: Element, description: Scheme): void {
  if (description.kind !== "planar") return; // figures in space are drawn anew in every posture
  const part = schemePart(root);
  for (const { id, attribute, parts } of description.pieces) {
    const text = parts.map((each) => (typeof each === "number" ? schemeNumber(each) : each)).join("");
    part(id)?.setAttribute(attribute, text);
  }
}

/**
 * Show a scheme in a posture.
 * @param root The element <svg> of the scheme, in the document.
 * @param description `MovingScheme.description`.
 * @param poses World poses of all bodies, row-major 3×4 [m], the ground first.
 * @param structure Name of the structure, which says which links hold; without, they are left as they are.
 */
export function moveScheme(root: Element, description: Scheme, poses: Numbers, structure?: string): void {
  const part = schemePart(root);
  const prefix = description.prefix;
  if (description.kind === "spatial") moveFigures(description, poses, part);
  else movePlane(description, poses, structure, part);
  if (description.follow) {
    const [x, y] = schemeCamera(description, poses);
    part(`${prefix}камера`)?.setAttribute("transform", `translate(${schemeNumber(-x)},${schemeNumber(-y)})`);
  }
}

/** Groups of bodies, springs, labels and symbols of links of a planar scheme. */
function movePlane(description: PlanarScheme, poses: Numbers, structure: string | undefined, part: Part): void {
  const prefix = description.prefix;
  for (const { number, base } of description.bodies) {
    const group = part(`${prefix}тело_${number}`);
    if (!group) continue;
    const k = 12 * number;
    const b = 12 * base;
    const dx = 1e3 * (poses[k + 3] - poses[b + 3]);
    const dy = 1e3 * (poses[k + 7] - poses[b + 7]);
    // Turned back by the base, which is a rotation of the plane.
    const c = poses[b];
    const s = poses[b + 4];
    const turn = Math.atan2(c * poses[k + 4] - s * poses[k], c * poses[k] + s * poses[k + 4]);
    const place = `translate(${schemeNumber(c * dx + s * dy)},${schemeNumber(c * dy - s * dx)})`;
    group.setAttribute("transform", `${place} rotate(${Math.round((turn * 180e6) / Math.PI) / 1e6})`);
  }
  for (const spring of description.springs) {
    const [a, b] = spring.ends.map(([body, x, y]) => schemePoint(poses, body, x, y));
    part(spring.id)?.setAttribute("d", springPath(a, b, spring));
  }
  for (const label of description.labels) {
    const [x, y] = schemePoint(poses, label.body, label.at[0], label.at[1]);
    const place = `translate(${schemeNumber(x + label.shift[0])},${schemeNumber(y + label.shift[1])})`;
    part(label.id)?.setAttribute("transform", place);
  }
  if (structure !== undefined) {
    for (const mark of description.marks) {
      const held = mark.structures.some((name) => structure === name || structure.startsWith(`${name}: `));
      part(mark.id)?.setAttribute("visibility", held ? "visible" : "hidden");
    }
  }
}
