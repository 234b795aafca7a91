// A film of the page's motion, recorded while it is played: WebM, or MP4 where a browser makes nothing else.
import type { Page } from "./core";
import { drawStill, sceneOf } from "./stills";

const RECORDER_TYPES = ["video/webm;codecs=vp9", "video/webm", "video/mp4"];
const RECORDER_RATE = 30;
/** So long the last picture stays [ms]. */
const RECORDER_HOLD = 300;

/** The kind of film that this browser records; null for none. */
export function recorderType(): string | null {
  if (typeof MediaRecorder === "undefined" || !HTMLCanvasElement.prototype.captureStream) return null;
  return RECORDER_TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

/**
 * Plays the motion from its beginning to its end, at the speed of the player, and records what the picture shows.
 * @param page whose motion it is
 * @param signal ends it early: what is recorded until then is the film
 */
export async function recordFilm(page: Page, signal: AbortSignal): Promise<Blob> {
  const type = recorderType();
  if (!type) throw new Error("this browser records no films");
  const { begin, end } = page.motion;
  const scene = sceneOf(page);
  const canvas = document.createElement("canvas");
  const next = () => new Promise<number>((go) => requestAnimationFrame(go));
  const draw = async (t: number) => {
    page.seek(t);
    if (!scene) await drawStill(page, canvas);
  };
  page.player.pause();
  await draw(begin);
  await next();
  const stream = scene ? scene.captureStream(RECORDER_RATE) : canvas.captureStream(RECORDER_RATE);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8_000_000 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((done) => recorder.addEventListener("stop", done, { once: true }));
  recorder.start();
  const from = performance.now();
  let t = begin;
  while (t < end && !signal.aborted) {
    await next();
    t = Math.min(begin + ((performance.now() - from) / 1000) * page.player.speed, end);
    await draw(t);
  }
  await new Promise((go) => setTimeout(go, RECORDER_HOLD));
  recorder.stop();
  await stopped;
  for (const track of stream.getTracks()) track.stop();
  return new Blob(parts, { type: type.split(";")[0] });
}
