// The floor and the sky of a scene, in the colours of its page, and what is there of bodies by night.
import type { SFColor, X3D, XNode, XScene } from "../xite";

/** Red, green and blue from 0 to 1. */
export type Colour = number[];

/** Least grey value of a body by night. */
const DARKEST = 0.36;

/** Floor and sky. */
export interface Ground {
  /** In colours of the page: below the bodies, behind them, lines; whether it is night. */
  paint(floor: Colour, sky: Colour, lines: Colour): void;
  /** Goes along by whole steps of the grid, so that its lines stay where they were [m]. */
  follow(x: number, z: number): void;
}

/** The ground of a scene whose grid has a step [m]. */
export function sceneGround(X3D: X3D, scene: XScene, step: number): Ground {
  const sky = [...scene.rootNodes].find((node) => node.getNodeTypeName() === "Background");
  const floor = [...scene.rootNodes].find((node) => node.getNodeName() === "Floor");
  const shapes = floor ? [...floor.children].map((holder) => holder.children[0]) : [];
  // How much is seen of every corner stays as it is.
  const shares = shapes.map((shape) => [...shape.geometry.color.color].map((colour) => colour.a));
  const home = floor?.translation.copy();
  return {
    paint(plate, paper, lines) {
      const mixed = (a: Colour, b: Colour, share: number) => a.map((part, k) => part + share * (b[k] - part));
      if (sky)
        sky.skyColor = new X3D.MFColor(
          ...[paper, mixed(paper, plate, 0.8)].map((colour) => new X3D.SFColor(...colour)),
        );
      [plate, lines].slice(0, shapes.length).forEach((colour, n) => {
        const corners = shares[n].map((share) => new X3D.SFColorRGBA(...colour, share));
        shapes[n].geometry.color.color = new X3D.MFColorRGBA(...corners);
      });
    },
    follow(x, z) {
      if (!floor || !home || !(step > 0)) return;
      const [right, front] = [x, z].map((way) => step * Math.round(way / step));
      const { x: was, z: before } = floor.translation;
      const [to, along] = [home.x + right, home.z + front];
      if (to !== was || along !== before) floor.translation = new X3D.SFVec3f(to, home.y, along);
    },
  };
}

/** The materials below a node, each with the colour that its scene gives it. */
export function sceneMaterials(node: XNode): [XNode, SFColor][] {
  const found = new Map<XNode, SFColor>();
  const look = (at: Partial<XNode>) => {
    const { appearance } = at;
    const material: XNode | null = appearance?.material ?? null;
    if (material?.getNodeTypeName() === "Material") found.set(material, material.diffuseColor.copy());
    for (const child of at.children ?? []) look(child);
  };
  look(node);
  return [...found];
}

/** Makes bodies as light as they must be to be seen by night; by day they are as their scene has them. */
export function lightUp(X3D: X3D, materials: [XNode, SFColor][], night: boolean): void {
  for (const [material, { r, g, b }] of materials) {
    const more = night ? Math.max(DARKEST - (0.299 * r + 0.587 * g + 0.114 * b), 0) : 0;
    material.diffuseColor = new X3D.SFColor(...[r, g, b].map((part) => Math.min(part + more, 1)));
  }
}
