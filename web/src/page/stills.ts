// Pictures of what a page shows: SVG with its colours inside, PNG, and canvases that films are recorded from.
import type { Page } from "./core";

/** Properties of drawings that style sheets of the page may give. */
const STILL_STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-opacity",
  "vector-effect",
  "opacity",
  "visibility",
  "display",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "paint-order",
];
/** Pixels of a picture for one of the page. */
export const STILL_SCALE = 2;

/** A viewer's canvas, as much of it as pictures need. */
interface SceneCanvas extends HTMLElement {
  toBlob(take: (blob: Blob | null) => void, type: string): void;
  captureStream(rate?: number): MediaStream;
}

/** The canvas of the scene that is shown; null where the picture is a scheme. */
export function sceneOf(page: Page): SceneCanvas | null {
  return page.scene ? page.part("picture").querySelector<SceneCanvas>("x3d-canvas") : null;
}

/** The drawing that is shown; null where the picture is a scene. */
export function schemeOf(page: Page): SVGSVGElement | null {
  return sceneOf(page) ? null : page.part("picture").querySelector<SVGSVGElement>("svg.scheme");
}

/** The scheme as a file: as it is seen, with the colours that it has here, on paper. */
export function stillSvg(page: Page): string | null {
  const svg = schemeOf(page);
  if (!svg) return null;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [own, made] = [svg, copy].map((root) => [root, ...root.querySelectorAll<SVGElement>("*")]);
  own.forEach((node, i) => {
    if (/^(defs|style|title|desc|clipPath)$/.test(node.localName)) return;
    const style = getComputedStyle(node);
    const shown = STILL_STYLES.map((name) => [name, style.getPropertyValue(name)]).filter(([, value]) => value);
    made[i].setAttribute("style", shown.map(([name, value]) => `${name}:${value.replace(/"/g, "'")}`).join(";"));
    made[i].removeAttribute("class");
  });
  for (const node of copy.querySelectorAll("style")) node.remove();
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(width)));
  copy.setAttribute("height", String(Math.round(height)));
  const [x, y, wide, high] = (copy.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  // The picture is wider or higher than its window; paper is under all of it.
  const places = { x: x - 5 * wide, y: y - 5 * high, width: 11 * wide, height: 11 * high };
  for (const [name, value] of Object.entries(places)) paper.setAttribute(name, String(value));
  paper.setAttribute("fill", paperColour(page));
  copy.insertBefore(paper, copy.firstElementChild);
  return new XMLSerializer().serializeToString(copy);
}

function paperColour(page: Page): string {
  const colour = getComputedStyle(page.part("picture")).backgroundColor;
  return /, 0\)$|transparent/.test(colour) ? getComputedStyle(page.root).backgroundColor : colour;
}

/** Draws the scheme as it is into a canvas, which takes its size. */
export async function drawStill(page: Page, canvas: HTMLCanvasElement, scale = STILL_SCALE): Promise<void> {
  const text = stillSvg(page);
  const context = canvas.getContext("2d");
  if (text === null || !context) return;
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const [wide, high] = [image.naturalWidth, image.naturalHeight].map((side) => 2 * Math.round((scale * side) / 2));
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    context.drawImage(image, 0, 0, wide, high);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** What is seen as PNG; of a scene without its labels, which stand above it. */
export async function stillPng(page: Page): Promise<Blob | null> {
  const scene = sceneOf(page);
  if (!scene) {
    const canvas = document.createElement("canvas");
    await drawStill(page, canvas);
    return new Promise((take) => canvas.toBlob(take, "image/png"));
  }
  // A canvas of WebGL has its picture only while it is being drawn.
  page.seek(page.time);
  return sceneFrame(scene);
}

/** A frame of a scene's canvas, out of the stream of what it draws. */
async function sceneFrame(scene: SceneCanvas): Promise<Blob | null> {
  const stream = scene.captureStream();
  const video = document.createElement("video");
  video.muted = true;
  video.srcObject = stream;
  try {
    await video.play();
    // The stream has a first picture as soon as something is drawn.
    while (!video.videoWidth) await new Promise((next) => requestAnimationFrame(next));
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    return await new Promise((take) => canvas.toBlob(take, "image/png"));
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
