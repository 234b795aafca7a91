// Bodies that are taken by hand: a push while the system moves, a posture with closed loops while it stands.
import { pointOf } from "../live/hands";
import type { LivePostures } from "../live/postures";
import { reachPlace } from "../live/reach";
import type { Eye, Lines, Page, Place } from "./core";
import { PosedMotion } from "./motion";
import { arrow } from "./pushes";
import type { LiveRunner } from "./runner";

/** How near a body has to be to be taken [px]: by a mouse, by a finger. */
const GRAB_NEAR: Record<string, number> = { mouse: 9, pen: 12, touch: 22 };
const GRAB_FAR = 12;
/** Shorter pushes than this part of the size have no arrow. */
const GRAB_LEAST = 1e-3;

/** How transparent bodies in space are meanwhile. */
const GRAB_FADE = 0.5;

/** A body that is held: its number, the point of it [m], where the hand is [m]. */
export interface Held {
  body: number;
  p: Place;
  to: Place;
}

/** What hands need of the page they are in. */
export interface Hands {
  page: Page;
  system: LivePostures;
  runner: LiveRunner | null;
  /** Called before a posture changes. */
  note: (what: string) => void;
}

/** Lines of a body: from its pole to those of the bodies that it carries, and to what is named on it; in its axes [m]. */
function skeleton(page: Page, poses: ArrayLike<number>): { body: number; ends: [Place, Place] }[] {
  const zero: Place = [0, 0, 0];
  const found: { body: number; ends: [Place, Place] }[] = [];
  for (const { number, base } of page.data.bodies) {
    if (base > 0) {
      const pole = [3, 7, 11].map((k) => poses[12 * number + k]);
      found.push({ body: base, ends: [zero, inBody(poses, base, pole)] });
    }
    found.push({ body: number, ends: [zero, zero] });
  }
  for (const { body, p } of page.data.places) if (body > 0) found.push({ body, ends: [zero, p] });
  return found;
}

/** A place of the world in the axes of a body [m]. */
function inBody(poses: ArrayLike<number>, body: number, place: Place): Place {
  const o = 12 * body;
  const away = [0, 1, 2].map((i) => place[i] - poses[o + 4 * i + 3]);
  return [0, 1, 2].map((j) => away.reduce((sum, x, i) => sum + poses[o + 4 * i + j] * x, 0));
}

/** Lines that draw a posture in a few strokes [m]. */
export function stickFigure(page: Page, poses: ArrayLike<number>): Place[][] {
  return skeleton(page, poses)
    .filter(({ ends: [a, b] }) => a.some((x, i) => x !== b[i]))
    .map(({ body, ends }) => ends.map((p) => pointOf(poses, body, p)));
}

/** The body whose lines are seen within so many pixels, the nearest to the viewer, and where it was hit [m]. */
function bodyNear(page: Page, eye: Eye, x: number, y: number, near: number): { body: number; at: Place } | null {
  const { poses } = page;
  if (!poses) return null;
  let best: { body: number; at: Place; cost: number } | null = null;
  for (const { body, ends } of skeleton(page, poses)) {
    const [a, b] = ends.map((p) => pointOf(poses, body, p));
    const [from, to] = [eye.seen(a), eye.seen(b)];
    if (!from || !to) continue;
    const [u, v] = [to[0] - from[0], to[1] - from[1]];
    const square = u * u + v * v;
    const share = square > 0 ? Math.min(Math.max(((x - from[0]) * u + (y - from[1]) * v) / square, 0), 1) : 0;
    const away = Math.hypot(from[0] + share * u - x, from[1] + share * v - y);
    const deep = from[2] + share * (to[2] - from[2]);
    // Ends belong to two bodies: the middle of a line is surer.
    const cost = away + (share === 0 ? 2 : 0) + 1e-3 * deep;
    if (away <= near && (!best || cost < best.cost)) best = { body, at: a.map((p, i) => p + share * (b[i] - p)), cost };
  }
  return best;
}

/** The body whose drawing is under a pixel, or near it; null where there is none. */
function drawnNear(stage: Element, x: number, y: number, near: number): number | null {
  const rings = [0, near / 3, (2 * near) / 3, near];
  for (const radius of rings) {
    for (let k = 0; k < (radius ? 8 : 1); k++) {
      const angle = (k * Math.PI) / 4;
      const hit = document.elementFromPoint(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
      const id = stage.contains(hit) ? hit?.closest("[id*='тело_']")?.id : undefined;
      const number = id ? Number(/тело_(\d+)$/.exec(id)?.[1]) : NaN;
      if (Number.isInteger(number) && number > 0) return number;
    }
  }
  return null;
}

/** Where hands are in a page, and what they do. */
export class Grip {
  held: Held | null = null;
  /** What is being done with it. */
  does: "push" | "pose" | null = null;

  constructor(readonly hands: Hands) {
    hands.page.on("time", () => this.#stopped());
  }

  /** Takes hold of a place of a body [m]. */
  take(body: number, at: Place): void {
    const { page, runner } = this.hands;
    if (!page.poses) return;
    this.held = { body, p: inBody(page.poses, body, at), to: at };
    this.does = runner?.running && runner.pushes ? "push" : "pose";
    if (this.does === "pose") {
      page.player.pause();
      this.hands.note(`pose ${body}`);
    } else runner?.pull(this.held);
    page.highlight(body);
    // In space what a hand holds lies inside.
    if (!page.data.planar) page.picture?.fade?.(GRAB_FADE);
  }

  /** Moves what is held to a place [m]. */
  move(to: Place): void {
    const { page, system, runner } = this.hands;
    if (!this.held) return;
    this.held = { ...this.held, to };
    if (this.does === "push") {
      runner?.pull(this.held);
      return;
    }
    const { now } = page;
    if (!now) return;
    const { structure, t } = now;
    const { q } = reachPlace(system, now.q, { ...this.held, structure, t, size: page.data.size });
    page.exchange(new PosedMotion({ t, q, v: new Float64Array(page.data.rates.length), structure }), t);
  }

  /** Lets go. */
  drop(): void {
    const { page, runner } = this.hands;
    if (this.does === "push") runner?.pull(null);
    this.held = this.does = null;
    page.highlight(null);
    if (!page.data.planar) page.picture?.fade?.(0);
  }

  /** A motion that has stopped is not pushed any more. */
  #stopped(): void {
    if (this.does === "push" && !this.hands.runner?.running) this.drop();
  }
}

/** Arrows of what hands do at the cursor. */
export function gripLines(page: Page): Lines {
  const { now, poses } = page;
  if (!now?.pull || !poses) return { paths: [], colours: [] };
  const from = pointOf(poses, now.pull.body, now.pull.p);
  const way = now.pull.to.map((x, i) => x - from[i]);
  const length = Math.hypot(...way);
  if (!(length > GRAB_LEAST * page.data.size)) return { paths: [], colours: [] };
  const unit = way.map((x) => x / length);
  return { paths: [arrow(from, unit, length, page.data.planar)], colours: ["var(--accent)"] };
}

/** Listens to pointers on the stage: a body that is met is taken, whatever else is left to the camera. */
export function mountGrip(stage: HTMLElement, page: Page, grip: Grip): void {
  /** Whether bodies can be taken now: a run that plays is looked at, and the camera is what moves. */
  const ready = () => page.motion.kind !== "recorded" || ["joints", "live"].includes(page.panel);
  const find = (event: PointerEvent) => {
    const eye = page.picture?.eye;
    if (!eye || !ready() || event.button > 0) return null;
    const { clientX: x, clientY: y } = event;
    // What moves is harder to meet.
    const near = (GRAB_NEAR[event.pointerType] ?? GRAB_FAR) * (page.live?.running ? 2 : 1);
    const drawn = page.data.planar ? drawnNear(stage, x, y, near) : null;
    if (drawn !== null && page.poses) {
      const at = eye.aim(x, y, pointOf(page.poses, drawn, [0, 0, 0]));
      return at && { body: drawn, at };
    }
    return bodyNear(page, eye, x, y, near);
  };
  let pointer: number | null = null;
  const surface = () => stage.querySelector(".stage") ?? stage;
  const stop = (event: Event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  stage.addEventListener(
    "pointerdown",
    (event) => {
      if (
        pointer !== null ||
        !(event.target instanceof Element) ||
        !event.target.closest(".stage") ||
        event.target.closest("button")
      )
        return;
      const found = find(event);
      if (!found) return;
      stop(event);
      pointer = event.pointerId;
      stage.setPointerCapture(pointer);
      surface().classList.add("holds");
      grip.take(found.body, found.at);
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
      const near = grip.held && page.poses ? pointOf(page.poses, grip.held.body, grip.held.p) : null;
      const to = near && page.picture?.eye?.aim(event.clientX, event.clientY, near);
      if (to) grip.move(to);
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
        grip.drop();
      },
      true,
    );
  // The viewer of scenes listens to these.
  for (const name of ["mousedown", "mousemove", "touchstart", "touchmove"] as const)
    stage.addEventListener(name, (event) => pointer !== null && stop(event), { capture: true, passive: false });
}
