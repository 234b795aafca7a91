// Inverse kinematics: a target, a method, and how far its answer is from the target by forward kinematics.
import type { Page } from "../page/core";
import { domNode, numberText } from "../page/dom";
import { shownUnit } from "../page/joints";
import { wordNode, wordOf } from "../page/words";
import { anfisCoordinates } from "./anfis";
import { type LessonArm, type Task, lessonAngles, lessonRotation } from "./arm";
import { forwardNumber } from "./forward";
import type { LessonPage, LessonState } from "./lesson";
import { Postures } from "./postures";
import { type Choice, lessonButton, lessonField, lessonRadios, lessonSelect } from "./words";
import {
  type Found,
  SEARCH_USUAL,
  type Search,
  type SearchOptions,
  type SearchReasons,
  searchClamped,
  searchErrors,
  searchPose,
} from "./search";

const INVERSE_DEGREES = 180 / Math.PI;
export type Method = Search | "anfis";
/** An answer, and what gave it; networks count no iterations and no attempts. */
export interface Solution extends Found {
  method: Method;
}

const INVERSE_METHODS: Record<Method, string> = { lm: "methodLm", ccd: "methodCcd", anfis: "methodAnfis" };
/** Of a search: its key, word and unit, how many of what is shown make one, and the methods that have it. */
const INVERSE_SETTINGS: [keyof SearchOptions, string, string | null, number, Method[]][] = [
  ["slide", "tolerancePlace", "millimetre", 1000, ["lm", "ccd"]],
  ["turn", "toleranceTurn", "degree", INVERSE_DEGREES, ["lm", "ccd"]],
  ["iterations", "mostIterations", null, 1, ["lm", "ccd"]],
  ["restarts", "mostRestarts", null, 1, ["lm", "ccd"]],
  ["damping", "damping", null, 1, ["lm"]],
  ["up", "dampingUp", null, 1, ["lm"]],
  ["down", "dampingDown", null, 1, ["lm"]],
];

const INVERSE_TASKS: Choice[] = [
  ["pose", "taskPose"],
  ["position", "taskPosition"],
  ["pointing", "taskPointing"],
];

/** A length [m] and an angle [rad] as people read them. */
const inverseLength = (page: Page, value: number) => `${numberText(1000 * value, 3)} ${wordOf(page, "millimetre")}`;
const inverseAngle = (value: number) => `${numberText(INVERSE_DEGREES * value, 3)}°`;

/** Solve by a method; networks answer at once, searches go on until they are there. */
export function inverseSolve(
  lesson: Pick<LessonState, "arm" | "networks">,
  method: Method,
  task: Task,
  target: ArrayLike<number>,
  seed: ArrayLike<number>,
  options: Partial<SearchOptions> = {},
): Solution {
  const { arm, networks } = lesson;
  if (method !== "anfis" || !networks.ik) {
    if (method === "anfis") throw new Error("there are no networks");
    return { method, ...searchPose(arm, method, task, target, seed, options) };
  }
  const q = searchClamped(arm, anfisCoordinates(networks.ik, target));
  const errors = searchErrors(arm, task, q, Float64Array.from(target));
  const { turn, slide } = SEARCH_USUAL.ccd;
  return {
    method,
    q,
    ...errors,
    success: errors.turn <= turn && errors.slide <= slide,
    iterations: null,
    attempt: null,
    reasons: null,
  };
}

/** The panel. */
export function mountInverse(element: HTMLElement, page: LessonPage): void {
  const { lesson } = page;
  const { arm, networks } = lesson;
  const { begin } = page.data.lesson;
  const { planar } = page.data;
  const done = new Map<Method, Solution & { milliseconds: number }>();
  let last: Solution | null = null;
  const postures = new Postures(page);

  // The target.
  const fields = ["x", "y", "z", "roll", "pitch", "yaw"].map((key, i) =>
    lessonField(page, {
      name: `target-${key}`,
      word: planar && key === "yaw" ? "φ" : key,
      unit: i < 3 ? "millimetre" : "degree",
    }),
  );
  fields.forEach(({ element: row, input }, i) => {
    row.hidden = planar && (i === 2 || i === 3 || i === 4);
    input.addEventListener("input", () => changed());
  });
  /** What the fields say exactly, if nobody has typed over it. */
  let exact: { pose: number[]; shown: number[]; texts: string[] } | null = null;
  const target = () => {
    const values = fields.map(({ value }, i) =>
      planar && (i === 2 || i === 3 || i === 4) ? (exact ? exact.shown[i] : 0) : value(),
    );
    if (task.select.value === "position") for (let i = 3; i < 6; i++) if (!Number.isFinite(values[i])) values[i] = 0;
    if (!values.every(Number.isFinite)) return null;
    if (exact && exact.texts.every((text, i) => text === fields[i].input.value)) return exact.pose;
    return [
      ...lessonRotation(values.slice(3).map((x) => x / INVERSE_DEGREES)),
      ...values.slice(0, 3).map((x) => x / 1000),
    ];
  };
  const take = (pose: ArrayLike<number>) => {
    const shown = [...[9, 10, 11].map((i) => 1000 * pose[i]), ...lessonAngles(pose).map((x) => INVERSE_DEGREES * x)];
    fields.forEach(({ input }, i) => (input.value = String(Number(shown[i].toFixed(6)) || 0)));
    exact = { pose: Array.from(pose), shown, texts: fields.map(({ input }) => input.value) };
    changed();
  };
  const changed = () => {
    done.clear();
    last = null;
    postures.clear();
    lesson.target = target();
    draw();
    page.seek(page.time);
  };
  const fromForward = lessonButton(page, "fromForward", () => take(arm.look(page.q).pose), "plain", "from-forward");
  wordNode(page, fromForward, "fromForwardHelp", {}, "title");

  // How it is solved.
  const methods = (Object.keys(INVERSE_METHODS) as Method[]).filter((key) => key !== "anfis" || networks.ik);
  const task = lessonSelect(page, {
    name: "task",
    word: "task",
    choices: INVERSE_TASKS.filter(([key]) => !planar || key !== "pointing"),
    value: begin.task,
    onchange: () => changed(),
  });
  const method = lessonRadios(page, {
    name: "method",
    word: "method",
    // Networks are asked where there are some.
    choices: methods.map((key) => [key, INVERSE_METHODS[key]]),
    value: methods.includes(begin.method) ? begin.method : "lm",
    onchange: () => chosen(),
  });
  const start = lessonSelect(page, {
    name: "begin",
    word: "begin",
    choices: [
      ["now", "beginNow"],
      ["file", "beginFile"],
      ...(networks.ik ? ([["nets", "beginNets"]] as Choice[]) : []),
    ],
    value: "now",
  });
  const settings = INVERSE_SETTINGS.map(([key, word, unit, scale, methods]) => ({
    key,
    scale,
    methods,
    ...lessonField(page, { name: `set-${key}`, word, unit, min: 0 }),
  }));
  const more = domNode(
    "details",
    { class: "lesson-settings" },
    wordNode(page, domNode("summary", {}), "settings"),
    domNode("div", { class: "lesson-grid" }, ...settings.map((row) => row.element)),
  );
  const usual = () => {
    const way = method.value();
    for (const { key, scale, methods, element: row, input } of settings) {
      row.hidden = !methods.includes(way);
      if (way !== "anfis" && !row.hidden) input.value = String(Number((SEARCH_USUAL[way][key] * scale).toPrecision(6)));
    }
  };
  const options = () => {
    const found: Partial<SearchOptions> = {};
    for (const { key, scale, element: row, value } of settings) {
      const number = value() / scale;
      const whole = key === "iterations" || key === "restarts";
      const fine =
        key === "restarts"
          ? number >= 0
          : key === "up"
            ? number > 1
            : key === "down"
              ? number > 0 && number <= 1
              : number > 0;
      if (!row.hidden && Number.isFinite(number) && fine)
        found[key] = whole
          ? Math.max(Math.round(Math.min(number, key === "restarts" ? 100 : 1e5)), key === "restarts" ? 0 : 1)
          : number;
    }
    return found;
  };
  const calculate = lessonButton(page, "calculate", () => solve(), "plain strong", "inverse-calculate");
  const compare = lessonButton(page, "compare", () => solveAll(), "plain", "inverse-compare");
  const chosen = () => {
    more.hidden = start.element.hidden = method.value() === "anfis";
    usual();
  };

  const status = domNode("div", { role: "status", class: "lesson-status" });
  const result = domNode("section", { class: "lesson-result", hidden: true });
  element.append(
    domNode("div", { class: "lesson-title" }, wordNode(page, domNode("h3", {}), "target"), fromForward),
    domNode("div", { class: "lesson-grid three" }, ...fields.map((field) => field.element)),
    domNode("div", { class: "lesson-grid" }, task.element, start.element),
    method.element,
    more,
    domNode("div", { class: "lesson-act" }, calculate, compare),
    wordNode(page, domNode("p", { class: "note" }), "aimHelp"),
    status,
    postures.element,
    result,
  );

  const seed = () => {
    if (start.select.value === "file") return page.data.start.q;
    if (start.select.value === "nets" && networks.ik && lesson.target)
      return anfisCoordinates(networks.ik, lesson.target);
    return page.q;
  };
  const solve = () => {
    lesson.target = target();
    if (!lesson.target) {
      last = null;
      draw("badTarget");
      return null;
    }
    const from = Float64Array.from(seed());
    last = solved(method.value(), from, options());
    settle(last);
    postures.find(asked(), lesson.target, from);
    draw();
    return last;
  };
  const asked = () => task.select.value as Task;
  const solved = (way: Method, from: ArrayLike<number>, how: Partial<SearchOptions>) => {
    const began = performance.now();
    const answer = inverseSolve(lesson, way, asked(), lesson.target ?? [], from, how);
    done.set(way, { ...answer, milliseconds: performance.now() - began });
    return answer;
  };
  const settle = (answer: Solution) => {
    lesson.solution = answer;
    page.pose?.(answer.q, -1);
  };
  /** Every method, from one and the same start. */
  const solveAll = () => {
    lesson.target = target();
    if (!lesson.target) {
      draw("badTarget");
      return;
    }
    const from = Float64Array.from(seed());
    const answers = methods.map((way) => solved(way, from, way === method.value() ? options() : {}));
    last = answers.find((answer) => answer.method === method.value()) ?? answers[0];
    settle(last);
    postures.find(asked(), lesson.target, from);
    draw();
  };
  lesson.follow = () => {
    if (!lesson.target) return;
    const answer = inverseSolve(lesson, "lm", asked(), lesson.target, page.q, { restarts: 0 });
    if (answer.success) settle(answer);
    status.replaceChildren(
      domNode(
        "p",
        { class: `lesson-verdict ${answer.success ? "good" : "bad"}` },
        wordOf(page, answer.success ? "reached" : "notReached"),
      ),
    );
  };

  const draw = (problem: string | null = null) => {
    const orient = task.select.value !== "position";
    fields.slice(3).forEach(({ input }) => (input.disabled = !orient));
    result.hidden = !last;
    status.replaceChildren();
    if (problem) status.append(domNode("p", { class: "note warn" }, wordOf(page, problem)));
    const answer = last;
    if (!answer) return;
    const word = answer.success ? "reached" : answer.method === "anfis" ? "near" : "notReached";
    status.append(
      domNode(
        "p",
        { class: `lesson-verdict ${answer.success ? "good" : answer.method === "anfis" ? "fair" : "bad"}` },
        wordOf(page, word),
      ),
    );
    if (answer.reasons)
      status.append(
        ...inverseReasons(page, arm, answer.reasons, answer.method).map((text) =>
          domNode("p", { class: "note" }, text),
        ),
      );
    const head = ["method", "iterations", "attempt", "errorPlace", ...(orient ? ["errorTurn"] : []), "taken"];
    const rows = [...done.values()].map((each) => {
      const cells = [
        each.iterations ?? "–",
        each.attempt === null ? "–" : each.success ? each.attempt + 1 : each.attempt,
        numberText(1000 * each.slide, 3),
        ...(orient ? [numberText(INVERSE_DEGREES * each.turn, 3)] : []),
        numberText(each.milliseconds, 2),
      ];
      return domNode(
        "tr",
        { "data-method": each.method },
        domNode("th", { scope: "row", title: wordOf(page, INVERSE_METHODS[each.method]) }, each.method.toUpperCase()),
        ...cells.map((text) => domNode("td", {}, String(text))),
      );
    });
    const coordinates = page.data.coordinates.map(({ name, kind }, i) => {
      const { scale, word: unit } = shownUnit(kind, false);
      return domNode(
        "tr",
        {},
        domNode("th", { scope: "row", title: name }, name),
        domNode("td", { "data-q": i }, forwardNumber(answer.q[i] * scale, 6)),
        domNode("td", { class: "unit" }, unit ? wordOf(page, unit) : ""),
      );
    });
    result.replaceChildren(
      domNode(
        "div",
        { class: "scroll-x", tabindex: "0" },
        domNode(
          "table",
          { class: "poses", "data-id": "methods" },
          domNode(
            "thead",
            {},
            domNode("tr", {}, ...head.map((key) => domNode("th", { scope: "col" }, wordOf(page, key)))),
          ),
          domNode("tbody", {}, ...rows),
        ),
      ),
      domNode("p", { class: "note" }, wordOf(page, "against")),
      domNode(
        "div",
        { class: "lesson-title" },
        domNode("h3", {}, wordOf(page, "answer")),
        domNode(
          "button",
          { type: "button", class: "plain", "data-id": "use-answer", onclick: () => lesson.useAnswer() },
          wordOf(page, "useTo"),
        ),
      ),
      domNode("table", { class: "poses lesson-answer", "data-id": "answer" }, domNode("tbody", {}, ...coordinates)),
    );
  };
  page.on("lang", () => draw());
  page.on("table", () => changed());
  lesson.inverse = solve;
  lesson.takeTarget = take;
  chosen();
  if (begin.target) take(begin.target);
  else take(arm.look(page.q).pose);
}

/** Why a target is not reached, in sentences. */
function inverseReasons(page: Page, arm: LessonArm, reasons: SearchReasons, method: Method): string[] {
  const said: string[] = [];
  const left = reasons.left.flatMap((value, i) => {
    if (value === 0) return [];
    const size = i < 3 ? inverseAngle(value) : inverseLength(page, value);
    return [wordOf(page, i < 3 ? "aboutAxis" : "alongAxis", { size, axis: "xyz"[i % 3] })];
  });
  if (left.length) said.push(wordOf(page, "remains", { what: left.join(", ") }));
  if (reasons.rows) said.push(wordOf(page, "tooFew", { rows: reasons.rows, joints: arm.joints.length }));
  if (reasons.binding.length) {
    const names = reasons.binding.map(
      ({ joint, limit }) => `${joint.name} ${joint.turns ? inverseAngle(limit) : inverseLength(page, limit)}`,
    );
    said.push(wordOf(page, "binds", { names: names.join(", ") }));
  } else if (method === "ccd") said.push(wordOf(page, "ccdStuck"));
  else if (!reasons.rows) said.push(wordOf(page, "outOfReach"));
  return said;
}
