// The list of postures that reach a target, with small pictures of them.
import { domNode, numberText, svgNode } from "../page/dom";
import { shownUnit } from "../page/joints";
import { wordOf } from "../page/words";
import { schemeProject } from "../scheme/moving";
import type { Task } from "./arm";
import { type Branch, branchesApart, branchesOf } from "./branches";
import { forwardNumber } from "./forward";
import type { LessonPage } from "./lesson";

/** Side of a small picture [px]. */
const POSTURE_SIDE = 84;

/** The postures, as buttons that pose the arm. */
export class Postures {
  readonly element = domNode("section", { class: "lesson-postures", hidden: true });
  #told: string | null = null;
  #milliseconds = 0;

  constructor(readonly page: LessonPage) {
    page.on("lang", () => this.#draw());
    page.on("theme", () => this.#draw());
    page.on("time", () => this.#mark());
  }

  clear(): void {
    this.page.lesson.branches = [];
    this.#told = null;
    this.#draw();
  }

  /** Looks for the postures of a target [nine numbers of its axes, then its place]. */
  find(task: Task, target: ArrayLike<number>, seed: ArrayLike<number>): void {
    const { lesson } = this.page;
    const apart = branchesApart(lesson.arm, task);
    const began = performance.now();
    lesson.branches = apart ? branchesOf(lesson.arm, task, target, seed) : [];
    this.#milliseconds = performance.now() - began;
    this.#told = apart ? "branchesFound" : "branchesMany";
    this.#draw();
  }

  #draw(): void {
    const { page } = this;
    const { branches } = page.lesson;
    this.element.hidden = !this.#told || (this.#told === "branchesFound" && !branches.length);
    this.element.replaceChildren();
    if (!this.#told) return;
    const gaps = { count: branches.length, time: numberText(this.#milliseconds, 2) };
    this.element.append(
      domNode("h3", {}, wordOf(page, "branches")),
      domNode("p", { class: "note" }, wordOf(page, this.#told, gaps)),
      domNode("div", { class: "lesson-branches" }, ...branches.map((branch, i) => this.#button(branch, i))),
    );
    this.#mark();
  }

  #button(branch: Branch, i: number): HTMLElement {
    const { page } = this;
    const values = page.lesson.arm.joints.map(({ place, name }) => {
      const { scale, word } = shownUnit(page.data.coordinates[place].kind, false);
      return `${name} ${forwardNumber(branch.q[place] * scale, 2)} ${word ? wordOf(page, word) : ""}`;
    });
    const button = domNode("button", {
      type: "button",
      class: "lesson-branch",
      "data-branch": i,
      title: values.join("\n"),
      "aria-label": `${wordOf(page, "branch", { number: i + 1 })}: ${values.join(", ")}`,
      onclick: () => {
        const { lesson } = page;
        if (lesson.solution) lesson.solution = { ...lesson.solution, q: branch.q };
        page.pose?.(branch.q, -1);
      },
    });
    button.append(this.#picture(branch.q), domNode("span", {}, String(i + 1)));
    return button;
  }

  /** The arm in a few lines, seen as isometric schemes are; a planar one from above. */
  #picture(q: Float64Array): SVGSVGElement {
    const { page } = this;
    const poses = page.lesson.arm.poses(q);
    const ground = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
    const flat = (at: number[]) => (page.data.planar ? at : schemeProject(ground, 0, at).slice(0, 2));
    const pole = (n: number) => flat([3, 7, 11].map((k) => poses[12 * n + k]));
    const lines = page.data.bodies.map(({ number, base }) => [pole(base), pole(number)]);
    const { pose } = page.lesson.arm.look(q);
    lines.push([pole(page.lesson.arm.frame.body), flat([pose[9], pose[10], pose[11]])]);
    const all = page.lesson.branches.length ? this.#bounds(flat) : lines.flat();
    const [x, y] = [0, 1].map((i) => all.map((at) => at[i]));
    const [left, top] = [Math.min(...x), Math.min(...y)];
    const size = Math.max(Math.max(...x) - left, Math.max(...y) - top, 1e-9);
    const scale = (0.84 * POSTURE_SIDE) / size;
    const [aside, down] = [x, y].map((row, i) => 0.5 * (POSTURE_SIDE - scale * (Math.max(...row) + [left, top][i])));
    const at = ([u, v]: number[]) => `${(scale * u + aside).toFixed(1)},${(scale * v + down).toFixed(1)}`;
    const path = lines.map(([a, b]) => `M${at(a)}L${at(b)}`).join("");
    const dots = lines.map(([, b]) => {
      const [cx, cy] = at(b).split(",");
      return svgNode("circle", { cx, cy, r: 2.2 });
    });
    return svgNode(
      "svg",
      { viewBox: `0 0 ${POSTURE_SIDE} ${POSTURE_SIDE}`, "aria-hidden": "true" },
      svgNode("path", { d: path }),
      ...dots,
    );
  }

  /** Where any of the postures has something: all pictures have one scale. */
  #bounds(flat: (at: number[]) => number[]): number[][] {
    const { arm, branches } = this.page.lesson;
    return branches.flatMap(({ q }) => {
      const poses = arm.poses(q);
      return Array.from({ length: poses.length / 12 }, (_, n) => flat([3, 7, 11].map((k) => poses[12 * n + k])));
    });
  }

  /** The posture that the arm has. */
  #mark(): void {
    const { q, lesson } = this.page;
    for (const button of this.element.querySelectorAll<HTMLElement>("[data-branch]")) {
      const branch = lesson.branches[Number(button.dataset.branch)];
      const same = lesson.arm.joints.every(({ place }) => Math.abs(branch.q[place] - q[place]) < 1e-6);
      button.setAttribute("aria-pressed", String(same));
    }
  }
}
