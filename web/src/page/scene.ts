// The scene in space: X_ITE, out of the page itself, with the joints set frame by frame.
import type { PageSceneData } from "../payload";
import type { Eye, Page, Place } from "./core";
import { sceneEye } from "./eye";
import { sceneStretch } from "./stretch";
import { Camera, fitStand } from "./space/camera";
import { type Colour, lightUp, sceneGround, sceneMaterials } from "./space/ground";
import { type Fineness, Ladder, finest, rendererName } from "./space/quality";
import { canDrawScenes } from "./webgl";
import type { SFColor, X3D, XBrowser, XNode, XScene } from "./xite";

type Numbers = ArrayLike<number>;

const SCENE_WORDS = {
  label: {
    en: "Scene in space: drag to turn, wheel to come nearer",
    ru: "Сцена: тяните мышью, чтобы повернуть; колесо приближает",
  },
  views: { en: "View", ru: "Вид" },
  parallel: { en: "Parallel", ru: "Параллельно" },
  parallelAbout: { en: "Parallel lines stay parallel", ru: "Параллельные прямые остаются параллельными" },
  absent: {
    en: "This browser cannot draw scenes in space: it has no WebGL 2.",
    ru: "Этот браузер не рисует пространственные сцены: нет WebGL 2.",
  },
};

/** How clear bodies are while something inside of them is shown. */
const SEEN_THROUGH = 0.65;

/** What the viewer comes from. */
export interface XitePieces {
  /** Its source. */
  module: string;
  style: string;
  /** Sources of components by name. */
  parts?: Record<string, string>;
  /** SERIF, SANS, TYPEWRITER. */
  fonts?: Record<string, Uint8Array<ArrayBuffer>>;
  /** What makes tangents. */
  tangents?: Uint8Array<ArrayBuffer> | null;
}

/** What X_ITE asks for beyond itself: addresses that the page makes. */
interface XiteShelf {
  viewer?: Promise<X3D>;
  style?: string;
  parts?: Record<string, string>;
  none?: string;
  font?: (file: string) => string | undefined;
  tangents?: string | null;
}

/** The X3D viewer, as a module that comes out of texts. It is loaded once for a document; the first call says what it has. */
export function loadXite({ module, style, parts = {}, fonts = {}, tangents = null }: XitePieces): Promise<X3D> {
  // What X_ITE asks for by this name; pages of one document share the viewer, for its elements can be defined only once.
  const global = globalThis as { sistelXite?: XiteShelf };
  const shelf = (global.sistelXite ??= {});
  shelf.viewer ??= (async () => {
    const address = (piece: BlobPart, type: string) => URL.createObjectURL(new Blob([piece], { type }));
    const each = (pieces: Record<string, BlobPart>, type: string): Record<string, string> =>
      Object.fromEntries(Object.entries(pieces).map(([name, piece]) => [name, address(piece, type)]));
    const letters = each(fonts, "font/ttf");
    const found: XiteShelf = {
      style,
      parts: each(parts, "text/javascript"),
      // What there is of a component that no scene here needs.
      none: address("", "text/javascript"),
      // It asks for files by their names; bold and slanted letters are the plain ones here.
      font: (file) => letters[/Mono/.test(file) ? "TYPEWRITER" : /Serif/.test(file) ? "SERIF" : "SANS"],
      tangents: tangents && address(tangents, "application/wasm"),
    };
    Object.assign(shelf, found);
    const source = address(module, "text/javascript");
    try {
      return ((await import(source)) as { default: X3D }).default;
    } finally {
      URL.revokeObjectURL(source);
    }
  })();
  return shelf.viewer;
}

/**
 * A canvas of the viewer, once it is loaded, that fills an element.
 * @param element where it goes
 * @param label what it is called for those who do not see it
 */
export function sceneCanvas(element: Element, label: string): HTMLElement {
  const canvas = document.createElement("x3d-canvas");
  const options = {
    splashScreen: "false",
    notifications: "false",
    contextMenu: "false",
    timings: "false",
    antialiased: "true",
  };
  for (const [name, value] of Object.entries(options)) canvas.setAttribute(name, value);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  canvas.style.cssText = "display:block;position:absolute;inset:0;width:100%;height:100%";
  element.append(canvas);
  return canvas;
}

/**
 * Axis and angle of a rotation, exact for the smallest turns and for half turns alike.
 * @param R nine numbers by rows
 * @returns a unit axis and the angle from 0 to π [rad]
 */
export function axisAngle(R: Numbers): [number, number, number, number] {
  const [a, b, c, d, e, f, g, h, i] = Array.from(R);
  // Of the four forms of the quaternion, the one with the largest divisor.
  const sizes = [a + e + i, a - e - i, e - a - i, i - a - e];
  const best = sizes.indexOf(Math.max(...sizes));
  let [w, x, y, z] = [
    [1 + sizes[0], h - f, c - g, d - b],
    [h - f, 1 + sizes[1], b + d, c + g],
    [c - g, b + d, 1 + sizes[2], f + h],
    [d - b, c + g, f + h, 1 + sizes[3]],
  ][best];
  if (w < 0) [w, x, y, z] = [-w, -x, -y, -z];
  const sine = Math.hypot(x, y, z);
  return sine > 0 ? [x / sine, y / sine, z / sine, 2 * Math.atan2(sine, w)] : [0, 0, 1, 0];
}

/**
 * The shift and turn of every joint, from where bodies are in the world.
 * @param poses 3×4 by rows for every body, the ground first [m]
 * @param bases number of the base of every body
 * @param places of the joints in their bases, 3×4 by rows [m]; null for a body that stays in its base
 * @param set gets the index of a body, a translation [m], and an axis with an angle
 */
export function jointShifts(
  poses: Numbers,
  bases: PageSceneData["bases"],
  places: PageSceneData["places"],
  set: (n: number, p: number[], turn: [number, number, number, number]) => void,
): void {
  const joint = new Float64Array(12);
  for (let n = 0; n < bases.length; n++) {
    const place = places[n];
    if (!place) continue;
    sceneProduct(poses, 12 * bases[n], place, 0, joint);
    // joint⁻¹ · body
    const R: number[] = [];
    const p = [0, 0, 0];
    const at = 12 * (n + 1);
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += joint[4 * k + row] * poses[at + 4 * k + column];
        R.push(sum);
      }
      for (let k = 0; k < 3; k++) p[row] += joint[4 * k + row] * (poses[at + 4 * k + 3] - joint[4 * k + 3]);
    }
    set(n, p, axisAngle(R));
  }
}

/**
 * Where a spring is: from its first end towards the second, which lies along y.
 * @param poses 3×4 by rows for every body, the ground first [m]
 * @param ends bodies by number, and points in their frames [m]
 */
export function springStretch(
  poses: Numbers,
  ends: [number, number[]][],
): { at: number[]; turn: number[]; length: number } {
  const [a, b] = ends.map(([body, point]) =>
    [0, 1, 2].map((row) => {
      const at = 12 * body + 4 * row;
      return poses[at + 3] + point.reduce((sum, value, k) => sum + poses[at + k] * value, 0);
    }),
  );
  const [x, y, z] = b.map((value, k) => value - a[k]);
  const length = Math.hypot(x, y, z);
  const aside = Math.hypot(x, z);
  // About the axis across y and the spring; upside down about any.
  const turn = aside > 0 ? [z / aside, 0, -x / aside, Math.atan2(aside, y)] : [1, 0, 0, y < 0 ? Math.PI : 0];
  return { at: a, turn, length };
}

/** The product of two 3×4 poses, written into `out`. */
function sceneProduct(a: Numbers, i: number, b: Numbers, j: number, out: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      let sum = column === 3 ? a[i + 4 * row + 3] : 0;
      for (let k = 0; k < 3; k++) sum += a[i + 4 * row + k] * b[j + 4 * k + column];
      out[4 * row + column] = sum;
    }
  }
}

/** A colour of CSS, as it is in an element, as red, green and blue from 0 to 1. */
function sceneColour(element: Element, colour: string): Colour {
  const probe = document.createElement("span");
  probe.style.cssText = "display:none";
  probe.style.color = colour;
  element.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  // color(srgb …) has its parts from 0 to 1 already.
  const scale = found.startsWith("color(") ? 1 : 255;
  return (found.match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map((part) => Number(part) / scale);
}

/** Materials of a body, without those of the bodies that it carries. */
function bodyMaterials(node: XNode, bodies: XNode[]): Set<XNode> {
  const found = new Set<XNode>();
  const look = (at: Partial<XNode>) => {
    for (const child of at.children ?? []) {
      if (bodies.includes(child)) continue;
      const { appearance }: Partial<XNode> = child;
      const material: XNode | null = (child.getNodeTypeName() === "Shape" && appearance?.material) || null;
      if (material) found.add(material);
      else look(child);
    }
  };
  look(node);
  return found;
}

/** A scene that a page moves. */
export interface SceneView {
  /** Puts the bodies where they are: 3×4 by rows for each, the ground first [m]. */
  show(poses: Numbers): void;
  /** Sets what follows parameters: places, turns and scales of figures. */
  reshape(): void;
  /** Lines through places of the world [m], in colours of the style sheet; none removes them. */
  trails(paths: Place[][], colours?: string[]): void;
  /** The same, thicker, apart from the trails: axes of frames and their like; the last ones are thin rays. */
  marks(paths: Place[][], colours?: string[], rays?: number): void;
  /** One line, three numbers after three [m]; none removes it. */
  trail(points: number[]): void;
  /** Makes a body stand out by its number; null ends that. */
  highlight(number: number | null): void;
  /** Makes bodies as transparent as this, from 0 to 1, so that lines in them are seen. */
  fade?(share: number): void;
  /** Pixels and places of the world. */
  eye?: Eye;
  /** What the viewer has in a joint now. */
  fields(name: string): { translation: number[]; rotation: number[] } | null;
  /** Looks at all bodies where they are. */
  fit?(): void;
  zoom?(factor: number): void;
  /** Whether the camera goes along with a body that moves away. */
  follow?: boolean;
  setFollow?(on: boolean): void;
  /** Shows or hides a layer of the scene by its key. */
  setLayer?(key: string, on: boolean): void;
  /** Where it is looked at from. */
  readonly camera?: Camera;
  /** How finely it is drawn. */
  readonly ladder?: Ladder;
  readonly browser?: XBrowser;
}

/** Milliseconds that the last frames took are told by what moves; a hand that turns the scene moves it too. */
function sceneLadder(browser: XBrowser, scene: XScene, canvas: HTMLElement, page: Page): Ladder {
  const suns = [...scene.rootNodes].filter((node) => node.getNodeTypeName() === "DirectionalLight" && node.shadows);
  const draw = ({ scale, shadows }: Fineness) => {
    browser.setBrowserOption("ContentScale", scale);
    for (const sun of suns) if (sun.shadows !== shadows) sun.shadows = shadows;
    canvas.dataset.scale = String(scale);
    canvas.dataset.shadows = String(shadows);
  };
  const options = {
    PrimitiveQuality: "HIGH",
    Shading: "PHONG",
    OrderIndependentTransparency: false,
    LogarithmicDepthBuffer: false,
  };
  for (const [name, value] of Object.entries(options)) browser.setBrowserOption(name, value);
  const ladder = new Ladder(finest(devicePixelRatio, rendererName()), draw);
  draw(ladder.now);
  let held = false;
  const turn = (time: number) => {
    if (!held) return;
    ladder.frame(time);
    requestAnimationFrame(turn);
  };
  canvas.addEventListener("pointerdown", () => {
    if (held) return;
    held = true;
    ladder.rest();
    requestAnimationFrame(turn);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.ownerDocument.addEventListener(end, () => (held = false));
  page.on("time", () => {
    if (held) return;
    if (document.hidden) ladder.rest();
    else if (page.player.playing || page.live?.running) ladder.frame(performance.now());
    else ladder.rest();
  });
  return ladder;
}

/** The scene of the page, which fills an element. */
export async function mountScene(element: HTMLElement, page: Page): Promise<SceneView> {
  const info = page.data.scene;
  if (!info) return sceneAbsent(element, page);
  element.classList.add("scene");
  if (getComputedStyle(element).position === "static") element.style.position = "relative";
  if (!canDrawScenes()) return sceneAbsent(element, page);
  const [module, style, text] = await Promise.all([
    page.unpack(info.x_ite),
    page.unpack(info.style),
    page.unpack(info.id),
  ]);
  const X3D = await loadXite({ module, style });
  const canvas = sceneCanvas(element, page.say(SCENE_WORDS.label));
  const browser = X3D.getBrowser(canvas);
  const scene = await browser.createX3DFromString(text);
  await browser.replaceWorld(scene);

  const nodes = info.transforms.map((name) => scene.getNamedNode(name));
  const springs = info.springs.map((spring) => [scene.getNamedNode(spring.node), spring] as const);
  const holder = scene.getNamedNode(info.camera);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches)
    for (const node of scene.rootNodes)
      if (node.getNodeTypeName() === "NavigationInfo") node.transitionType = new X3D.MFString("TELEPORT");
  const camera = new Camera(X3D, browser, scene, holder);
  const ladder = sceneLadder(browser, scene, canvas, page);
  const ground = sceneGround(X3D, scene, info.floor);
  const rings = info.rings.map(([name, number]) => [scene.getNamedNode(name), number] as const);
  const coloured = new Set(rings.map(([material]) => material));
  const materials = sceneMaterials(scene.getNamedNode(info.world)).filter(([material]) => !coloured.has(material));
  const lines: Record<"trails" | "marks" | "rays", Trail[]> = { trails: [], marks: [], rays: [] };
  const marked: [XNode, SFColor][] = [];
  const glass = sceneMaterials(scene.getNamedNode(info.world)).map(
    ([material, colour]) => [material, colour, material.transparency] as const,
  );
  const shown = new Set<string>();
  /** How transparent materials are by themselves. */
  const solid = new Map<XNode, number>();
  let start: number[] | null = null;
  let now: Numbers = [];
  // Asking for a colour lays out the page anew: each is asked for once.
  const known = new Map<string, Colour>();
  const colourOf = (name: string) => {
    const colour = known.get(name) ?? sceneColour(element, name);
    known.set(name, colour);
    return colour;
  };
  const drawLines = (sort: keyof typeof lines, paths: Place[][], colours: string[], width: number) => {
    while (lines[sort].length < paths.length) {
      const line = sceneTrail(X3D, scene, width);
      lines[sort].push(line);
      scene.getNamedNode(info.world).children.push(line.shape);
    }
    const plain = "var(--accent)";
    lines[sort].forEach((line, n) => line.set(paths[n] ?? [], colourOf(colours[n] ?? plain)));
  };

  const stretched = sceneStretch(X3D, scene, page, info);
  const view: SceneView = {
    show(poses) {
      now = poses;
      jointShifts(poses, info.bases, info.places, (n, p, turn) => {
        nodes[n].translation = new X3D.SFVec3f(...p);
        nodes[n].rotation = new X3D.SFRotation(...turn);
      });
      for (const [node, { ends, radius }] of springs) {
        const { at, turn, length } = springStretch(poses, ends);
        node.translation = new X3D.SFVec3f(...at);
        node.rotation = new X3D.SFRotation(...turn);
        // A scale of nothing has no inverse, which viewers ask for.
        node.scale = new X3D.SFVec3f(radius, Math.max(length, 1e-3 * radius), radius);
      }
      const { body, room } = info.follow;
      if (body > 0) {
        const at = [3, 7, 11].map((k) => poses[12 * body + k]);
        const from = (start ??= at);
        const away = at.map((value, k) => value - from[k]);
        // Along the ground alone: who hops is not to be followed up and down.
        const [x, z] = [0, 2].map((row) => away.reduce((sum, value, k) => sum + info.axes[3 * row + k] * value, 0));
        const far = Math.hypot(x, z);
        const share = far > room && view.follow ? 1 - room / far : 0;
        holder.translation = new X3D.SFVec3f(x * share, 0, z * share);
        ground.follow(x * share, z * share);
      }
      camera.near();
    },
    reshape: () => stretched(),
    follow: true,
    setFollow(on) {
      view.follow = on;
      if (now.length) view.show(now);
    },
    fit() {
      const { stand } = camera;
      if (!stand || !now.length) return;
      const away = [holder.translation.x, holder.translation.y, holder.translation.z];
      const points = sceneCorners(info, now).map((point) => point.map((value, k) => value - away[k]));
      camera.look(fitStand(points, stand.turn, camera.angle, canvas.clientWidth / (canvas.clientHeight || 1)));
    },
    zoom: (factor) => (camera.zoom(factor), camera.near()),
    setLayer(key, on) {
      for (const name of info.layers[key] ?? []) scene.getNamedNode(name).whichChoice = on ? 0 : -1;
      if (on) shown.add(key);
      else shown.delete(key);
      // What lies inside of bodies is seen through them.
      const through = ["frames", "axes", "masses"].some((inner) => shown.has(inner));
      for (const [material, , clear] of glass) material.transparency = through ? Math.max(clear, SEEN_THROUGH) : clear;
    },
    camera,
    ladder,
    trails(paths, colours = []) {
      drawLines("trails", paths, colours, info.trail);
    },
    marks(paths, colours = [], rays = 0) {
      const from = paths.length - rays;
      drawLines("marks", paths.slice(0, from), colours.slice(0, from), 3);
      drawLines("rays", paths.slice(from), colours.slice(from), 1);
    },
    trail(points) {
      const places = Array.from({ length: Math.floor(points.length / 3) }, (_, n) => points.slice(3 * n, 3 * n + 3));
      view.trails(places.length ? [places] : []);
    },
    highlight(number) {
      for (const [material, colour] of marked.splice(0)) material.emissiveColor = colour;
      if (!number || !nodes[number - 1]) return;
      const glow = sceneColour(element, "var(--accent)").map((part) => 0.55 * part);
      for (const material of bodyMaterials(nodes[number - 1], nodes)) {
        marked.push([material, material.emissiveColor.copy()]);
        material.emissiveColor = new X3D.SFColor(...glow);
      }
    },
    fields(name) {
      const { translation: t, rotation: r } = scene.getNamedNode(name);
      return { translation: [t.x, t.y, t.z], rotation: [r.x, r.y, r.z, r.angle] };
    },
    fade(share) {
      for (const node of nodes) {
        for (const material of bodyMaterials(node, nodes)) {
          const own = solid.get(material) ?? material.transparency;
          solid.set(material, own);
          material.transparency = own + share * (1 - own);
        }
      }
    },
    eye: sceneEye(canvas, browser, info.axes),
    browser,
  };
  const paints = Object.entries(info.paints).map(([key, name]) => [key, scene.getNamedNode(name)] as const);
  const paint = () => {
    known.clear();
    const [plate, paper, line] = ["--plate", "--paper", "--line"].map((name) => sceneColour(element, `var(${name})`));
    ground.paint(plate, paper, line);
    const grey = (colour: Colour) => 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
    for (const [key, material] of paints)
      material.emissiveColor = new X3D.SFColor(...sceneColour(element, `var(--${key})`));
    lightUp(X3D, materials, grey(paper) < 0.5);
    for (const [material, number] of rings)
      material.diffuseColor = new X3D.SFColor(...sceneColour(element, `var(--c${number % 8})`));
  };
  paint();
  page.on("theme", () => requestAnimationFrame(paint));
  page.on("highlight", (number) => view.highlight(number));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => requestAnimationFrame(paint));
  for (const name of ["wheel", "pointermove", "pointerup"])
    canvas.addEventListener(name, () => camera.near(), { passive: true });
  element.append(sceneViews(camera, page, info));
  page.on("lang", () => canvas.setAttribute("aria-label", page.say(SCENE_WORDS.label)));
  page.scene = view;
  return view;
}

/** What is there instead where nothing can be drawn. */
function sceneAbsent(element: Element, page: Page): SceneView {
  const note = document.createElement("p");
  note.className = "scene-absent";
  const speak = () => {
    note.textContent = page.say(SCENE_WORDS.absent);
  };
  speak();
  page.on("lang", speak);
  element.append(note);
  return { show() {}, reshape() {}, trail() {}, trails() {}, marks() {}, highlight() {}, fields: () => null };
}

/** A line of a scene. */
interface Trail {
  shape: XNode;
  set(places: Place[], colour: Colour): void;
}

/** A line of points that can be set, some pixels wide. */
function sceneTrail(X3D: X3D, scene: XScene, width: number): Trail {
  const types = ["Shape", "Appearance", "UnlitMaterial", "LineSet", "Coordinate"];
  const [shape, appearance, material, set, points] = types.map((type) => scene.createNode(type));
  appearance.material = material;
  set.coord = points;
  shape.appearance = appearance;
  shape.geometry = set;
  if (width > 1) {
    appearance.lineProperties = scene.createNode("LineProperties");
    appearance.lineProperties.linewidthScaleFactor = width;
  }
  return {
    shape,
    set(places, colour) {
      material.emissiveColor = new X3D.SFColor(...colour);
      points.point = new X3D.MFVec3f(...places.map((place) => new X3D.SFVec3f(...place)));
      set.vertexCount = places.length > 1 ? new X3D.MFInt32(places.length) : new X3D.MFInt32();
    },
  };
}

/** Corners of all that moves, where it is now, in the axes of X3D [m]. */
function sceneCorners(info: PageSceneData, poses: Numbers): number[][] {
  return info.corners.flatMap((corners, body) =>
    corners.map((point) => {
      const world = [0, 1, 2].map((row) => {
        const at = 12 * body + 4 * row;
        return poses[at + 3] + point.reduce((sum, value, k) => sum + poses[at + k] * value, 0);
      });
      return [0, 1, 2].map((row) => world.reduce((sum, value, k) => sum + info.axes[3 * row + k] * value, 0));
    }),
  );
}

/** Buttons for the viewpoints of the scene, and for parallel lines. */
function sceneViews(camera: Camera, page: Page, info: PageSceneData): HTMLElement {
  const box = document.createElement("div");
  box.className = "scene-views";
  box.setAttribute("role", "group");
  box.style.cssText = "position:absolute;top:8px;right:8px;z-index:1;display:flex;gap:4px";
  const button = (press: () => void) => {
    const made = document.createElement("button");
    made.type = "button";
    made.addEventListener("click", press);
    box.append(made);
    return made;
  };
  const buttons = info.views.map((words, n) => [button(() => camera.choose(n)), words] as const);
  const parallel = button(() => {
    camera.setParallel(!camera.parallel);
    parallel.setAttribute("aria-pressed", String(camera.parallel));
  });
  parallel.setAttribute("aria-pressed", "false");
  const speak = () => {
    box.setAttribute("aria-label", page.say(SCENE_WORDS.views));
    for (const [each, words] of buttons) each.textContent = page.say(words);
    parallel.textContent = page.say(SCENE_WORDS.parallel);
    parallel.title = page.say(SCENE_WORDS.parallelAbout);
  };
  speak();
  page.on("lang", speak);
  return box;
}
