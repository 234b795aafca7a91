// Forward kinematics: sliders, and what follows from them.
import type { Page } from "../page/core";
import { domNode, numberText } from "../page/dom";
import { mountSliders } from "../page/joints";
import { wordNode, wordOf } from "../page/words";
import { lessonAngles, lessonDeterminant, lessonManipulability } from "./arm";
import { mountTable } from "./dh";
import type { LessonPage } from "./lesson";
import { lessonButton } from "./words";

const FORWARD_DEGREES = 180 / Math.PI;
const FORWARD_SINGULAR = 1e-6;
const FORWARD_DUST = 1e-14;

/** A number without the dust of rounding, so many digits behind the point. */
export function forwardNumber(value: number, decimals: number): string {
  return numberText(Number(value.toFixed(decimals)) || 0, 12);
}

/** The place [mm] and the angles [°] of a pose as cells. */
export function forwardPose(page: Page, pose: Float64Array): HTMLElement {
  const mm = wordOf(page, "millimetre");
  const angles = lessonAngles(pose);
  const cells = ["x", "y", "z"].map((key, i) => [key, `${key}, ${mm}`, forwardNumber(1000 * pose[9 + i], 4)]);
  cells.push(
    ...["roll", "pitch", "yaw"].map((key, i) => [
      key,
      `${page.data.planar ? "φ" : wordOf(page, key)}, °`,
      forwardNumber(FORWARD_DEGREES * angles[i], 4),
    ]),
  );
  const shown = page.data.planar ? [cells[0], cells[1], cells[5]] : cells;
  return domNode(
    "dl",
    { class: "lesson-pose" },
    ...shown.map(([key, name, text]) =>
      domNode("div", {}, domNode("dt", {}, name), domNode("dd", { "data-value": key }, text)),
    ),
  );
}

/** Rows of numbers as a table. */
export function forwardMatrix(rows: number[][], decimals: number, name: string): HTMLElement {
  return domNode(
    "div",
    { class: "scroll-x", tabindex: "0" },
    domNode(
      "table",
      { class: "lesson-matrix", "data-matrix": name },
      domNode(
        "tbody",
        {},
        ...rows.map((row) => domNode("tr", {}, ...row.map((x) => domNode("td", {}, forwardNumber(x, decimals))))),
      ),
    ),
  );
}

/** The panel. */
export function mountForward(element: HTMLElement, page: LessonPage): void {
  const { arm } = page.lesson;
  const result = domNode("section", { class: "lesson-result", "aria-live": "off", hidden: true });
  element.append(wordNode(page, domNode("p", { class: "note" }), "askForward"));
  mountSliders(element, page);
  const calculate = lessonButton(page, "calculate", () => show(true), "plain strong", "forward-calculate");
  element.append(domNode("div", { class: "lesson-act" }, calculate), result);
  element.append(mountTable(page));

  let opened = false;
  const show = (asked = false) => {
    if (asked) result.hidden = false;
    if (result.hidden || !page.now) return;
    const { pose } = arm.look(page.now.q);
    opened = result.querySelector("details")?.open ?? opened;
    const rows = [0, 1, 2].map((i) => [pose[3 * i], pose[3 * i + 1], pose[3 * i + 2], pose[9 + i]]);
    const jacobian = arm.jacobian(page.now.q);
    const places = jacobian.slice(page.data.planar ? 1 : 3);
    const figures: [string, number, string][] = [["manipulability", lessonManipulability(jacobian), ""]];
    if (jacobian.length === jacobian[0].length) figures.unshift(["determinant", lessonDeterminant(jacobian), ""]);
    figures.push(["manipulability", lessonManipulability(places), "ofPlace"]);
    result.replaceChildren(
      domNode("h3", {}, wordOf(page, "tool", { name: arm.frame.name })),
      forwardPose(page, pose),
      domNode("h3", {}, wordOf(page, "matrix")),
      forwardMatrix([...rows, [0, 0, 0, 1]], 7, "pose"),
      domNode("h3", {}, wordOf(page, "jacobianTitle")),
      domNode(
        "dl",
        { class: "lesson-figures" },
        ...figures.flatMap(([word, value, more]) => [
          domNode("dt", {}, more ? `${wordOf(page, word)} ${wordOf(page, more)}` : wordOf(page, word)),
          domNode("dd", { "data-value": `${word}${more}` }, numberText(Math.abs(value) < FORWARD_DUST ? 0 : value, 6)),
        ]),
      ),
      ...(figures.some(([, value]) => Math.abs(value) < FORWARD_SINGULAR)
        ? [domNode("p", { class: "note warn" }, wordOf(page, "singular"))]
        : []),
      domNode(
        "details",
        { open: opened },
        domNode("summary", {}, wordOf(page, "jacobianRows")),
        forwardMatrix(jacobian, 6, "jacobian"),
      ),
    );
  };
  page.on("time", () => element.offsetParent && show());
  page.on("shown", () => element.offsetParent && show());
  page.on("lang", () => show());
  page.lesson.forward = () => show(true);
}
