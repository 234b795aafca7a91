// Playback: play, pause, scrub, step, speed, loop, and the keys for all of it.
import type { Page, Playback } from "./core";
import { domNode, numberText } from "./dom";
import { wordNode, wordOf } from "./words";

/** Speeds to choose from, over real time. */
export const PLAYER_SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

/** What is over within this time [s] is shown more slowly, so that it lasts about as long as the second one. */
const PLAYER_SHORT = 1;
const PLAYER_ENOUGH = 5;

/** How fast a motion is shown at first: as it goes, and what is over within a second slower. */
export function usualSpeed(begin: number, end: number): number {
  const length = end - begin;
  if (!(length > 0 && length < PLAYER_SHORT)) return 1;
  return PLAYER_SPEEDS.findLast((speed) => speed <= (length / PLAYER_ENOUGH) * (1 + 1e-9)) ?? PLAYER_SPEEDS[0];
}

const PLAYER_ICONS = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  stepBack: "M15 6v12l-8-6zM17 6h2v12h-2z",
  stepOn: "M9 6v12l8-6zM5 6h2v12H5z",
  eventBack: "M19 6v12l-7-6zM12 6v12l-7-6z",
  eventOn: "M5 6v12l7-6zM12 6v12l7-6z",
  loop: "M7 7h9V4l5 4-5 4V9H7c-1.5 0-2 .6-2 2v2H3v-2c0-2.600 1.500-4 4-4zM17 17H8v3l-5-4 5-4v3h9c1.500 0 2-.6 2-2v-2h2v2c0 2.600-1.500 4-4 4z",
};

/** A drawing for a button. */
export function playerIcon(path: string): SVGSVGElement {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  node.setAttribute("viewBox", "0 0 24 24");
  node.setAttribute("aria-hidden", "true");
  node.classList.add("icon");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  node.append(line);
  return node;
}

/** The time of a state as its readers write it: as many decimals as the whole needs. */
export function timeText(page: Page, t: number): string {
  const { begin, end } = page.motion;
  const decimals = end - begin >= 100 ? 2 : 3;
  return `${t.toFixed(decimals).replace("-", "−")}`;
}

/** Plays `page.motion`; without an element it has no buttons. */
export class Player implements Playback {
  playing = false;
  looping = true;
  speed = 1;
  /** Shows the state of playback: set by who has the buttons. */
  shown: (() => void) | null = null;
  #before: number | null = null;
  readonly #frame = (now: number) => this.tick(now);

  constructor(readonly page: Page) {
    page.player = this;
    page.on("motion", () => this.show());
    page.on("time", () => this.show());
  }

  /** Whether there is a time to go through. */
  get moves(): boolean {
    return this.page.motion.end > this.page.motion.begin;
  }

  play(): void {
    const { motion, live, now } = this.page;
    // A motion that is being computed is driven by what computes it; a posture is where one begins.
    if (motion.kind === "live" && this.page.time >= motion.end && live) {
      live.run();
      return;
    }
    if (motion.kind === "posed" && live && now) {
      live.from(now, true);
      return;
    }
    if (!this.moves || this.playing) return;
    if (this.page.time >= this.page.motion.end) this.page.seek(this.page.motion.begin);
    this.playing = true;
    this.#before = null;
    requestAnimationFrame(this.#frame);
    this.show();
  }

  pause(): void {
    this.playing = false;
    if (this.page.live?.running) this.page.live.hold();
    this.show();
  }

  toggle(): void {
    if (this.playing || this.page.live?.running) this.pause();
    else this.play();
  }

  tick(now: number): void {
    if (!this.playing) return;
    const passed = this.#before === null ? 0 : Math.min((now - this.#before) / 1000, 0.25);
    this.#before = now;
    const { begin, end, kind } = this.page.motion;
    let t = this.page.time + passed * this.speed;
    if (t >= end && kind === "live" && this.page.live && !this.page.live.stuck) {
      this.playing = false;
      this.page.seek(end);
      this.page.live.run();
      return;
    }
    if (t >= end && this.looping && kind === "recorded") {
      // A breath at the end, so that one sees where it is.
      t = this.page.time < end ? end : begin;
    }
    this.page.seek(t);
    if (t >= end && !(this.looping && kind === "recorded")) this.playing = false;
    if (this.playing) requestAnimationFrame(this.#frame);
    else this.show();
  }

  /** Goes to a time; playback stops, for somebody wants to look. */
  go(t: number): void {
    if (this.page.live?.running) this.page.live.hold();
    this.page.seek(t);
  }

  /** A step of a fiftieth of a second of watching. */
  step(way: number): void {
    this.playing = false;
    this.go(this.page.time + (way * this.speed) / 50);
    this.show();
  }

  toEvent(way: number): void {
    const { events, begin, end } = this.page.motion;
    const now = this.page.time;
    const dust = 1e-9 * Math.max(1, Math.abs(now));
    let found = way > 0 ? end : begin;
    if (way > 0) found = events.find((event) => event.time > now + dust)?.time ?? end;
    else for (const event of events) if (event.time < now - dust) found = event.time;
    this.playing = false;
    this.go(found);
    this.show();
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(Math.max(speed, PLAYER_SPEEDS[0]), PLAYER_SPEEDS[PLAYER_SPEEDS.length - 1]);
    this.show();
  }

  /** The next of the speeds to choose from, faster or slower; the last one stays. */
  faster(way: number): void {
    const next =
      way > 0
        ? PLAYER_SPEEDS.find((speed) => speed > this.speed)
        : PLAYER_SPEEDS.findLast((speed) => speed < this.speed);
    if (next !== undefined) this.setSpeed(next);
  }

  setLoop(on: boolean): void {
    this.looping = on;
    this.show();
  }

  show(): void {
    this.shown?.();
  }
}

/** Buttons of playback. */
export function mountPlayer(element: HTMLElement, page: Page, player: Player): void {
  const button = (key: string, icon: string, act: () => void, classes = "") => {
    const node = domNode("button", { type: "button", class: `tool ${classes}`, onclick: act }, playerIcon(icon));
    return wordNode(page, node, key, {}, ["aria-label", "title"]);
  };
  const play = domNode("button", { type: "button", class: "tool play", onclick: () => player.toggle() });
  const loop = button("loop", PLAYER_ICONS.loop, () => player.setLoop(!player.looping));
  const speed = domNode("select", { class: "speed", onchange: () => void player.setSpeed(Number(speed.value)) });
  for (const value of PLAYER_SPEEDS) speed.append(domNode("option", { value }, `${value}×`));
  wordNode(page, speed, "speed", {}, ["aria-label", "title"]);
  const clock = domNode("output", { class: "clock" });
  const mode = domNode("button", { type: "button", class: "mode", onclick: () => page.showRun() });
  element.append(
    domNode(
      "div",
      { class: "transport-buttons" },
      button("eventBack", PLAYER_ICONS.eventBack, () => player.toEvent(-1)),
      button("stepBack", PLAYER_ICONS.stepBack, () => player.step(-1), "step"),
      play,
      button("stepOn", PLAYER_ICONS.stepOn, () => player.step(1), "step"),
      button("eventOn", PLAYER_ICONS.eventOn, () => player.toEvent(1)),
      loop,
    ),
    domNode("div", { class: "transport-rest" }, mode, clock, speed),
  );
  const shown = () => {
    const { kind, end } = page.motion;
    const going = player.playing || Boolean(page.live?.running);
    if (play.dataset.going !== `${going}${page.lang}`) {
      play.dataset.going = `${going}${page.lang}`;
      play.replaceChildren(playerIcon(going ? PLAYER_ICONS.pause : PLAYER_ICONS.play));
      for (const name of ["aria-label", "title"]) play.setAttribute(name, wordOf(page, going ? "pause" : "play"));
    }
    const still = kind === "posed";
    for (const node of element.querySelectorAll<HTMLButtonElement>("button.tool")) node.disabled = still;
    play.disabled = still && !page.live;
    loop.setAttribute("aria-pressed", String(player.looping));
    loop.hidden = kind === "live";
    speed.value = String(player.speed);
    const second = wordOf(page, "second");
    clock.textContent = still ? "" : `${timeText(page, page.time)} / ${numberText(end, 6)} ${second}`;
    mode.textContent = { recorded: "", live: wordOf(page, "living"), posed: wordOf(page, "posed") }[kind];
    mode.hidden = kind === "recorded" || (still && !page.recorded);
    mode.disabled = !page.recorded;
    mode.title = page.recorded ? wordOf(page, "backToRun") : "";
    if (page.recorded && kind !== "recorded") mode.textContent += ` — ${wordOf(page, "backToRun").toLowerCase()}`;
  };
  player.shown = shown;
  page.on("lang", shown);
  shown();
}

/** The keys, wherever the focus is, but in fields that want them themselves. */
export function listenToKeys(page: Page, { reset, help }: { reset: () => void; help: () => void }): void {
  page.keys((event, target) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const player = page.player;
    const field = target.closest("input, select, textarea, [contenteditable], dialog, [role=tab]");
    if (field && !(event.key === "?" && !target.closest("input, textarea"))) return;
    const acts: Record<string, (() => void) | null> = {
      " ": () => player.toggle(),
      ArrowLeft: () => (event.shiftKey ? player.toEvent(-1) : player.step(-1)),
      ArrowRight: () => (event.shiftKey ? player.toEvent(1) : player.step(1)),
      Home: () => player.go(page.motion.begin),
      End: () => player.go(page.motion.end),
      "+": () => player.faster(1),
      "=": () => player.faster(1),
      "-": () => player.faster(-1),
      "−": () => player.faster(-1),
      l: () => player.setLoop(!player.looping),
      д: () => player.setLoop(!player.looping),
      r: reset,
      к: reset,
      "?": help,
      ",": event.shiftKey ? help : null, // where a question mark is on a Russian keyboard
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    // A button under the focus keeps its own space.
    if (event.key === " " && target.closest("button, summary, a")) return;
    event.preventDefault();
    act();
  });
}
