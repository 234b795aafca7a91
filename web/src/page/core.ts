// The page object: what every panel of a page knows of the others.
import type { Pull } from "../live/hands";
import type { CommonData, ControlData, RunEvent, Stay, Words } from "../payload";
import type { Kept } from "./kept";
import { unpacked } from "./packed";

export type Language = "en" | "ru";
export type Theme = "auto" | "dark" | "light";
/** A text that is the same in both languages, or one for each. */
export type Said = string | Words;
/** A place of the world [m]. */
export type Place = number[];

/** A state at a time: coordinates, velocities, the number of the structure. */
export interface Moment {
  t: number;
  q: Float64Array;
  v: Float64Array;
  structure: number;
  /** What schemes remember, where it is known. */
  m?: Float64Array;
  /** What a hand holds then. */
  pull?: Pull;
}

/** What moves. */
export interface Motion {
  readonly kind: "posed" | "recorded" | "live";
  readonly begin: number;
  readonly end: number;
  readonly events: RunEvent[];
  readonly stays: Stay[];
  /** From when to when it has states of its own, where the clock goes on for others [s]. */
  readonly own?: readonly [number, number];
  /** States as they were computed, where they are kept. */
  readonly rows?: readonly Moment[];
  at(t: number): Moment | null;
}

/** What says where bodies are. */
export interface Postures {
  /** Poses of all bodies, 3×4 by rows, the ground first [m]. */
  poses(q: ArrayLike<number>): Float64Array;
  /** Both ends of every ray of the sensors [m]. */
  rays?(q: ArrayLike<number>): Place[][];
  /** Coordinates nearby that close all loops. */
  close?(
    q: ArrayLike<number>,
    fixed: number | null,
    structure: number,
    options: { t: number },
  ): { q: Float64Array; success: boolean };
  /** The posture in which the file begins, for the values that parameters have now, near others. */
  opening?(near: ArrayLike<number>, structure: number): Float64Array;
  /** Energies [J]. */
  energies?(q: ArrayLike<number>, v: ArrayLike<number>): { kinetic: number; potential: number; total: number };
}

/** Plays the motion. */
export interface Playback {
  playing: boolean;
  looping: boolean;
  speed: number;
  play(): void;
  pause(): void;
  toggle(): void;
  go(t: number): void;
  step(way: number): void;
  toEvent(way: number): void;
  setSpeed(speed: number): void;
  faster(way: number): void;
  setLoop(on: boolean): void;
  show(): void;
}

/** Computes the motion while it is shown. */
export interface Runner {
  running: boolean;
  stuck: Said | null;
  run(): void;
  hold(): void;
  begin(run?: boolean): void;
  from(state: Pick<Moment, "q" | "v" | "structure">, run?: boolean): void;
}

/** Lines through places of the world [m], and their colours. */
export interface Lines {
  paths: Place[][];
  colours: string[];
}

/** How pixels of the window and places of the world belong together. */
export interface Eye {
  /** The place under a pixel, in the plane through another place that faces the viewer [m]. */
  aim(x: number, y: number, near: Place): Place | null;
  /** Where a place is seen, and how far away from the viewer it is; null where it is not. */
  seen(place: Place): [number, number, number] | null;
}

/** Bodies in another motion. */
export interface Ghost {
  poses: Float64Array;
  /** Values of the live parameters there; null where they are those of the page. */
  values: Float64Array | null;
  /** Key of its structure, where it has one of its own. */
  structure?: string;
}

/** What shows the bodies. */
export interface Picture {
  eye?: Eye;
  show(state: Moment, poses: Float64Array): void;
  /** Shows bodies faded where they are in other motions; null takes those of one away. */
  shade?(ghosts: (Ghost | null)[], withValues: Page["withValues"]): void;
  trail?(paths: Place[][], colours: string[]): void;
  /** Lines of one moment; the last ones are rays of sensors. */
  marks?(paths: Place[][], colours: string[], rays?: number): void;
  flash?(point: Place): void;
  highlight?(number: number | null): void;
  fade?(share: number): void;
  fit?(): void;
  /** Draws anew what follows parameters. */
  reshape?(): void;
  zoom?(factor: number): void;
  readonly follow?: boolean;
  setFollow?(on: boolean): void;
  setLabels?(on: boolean): void;
  /** Shows or hides a layer by its key: frames, axes, centres of mass, contacts. */
  setLayer?(key: string, on: boolean): void;
}

/** What is told to whoever listens, by name. */
export interface Happenings {
  lang: Language;
  theme: Theme;
  /** The cursor is at another state. */
  time: Moment;
  /** Something else moves. */
  motion: Motion;
  /** A motion that grows has grown by these. */
  samples: Moment[];
  /** A body stands out, by its number. */
  highlight: number | null;
  /** A panel is shown, by its key. */
  shown: string;
  /** Whether units are those of SI. */
  units: boolean;
  /** Limits of coordinates, or what bodies are made of, have changed. */
  table: unknown;
  /** Parameters have got other values: places and shapes are others. */
  geometry: null;
}

/** The root element of a page, which carries what the page is. */
export interface Root<T> extends HTMLElement {
  sistel?: T;
}

/**
 * Bytes of a packed block.
 * @param name of the block
 * @param root of the page
 */
export function unpackBlock(name: string, root: Element): Promise<Uint8Array<ArrayBuffer>> {
  const block = root.querySelector(`[data-packed="${name}"]`);
  if (!block) throw new Error(`no block ${name}`);
  return Promise.resolve(unpacked(block.textContent));
}

/** The payload of a page. */
export async function readPayload<D>(root: Element): Promise<D> {
  return JSON.parse(new TextDecoder().decode(await unpackBlock("payload", root))) as D;
}

type Listeners = { [K in keyof Happenings]?: Set<(detail: Happenings[K]) => unknown> };

/** The page object, which its root element carries as `sistel`. */
export class Page<D extends CommonData = CommonData> {
  /** Whether the document shows nothing else. */
  readonly alone: boolean;
  lang: Language;
  theme: Theme = "auto";
  /** The cursor [s]. */
  time = 0;
  motion: Motion = { kind: "posed", begin: 0, end: 0, at: () => null, events: [], stays: [] };
  /** The state at the cursor. */
  now: Moment | null = null;
  system: Postures | null = null;
  player!: Playback;
  live: Runner | null = null;
  /** The run that the page was made with. */
  recorded: Motion | null = null;
  picture: Picture | null = null;
  /** The scene in space, where there is one. */
  scene: unknown = null;
  /** The board of charts, once it is there. */
  plots: unknown = null;
  /** What tells values of signals of schemes, where there are some. */
  signals: { at(moment: Moment): (number | null)[]; readonly control: ControlData } | null = null;
  /** The key of the panel that is shown. */
  panel = "";
  /** Whether units are those of SI. */
  si = false;
  /** Poses of the bodies as they are shown. */
  poses: Float64Array | null = null;
  /** Ways of the chosen points. */
  trails: Place[][] = [];
  ready = false;
  /** Shows a panel by its key. */
  choose: (key: string, focus?: boolean) => Promise<void> = () => Promise.resolve();
  /** Shows a posture; the coordinate with the number `fixed` keeps its value, the others follow to close loops. */
  pose: ((q: ArrayLike<number>, fixed: number) => void) | null = null;
  /** Does something with pictures as they are for other values of the live parameters. */
  withValues: ((values: Float64Array, act: () => void) => void) | null = null;
  /** Makes a body stand out by its number; null ends that. */
  highlight: (number: number | null) => void = (number) => this.emit("highlight", number);
  /** What the page has computed by itself, as a run that is kept; null where nothing has moved. */
  keep: (() => Promise<Kept | null>) | null = null;
  /** Lines that the page draws into its picture at every moment. */
  marks: (() => Lines) | null = null;
  /** The bodies in the motions that this one is compared with. */
  ghosts: (() => (Ghost | null)[]) | null = null;
  /** Runs over the one of the page. */
  compared: {
    underlay(entries: unknown[]): Promise<void>;
    mount(element: HTMLElement, redraw: () => void): void;
  } | null = null;

  readonly #pages: HTMLElement[];
  readonly #prefix: string;
  readonly #listeners: Listeners = {};

  /**
   * @param data the payload
   * @param root what holds the page: its parts and its packed blocks
   */
  constructor(
    readonly data: D,
    readonly root: HTMLElement,
  ) {
    this.#pages = [...document.querySelectorAll<HTMLElement>("[data-sistel]")];
    this.#prefix = `sistel-${this.#pages.indexOf(root) + 1}-`;
    this.alone = this.#pages.length < 2;
    this.lang = data.lang === "ru" ? "ru" : "en";
    (root as Root<Page<D>>).sistel = this;
  }

  /** In the reader's language; a plain string as it is. */
  say(text: Said | null | undefined): string {
    if (text === null || text === undefined) return "";
    return typeof text === "string" ? text : (text[this.lang] ?? text.en ?? "");
  }

  /** Calls `heard` when `name` happens; the returned function ends that. */
  on<K extends keyof Happenings>(name: K, heard: (detail: Happenings[K]) => unknown): () => void {
    const all: Set<(detail: Happenings[K]) => unknown> = (this.#listeners[name] ??= new Set<never>());
    all.add(heard);
    return () => all.delete(heard);
  }

  emit<K extends keyof Happenings>(name: K, detail: Happenings[K]): void {
    for (const heard of [...(this.#listeners[name] ?? [])]) {
      // One panel's mistake must not stop the others; the console still tells it.
      try {
        heard(detail);
      } catch (problem) {
        console.error(problem);
      }
    }
  }

  setLang(lang: Language): void {
    this.lang = lang === "ru" ? "ru" : "en";
    this.emit("lang", this.lang);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.emit("theme", theme);
  }

  /** Puts the cursor at a time [s] of the motion, clamped to it. */
  seek(t: number): void {
    const { begin, end } = this.motion;
    this.time = Math.min(Math.max(t, begin), end);
    const state = this.motion.at(this.time);
    if (!state) return;
    this.now = state;
    this.emit("time", state);
  }

  /** What moves from now on; the cursor goes to `t`, or stays where it can. */
  exchange(motion: Motion, t = this.time): void {
    this.motion = motion;
    this.emit("motion", motion);
    this.seek(t);
  }

  /** Back to the run that the page was made with. */
  showRun(): void {
    if (this.recorded) this.exchange(this.recorded, this.recorded.begin);
  }

  unpackBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return unpackBlock(name, this.root);
  }

  async unpack(name: string): Promise<string> {
    return new TextDecoder().decode(await this.unpackBytes(name));
  }

  /** An id that no other page of the document has. */
  id(name: string): string {
    return this.#prefix + name;
  }

  /** Attributes of an element that others name: such an id, and the name by which it is found in the page. */
  named(name: string): { id: string; "data-id": string } {
    return { id: this.id(name), "data-id": name };
  }

  /** The parts of the page that its template has, by name. */
  part(name: string): HTMLElement {
    const node = this.root.querySelector<HTMLElement>(`[data-part="${name}"]`);
    if (!node) throw new Error(`no part ${name}`);
    return node;
  }

  /** Calls `pressed` for keys; where there are several pages, for those pressed inside this one. */
  keys(pressed: (event: KeyboardEvent, target: Element) => void): void {
    document.addEventListener("keydown", (event) => {
      const target = event.target instanceof Element ? event.target : document.body;
      if (this.alone || this.root.contains(target)) pressed(event, target);
    });
  }

  /** Tells the document that the page is there. */
  rise(): void {
    this.ready = true;
    this.root.dataset.ready = "yes";
    if (this.#pages.every((each) => each.dataset.ready)) document.documentElement.dataset.ready = "yes";
  }
}
