// The target of a lesson, taken by hand: its origin moves it, the tips of its axes turn it.
import type { Place } from "../page/core";
import type { LessonPage } from "./lesson";

/** How near a pointer has to be [px]: a mouse, a finger. */
const AIM_NEAR: Record<string, number> = { mouse: 14, touch: 26 };

/** Axes of the target that can be taken, and how long they are drawn [m]. */
export function aimLength(page: LessonPage): number {
  return 0.16 * page.data.size;
}

/** A pose (nine numbers by rows, then the place) turned so that an axis points along a way. */
export function aimTurned(pose: number[], axis: number, way: number[]): number[] {
  const from = [pose[axis], pose[3 + axis], pose[6 + axis]];
  const length = Math.hypot(...way);
  if (!(length > 0)) return pose;
  const to = way.map((x) => x / length);
  const turn = [
    from[1] * to[2] - from[2] * to[1],
    from[2] * to[0] - from[0] * to[2],
    from[0] * to[1] - from[1] * to[0],
  ];
  const [s, c] = [Math.hypot(...turn), from.reduce((sum, x, i) => sum + x * to[i], 0)];
  if (s < 1e-12) return pose;
  const u = turn.map((x) => x / s);
  const made = [...pose];
  for (let j = 0; j < 3; j++) {
    const x = [pose[j], pose[3 + j], pose[6 + j]];
    const along = u.reduce((sum, value, i) => sum + value * x[i], 0);
    const aside = [u[1] * x[2] - u[2] * x[1], u[2] * x[0] - u[0] * x[2], u[0] * x[1] - u[1] * x[0]];
    x.forEach((value, i) => (made[3 * i + j] = c * value + s * aside[i] + (1 - c) * along * u[i]));
  }
  return made;
}

/** Listens to pointers on the picture; `follow` solves for a target that moves, `done` when it stays. */
export function mountAim(
  stage: HTMLElement,
  page: LessonPage,
  follow: (pose: number[]) => void,
  done: () => void,
): void {
  let pointer: number | null = null;
  /** What is held: the origin (-1) or an axis. */
  let part = -1;
  const tip = (pose: number[], axis: number): Place =>
    [0, 1, 2].map((i) => pose[9 + i] + (axis < 0 ? 0 : aimLength(page) * pose[3 * i + axis]));
  const find = (event: PointerEvent): number | null => {
    const { target } = page.lesson;
    const eye = page.picture?.eye;
    if (!target || !eye || page.panel !== "inverse" || event.button > 0) return null;
    const near = AIM_NEAR[event.pointerType] ?? AIM_NEAR.mouse;
    let best: [number, number] | null = null;
    const turns = page.data.planar ? [0, 1] : [0, 1, 2];
    for (const axis of [-1, ...turns]) {
      const at = eye.seen(tip(target, axis));
      if (!at) continue;
      const away = Math.hypot(at[0] - event.clientX, at[1] - event.clientY) + (axis < 0 ? 0 : 1);
      if (away <= near && (!best || away < best[0])) best = [away, axis];
    }
    return best && best[1];
  };
  const stop = (event: Event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const surface = () => stage.querySelector(".stage") ?? stage;
  stage.addEventListener(
    "pointerdown",
    (event) => {
      if (pointer !== null || !(event.target instanceof Element) || !event.target.closest(".stage")) return;
      const found = find(event);
      if (found === null) return;
      stop(event);
      [pointer, part] = [event.pointerId, found];
      stage.setPointerCapture(pointer);
      surface().classList.add("holds");
    },
    true,
  );
  stage.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== pointer) {
        if (!event.buttons && event.pointerType === "mouse") surface().classList.toggle("takes", find(event) !== null);
        return;
      }
      stop(event);
      const { target } = page.lesson;
      if (!target) return;
      const to = page.picture?.eye?.aim(event.clientX, event.clientY, tip(target, part));
      if (!to) return;
      if (part < 0) follow([...target.slice(0, 9), ...to]);
      else
        follow(
          aimTurned(
            target,
            part,
            to.map((x, i) => x - target[9 + i]),
          ),
        );
    },
    true,
  );
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const)
    stage.addEventListener(
      name,
      (event) => {
        if (event.pointerId !== pointer) return;
        stop(event);
        pointer = null;
        surface().classList.remove("holds");
        done();
      },
      true,
    );
  for (const name of ["mousedown", "mousemove", "touchstart", "touchmove"] as const)
    stage.addEventListener(name, (event) => pointer !== null && stop(event), { capture: true, passive: false });
}
