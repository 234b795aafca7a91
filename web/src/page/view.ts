// The picture: the scheme of a planar system, moved by the poses of its bodies; camera, trails, flashes.
import type { PageData, Point } from "../payload";
import { moveScheme, reshapeScheme, schemePart, schemeProject } from "../scheme/moving";
import type { Eye, Moment, Page, Picture, Place } from "./core";
import { DASHES } from "./curves";
import { domNode, numberText, renameIds, svgNode } from "./dom";
import { mountOutside } from "./outside";
import { playerIcon } from "./player";
import { pushArrows } from "./pushes";
import type { SceneView } from "./scene";
import { structureColour } from "./timeline";
import { canDrawScenes } from "./webgl";
import { wordNode } from "./words";

const VIEW_ICONS = {
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  follow:
    "M12 2v3a7 7 0 0 1 7 7h3v0h-3a7 7 0 0 1-7 7v3h0v-3a7 7 0 0 1-7-7H2h3a7 7 0 0 1 7-7zM12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  zoomIn: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  zoomOut: "M5 11h14v2H5z",
  trails:
    "M4 17c3-9 6-9 8-4s5 4 8-6l-1.800-.6c-2.200 7-3.200 8-4.800 4C11.500 5.500 6.600 6 2.300 16.400zM20 4.500a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  layers:
    "M12 3l9 5-9 5-9-5zM4.800 11.200L12 15.200l7.200-4L21 12.200l-9 5-9-5zM4.800 15.200l7.200 4 7.200-4L21 16.200l-9 5-9-5z",
  labels: "M4 5h16v3h-2V7h-5v10h2v2H9v-2h2V7H6v1H4z",
  pushes: "M3 19h18v2H3zM11 17V8H7l5-6 5 6h-4v9z",
};
const VIEW_SAMPLES = 1200;
const VIEW_WHOLE = 0.94;
/** What bodies cover at most of a window that looks at them alone. */
const VIEW_ROOM = 0.85;

/** A still scheme in place of what is not there yet. */
export async function schemeNode(page: Page, name: string): Promise<SVGSVGElement> {
  const text = await page.unpack(name);
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement as unknown as SVGSVGElement;
  const node = document.importNode(parsed, true);
  // Parts are found by the ids that they were drawn with.
  schemePart(node);
  if (!page.alone) renameIds(node, page.id(""));
  node.setAttribute("width", "100%");
  node.setAttribute("height", "100%");
  return node;
}

/** The picture of a schedule, in the page's language. */
export async function mountChart(element: HTMLElement, page: Page): Promise<void> {
  const { chart } = page.data;
  if (!chart) return;
  let show = () => {};
  const draw = async () => {
    const svg = await schemeNode(page, chart[page.lang]);
    svg.removeAttribute("height");
    element.replaceChildren(domNode("div", { class: "scroll-x chart", tabindex: "0" }, svg));
    // Where the cursor of the page is, on the axis of the chart.
    const [left, right, end] = (svg.dataset.time ?? "").split(" ").map(Number);
    const [top, bottom] = (svg.dataset.lanes ?? "").split(" ").map(Number);
    if (!(end > 0)) return;
    const line = svgNode("line", { class: "now", y1: top - 6, y2: bottom + 4 });
    svg.append(line);
    show = () => {
      const x = left + ((right - left) * Math.min(Math.max(page.time, 0), end)) / end;
      line.setAttribute("x1", String(x));
      line.setAttribute("x2", String(x));
    };
    show();
  };
  page.on("lang", draw);
  page.on("time", () => show());
  await draw();
}

/** Where all points of trails are at times of the motion: [[x, y, z]…] by point [m]. */
export function trailPoints(page: Page, chosen: Point[], until = Infinity): Place[][] {
  const { begin, end } = page.motion;
  const last = Math.min(end, until);
  const paths: Place[][] = chosen.map(() => []);
  if (!page.system || !(last > begin)) return paths;
  const count = page.motion.rows ? Math.min(page.motion.rows.length, VIEW_SAMPLES) : VIEW_SAMPLES;
  for (let i = 0; i <= count; i++) {
    const state = page.motion.at(begin + ((last - begin) * i) / count);
    if (!state) continue;
    const poses = page.system.poses(state.q);
    chosen.forEach((point, k) => paths[k].push(placeOf(poses, point)));
  }
  return paths;
}

/** Where a point of a body is [m]: `poses` are rows of 12 numbers, the ground first. */
export function placeOf(poses: ArrayLike<number>, { body, p }: Point): Place {
  const o = 12 * body;
  return [0, 1, 2].map((i) => {
    const k = o + 4 * i;
    return poses[k] * p[0] + poses[k + 1] * p[1] + poses[k + 2] * p[2] + poses[k + 3];
  });
}

/** What moves the scheme of a page, and its element. */
interface SchemePicture extends Picture {
  svg: SVGSVGElement;
}

interface Camera {
  x: number;
  y: number;
  k: number;
}

/** The planar picture. */
export async function mountScheme(element: HTMLElement, page: Page): Promise<SchemePicture> {
  const scheme = page.data.scheme;
  const svg = await schemeNode(page, scheme.id);
  svg.classList.add("scheme");
  svg.setAttribute("aria-hidden", "true");
  element.append(svg);
  const partOf = schemePart(svg);
  const part = (name: string) => partOf(scheme.prefix + name);
  let [left, top, wide, high] = scheme.window;
  const camera: Camera = { x: 0, y: 0, k: VIEW_WHOLE };
  // Where the file of a system that stays in its place would have the camera, if somebody wants it to follow.
  const guide = scheme.follow ?? { body: page.data.bodies[0]?.number ?? 0, x: true, y: true, home: null };
  const shown = { ...scheme, follow: scheme.follow };
  // A point of the world in the picture [mm].
  const ground = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const shades =
    scheme.kind === "planar"
      ? Array.from({ length: Math.max(1, ghostCount(page)) }, (_, i) => schemeShade(svg, page.id(`ghost${i}-`)))
      : [];
  // Recorded runs are dashed here as they are in plots: eight pixels are the radius of a hinge.
  for (const [i, { node }] of shades.slice(0, ghostCount(page)).entries()) {
    node.dataset.ghost = String(i);
    node.style.strokeDasharray = DASHES[i % DASHES.length].map((length) => (length * scheme.size) / 8).join(" ");
  }
  const flat = ([x, y, z]: Place) =>
    scheme.kind === "spatial" ? schemeProject(ground, 0, [1e3 * x, 1e3 * y, 1e3 * z]).slice(0, 2) : [1e3 * x, 1e3 * y];

  const look = () => {
    const w = wide / camera.k;
    const h = high / camera.k;
    const x = left + wide / 2 + camera.x - w / 2;
    const y = top + high / 2 + camera.y - h / 2;
    svg.setAttribute("viewBox", `${x.toFixed(3)} ${y.toFixed(3)} ${w.toFixed(3)} ${h.toFixed(3)}`);
  };
  const unit = () => {
    // Millimetres of a pixel.
    const box = svg.getBoundingClientRect();
    return Math.max(wide / camera.k / (box.width || 1), high / camera.k / (box.height || 1));
  };
  const zoomAt = (factor: number, x: number, y: number) => {
    const box = svg.getBoundingClientRect();
    const before = unit();
    camera.k = Math.min(Math.max(camera.k * factor, 0.02), 200);
    const after = unit();
    camera.x += (x - box.left - box.width / 2) * (before - after);
    camera.y += (y - box.top - box.height / 2) * (before - after);
    look();
  };
  viewGestures(svg, camera, unit, zoomAt, look);
  look();
  const roots = page.data.bodies.filter(({ base }) => !base).map(({ number }) => part(`тело_${number}`));
  /** What the bodies cover where the file begins, for the parameters of now, as the window sees them [mm]. */
  const begun = (): Box | null => {
    const { system, data } = page;
    if (!system?.opening) return null;
    const { q, structure } = data.start;
    const poses = system.poses(system.opening(q, structure));
    moveScheme(svg, shown, poses, data.structures[structure]?.key);
    return viewBox(svg, scheme.kind === "spatial" ? [part("фигуры")] : roots);
  };
  const before = begun();
  const marks = svgNode("g");
  const drawn = (paths: Place[][], colours: string[], sort: string) =>
    paths.map((path, i) => {
      const d = path
        .map((point) =>
          flat(point)
            .map((x) => x.toFixed(2))
            .join(","),
        )
        .join(" ");
      const node = svgNode("polyline", { points: d, class: sort });
      node.style.stroke = colours[i];
      return node;
    });

  return {
    svg,
    show(state, poses) {
      if (shown.follow && !shown.follow.home) {
        const b = 12 * shown.follow.body;
        shown.follow.home = flat([poses[b + 3], poses[b + 7], poses[b + 11]]);
      }
      moveScheme(svg, shown, poses, page.data.structures[state.structure]?.key);
    },
    reshape() {
      reshapeScheme(svg, shown);
      [left, top, wide, high] = viewScaled(scheme.window, before, begun());
      look();
    },
    shade(ghosts, withValues) {
      shades.forEach((shade, i) => {
        const ghost = ghosts[i] ?? null;
        if (shade.hidden !== !ghost) shade.setHidden(!ghost);
        if (!ghost) return;
        const { poses, values, structure } = ghost;
        const move = () => {
          if (values) reshapeScheme(shade.node, scheme);
          moveScheme(shade.node, { ...scheme, follow: null }, poses, structure);
        };
        if (values && withValues) withValues(values, move);
        else move();
        shade.follow(part("камера")?.getAttribute("transform") ?? "");
      });
    },
    eye: scheme.kind === "planar" ? schemeEye(() => part("камера")) : undefined,
    fit() {
      Object.assign(camera, { x: 0, y: 0, k: VIEW_WHOLE });
      look();
      // Bodies that have gone out of the window of the file are looked at where they are.
      const box = viewBox(svg, scheme.kind === "spatial" ? [part("фигуры")] : roots);
      if (!box || (box[0] >= left && box[1] >= top && box[2] <= left + wide && box[3] <= top + high)) return;
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      const k =
        VIEW_WHOLE * Math.min(1, (VIEW_ROOM * wide) / (box[2] - box[0]), (VIEW_ROOM * high) / (box[3] - box[1]));
      Object.assign(camera, { x: x - left - wide / 2, y: y - top - high / 2, k });
      look();
    },
    zoom(factor) {
      const box = svg.getBoundingClientRect();
      zoomAt(factor, box.left + box.width / 2, box.top + box.height / 2);
    },
    get follow() {
      return Boolean(shown.follow);
    },
    setFollow(on) {
      shown.follow = on ? { ...guide } : null;
      if (!on) part("камера")?.removeAttribute("transform");
    },
    setLabels(on) {
      svg.classList.toggle("no-labels", !on);
    },
    trail(paths, colours) {
      part("следы")?.replaceChildren(...(marks.parentNode ? [marks] : []), ...drawn(paths, colours, "trail"));
    },
    marks(paths, colours, rays = 0) {
      // Pictures in space have no place of their own for trails.
      if (!marks.parentNode) (part("следы") ?? part("камера") ?? svg).append(marks);
      const nodes = drawn(paths, colours, "trail mark-line");
      for (const node of nodes.slice(nodes.length - rays)) node.classList.add("ray");
      marks.replaceChildren(...nodes);
    },
    flash(point) {
      const [cx, cy] = flat(point);
      const ring = svgNode("circle", { cx, cy, r: scheme.size, class: "flash" });
      ring.style.stroke = "var(--warn)";
      part("следы")?.parentElement?.append(ring);
      setTimeout(() => ring.remove(), 700);
    },
    fade(share) {
      svg.style.setProperty("--fade", String(1 - 0.6 * share));
    },
    highlight(number) {
      for (const node of svg.querySelectorAll(".lit")) node.classList.remove("lit");
      if (number !== null) part(`тело_${number}`)?.classList.add("lit");
    },
  };
}

/** Left, top, right, bottom [mm]. */
type Box = [number, number, number, number];

/** What the paths in some parts of a scheme cover, as its window sees them; null where nothing of it is laid out. */
function viewBox(svg: SVGSVGElement, parts: (Element | null)[]): Box | null {
  const whole: Box = [Infinity, Infinity, -Infinity, -Infinity];
  const paper = svg.querySelector<SVGGraphicsElement>(".paper")?.getCTM()?.inverse();
  for (const node of parts.flatMap((each) => [...(each?.querySelectorAll<SVGPathElement>("path:not(.mark)") ?? [])])) {
    const { x, y, width, height } = node.getBBox();
    const ctm = node.getCTM();
    if (!ctm || !paper || !(width > 0 || height > 0)) continue;
    const out = paper.multiply(ctm);
    for (const [u, w] of [
      [x, y],
      [x + width, y],
      [x, y + height],
      [x + width, y + height],
    ]) {
      const [px, py] = [out.a * u + out.c * w + out.e, out.b * u + out.d * w + out.f];
      whole[0] = Math.min(whole[0], px);
      whole[1] = Math.min(whole[1], py);
      whole[2] = Math.max(whole[2], px);
      whole[3] = Math.max(whole[3], py);
    }
  }
  return whole[0] <= whole[2] ? whole : null;
}

/** A window that shows bodies of another size as it has shown them before: left, top, width, height [mm]. */
export function viewScaled(window: number[], before: Box | null, after: Box | null): [number, number, number, number] {
  const [left, top, wide, high] = window;
  if (!before || !after) return [left, top, wide, high];
  // The longest sides tell how much larger things have become.
  const longest = (box: Box) => Math.max(box[2] - box[0], box[3] - box[1]);
  const k = longest(after) / longest(before);
  if (!(k > 0 && Number.isFinite(k))) return [left, top, wide, high];
  const middle = (i: number, box: Box) => (box[i] + box[i + 2]) / 2;
  const x = middle(0, after) + k * (left + wide / 2 - middle(0, before));
  const y = middle(1, after) + k * (top + high / 2 - middle(1, before));
  return [x - (k * wide) / 2, y - (k * high) / 2, k * wide, k * high];
}

/** How many recorded runs a page shows over its own. */
function ghostCount(page: Page): number {
  return (page.data as Partial<PageData>).compared?.length ?? 0;
}

/** Another, faded scheme under the first. */
function schemeShade(svg: SVGSVGElement, prefix: string) {
  const node = svgNode("g", { class: "ghost", "aria-hidden": "true" });
  for (const child of [...svg.children])
    if (!/^(defs|style|title|desc)$/.test(child.localName) && !child.classList.contains("ghost"))
      node.append(child.cloneNode(true));
  schemePart(node);
  const camera = [...node.querySelectorAll("[id]")].find(({ id }) => id.endsWith("камера"));
  renameIds(node, prefix);
  const shade = {
    node,
    hidden: true,
    setHidden(hidden: boolean) {
      shade.hidden = hidden;
      if (hidden) node.remove();
      else svg.insertBefore(node, svg.firstElementChild);
    },
    follow(transform: string) {
      if (transform) camera?.setAttribute("transform", transform);
      else camera?.removeAttribute("transform");
    },
  };
  return shade;
}

/** Pixels and places of a planar scheme [m]: its camera has the world in millimetres. */
function schemeEye(camera: () => Element | null): Eye {
  const matrix = () => {
    const node = camera();
    return node instanceof SVGGraphicsElement ? node.getScreenCTM() : null;
  };
  return {
    aim(x, y, near) {
      const at = matrix()?.inverse();
      if (!at) return null;
      const { x: right, y: down } = new DOMPoint(x, y).matrixTransform(at);
      return [right / 1e3, down / 1e3, near[2]];
    },
    seen([x, y]) {
      const at = matrix();
      if (!at) return null;
      const found = new DOMPoint(1e3 * x, 1e3 * y).matrixTransform(at);
      return [found.x, found.y, 0];
    },
  };
}

/** Wheel, drag and pinch move the camera. */
function viewGestures(
  svg: SVGSVGElement,
  camera: Camera,
  unit: () => number,
  zoomAt: (factor: number, x: number, y: number) => void,
  look: () => void,
): void {
  const fingers = new Map<number, [number, number]>();
  svg.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    const old = fingers.get(event.pointerId);
    if (!old) return;
    const now: [number, number] = [event.clientX, event.clientY];
    if (fingers.size === 1) {
      camera.x -= (now[0] - old[0]) * unit();
      camera.y -= (now[1] - old[1]) * unit();
      look();
    } else {
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1] ?? now;
      const span = (p: [number, number]) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      if (span(old) > 0) zoomAt(span(now) / span(old), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    }
    fingers.set(event.pointerId, now);
  });
  for (const name of ["pointerup", "pointercancel"] as const)
    svg.addEventListener(name, (event) => fingers.delete(event.pointerId));
  svg.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX, event.clientY);
    },
    { passive: false },
  );
}

/** Shows the scene of a page in an element. */
type MountScene = (element: HTMLElement, page: Page) => Promise<SceneView>;

/** The scene in space; null where this browser cannot show it, and the note says so. */
async function viewScene(
  stage: HTMLElement,
  note: HTMLElement,
  page: Page,
  mountScene: MountScene,
): Promise<Picture | null> {
  wordNode(page, note, canDrawScenes() ? "loading" : "noWebgl");
  note.hidden = false;
  if (!canDrawScenes()) return null;
  const there = new Set(stage.children);
  try {
    const scene = await mountScene(stage, page);
    const said = page.data.scene?.notes ?? [];
    const tell = () => (note.textContent = said.map((words) => page.say(words)).join(" "));
    tell();
    page.on("lang", tell);
    note.hidden = !said.length;
    return {
      show: (_, poses) => scene.show(poses),
      reshape: () => scene.reshape(),
      eye: scene.eye,
      trail: (paths, colours) => scene.trails(paths, colours),
      marks: (paths, colours, rays) => scene.marks(paths, colours, rays),
      highlight: (number) => scene.highlight(number),
      fade: (share) => scene.fade?.(share),
      fit: () => scene.fit?.(),
      zoom: (factor) => scene.zoom?.(factor),
      get follow() {
        return scene.follow;
      },
      setFollow: page.data.scene?.follow.body ? (on) => scene.setFollow?.(on) : undefined,
      setLayer: (key, on) => scene.setLayer?.(key, on),
    };
  } catch (problem) {
    console.info(String(problem));
    for (const node of [...stage.children]) if (!there.has(node)) node.remove();
    wordNode(page, note, "noScene");
    return null;
  }
}

/** The picture with its tools; moves with the cursor. */
export async function mountView(
  element: HTMLElement,
  page: Page,
  { mountScene = null }: { mountScene?: MountScene | null } = {},
): Promise<void> {
  const stage = domNode("div", { class: "stage", role: "group" });
  wordNode(page, stage, page.data.planar ? "scheme" : "scene", {}, "aria-label");
  const badge = domNode("div", { class: "badge", role: "status", "aria-live": "polite" });
  const note = domNode("p", { class: "stage-note", hidden: true });
  const tools = domNode("div", { class: "stage-tools", role: "toolbar" });
  wordNode(page, tools, "picture", {}, "aria-label");
  element.append(stage, badge, note, tools);

  // The scheme is there at once, and stays where a scene cannot be shown.
  const scheme = await mountScheme(stage, page);
  let picture: Picture = scheme;
  const chosen = new Set(page.data.trails);
  const { places } = page.data;
  const list = domNode("div", { class: "trail-list", hidden: true, role: "group" });
  wordNode(page, list, "trails", {}, "aria-label");
  places.forEach((place, i) => {
    const box = domNode("input", { type: "checkbox", checked: chosen.has(i) });
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(i);
      else chosen.delete(i);
      drawTrails();
    });
    list.append(domNode("label", {}, box, domNode("span", {}, place.name)));
  });
  element.append(list);
  const layers = domNode("div", { class: "trail-list layer-list", hidden: true, role: "group" });
  wordNode(page, layers, "layers", {}, "aria-label");
  for (const key of Object.keys(page.data.scene?.layers ?? {})) {
    const box = domNode("input", { type: "checkbox", "data-layer": key });
    box.addEventListener("change", () => picture.setLayer?.(key, box.checked));
    layers.append(domNode("label", {}, box, wordNode(page, domNode("span"), key)));
  }
  element.append(layers);
  const drawTrails = () => {
    const points = [...chosen].map((i) => places[i]);
    const style = getComputedStyle(page.root);
    const colours = points.map((_, k) => style.getPropertyValue(`--c${k % 8}`).trim());
    /** Ways of the chosen points in the world, [[x, y, z]…] each [m]. */
    page.trails = trailPoints(page, points);
    picture.trail?.(page.trails, colours);
  };
  /** Lines that a page draws into its picture at every moment: `page.marks()` gives their paths [m] and colours. */
  const drawMarks = (state: Moment) => {
    const marks = page.marks?.();
    const rays = page.system?.rays?.(state.q) ?? [];
    if (!marks && !rays.length && !pushes) return;
    // Forces are known of the run alone, not of postures that somebody chooses.
    const known = pushes && arrows && page.motion === page.recorded;
    const forces = known ? pushArrows(pushes, page.data.size, page.data.planar, state.t) : [];
    const colours = [...(marks?.colours ?? []), ...forces.map(() => "var(--bad)"), ...rays.map(() => "var(--warn)")];
    picture.marks?.([...(marks?.paths ?? []), ...forces, ...rays], colours, rays.length);
  };
  const pushes = page.data.run?.pushes ?? null;
  let arrows = true;

  const drawTools = () => {
    const button = (key: keyof typeof VIEW_ICONS, act: () => unknown, pressed: boolean | null = null) => {
      const node = domNode("button", { type: "button", class: "tool" }, playerIcon(VIEW_ICONS[key]));
      if (pressed !== null) node.setAttribute("aria-pressed", String(pressed));
      node.addEventListener("click", () => {
        const on = act();
        if (pressed !== null) node.setAttribute("aria-pressed", String(on));
      });
      tools.append(wordNode(page, node, key, {}, ["aria-label", "title"]));
      return node;
    };
    tools.replaceChildren();
    if (picture.setFollow)
      button("follow", () => (picture.setFollow?.(!picture.follow), show(), picture.follow), picture.follow ?? false);
    let labels = true;
    if (picture.setLabels) button("labels", () => (picture.setLabels?.((labels = !labels)), labels), labels);
    if (picture.marks && pushes) button("pushes", () => ((arrows = !arrows), show(), arrows), arrows);
    if (picture.trail && places.length) {
      const trails = button("trails", () => {
        list.hidden = !list.hidden;
        trails.setAttribute("aria-expanded", String(!list.hidden));
      });
      trails.setAttribute("aria-expanded", String(!list.hidden));
    }
    if (picture.setLayer && layers.children.length) {
      const open = button("layers", () => {
        layers.hidden = !layers.hidden;
        open.setAttribute("aria-expanded", String(!layers.hidden));
      });
      open.setAttribute("aria-expanded", String(!layers.hidden));
    }
    if (picture.zoom) {
      button("zoomIn", () => picture.zoom?.(1.25)).classList.add("zoom");
      button("zoomOut", () => picture.zoom?.(0.8)).classList.add("zoom");
    }
    if (picture.fit) button("fit", () => picture.fit?.());
  };

  const { run } = page.data;
  if (run && run.end < run.whole) {
    wordNode(page, note, "timeShown", { shown: numberText(run.end, 5), all: numberText(run.whole, 5) });
    note.hidden = false;
  }
  let passed: number | null = null;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const show = () => {
    const state: Moment | null = page.now;
    if (!state || !page.system) return;
    const poses = page.system.poses(state.q);
    page.poses = poses;
    picture.show(state, poses);
    picture.shade?.(page.ghosts?.() ?? [], page.withValues);
    drawMarks(state);
    const structure = page.data.structures[state.structure];
    const text = page.data.structures.length > 1 || page.motion.events.length ? page.say(structure?.said) : "";
    if (badge.textContent !== text) badge.textContent = text;
    badge.hidden = !text;
    badge.style.setProperty("--own", structureColour(state.structure));
    // What happened since the last picture, if time went on by a little.
    if (passed !== null && state.t > passed && state.t - passed < 0.5 && !still.matches) {
      for (const event of page.motion.events) {
        if (event.time > passed && event.time <= state.t && event.impulse && event.where) {
          picture.flash?.(placeOf(poses, event.where));
        }
      }
    }
    passed = state.t;
  };
  page.on("time", show);
  page.on("lang", show);
  page.on("geometry", () => {
    picture.reshape?.();
    drawTrails();
    show();
  });
  page.on("motion", () => ((passed = null), drawTrails()));
  page.on("theme", () => requestAnimationFrame(drawTrails));
  let waits = false;
  page.on("samples", () => {
    if (!chosen.size || waits) return;
    waits = true;
    setTimeout(() => ((waits = false), drawTrails()), 250);
  });
  page.highlight = (number) => {
    picture.highlight?.(number);
    page.emit("highlight", number);
  };
  const begin = () => {
    page.picture = picture;
    drawTools();
    drawTrails();
    show();
  };
  begin();
  mountOutside(element, stage, page, () => picture);
  if (!mountScene) return;
  const scene = await viewScene(stage, note, page, mountScene);
  if (!scene) return;
  scheme.svg.remove();
  picture = scene;
  tools.classList.add("below");
  begin();
}
