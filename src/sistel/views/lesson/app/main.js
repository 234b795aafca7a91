// Puts the lesson together: the arm in space, and a panel for each of the three problems.
import { makePage, unpackBlock } from "../../page/app/core.js";
import { mainHeader, mainHelp, mainTabs } from "../../page/app/frame.js";
import { PosedMotion } from "../../page/app/motion.js";
import { Player, listenToKeys, mountPlayer } from "../../page/app/player.js";
import { mountScene } from "../../page/app/scene.js";
import { mountTimeline } from "../../page/app/timeline.js";
import { mountView } from "../../page/app/view.js";
import { wordNode } from "../../page/app/words.js";
import { makeKernels } from "../../live/live.js";
import { LessonArm } from "./arm.js";
import { mountForward } from "./forward.js";
import { inverseSolve, mountInverse } from "./inverse.js";
import { mountTravel } from "./travel.js";

const LESSON_MODES = ["forward", "inverse", "trajectory"];
const LESSON_KEYS = [
  ["1 2 3", "keyModes"],
  ["Space", "keySpace"],
  ["← →", "keyArrows"],
  ["Home End", "keyEnds"],
  ["+ −", "keySpeed"],
  ["L", "keyLoop"],
  ["R", "lessonKeyReset"],
  ["?", "keyHelp"],
];
/** Length of the axes of the tool, in parts of the size of the arm. */
const LESSON_AXES = 0.13;

/** The axes of a pose as lines: nine numbers by rows, then the place [m]. */
function lessonAxes(pose, length) {
  const at = [pose[9], pose[10], pose[11]];
  return [0, 1, 2].map((j) => [at, at.map((x, i) => x + length * pose[3 * i + j])]);
}

/** Makes the lesson of the document's payload. */
export async function startLesson() {
  const data = JSON.parse(new TextDecoder().decode(await unpackBlock("payload")));
  const page = makePage(data);
  window.sistel = page;
  const parts = Object.fromEntries([...document.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
  document.documentElement.dataset.page = "lesson";
  const help = mainHelp(page, LESSON_KEYS);
  mainHeader(parts.header, page, help);
  wordNode(page, parts.picture, "picture", {}, "aria-label");
  wordNode(page, parts.transport, "transport", {}, "aria-label");
  for (const node of [parts.side, parts.tabs]) wordNode(page, node, "lessonModes", {}, "aria-label");
  const arm = new LessonArm(makeKernels(await page.unpack(data.lesson.source)), data);
  page.lesson = { arm, networks: data.lesson.networks, target: null, solution: null, motion: null };
  page.system = { poses: (q) => arm.poses(q) };
  page.solve = (...call) => inverseSolve(page.lesson, ...call);
  new Player(page);
  page.on("motion", ({ kind }) => (document.documentElement.dataset.motion = kind));
  const { q, v, t, structure } = data.start;
  page.exchange(new PosedMotion({ t, q: Float64Array.from(q), v: Float64Array.from(v), structure }), t);
  mountTimeline(parts.timeline, page);
  mountPlayer(parts.transport, page);
  listenToKeys(page, { help, reset: () => page.picture?.fit?.() });
  mainTabs(parts.tabs, parts.panels, page, [["forward", mountForward], ["inverse", mountInverse], ["trajectory", mountTravel]]);
  lessonModes(page);

  page.marks = () => {
    const length = LESSON_AXES * data.size;
    const paths = lessonAxes(arm.look(page.now.q).pose, length);
    const colours = ["x", "y", "z"].map((axis) => `var(--axis-${axis})`);
    const { target } = page.lesson;
    if (page.panel === "inverse" && target) {
      paths.push(...lessonAxes(target, 0.75 * length));
      colours.push(...["x", "y", "z"].map((axis) => `var(--aim-${axis})`));
    }
    return { paths, colours };
  };
  const { begin } = data.lesson;
  const open = async () => {
    // Sliders are there in every mode: other panels pose the arm by them.
    await page.choose("forward");
    page.lesson.forward();
    if (begin.mode !== "forward") await page.choose(begin.mode);
    if (begin.target) {
      await page.choose("inverse");
      page.lesson.inverse();
    }
    if (begin.to) {
      await page.choose("trajectory");
      page.lesson.travel();
    }
    await page.choose(begin.mode);
  };
  // A scene takes seconds to load; the panels need not wait for it.
  await Promise.all([mountView(parts.picture, page, { mountScene: data.scene ? mountScene : null }), open()]);
  page.seek(page.time);
  if (begin.mode === "trajectory" && page.lesson.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches) page.player.play();
  page.ready = true;
  document.documentElement.dataset.ready = "yes";
  return page;
}

/** What changes with the mode beside the panels: what moves, and whether it can be played. */
function lessonModes(page) {
  let before = null;
  let time = null;
  page.on("shown", (mode) => {
    document.documentElement.dataset.mode = mode;
    const { motion } = page.lesson;
    if (before === "trajectory" && mode !== "trajectory" && page.motion === motion) {
      time = page.time;
      page.pose(page.now.q, -1);
    } else if (mode === "trajectory" && before !== "trajectory" && motion) page.exchange(motion, time ?? motion.begin);
    else page.seek(page.time);
    before = mode;
  });
  page.lesson.useAnswer = async () => {
    await page.choose("trajectory", true);
    page.lesson.putEnd("to", page.lesson.solution.q);
  };
  document.addEventListener("keydown", (event) => {
    const mode = LESSON_MODES[Number(event.key) - 1];
    if (!mode || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
    event.preventDefault();
    page.choose(mode, true);
  });
}
