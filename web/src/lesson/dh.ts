// The table of Denavit and Hartenberg in a lesson: numbers to change, and its moves shown one after another.
import type { Lines, Place } from "../page/core";
import { domNode } from "../page/dom";
import { wordNode, wordOf } from "../page/words";
import type { DhRow, LessonJoint } from "../payload";
import { lessonAngles } from "./arm";
import { forwardNumber } from "./forward";
import type { LessonPage } from "./lesson";
import { DH_MOVES, type DhMove, type Frame, dhFrames, dhMotion, dhNumbers, frameOf, frameProduct } from "./table";
import { lessonButton } from "./words";

const DH_DEGREES = 180 / Math.PI;
/** How long a move takes [s]. */
const DH_TIME = 0.9;
/** Length of the axes of a frame, and of the line of a joint, in parts of the size of the arm. */
const DH_AXES = 0.09,
  DH_JOINT = 0.22;
/** How transparent bodies are meanwhile. */
const DH_FADE = 0.7;
const DH_SIGNS: Record<DhMove, string> = { theta: "θ", d: "d", a: "a", alpha: "α" };

/** Where a demonstration of the table stands: moves done so far, four for every row; null where nothing is shown. */
export class DhSteps {
  at: number | null = null;
  playing = false;
  /** Called when it stands elsewhere. */
  changed: (() => unknown) | null = null;
  #goal = 0;
  #before: number | null = null;

  constructor(readonly page: LessonPage) {}

  get rows(): DhRow[] {
    const { arm } = this.page.lesson;
    return arm.edited?.rows ?? this.page.data.lesson.dh?.rows ?? [];
  }

  get count(): number {
    return 4 * this.rows.length;
  }

  /** Values of the joints now. */
  get values(): number[] {
    const { q } = this.page;
    return this.page.lesson.arm.joints.map(({ place }) => q[place]);
  }

  /** Frames that stand already, and the one that moves. */
  frames(at: number): { still: Frame[]; moving: Frame } {
    const { dh } = this.page.data.lesson;
    const all = dhFrames(this.rows, frameOf(dh?.base ?? []), this.values);
    const row = Math.min(Math.floor(at / 4), this.rows.length);
    let moving = all[row];
    if (row < this.rows.length) {
      const numbers = dhNumbers(this.rows[row], this.values[row]);
      const done = at - 4 * row;
      DH_MOVES.forEach((move, i) => {
        const share = Math.min(Math.max(done - i, 0), 1);
        if (share > 0) moving = frameProduct(moving, dhMotion(move, share * numbers[move]));
      });
    }
    return { still: all.slice(0, row + 1), moving };
  }

  /** Shows so many moves, whole or in part. */
  put(at: number | null): void {
    const shown = this.at !== null;
    this.at = at === null ? null : Math.min(Math.max(at, 0), this.count);
    if (at === null) this.playing = false;
    // Frames are inside of bodies.
    if (shown !== (at !== null)) this.page.picture?.fade?.(at === null ? 0 : DH_FADE);
    this.changed?.();
    this.page.seek(this.page.time);
  }

  /** Makes the next move, or takes the last one back. */
  step(way: number): void {
    const now = this.at ?? 0;
    this.#goal = way > 0 ? Math.floor(now + 1e-9) + 1 : Math.ceil(now - 1e-9) - 1;
    this.#run();
  }

  /** Makes all moves. */
  play(): void {
    if (this.playing) {
      this.playing = false;
      this.changed?.();
      return;
    }
    if (this.at === null || this.at >= this.count) this.at = 0;
    this.#goal = this.count;
    this.#run();
  }

  #run(): void {
    this.#goal = Math.min(Math.max(this.#goal, 0), this.count);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.put(this.#goal);
      return;
    }
    this.#before = null;
    if (this.playing) return;
    this.playing = true;
    requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    if (!this.playing) return;
    const passed = this.#before === null ? 0 : Math.min((now - this.#before) / 1000, 0.1);
    this.#before = now;
    const at = this.at ?? 0;
    const left = this.#goal - at;
    const next = at + Math.sign(left) * Math.min(Math.abs(left), passed / DH_TIME);
    this.playing = next !== this.#goal;
    this.put(next);
    if (this.playing) requestAnimationFrame((later) => this.#tick(later));
  }

  /** The move that is shown: its row, and which of the four. */
  get move(): { row: number; move: DhMove; value: number } | null {
    if (this.at === null || !this.count) return null;
    const done = Math.max(0, Math.ceil(this.at - 1e-9) - 1);
    const [row, i] = [Math.floor(done / 4), done % 4];
    const move = DH_MOVES[i];
    return { row, move, value: dhNumbers(this.rows[row], this.values[row])[move] };
  }

  /** What is drawn: frames, axes of joints, the arm of the table as lines from frame to frame. */
  lines(): Lines {
    const made: Lines = { paths: [], colours: [] };
    const { data, lesson } = this.page;
    const { arm } = lesson;
    const shown = this.at ?? (arm.edited ? this.count : null);
    if (shown === null || !data.lesson.dh) return made;
    const length = DH_AXES * data.size;
    const { still, moving } = this.frames(shown);
    const draw = (frame: Frame, size: number) => {
      const o: Place = [frame[3], frame[7], frame[11]];
      ["x", "y", "z"].forEach((axis, j) => {
        made.paths.push([o, o.map((x, i) => x + size * frame[4 * i + j])]);
        made.colours.push(`var(--axis-${axis})`);
      });
    };
    const row = Math.floor(shown / 4);
    still.forEach((frame, k) => {
      draw(frame, length);
      if (this.at === null || k >= this.rows.length) return;
      // The axis of the joint that moves this row.
      const half = DH_JOINT * data.size * (k === row ? 1 : 0.6);
      made.paths.push([-1, 1].map((sign) => [3, 7, 11].map((at, i) => frame[at] + sign * half * frame[4 * i + 2])));
      made.colours.push(k === row ? "var(--accent)" : "var(--line)");
    });
    // From frame to frame: along z, then along the common normal.
    still.forEach((frame, k) => {
      if (k >= this.rows.length) return;
      const numbers = dhNumbers(this.rows[k], this.values[k]);
      const done = Math.min(shown - 4 * k, 4);
      if (done <= 1) return;
      const path: Place[] = [[frame[3], frame[7], frame[11]]];
      let at = frameProduct(frame, dhMotion("theta", numbers.theta));
      for (const [move, from] of [
        ["d", 1],
        ["a", 2],
      ] as const) {
        const share = Math.min(Math.max(done - from, 0), 1);
        at = frameProduct(at, dhMotion(move, share * numbers[move]));
        path.push([at[3], at[7], at[11]]);
      }
      made.paths.push(path);
      made.colours.push("var(--ink)");
    });
    if (this.at !== null) draw(moving, 1.7 * length);
    return made;
  }
}

/** The panel of the table. */
export function mountTable(page: LessonPage): HTMLElement {
  const { dh } = page.data.lesson;
  const { arm, steps } = page.lesson;
  const place = domNode("section", { class: "lesson-dh" });
  place.append(wordNode(page, domNode("h3", {}), "dhTitle"));
  if (!dh) {
    place.append(wordNode(page, domNode("p", { class: "note" }), "dhNone"));
    return place;
  }
  const rows: DhRow[] = dh.rows.map((row) => ({ ...row }));
  const limits = page.data.lesson.joints.map(({ low, high }) => ({ low, high }));
  const told = domNode("p", { class: "note warn", role: "status", hidden: true });
  const angle = (x: number) => Number(forwardNumber(DH_DEGREES * x, 9).replace("−", "-"));
  const table = domNode("table", { class: "poses lesson-table", "data-id": "dh" });
  const note = domNode("p", { class: "note" });
  const say = (key: string | null, gaps: Record<string, string> = {}) => {
    told.hidden = !key;
    told.textContent = key ? wordOf(page, key, gaps) : "";
  };
  /** The arm as the fields say. */
  const apply = () => {
    const same = rows.every((row, k) => DH_MOVES.every((move) => row[move] === dh.rows[k][move]));
    const { joints } = page.data.lesson;
    const asFile = same && limits.every(({ low, high }, k) => low === joints[k].low && high === joints[k].high);
    arm.edit(asFile ? null : rows.map((row) => ({ ...row })), dh.rows, limits);
    arm.joints.forEach(({ place: at, low, high }) => Object.assign(page.data.coordinates[at], { min: low, max: high }));
    page.lesson.solution = null;
    reset.disabled = asFile;
    place.classList.toggle("edited", !asFile);
    page.emit("table", rows);
    page.seek(page.time);
  };
  const field = (
    value: number | null,
    name: string,
    take: (shown: number | null) => boolean,
    turns: boolean,
    free = false,
  ) => {
    const shown = (x: number | null) =>
      x === null ? "" : String(turns ? angle(x) : Number((1000 * x).toPrecision(12)));
    const input = domNode("input", { type: "number", step: "any", "aria-label": name });
    input.value = shown(value);
    input.addEventListener("change", () => {
      const given = input.value === "" ? null : Number(input.value) / (turns ? DH_DEGREES : 1000);
      if ((given === null && !free) || (given !== null && !Number.isFinite(given)) || !take(given)) {
        input.setAttribute("aria-invalid", "true");
        return;
      }
      input.removeAttribute("aria-invalid");
      say(null);
      apply();
    });
    return input;
  };
  const cell = (row: DhRow, k: number, move: DhMove) => {
    const turns = move === "theta" || move === "alpha";
    const own = (move === "theta" && row.kind === "revolute") || (move === "d" && row.kind !== "revolute");
    const input = field(
      row[move],
      `${row.name}: ${DH_SIGNS[move]}`,
      (x) => {
        if (x === null) return false;
        row[move] = x;
        return true;
      },
      turns,
    );
    input.dataset.dh = `${move}-${k}`;
    if (own) input.title = wordOf(page, "dhOwn", { q: k + 1 });
    return domNode("td", own ? { class: "own" } : {}, input);
  };
  const limitCell = (row: DhRow, k: number, side: "low" | "high") => {
    const input = field(
      limits[k][side],
      `${row.name}: ${wordOf(page, { low: "dhLow", high: "dhHigh" }[side])}`,
      (x) => {
        const other = { ...limits[k], [side]: x };
        if (other.low !== null && other.high !== null && other.low > other.high) {
          say("dhCrossed", { name: row.name });
          return false;
        }
        limits[k] = other;
        return true;
      },
      row.kind === "revolute",
      true,
    );
    input.dataset.dh = `${side}-${k}`;
    return domNode("td", {}, input);
  };
  const draw = () => {
    const [mm, degree] = [wordOf(page, "millimetre"), "°"];
    const head = ["joint", "", "", "", "", "dhLow", "dhHigh"].map((key) => (key ? wordOf(page, key) : ""));
    [`θ, ${degree}`, `d, ${mm}`, `a, ${mm}`, `α, ${degree}`].forEach((text, i) => (head[i + 1] = text));
    table.replaceChildren(
      domNode("thead", {}, domNode("tr", {}, ...head.map((text) => domNode("th", { scope: "col" }, text)))),
      domNode(
        "tbody",
        {},
        ...rows.map((row, k) =>
          domNode(
            "tr",
            { "data-row": k },
            domNode("th", { scope: "row", title: row.name }, row.name),
            ...DH_MOVES.map((move) => cell(row, k, move)),
            limitCell(row, k, "low"),
            limitCell(row, k, "high"),
          ),
        ),
      ),
    );
    if (!arm.table) for (const input of table.querySelectorAll("input")) input.disabled = true;
    note.textContent = [
      wordOf(page, "dhNote"),
      wordOf(page, "dhTinted"),
      wordOf(page, arm.table ? "dhEdit" : "dhFixed"),
      dhAround(page, "dhBase", dh.base),
      dhAround(page, "dhTool", dh.tool),
    ]
      .filter(Boolean)
      .join(" ");
  };
  const reset = lessonButton(
    page,
    "dhReset",
    () => {
      dh.rows.forEach((row, k) => Object.assign(rows[k], row));
      page.data.lesson.joints.forEach(({ low, high }: LessonJoint, k) => (limits[k] = { low, high }));
      say(null);
      apply();
      draw();
    },
    "plain",
    "dh-reset",
  );
  reset.disabled = true;
  place.append(
    mountSteps(page, table),
    domNode("div", { class: "scroll-x", tabindex: "0" }, table),
    told,
    note,
    domNode("div", { class: "panel-tools" }, reset),
  );
  page.on("lang", draw);
  draw();
  steps.changed?.();
  return place;
}

/** Buttons that make the moves of the table one after another. */
function mountSteps(page: LessonPage, table: HTMLElement): HTMLElement {
  const { steps } = page.lesson;
  const said = domNode("p", { class: "lesson-move", role: "status" });
  const back = lessonButton(page, "dhBack", () => steps.step(-1), "plain", "dh-back");
  const on = lessonButton(page, "dhOn", () => steps.step(1), "plain strong", "dh-on");
  const play = lessonButton(page, "dhPlay", () => steps.play(), "plain", "dh-play");
  const end = lessonButton(page, "dhEnd", () => steps.put(null), "plain", "dh-end");
  const show = () => {
    back.disabled = !steps.at;
    on.disabled = steps.at !== null && steps.at >= steps.count;
    end.disabled = steps.at === null;
    const { move } = steps;
    for (const marked of table.querySelectorAll(".now")) marked.classList.remove("now");
    if (!move || !steps.at) {
      said.textContent = wordOf(page, steps.at === null ? "dhShow" : "dhBegin");
      return;
    }
    const turns = move.move === "theta" || move.move === "alpha";
    const size = turns
      ? `${forwardNumber(DH_DEGREES * move.value, 4)}°`
      : `${forwardNumber(1000 * move.value, 4)} ${wordOf(page, "millimetre")}`;
    const word = { theta: "dhTheta", d: "dhD", a: "dhA", alpha: "dhAlpha" }[move.move];
    said.textContent = wordOf(page, word, { row: move.row + 1, before: move.row, size });
    table.querySelector(`[data-dh="${move.move}-${move.row}"]`)?.closest("td")?.classList.add("now");
  };
  steps.changed = show;
  page.on("lang", show);
  page.on("time", () => steps.at !== null && show());
  show();
  return domNode("div", { class: "lesson-steps" }, domNode("div", { class: "panel-tools" }, back, on, play, end), said);
}

/** What stands before or behind the rows of the table, in words; nothing where nothing does. */
function dhAround(page: LessonPage, word: string, X: number[][]): string {
  const R = X.slice(0, 3).flatMap((row) => row.slice(0, 3));
  const place = X.slice(0, 3).map((row) => forwardNumber(1000 * row[3], 4));
  const angles = lessonAngles(R).map((x) => forwardNumber(DH_DEGREES * x, 4));
  if ([...place, ...angles].every((text) => text === "0")) return "";
  const said = wordOf(page, word);
  return `${said[0].toUpperCase()}${said.slice(1)}: x y z = ${place.join(", ")} ${wordOf(page, "millimetre")}; φx φy φz = ${angles.join(", ")}°.`;
}
