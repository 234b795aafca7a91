// A film of the page's motion, recorded while it is played: WebM, or MP4 where a browser makes nothing else.
import type { Page } from "./core";
import { gifScript, type GifOrder } from "./gif";
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

/** Pictures of a GIF in a second, and how many there are at most; how wide they are at most. */
const GIF_RATE = 20,
  GIF_MOST = 400,
  GIF_WIDE = 720;
/** Pictures that its colours are taken from. */
const GIF_SAMPLES = 6;

/**
 * The motion as a GIF that repeats, at the speed of the player: picture by picture, however long each takes to be drawn.
 * @param page whose motion it is
 * @param signal ends it early
 * @param told is called with the part that is done
 */
export async function recordGif(page: Page, signal: AbortSignal, told: (part: number) => unknown): Promise<Blob> {
  const { begin, end } = page.motion;
  const length = (end - begin) / page.player.speed;
  const pictures = Math.max(2, Math.min(GIF_MOST, Math.round(length * GIF_RATE) + 1));
  const hundredths = Math.max(2, Math.round((100 * length) / (pictures - 1)));
  page.player.pause();
  const look = await painter(page);
  const address = URL.createObjectURL(new Blob([gifScript()], { type: "text/javascript" }));
  const worker = new Worker(address);
  const ask = (order: GifOrder) =>
    new Promise<Uint8Array<ArrayBuffer> | null>((answer, fail) => {
      worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer> | null>) => {
        answer(data);
      };
      worker.onerror = (problem) => {
        fail(new Error(problem.message));
      };
      worker.postMessage(order);
    });
  try {
    const seen: ImageData[] = [];
    for (let i = 0; i < GIF_SAMPLES; i++) seen.push(await look.at(begin + ((end - begin) * i) / (GIF_SAMPLES - 1)));
    const { width, height } = seen[0];
    await ask({ what: "colours", pictures: seen.map(({ data }) => data), width, height });
    for (let i = 0; i < pictures && !signal.aborted; i++) {
      const { data } = await look.at(begin + ((end - begin) * i) / (pictures - 1));
      // The last one stays for a while.
      await ask({ what: "add", pixels: data, hundredths: i + 1 < pictures ? hundredths : hundredths + 60 });
      told((i + 1) / pictures);
    }
    const file = await ask({ what: "end" });
    return new Blob(file ? [file] : [], { type: "image/gif" });
  } finally {
    look.close();
    worker.terminate();
    URL.revokeObjectURL(address);
  }
}

/** What paints the picture of a page at a time into pixels, as wide as a GIF may be. */
async function painter(page: Page): Promise<{ at(time: number): Promise<ImageData>; close(): void }> {
  const scene = sceneOf(page);
  const canvas = document.createElement("canvas"),
    small = document.createElement("canvas");
  const context = small.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser has no canvas");
  const take = (from: CanvasImageSource, wide: number, high: number): ImageData => {
    const scale = Math.min(1, GIF_WIDE / wide);
    if (!small.height || small.width !== Math.round(scale * wide))
      Object.assign(small, { width: Math.round(scale * wide), height: Math.round(scale * high) });
    context.drawImage(from, 0, 0, small.width, small.height);
    return context.getImageData(0, 0, small.width, small.height);
  };
  if (!scene) {
    const at = async (time: number) => {
      page.seek(time);
      await drawStill(page, canvas, 1);
      return take(canvas, canvas.width, canvas.height);
    };
    return { at, close: () => {} };
  }
  // A canvas of WebGL has its picture only while it is being drawn: it is taken out of the stream of these.
  const next = () => new Promise((go) => requestAnimationFrame(go));
  const stream = scene.captureStream(),
    video = document.createElement("video");
  video.muted = true;
  video.srcObject = stream;
  page.seek(page.time);
  await video.play();
  while (!video.videoWidth) await next();
  const at = async (time: number) => {
    const drawn = new Promise<void>((go) => {
      video.requestVideoFrameCallback(() => {
        go();
      });
    });
    page.seek(time);
    await next();
    await next();
    // Where nothing has moved nothing is drawn.
    await Promise.race([drawn, new Promise((go) => setTimeout(go, RECORDER_HOLD))]);
    return take(video, video.videoWidth, video.videoHeight);
  };
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  return { at, close };
}
