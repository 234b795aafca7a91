// How finely a scene is drawn: as finely as the screen can show, until that proves to be too slow.

/** Frames that are looked at together. */
const FRAMES = 15;
/** Time of a frame that is too long [ms]. */
const SLOW = 40;
/** As many frames are enough where they take that long [ms]. */
const [FEW, VERY_SLOW] = [4, 150];
/** Pixels of the picture for one of the page, at most: more are not seen. */
const FINEST = 2;

/** What a scene is drawn with. */
export interface Fineness {
  /** Pixels of the picture for one of the page. */
  scale: number;
  shadows: boolean;
}

/** Programs that draw without a graphics processor: shadows take them several times as long as all the rest. */
const PROGRAMS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/**
 * How finely a scene may be drawn at first.
 * @param pixels of the screen for one of the page
 * @param renderer what the browser says that it draws with
 */
export function finest(pixels: number, renderer: string): Fineness {
  return { scale: Math.min(Math.max(pixels, 1), FINEST), shadows: !PROGRAMS.test(renderer) };
}

/** What this browser draws scenes with. */
export function rendererName(): string {
  const context = document.createElement("canvas").getContext("webgl2");
  const extension = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context?.getParameter(extension ? extension.UNMASKED_RENDERER_WEBGL : context.RENDERER) as string | null;
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return name ?? "";
}

/** The next step down: pixels first, then shadows; null at the bottom. */
export function coarser({ scale, shadows }: Fineness): Fineness | null {
  if (scale > 1) return { scale: 1, shadows };
  return shadows ? { scale, shadows: false } : null;
}

/** Steps down when frames are slow, and never up again: pictures that change back and forth are worse than coarse ones. */
export class Ladder {
  #last: number | null = null;
  #spans: number[] = [];

  /**
   * @param now what the scene is drawn with
   * @param change is told of a step
   */
  constructor(
    public now: Fineness,
    readonly change: (to: Fineness) => void,
  ) {}

  /** A frame of something that moves has been drawn at a time [ms]. */
  frame(time: number): void {
    const span = this.#last === null ? 0 : time - this.#last;
    this.#last = time;
    if (!(span > 0)) return;
    this.#spans.push(span);
    const spans = [...this.#spans].sort((a, b) => a - b);
    const median = spans[spans.length >> 1];
    if (spans.length < FRAMES && !(spans.length >= FEW && median > VERY_SLOW)) return;
    this.#spans = [];
    const next = median > SLOW ? coarser(this.now) : null;
    if (next) this.set(next);
  }

  /** Draws as told from now on. */
  set(to: Fineness): void {
    this.now = to;
    // The frame of the change itself takes its time.
    this.rest();
    this.change(to);
  }

  /** Nothing moves: the next frame is the first again. */
  rest(): void {
    this.#last = null;
    this.#spans = [];
  }
}
