// A page inside a notebook: the notebook gives an element, and a model that Python shares.
import type { Page, Root, Theme } from "../page/core";

/** What anywidget gives. */
interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, heard: () => void): void;
  off(event: string, heard: () => void): void;
}

/** How often the cursor is told to Python while the motion plays [ms]: each time is a message to the kernel. */
const PERIOD = 150;
/** A colour is dark whose channels are below this on average. */
const MIDDLE = 128;

/** Whether what lies behind an element is dark: notebooks have themes of their own, and each says so in its own way. */
function isDark(element: Element): boolean {
  for (let each: Element | null = element; each; each = parentOf(each)) {
    const channels =
      getComputedStyle(each)
        .backgroundColor.match(/[\d.]+/g)
        ?.map(Number) ?? [];
    const [red = 0, green = 0, blue = 0, opacity = 1] = channels;
    if (channels.length >= 3 && opacity > 0.5) return (red + green + blue) / 3 < MIDDLE;
  }
  // Nothing is painted: what shows is the canvas, white unless the document takes dark ones too.
  const schemes = getComputedStyle(document.documentElement).colorScheme;
  if (!schemes.includes("dark")) return false;
  return !schemes.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The element around another one, out of a shadow tree too. */
function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** A view of the widget: the whole page in a frame, so that neither its style nor its keys meet those of the notebook. */
class View {
  readonly frame = document.createElement("iframe");
  #page: Page | null = null;
  #theme: Theme | null = null;
  /** The cursor and whether it plays, as Python knows them. */
  #told = { time: Number.NaN, playing: false };
  readonly #timer: number;
  readonly #heard: [string, () => void][];

  constructor(
    readonly model: Model,
    readonly element: HTMLElement,
  ) {
    this.#heard = [
      ["change:page", () => this.#open()],
      ["change:height", () => this.#size()],
      ["change:time", () => this.#seek()],
      ["change:playing", () => this.#play()],
    ];
    for (const [event, heard] of this.#heard) model.on(event, heard);
    this.frame.style.cssText = "display: block; width: 100%; border: 0; border-radius: 8px;";
    this.frame.allow = "fullscreen; clipboard-write";
    this.#size();
    this.#open();
    element.append(this.frame);
    this.#timer = setInterval(() => this.#look(), PERIOD);
  }

  end(): void {
    clearInterval(this.#timer);
    for (const [event, heard] of this.#heard) this.model.off(event, heard);
    this.frame.remove();
  }

  #open(): void {
    this.#page = null;
    this.#theme = null;
    this.frame.title = String(this.model.get("title"));
    this.frame.srcdoc = String(this.model.get("page"));
  }

  #size(): void {
    this.frame.style.height = `${Number(this.model.get("height"))}px`;
  }

  #seek(): void {
    const time = Number(this.model.get("time"));
    if (!this.#page || time === this.#told.time) return;
    this.#page.seek(time);
    this.#told.time = this.#page.time;
  }

  #play(): void {
    const playing = Boolean(this.model.get("playing"));
    if (!this.#page || playing === this.#told.playing) return;
    if (playing) this.#page.player.play();
    else this.#page.player.pause();
    this.#told.playing = playing;
  }

  /** Looks whether the page is there, and what has changed in it. */
  #look(): void {
    if (!this.#page) {
      const root = this.frame.contentDocument?.querySelector<Root<Page>>("[data-sistel][data-ready=yes]");
      if (!root?.sistel) return;
      this.#page = root.sistel;
      this.#begin(this.#page);
    }
    const page = this.#page;
    const theme = isDark(this.element) ? "dark" : "light";
    if (theme !== this.#theme) {
      this.#theme = theme;
      page.setTheme(theme);
    }
    const { time } = page;
    const { playing } = page.player;
    if (time === this.#told.time && playing === this.#told.playing) return;
    this.#told = { time, playing };
    this.model.set("time", time);
    this.model.set("playing", playing);
    this.model.save_changes();
  }

  /** What Python has said before the page was there. */
  #begin(page: Page): void {
    const time = this.model.get("time");
    if (!this.model.get("playing")) page.player.pause();
    this.#told.playing = page.player.playing;
    if (typeof time === "number") page.seek(time);
  }
}

export default {
  render({ model, el }: { model: Model; el: HTMLElement }): () => void {
    const view = new View(model, el);
    return () => view.end();
  },
};
