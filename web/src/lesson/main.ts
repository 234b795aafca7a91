// Puts the lesson together: the arm in space, and a panel for each of the three problems.
import { readPayload } from "../page/core";
import { type KeyWords, mainHeader, mainHelp, mainTabs } from "../page/frame";
import { PosedMotion } from "../page/motion";
import { Player, listenToKeys, mountPlayer } from "../page/player";
import { mountScene } from "../page/scene";
import { mountTimeline } from "../page/timeline";
import { mountView } from "../page/view";
import { wordNode } from "../page/words";
import { makeKernels } from "../live/live";
import type { LessonData } from "../payload";
import { LessonArm } from "./arm";
import { aimLength, mountAim } from "./aim";
import { DhSteps } from "./dh";
import { mountForward } from "./forward";
import { inverseSolve, mountInverse } from "./inverse";
import { LessonPage } from "./lesson";
import { mountTravel } from "./travel";

const LESSON_MODES = ["forward", "inverse", "trajectory"];
const LESSON_KEYS: KeyWords = [
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
function lessonAxes(pose: ArrayLike<number>, length: number): number[][][] {
  const at = [pose[9], pose[10], pose[11]];
  return [0, 1, 2].map((j) => [at, at.map((x, i) => x + length * pose[3 * i + j])]);
}

/** Makes the lesson of an element with its payload. */
export async function start(root: HTMLElement): Promise<void> {
  const data = await readPayload<LessonData>(root);
  const page = new LessonPage(data, root);
  root.dataset.page = "lesson";
  const help = mainHelp(page, LESSON_KEYS);
  mainHeader(page.part("header"), page, help);
  wordNode(page, page.part("picture"), "picture", {}, "aria-label");
  wordNode(page, page.part("transport"), "transport", {}, "aria-label");
  for (const node of [page.part("side"), page.part("tabs")]) wordNode(page, node, "lessonModes", {}, "aria-label");
  const arm = new LessonArm(makeKernels(await page.unpack(data.lesson.source)), data);
  const none = () => null;
  page.lesson = {
    arm,
    networks: data.lesson.networks,
    steps: new DhSteps(page),
    branches: [],
    target: null,
    solution: null,
    motion: null,
    forward: none,
    inverse: none,
    takeTarget: none,
    follow: none,
    travel: none,
    putEnd: none,
    useAnswer: () => Promise.resolve(),
  };
  page.system = { poses: (q) => arm.poses(q) };
  page.solve = (...call) => inverseSolve(page.lesson, ...call);
  const player = new Player(page);
  page.on("motion", ({ kind }) => {
    root.dataset.motion = kind;
  });
  const { q, v, t, structure } = data.start;
  page.exchange(new PosedMotion({ t, q: Float64Array.from(q), v: Float64Array.from(v), structure }), t);
  mountTimeline(page.part("timeline"), page);
  mountPlayer(page.part("transport"), page, player);
  listenToKeys(page, { help, reset: () => page.picture?.fit?.() });
  mainTabs(page.part("tabs"), page.part("panels"), page, [
    ["forward", mountForward],
    ["inverse", mountInverse],
    ["trajectory", mountTravel],
  ]);
  lessonModes(page);

  page.marks = () => {
    const length = LESSON_AXES * data.size;
    const paths = lessonAxes(arm.look(page.q).pose, length);
    const colours = ["x", "y", "z"].map((axis) => `var(--axis-${axis})`);
    const { target } = page.lesson;
    if (page.panel === "inverse" && target) {
      paths.push(...lessonAxes(target, aimLength(page)));
      colours.push(...["x", "y", "z"].map((axis) => `var(--aim-${axis})`));
    }
    const moves = page.lesson.steps.lines();
    paths.push(...moves.paths);
    colours.push(...moves.colours);
    return { paths, colours };
  };
  mountAim(
    page.part("picture"),
    page,
    (pose) => {
      page.lesson.takeTarget(pose);
      page.lesson.follow();
    },
    () => page.lesson.inverse(),
  );
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
  await Promise.all([mountView(page.part("picture"), page, { mountScene: data.scene ? mountScene : null }), open()]);
  page.seek(page.time);
  if (begin.mode === "trajectory" && page.lesson.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches)
    player.play();
  page.rise();
}

/** What changes with the mode beside the panels: what moves, and whether it can be played. */
function lessonModes(page: LessonPage): void {
  let before: string | null = null;
  let time: number | null = null;
  page.on("shown", (mode) => {
    page.root.dataset.mode = mode;
    const { motion } = page.lesson;
    if (before === "trajectory" && mode !== "trajectory" && page.motion === motion) {
      time = page.time;
      page.pose?.(page.q, -1);
    } else if (mode === "trajectory" && before !== "trajectory" && motion) page.exchange(motion, time ?? motion.begin);
    else page.seek(page.time);
    before = mode;
  });
  page.lesson.useAnswer = async () => {
    await page.choose("trajectory", true);
    if (page.lesson.solution) page.lesson.putEnd("to", page.lesson.solution.q);
  };
  page.keys((event, target) => {
    const mode = LESSON_MODES[Number(event.key) - 1];
    if (!mode || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog"))
      return;
    event.preventDefault();
    void page.choose(mode, true);
  });
}
