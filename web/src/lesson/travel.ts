// Trajectory and dynamics: a move between two postures, the forces that it asks for, and their curves.
import type { Moment, Motion } from "../page/core";
import { domNode, numberText } from "../page/dom";
import { fieldNumber, shownUnit } from "../page/joints";
import { plotsBoard } from "../page/board";
import { type Entry, type ShownChart, plotsUnit } from "../page/curves";
import { type Gaps, WORDS, wordNode, wordOf } from "../page/words";
import type { Coordinate, RunEvent, Stay, Trajectory, Words } from "../payload";
import { anfisForces } from "./anfis";
import type { LessonPage, LessonState } from "./lesson";
import { type Choice, lessonButton, lessonCode, lessonField, lessonSelect, lessonUnit } from "./words";
import { type Limits, MOVES_POLYNOMIALS, movesAt, movesFastest, movesPolynomial, movesTimesOf } from "./moves";

const TRAVEL_SAMPLES = 300;
const TRAVEL_TIME = 2;
const TRAVEL_LIMITS: Record<string, Limits> = {
  angle: { velocity: 60, acceleration: 120, jerk: 600 },
  length: { velocity: 250, acceleration: 500, jerk: 2500 },
};
const TRAVEL_KINDS: Choice[] = [
  ["cubic", "kindCubic"],
  ["quintic", "kindQuintic"],
  ["septic", "kindSeptic"],
  ["trapezoid", "kindTrapezoid"],
  ["scurve", "kindScurve"],
];

/** A trajectory as a motion of the page, with rows of everything that is plotted. */
/** A state of a trajectory, and what is plotted of it. */
export interface TravelRow extends Moment {
  /** Whether it is one of the equal steps. */
  even: boolean;
  a: Float64Array;
  /** Forces of the joints, and those that networks give. */
  tau: Float64Array;
  nets: Float64Array | null;
  /** Of the tool [m]. */
  place: Float64Array;
}

type Side = "from" | "to";
type Sort = Coordinate["kind"];
type Plotted = "q" | "v" | "a" | "tau" | "nets";

export class LessonMotion implements Motion {
  readonly kind = "recorded";
  readonly begin: number;
  readonly end: number;
  readonly events: RunEvent[] = [];
  readonly stays: Stay[];
  readonly rows: TravelRow[];
  /** Length of the way of the tool [m]. */
  readonly way: number;

  /**
   * @param lesson `arm` and `networks`
   * @param move as `movesAt` takes it
   * @param mass at the tool [kg]
   */
  constructor(
    { arm, networks }: Pick<LessonState, "arm" | "networks">,
    readonly move: Trajectory,
    readonly mass: number,
  ) {
    this.begin = move.knots[0];
    this.end = move.knots[move.knots.length - 1];
    this.stays = [{ structure: 0, begin: this.begin, end: this.end }];
    this.rows = movesTimesOf(move, TRAVEL_SAMPLES).map(({ t, before, even }) => {
      const { q, v, a } = movesAt(move, t, before);
      return {
        t,
        structure: 0,
        even,
        q,
        v,
        a,
        tau: Float64Array.from(arm.forces(q, v, a, mass)),
        nets: networks.dynamics ? anfisForces(networks.dynamics, q, v, a) : null,
        place: Float64Array.from(arm.look(q).pose.subarray(9)),
      };
    });
    this.way = this.rows.reduce(
      (sum, row, i) => sum + (i ? Math.hypot(...row.place.map((x, k) => x - this.rows[i - 1].place[k])) : 0),
      0,
    );
  }

  at(t: number): Moment {
    const { q, v } = movesAt(this.move, t);
    return { t, q, v, structure: 0 };
  }
}

/** Curves of a motion, in charts of one unit each. */
export function travelCharts(page: LessonPage, motion: LessonMotion): Entry[] {
  const { coordinates } = page.data;
  const t = Float64Array.from(motion.rows, (row) => row.t);
  const charts: Entry[] = [];
  type Kinds = Record<string, ShownChart["kind"]>;
  const add = (group: string, title: Words, key: Plotted, kindOf: Kinds, per: number) => {
    for (const kind of new Set(coordinates.map((each) => kindOf[each.kind]))) {
      const part = coordinates.flatMap((each, i) => (kindOf[each.kind] === kind ? [i] : []));
      const y = part.map((i) => motion.rows.map((row) => row[key]?.[i] ?? null));
      const chart = {
        group,
        title: kind === "force" ? WORDS[`${group}Slides`] : title,
        kind,
        per,
        milli: kind === "length",
        curves: part.map((i) => ({ name: coordinates[i].name })),
      };
      charts.push({ chart, source: () => ({ t, y }) });
    }
  };
  const same: Kinds = { angle: "angle", length: "length" };
  const force: Kinds = { angle: "moment", length: "force" };
  add("torques", WORDS.torques, "tau", force, 0);
  if (motion.rows[0].nets) add("torquesNets", WORDS.torquesNets, "nets", force, 0);
  add("coordinates", WORDS.coordinates, "q", same, 0);
  add("velocities", WORDS.velocities, "v", same, 1);
  add("accelerations", WORDS.accelerations, "a", same, 2);
  const axes = page.data.planar ? ["x", "y"] : ["x", "y", "z"];
  const places = axes.map((_, k) => motion.rows.map((row) => row.place[k]));
  charts.push({
    chart: {
      group: "toolPlace",
      title: WORDS.toolPlace,
      kind: "length",
      per: 0,
      milli: true,
      curves: axes.map((name) => ({ name })),
    },
    source: () => ({ t, y: places }),
  });
  return charts;
}

/** A cell of a table: quoted where it must be, and never taken for a formula. */
function travelCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows of a motion at equal steps, in SI, as a table for other programs. */
export function travelCsv(page: LessonPage, motion: LessonMotion): string {
  const { coordinates } = page.data;
  const units: Record<string, string> = { angle: "rad", length: "m" };
  const forces: Record<string, string> = { angle: "N·m", length: "N" };
  const named = (sort: string, unit: (kind: string) => string) =>
    coordinates.map(({ name, kind }) => `${name} ${sort} [${unit(kind)}]`);
  const head = [
    "t [s]",
    ...named("q", (kind) => units[kind]),
    ...named("v", (kind) => `${units[kind]}/s`),
    ...named("a", (kind) => `${units[kind]}/s²`),
    ...named("tau", (kind) => forces[kind]),
    ...(motion.rows[0].nets ? named("tau ANFIS", (kind) => forces[kind]) : []),
    ...["x", "y", "z"].map((axis) => `tool ${axis} [m]`),
  ];
  const rows = motion.rows
    .filter((row) => row.even)
    .map(({ t, q, v, a, tau, nets, place }) => [t, ...q, ...v, ...a, ...tau, ...(nets ?? []), ...place].map(String));
  return [head.map(travelCell), ...rows].map((row) => row.join(",")).join("\r\n") + "\r\n";
}

/** The panel. */
export function mountTravel(element: HTMLElement, page: LessonPage): void {
  const { lesson } = page;
  const { coordinates } = page.data;
  const { begin } = page.data.lesson;
  const kinds = [...new Set(coordinates.map(({ kind }) => kind))];

  // The ends.
  const exact: Record<Side, { q: number[]; texts: string[] } | null> = { from: null, to: null };
  const rows = coordinates.map(({ name, kind }, i) => {
    const { word } = shownUnit(kind, false);
    const [from, to] = (["from", "to"] as const).map((side) => {
      const input = domNode("input", { type: "number", step: "any", "data-id": `${side}-${i}` });
      const say = () => input.setAttribute("aria-label", `${wordOf(page, side)}: ${name}`);
      say();
      page.on("lang", say);
      input.addEventListener("input", () => stale());
      return input;
    });
    const unit = lessonUnit(page, domNode("td", { class: "unit" }), word ?? "");
    return {
      from,
      to,
      row: domNode(
        "tr",
        {},
        domNode("th", { scope: "row", title: name }, name),
        domNode("td", {}, from),
        domNode("td", {}, to),
        unit,
      ),
    };
  });
  const put = (side: Side, q: ArrayLike<number>) => {
    rows.forEach((row, i) => (row[side].value = fieldNumber(q[i] * shownUnit(coordinates[i].kind, false).scale, 9, 6)));
    exact[side] = { q: Array.from(q), texts: rows.map((row) => row[side].value) };
    stale();
  };
  /** Coordinates that the fields of a side say; what was put into them to the last digit. */
  const ends = (side: Side) =>
    rows.map((row, i) => {
      const known = exact[side];
      if (known?.texts[i] === row[side].value) return known.q[i];
      return row[side].value === "" ? NaN : Number(row[side].value) / shownUnit(coordinates[i].kind, false).scale;
    });
  const head = domNode(
    "tr",
    {},
    wordNode(page, domNode("th", { scope: "col" }), "joint"),
    wordNode(page, domNode("th", { scope: "col" }), "from"),
    wordNode(page, domNode("th", { scope: "col" }), "to"),
    domNode("td", {}),
  );
  const table = domNode(
    "table",
    { class: "lesson-ends" },
    domNode("thead", {}, head),
    domNode("tbody", {}, ...rows.map(({ row }) => row)),
  );
  const toAnswer = lessonButton(
    page,
    "toAnswer",
    () => lesson.solution && put("to", lesson.solution.q),
    "plain",
    "to-answer",
  );
  const tools = domNode(
    "div",
    { class: "panel-tools" },
    lessonButton(page, "fromNow", () => put("from", page.q), "plain", "from-now"),
    lessonButton(page, "toNow", () => put("to", page.q), "plain", "to-now"),
    toAnswer,
    lessonButton(page, "swap", () => {
      const [a, b] = [ends("from"), ends("to")];
      put("from", b);
      put("to", a);
    }),
  );

  // How.
  const kind = lessonSelect(page, {
    name: "kind",
    word: "kind",
    choices: begin.trajectory ? [["given", "kindGiven"], ...TRAVEL_KINDS] : TRAVEL_KINDS,
    value: begin.trajectory ? "given" : begin.kind,
    onchange: () => {
      show();
      stale();
    },
  });
  const time = lessonField(page, {
    name: "duration",
    word: "duration",
    unit: "second",
    value: begin.duration ?? "",
    min: 0,
  });
  const mass = lessonField(page, { name: "payload", word: "payload", unit: "kilogram", value: begin.payload, min: 0 });
  const bounds: [keyof Limits, string, string][] = [
    ["velocity", "limitVelocity", ""],
    ["acceleration", "limitAcceleration", "²"],
    ["jerk", "limitJerk", "³"],
  ];
  const limits = kinds.flatMap((sort) =>
    bounds.map(([key, word, power]) => {
      const unit = [shownUnit(sort, false).word ?? "", "/", "second", power];
      const value = TRAVEL_LIMITS[sort][key];
      return { sort, key, ...lessonField(page, { name: `limit-${sort}-${key}`, word, unit, value, min: 0 }) };
    }),
  );
  for (const field of [time, mass, ...limits]) field.input.addEventListener("input", () => stale());
  const profile = () => kind.select.value === "trapezoid" || kind.select.value === "scurve";
  const hint = () => (time.input.placeholder = profile() ? wordOf(page, "shortest") : "");
  const show = () => {
    const given = kind.select.value === "given";
    table.hidden = tools.hidden = given;
    time.element.hidden = given;
    for (const { element: row, key } of limits)
      row.hidden = !profile() || (key === "jerk" && kind.select.value !== "scurve");
    hint();
    if (!profile() && time.input.value === "") time.input.value = String(TRAVEL_TIME);
    else if (profile() && time.input.value === String(TRAVEL_TIME) && begin.duration === null) time.input.value = "";
  };

  const status = domNode("div", { role: "status", class: "lesson-status" });
  const result = domNode("section", { class: "lesson-result", hidden: true });
  const peaks = domNode("div", {});
  const csv = lessonButton(page, "csv", () => save(), "plain", "csv");
  const charts = domNode("div", { class: "lesson-plots" });
  const absent = domNode(
    "details",
    { class: "lesson-settings" },
    wordNode(page, domNode("summary", {}), "netsDynamics"),
    lessonCode(
      'from sistel.solve.anfis import train_dynamics\nnets = train_dynamics(arm)\narm.lesson("lesson.html", networks=nets)',
    ),
  );
  result.append(peaks, charts, ...(lesson.networks.dynamics ? [] : [absent]));
  element.append(
    domNode("div", { class: "lesson-title" }, wordNode(page, domNode("h3", {}), "ends")),
    tools,
    table,
    domNode(
      "div",
      { class: "lesson-grid three how" },
      kind.element,
      time.element,
      mass.element,
      ...limits.map((row) => row.element),
    ),
    domNode(
      "div",
      { class: "lesson-act" },
      lessonButton(page, "calculate", () => calculate(true), "plain strong", "trajectory-calculate"),
      csv,
    ),
    status,
    result,
  );
  const board = plotsBoard(charts, page);

  const moveOf = () => {
    if (kind.select.value === "given") return begin.trajectory;
    const [from, to] = [ends("from"), ends("to")];
    const wanted = time.value();
    if (![...from, ...to].every(Number.isFinite) || wanted <= 0) return null;
    if (MOVES_POLYNOMIALS.includes(kind.select.value))
      return wanted > 0 ? movesPolynomial(kind.select.value, from, to, wanted) : null;
    const asked = coordinates.map((each) => {
      const { scale } = shownUnit(each.kind, false);
      const of = (name: keyof Limits) =>
        (limits.find(({ sort, key }) => sort === each.kind && key === name)?.value() ?? NaN) / scale;
      const jerk = kind.select.value === "scurve" ? of("jerk") : Infinity;
      return { velocity: of("velocity"), acceleration: of("acceleration"), jerk };
    });
    if (!asked.every(({ velocity, acceleration, jerk }) => velocity > 0 && acceleration > 0 && jerk > 0)) return null;
    return movesFastest(from, to, asked, wanted > 0 ? wanted : null);
  };
  const say = (key: string, gaps: Gaps = {}) => {
    status.replaceChildren(domNode("p", { class: "note warn" }, wordOf(page, key, gaps)));
    return null;
  };

  const calculate = (play = false) => {
    const move = moveOf();
    const load = mass.value();
    if (!move || !(load >= 0)) return say("badMove");
    if ("least" in move) return say("tooFast", { least: numberText(move.least, 5) });
    status.replaceChildren();
    const motion = new LessonMotion(lesson, move, load);
    lesson.motion = motion;
    draw();
    board.show(travelCharts(page, motion));
    result.hidden = false;
    csv.disabled = false;
    page.player.pause();
    page.exchange(motion, motion.begin);
    if (play && !matchMedia("(prefers-reduced-motion: reduce)").matches) page.player.play();
    return motion;
  };
  /** What is shown is of other values now. */
  const stale = () => {
    result.classList.toggle("stale", Boolean(lesson.motion));
  };

  const draw = () => {
    const { motion } = lesson;
    if (!motion) return;
    result.classList.remove("stale");
    const beyond = coordinates.filter(({ min, max }, i) =>
      motion.rows.some(({ q }) => (min !== null && q[i] < min - 1e-9) || (max !== null && q[i] > max + 1e-9)),
    );
    const largest = (key: "v" | "a" | "tau", i: number) => Math.max(...motion.rows.map((row) => Math.abs(row[key][i])));
    const unitOf = (sort: Sort, order: number) =>
      page.say(plotsUnit({ kind: sort, per: order, milli: sort === "length" }, true).word);
    const force: Record<string, string> = { angle: "newtonMetre", length: "newton" };
    const columns: [string, (i: number, scale: number) => number, (sort: Sort) => string][] = [
      ["peakSpeed", (i, scale) => largest("v", i) * scale, (sort) => unitOf(sort, 1)],
      ["peakAcceleration", (i, scale) => largest("a", i) * scale, (sort) => unitOf(sort, 2)],
      [
        kinds.includes("length") ? "peakForce" : "peakTorque",
        (i) => largest("tau", i),
        (sort) => wordOf(page, force[sort]),
      ],
    ];
    if (motion.rows[0].nets)
      columns.push([
        "netsError",
        (i) => Math.max(...motion.rows.map((row) => Math.abs((row.nets?.[i] ?? NaN) - row.tau[i]))),
        (sort) => wordOf(page, force[sort]),
      ]);
    // Units stand in the head where all joints have the same.
    const one = kinds.length === 1;
    const body = coordinates.map(({ name, kind: sort }, i) => {
      const cells = columns.map(
        ([, value, unit]) => `${numberText(value(i, shownUnit(sort, false).scale), 4)}${one ? "" : ` ${unit(sort)}`}`,
      );
      return domNode(
        "tr",
        {},
        domNode("th", { scope: "row", title: name }, name),
        ...cells.map((text) => domNode("td", {}, text)),
      );
    });
    const titles = [
      wordOf(page, "joint"),
      ...columns.map(([key, , unit]) => (one ? `${wordOf(page, key)}, ${unit(kinds[0])}` : wordOf(page, key))),
    ];
    const facts = `${wordOf(page, "duration")} ${numberText(motion.end - motion.begin, 5)} ${wordOf(page, "second")}, ${wordOf(page, "path")} ${numberText(1000 * motion.way, 5)} ${wordOf(page, "millimetre")}.`;
    peaks.replaceChildren(
      domNode("h3", {}, wordOf(page, "peaks")),
      domNode(
        "div",
        { class: "scroll-x", tabindex: "0" },
        domNode(
          "table",
          { class: "poses", "data-id": "peaks" },
          domNode("thead", {}, domNode("tr", {}, ...titles.map((text) => domNode("th", { scope: "col" }, text)))),
          domNode("tbody", {}, ...body),
        ),
      ),
      domNode("p", { class: "note" }, facts),
      ...(beyond.length
        ? [
            domNode(
              "p",
              { class: "note warn" },
              wordOf(page, "beyond", { names: beyond.map(({ name }) => name).join(", ") }),
            ),
          ]
        : []),
      ...(motion.rows[0].nets && motion.mass > 0 ? [domNode("p", { class: "note" }, wordOf(page, "netsLoad"))] : []),
    );
  };
  const save = () => {
    if (!lesson.motion) return;
    const address = URL.createObjectURL(new Blob([`\ufeff${travelCsv(page, lesson.motion)}`], { type: "text/csv" }));
    const link = domNode("a", { href: address, download: "trajectory.csv" });
    page.root.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };

  page.on("lang", () => (hint(), draw()));
  page.on("shown", () => (toAnswer.disabled = !lesson.solution));
  toAnswer.disabled = !lesson.solution;
  csv.disabled = true;
  lesson.travel = calculate;
  lesson.putEnd = put;
  put("from", begin.q ?? page.data.start.q);
  put("to", begin.to ?? page.q);
  show();
}
