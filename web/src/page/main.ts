// Puts the page together.
import { LiveSystem, makeKernels } from "../live/live";
import type { PageData } from "../payload";
import type { Compared } from "./compared";
import { type Motion, Page, readPayload } from "./core";
import { mountEquations } from "./equations";
import { found } from "./dom";
import { followParameters } from "./geometry";
import { followLink } from "./link";
import { takeTool } from "./take";
import { usualSpeed } from "./player";
import { type Mount, mainHeader, mainHelp, mainTabs } from "./frame";
import { type Handed, KeptMotion, computed, handedOver, kept } from "./kept";
import { mountJoints } from "./joints";
import { Grip, gripLines, mountGrip, stickFigure } from "./grab";
import { carriedLines } from "./carried";
import { Shades } from "./ghost";
import { Steps } from "./history";
import { type LiveHelpers, mountLive } from "./livepanel";
import { mountModel } from "./model";
import { PosedMotion, RecordedMotion, motionLayout } from "./motion";
import { studioTool } from "./opener";
import { Player, listenToKeys, mountPlayer } from "./player";
import { mountPlots } from "./plots";
import { LiveRunner, type Setting } from "./runner";
import type { SceneView } from "./scene";
import { SignalReader } from "./signals";
import { mountEvents, mountTimeline } from "./timeline";
import { mountChart, mountView } from "./view";
import { wordNode } from "./words";

/** Makes the page of an element with its payload. */
export async function start(root: HTMLElement): Promise<void> {
  const data = await readPayload<PageData>(root);
  const page = new Page(data, root);
  const help = mainHelp(page);
  mainHeader(page.part("header"), page, help);
  wordNode(page, page.part("picture"), "picture", {}, "aria-label");
  wordNode(page, page.part("transport"), "transport", {}, "aria-label");
  wordNode(page, page.part("side"), "panels", {}, "aria-label");
  wordNode(page, page.part("tabs"), "panels", {}, "aria-label");
  const kernels = makeKernels(await page.unpack(data.live.id));
  const system = new LiveSystem(kernels, data.live.table);
  page.system = system;
  await followParameters(page, system);
  const player = new Player(page);
  if (data.run) page.recorded = new RecordedMotion(data.run, await page.unpackBytes(data.run.id), motionLayout(data));
  const handed = handedOver();
  if (handed.run) page.recorded = new KeptMotion(handed.run, motionLayout(data));
  let compared: Compared | null = null;
  if (data.compared.length) compared = await (await import("./compared")).Compared.read(page, system);
  else if (handed.compared?.length)
    compared = await (await import("./compared")).Compared.over(page, system, handed.compared);
  page.compared = compared;
  const runner = data.live.on && !system.refused ? new LiveRunner(page, system) : null;
  if (handed.order) return void (await obey(page, runner, system, handed.order));
  if (handed.run) data.structures.splice(0, Infinity, ...handed.run.structures);
  const { q, v, t, structure } = data.start;
  page.exchange(
    page.recorded ?? new PosedMotion({ t, q: Float64Array.from(q), v: Float64Array.from(v), structure }),
    page.recorded?.begin ?? t,
  );
  const opener = studioTool(page, runner);
  found(page.part("header"), ".tools").prepend(...(opener ? [opener] : []), takeTool(page, runner));
  mountTimeline(page.part("timeline"), page);
  mountPlayer(page.part("transport"), page, player);
  listenToKeys(page, {
    help,
    reset: () => {
      if (page.motion.kind === "live") runner?.begin(runner.running);
      page.picture?.fit?.();
    },
  });
  page.keep = () => (runner ? kept(page, runner, page.say(data.name)) : Promise.resolve(null));
  const helpers = mainHands(page, system, runner, compared);
  const panels: [string, Mount<Page<PageData>>][] = [];
  const { form } = data;
  // What counts swings must not touch what moves.
  const other = () => new LiveSystem(kernels, data.live.table);
  if (form) {
    const { mountForm } = await import("./form");
    panels.push(["form", (element) => mountForm(element, page, form, runner, system, other)]);
  }
  if (data.curves || runner) panels.push(["plots", mountPlots]);
  if (data.chart) panels.push([data.chart_of === "drives" ? "drives" : "chart", mountChart]);
  if (data.run || handed.run) panels.push(["events", mountEvents]);
  panels.push(["joints", mountJoints]);
  const { control } = data;
  if (control) {
    const { mountConsole, mountWiring } = await import("./control");
    const reader = (page.signals = new SignalReader(page, system, control));
    if (control.inputs.length || control.displays.length)
      panels.push(["console", (element) => mountConsole(element, page, reader, runner)]);
    panels.push(["wiring", (element) => mountWiring(element, page, reader)]);
  }
  if (data.live.on && !form) panels.push(["live", (element) => mountLive(element, page, system, runner, helpers)]);
  if (data.equations) panels.push(["equations", mountEquations]);
  panels.push(["model", mountModel]);
  mainTabs(page.part("tabs"), page.part("panels"), page, panels);
  // A scene takes seconds to load; the panels need not wait for it.
  await Promise.all([
    mountView(page.part("picture"), page, { mountScene: data.scene ? sceneWhenAsked : null }),
    page.choose(form ? "form" : page.recorded ? "plots" : "joints"),
  ]);
  page.seek(page.time);
  if (page.recorded) player.setSpeed(usualSpeed(page.recorded.begin, page.recorded.end));
  const { followed, refused } = await followLink(page, runner, page.alone ? location.hash : "");
  if (refused.length) console.info(`no such parameters: ${refused.join(", ")}`);
  // What moves on its own may disturb; who asked for less of it presses play.
  if (page.recorded && !followed && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
  page.rise();
}

/** Computes what the window around asks for; nothing of the page is made. */
async function obey(
  page: Page<PageData>,
  runner: LiveRunner | null,
  system: LiveSystem,
  order: NonNullable<Handed["order"]>,
): Promise<void> {
  const { control } = page.data;
  if (control) page.signals = new SignalReader(page, system, control);
  const made = runner && (await computed(page, runner, order));
  const why = system.refused ?? runner?.stuck;
  if (made) order.done(made);
  else order.failed(why ?? { en: "nothing moves here", ru: "здесь ничто не движется" });
}

/** The scene in space, which pages carry where there is one. */
async function sceneWhenAsked(element: HTMLElement, page: Page): Promise<SceneView> {
  return (await import("./scene")).mountScene(element, page);
}

/** Hands, what they draw, the ghost, and what was set before. */
function mainHands(
  page: Page<PageData>,
  system: LiveSystem,
  runner: LiveRunner | null,
  compared: Compared | null,
): LiveHelpers {
  interface Shown {
    setting: Setting | null;
    motion: Motion;
    time: number;
  }
  const steps = new Steps<Shown>(
    () => ({ setting: runner?.setting ?? null, motion: page.motion, time: page.time }),
    ({ setting, motion, time }) => {
      const posed = page.motion.kind === "posed";
      if (setting) runner?.set(setting);
      if (motion.kind === "posed") page.exchange(motion, time);
      else if (posed) page.exchange(motion === page.recorded || !runner?.motion ? motion : runner.motion, time);
    },
  );
  const grip = new Grip({ page, system, runner, note: (what) => steps.note(what) });
  const shades = runner && new Shades(page, system, runner);
  page.ghosts = () => {
    const poses = shades?.poses;
    return shades && poses ? [{ poses, values: shades.values }] : (compared?.ghosts() ?? []);
  };
  page.marks = () => {
    const all = [gripLines(page), carriedLines(page, system)];
    // Scenes in space have no second set of bodies: there the others are figures of lines.
    const figures = page.data.planar ? [] : (page.ghosts?.() ?? []);
    for (const [i, ghost] of figures.entries()) {
      if (!ghost) continue;
      const paths = stickFigure(page, ghost.poses);
      all.unshift({ paths, colours: paths.map(() => (compared ? `var(--st${i})` : "var(--line)")) });
    }
    return { paths: all.flatMap(({ paths }) => paths), colours: all.flatMap(({ colours }) => colours) };
  };
  page.keys((event, target) => {
    if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyZ" || target.closest("input, textarea, select, dialog"))
      return;
    event.preventDefault();
    if (event.shiftKey) steps.redo();
    else steps.undo();
  });
  mountGrip(page.part("picture"), page, grip);
  const ghost = (on: boolean) => {
    if (shades) shades.shown = on;
    page.seek(page.time);
  };
  return { steps, ghost };
}
