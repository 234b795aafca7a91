// Bodies that leave the picture by themselves are named, with a button that brings them back.
import type { Point } from "../payload";
import type { Page, Picture, Place } from "./core";
import { domNode } from "./dom";
import { wordNode, wordOf } from "./words";

/** How often it is looked whether bodies are in the picture [ms]. */
const OUTSIDE_EVERY = 250;

/** Points of every body by its number, those of the ground left out. */
function outsidePoints(page: Page): Map<number, Point[]> {
  const { bodies, places, scene } = page.data;
  return new Map(
    bodies.map(({ number }) => {
      const corners = scene?.corners[number] ?? [];
      const own = places.filter(({ body }) => body === number);
      const points = corners.length
        ? corners.map((p) => ({ body: number, p }))
        : [{ body: number, p: [0, 0, 0] }, ...own];
      return [number, points];
    }),
  );
}

/** Where a point of a body is [m]. */
function outsidePlace(poses: ArrayLike<number>, { body, p }: Point): Place {
  return [0, 1, 2].map((row) => {
    const at = 12 * body + 4 * row;
    return poses[at + 3] + p.reduce((sum, value, k) => sum + poses[at + k] * value, 0);
  });
}

/** Whether none of some points of the window is in a box, nor the box among them. */
export function isOutside(points: (readonly number[] | null)[], { left, top, right, bottom }: DOMRect): boolean {
  const seen = points.filter((each) => each !== null);
  if (!seen.length) return points.length > 0;
  const all = (test: (x: number, y: number) => boolean) => seen.every(([x, y]) => test(x, y));
  return all((x) => x < left) || all((x) => x > right) || all((_, y) => y < top) || all((_, y) => y > bottom);
}

/**
 * Says which bodies have left the picture, until they are back.
 * @param element that the picture and the notice are in
 * @param stage the picture itself: who moves it by hand knows what is beside it then
 * @param picture what is shown now
 */
export function mountOutside(element: HTMLElement, stage: HTMLElement, page: Page, picture: () => Picture): void {
  const words = domNode("span");
  const button = wordNode(page, domNode("button", { type: "button" }), "lookAtAll");
  const notice = domNode("div", { class: "outside", role: "status", hidden: true }, words, button);
  element.append(notice);
  const points = outsidePoints(page);
  /** Bodies that were outside already when somebody moved the picture. */
  let left: Set<number> | null = new Set();
  let told: number[] = [];
  let wait = 0;
  const outside = () => {
    const { eye } = picture();
    const { poses } = page;
    if (!eye || !poses) return [];
    const box = stage.getBoundingClientRect();
    if (!(box.width > 0)) return [];
    return [...points].flatMap(([number, own]) =>
      isOutside(
        own.map((point) => eye.seen(outsidePlace(poses, point))),
        box,
      )
        ? [number]
        : [],
    );
  };
  const say = () => {
    notice.hidden = !told.length;
    if (!told.length) return;
    const name = page.data.bodies.find(({ number }) => number === told[0])?.name ?? "";
    words.textContent = wordOf(page, told.length > 1 ? "bodiesOutside" : "bodyOutside", {
      name,
      more: told.length - 1,
    });
  };
  const check = () => {
    wait = 0;
    const now = outside();
    left = new Set(left === null ? now : now.filter((number) => left?.has(number)));
    const gone = now.filter((number) => !left?.has(number));
    if (gone.join() === told.join()) return;
    told = gone;
    say();
  };
  const soon = () => (wait ||= Number(setTimeout(check, OUTSIDE_EVERY)));
  const moved = () => {
    left = null;
    soon();
  };
  stage.addEventListener("wheel", moved, { passive: true });
  stage.addEventListener("pointermove", (event) => event.buttons && moved());
  button.addEventListener("click", () => {
    picture().fit?.();
    left = new Set();
    soon();
  });
  // Whatever is pressed may look elsewhere.
  element.addEventListener("click", soon);
  page.on("time", soon);
  page.on("lang", say);
}
