// Puts the page together.
import { makePage, unpackBlock } from "./core.js";
import { LiveSystem, makeKernels } from "../../live/live.js";
import { mountEquations } from "./equations.js";
import { mainHeader, mainHelp, mainTabs } from "./frame.js";
import { mountJoints } from "./joints.js";
import { LiveRunner, mountLive } from "./livepanel.js";
import { mountModel } from "./model.js";
import { PosedMotion, RecordedMotion, motionLayout } from "./motion.js";
import { Player, listenToKeys, mountPlayer } from "./player.js";
import { mountPlots } from "./plots.js";
import { mountScene } from "./scene.js";
import { mountEvents, mountTimeline } from "./timeline.js";
import { mountChart, mountView } from "./view.js";
import { wordNode } from "./words.js";

/** Makes the page of the document's payload. */
export async function startPage() {
  const data = JSON.parse(new TextDecoder().decode(await unpackBlock("payload")));
  const page = makePage(data);
  window.sistel = page;
  const parts = Object.fromEntries([...document.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
  const help = mainHelp(page);
  mainHeader(parts.header, page, help);
  wordNode(page, parts.picture, "picture", {}, "aria-label");
  wordNode(page, parts.transport, "transport", {}, "aria-label");
  wordNode(page, parts.side, "panels", {}, "aria-label");
  wordNode(page, parts.tabs, "panels", {}, "aria-label");
  const kernels = makeKernels(await page.unpack(data.live.id));
  page.system = new LiveSystem(await kernels, data.live.table);
  const layout = motionLayout(data);
  new Player(page);
  if (data.live.on && !page.system.refused) new LiveRunner(page);
  if (data.run) {
    page.recorded = new RecordedMotion(data.run, await page.unpackBytes(data.run.id), layout);
    page.showRun = () => page.exchange(page.recorded, page.recorded.begin);
  }
  const { q, v, t, structure } = data.start;
  page.exchange(page.recorded ?? new PosedMotion({ t, q: Float64Array.from(q), v: Float64Array.from(v), structure }), data.run?.begin ?? t);
  mountTimeline(parts.timeline, page);
  mountPlayer(parts.transport, page);
  listenToKeys(page, {
    help,
    reset: () => {
      if (page.motion.kind === "live") page.live.begin(page.live.running);
      page.picture?.fit?.();
    },
  });
  const panels = [];
  if (data.curves || page.live) panels.push(["plots", mountPlots]);
  if (data.chart) panels.push(["chart", mountChart]);
  if (data.run) panels.push(["events", mountEvents]);
  panels.push(["joints", mountJoints]);
  if (data.live.on) panels.push(["live", mountLive]);
  if (data.equations) panels.push(["equations", mountEquations]);
  if (data.tree) panels.push(["model", mountModel]);
  mainTabs(parts.tabs, parts.panels, page, panels);
  // A scene takes seconds to load; the panels need not wait for it.
  await Promise.all([
    mountView(parts.picture, page, { mountScene: data.scene ? mountScene : null }),
    page.choose(data.run ? "plots" : "joints"),
  ]);
  page.seek(page.time);
  // What moves on its own may disturb; who asked for less of it presses play.
  if (data.run && !matchMedia("(prefers-reduced-motion: reduce)").matches) page.player.play();
  page.ready = true;
  document.documentElement.dataset.ready = "yes";
  return page;
}
