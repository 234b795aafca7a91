// The page of the gripper: words, codes and numbers turn it.

import { type Looks, lookTools } from "../look/tools";
import { type Language, type Root, unpackBlock } from "../page/core";
import { type Attributes, domNode, found, numberText } from "../page/dom";
import { loadXite, sceneCanvas } from "../page/scene";
import { canDrawScenes } from "../page/webgl";
import type { SFRotation, SFVec3f, X3D, XBrowser } from "../page/xite";
import type { GripperData, Words } from "../payload";
import type { Library, NumberSet, Quaternion } from "./library";
import { speechParts } from "./speech";

/** A pole [m] and an orientation. */
interface Pose {
  place: number[];
  quaternion: Quaternion;
}

/** The page: what speaks, what turns, and what shows it. */
interface GripperPage extends Library {
  root: HTMLElement;
  data: GripperData;
  lang: Language;
  speakers: (() => void)[];
  /** The prototype's fields by name; null where no scene can be drawn. */
  gripper: Record<string, unknown> | null;
  read: Library["Phrases"]["read"];
  /** Where a turn goes that has not ended yet. */
  goal: Quaternion | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  X3D?: X3D;
  browser?: XBrowser;
  say<T>(words: { en: T; ru: T }): T;
  speak(heard: () => void): void;
  showCode(code: number | null): void;
  showPose(pose: Pose): void;
  showSpread(gap: number): void;
}

const GRIPPER_WORDS = {
  facts: {
    en: "24 axial orientations, by words, codes and numbers",
    ru: "24 осевые ориентации: словами, кодами и числами",
  },
  title: { en: "Gripper", ru: "Схват" },
  lead: { en: "Say where the fingers and the thumb point", ru: "Скажите, куда направлены пальцы и куда большой" },
  example: { en: "fingers down, thumb left", ru: "пальцы вниз, большой влево" },
  go: { en: "Turn", ru: "Повернуть" },
  codes: { en: "24 axial orientations", ru: "24 осевые ориентации" },
  quarters: { en: "Quarter turns about its own axes", ru: "Четверти оборота вокруг своих осей" },
  numbers: { en: "Numbers", ru: "Числа" },
  rotation: { en: "Orientation", ru: "Ориентация" },
  position: { en: "Pole", ru: "Полюс" },
  fingers: { en: "Fingers apart", ru: "Развод пальцев" },
  now: { en: "Now", ru: "Сейчас" },
  code: { en: "Code", ru: "Код" },
  nearest: { en: "Nearest code", ru: "Ближайший код" },
  phrase: { en: "In words", ru: "Словами" },
  euler: { en: "Euler parameters", ru: "Параметры Эйлера" },
  quaternion: { en: "Quaternion", ru: "Кватернион" },
  place: { en: "Pole [m]", ru: "Полюс [м]" },
  tour: { en: "Show a way", ru: "Показать переходы" },
  centre: { en: "Centre", ru: "В центр" },
  keys: { en: "Keys, while the scene has the focus", ru: "Клавиши, пока сцена в фокусе" },
  scene: { en: "The gripper in space: drag to look around", ru: "Схват в пространстве: тяните, чтобы осмотреть" },
  taken: {
    en: (word: string, known: string) => `“${word}” taken for “${known}”`,
    ru: (word: string, known: string) => `«${word}» понято как «${known}»`,
  },
  unread: { en: (why: string) => `Not understood: ${why}`, ru: (why: string) => `Не понято: ${why}` },
  away: { en: (angle: string) => `${angle}° away`, ru: (angle: string) => `до него ${angle}°` },
  done: { en: (code: number) => `turn = 5 ${code}`, ru: (code: number) => `поворот = 5 ${code}` },
  absent: {
    en: "This browser cannot draw scenes in space: it has no WebGL 2.",
    ru: "Этот браузер не рисует пространственные сцены: нет WebGL 2.",
  },
};
/** From one orientation to another, as the grammar of speech has it, and a little shorter. */
const GRIPPER_WAY =
  /^\s*(?:(?:из|от)(?:\s+положения)?\s+(.+?),?\s+(?:в|к)(?:\s+положени[ею])?\s+((?:пальц|больш|\d).*)|from\s+(.+)\s+to\s+((?:fingers?|thumb|\d).*))$/i;
const GRIPPER_KEYS: [string, Words][] = [
  ["← → ↑ ↓", { en: "move across", ru: "вправо, влево, вверх, вниз" }],
  ["PgUp PgDn", { en: "away, nearer", ru: "от нас, на нас" }],
  ["X Y Z", { en: "quarter turn; with Shift back", ru: "четверть оборота; с Shift обратно" }],
  ["1…6", { en: "two digits: a code", ru: "две цифры: код" }],
  ["+ −", { en: "open, close", ru: "развести, свести" }],
  ["Home", { en: "centre", ru: "в центр" }],
];

/**
 * Fills a page.
 * @param root what holds it
 * @param data its payload
 * @param library what reads codes, numbers and phrases
 */
export async function showGripper(root: Root<GripperPage>, data: GripperData, library: Library): Promise<void> {
  const page: GripperPage = {
    ...library,
    root,
    data,
    lang: data.lang,
    speakers: [],
    gripper: null,
    read: (text) => library.Phrases.read(text),
    goal: null,
    timer: undefined,
    say: (words) => words[page.lang],
    speak: (heard) => {
      page.speakers.push(heard);
      heard();
    },
    showCode: () => {},
    showPose: () => {},
    showSpread: () => {},
  };
  const stage = found(root, ".stage");
  gripperHeader(page);
  const panel = found(root, ".panel");
  panel.append(
    gripperCommand(page),
    gripperCodes(page),
    gripperQuarters(page),
    gripperNow(page),
    gripperNumbers(page),
    gripperFingers(page),
    gripperHelp(page),
  );
  if (!canDrawScenes()) stage.append(domNode("p", { role: "alert" }, page.say(GRIPPER_WORDS.absent)));
  else await gripperStage(page, stage);
  gripperFollow(page);
  root.sistel = page;
}

// --- the scene -------------------------------------------------------------------------------------------------------

async function gripperStage(page: GripperPage, stage: HTMLElement): Promise<void> {
  const reader = new TextDecoder();
  const text = async (name: string) => reader.decode(await unpackBlock(name, page.root));
  const [scene, module, style] = await Promise.all(["scene", "module", "style"].map(text));
  const parts: Record<string, string> = {};
  for (const name of page.data.parts) parts[name] = await text(`part-${name}`);
  const X3D = await loadXite({ module, style, parts });
  const canvas = sceneCanvas(stage, page.say(GRIPPER_WORDS.scene));
  const browser = X3D.getBrowser(canvas);
  // Keys that are the page's own never come to the scene.
  const own = (event: KeyboardEvent) => {
    if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key))
      event.stopPropagation();
  };
  stage.addEventListener("keydown", own, true);
  stage.addEventListener("keyup", own, true);
  await browser.replaceWorld(await browser.createX3DFromString(scene));
  page.X3D = X3D;
  page.browser = browser;
  page.gripper = browser.currentScene.getNamedNode("gripper") as unknown as Record<string, unknown>;
  const sky = browser.currentScene.rootNodes.find((node) => node.getNodeTypeName() === "Background");
  const lines = browser.currentScene.rootNodes.find((node) => node.getNodeTypeName() === "Shape");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    const colours = dark.matches
      ? [0.16, 0.19, 0.24, 0.11, 0.13, 0.17, 0.07, 0.09, 0.12]
      : [0.99, 0.995, 1, 0.93, 0.95, 0.98, 0.86, 0.9, 0.94];
    const colour = (k: number) => new X3D.SFColor(...colours.slice(3 * k, 3 * k + 3));
    if (sky) sky.skyColor = new X3D.MFColor(colour(0), colour(1), colour(2));
    if (lines)
      lines.appearance.material.emissiveColor = dark.matches
        ? new X3D.SFColor(0.27, 0.32, 0.39)
        : new X3D.SFColor(0.72, 0.77, 0.83);
  };
  paint();
  dark.addEventListener("change", paint);
  page.speak(() => canvas.setAttribute("aria-label", page.say(GRIPPER_WORDS.scene)));
  canvas.focus({ preventScroll: true });
}

/** Numbers go to a field of the gripper. */
function gripperSet(page: GripperPage, field: string, numbers: number[]): void {
  if (page.gripper && page.X3D) page.gripper[page.data.fields[field]] = new page.X3D.MFFloat(...numbers);
}

/** Where it is now. */
function gripperPose(page: GripperPage): Pose {
  if (!page.gripper) return { place: [0, 0, 0], quaternion: [1, 0, 0, 0] };
  const at = page.gripper[page.data.fields.place] as SFVec3f;
  const turn = page.gripper[page.data.fields.orientation] as SFRotation;
  return { place: [at.x, at.y, at.z], quaternion: page.Poses.fromAxis([turn.x, turn.y, turn.z, turn.angle]) };
}

/** An axial orientation by its code. */
function gripperTurn(page: GripperPage, code: number): void {
  gripperSet(page, "turn", [5, code]);
}

// --- parts of the page -----------------------------------------------------------------------------------------------

function gripperHeader(page: GripperPage): void {
  const title = found(page.root, "h1");
  const facts = found(page.root, ".facts");
  const chosen: Looks = {
    lang: page.lang,
    theme: "auto",
    setLang: (lang) => {
      page.lang = chosen.lang = lang;
      for (const heard of page.speakers) heard();
    },
    setTheme: (theme) => ((chosen.theme = theme), look.draw()),
  };
  const look = lookTools(chosen, [document.documentElement]);
  found(page.root, ".tools").append(...look.tools);
  page.speak(() => {
    look.draw();
    document.title = title.textContent = page.say(GRIPPER_WORDS.title);
    facts.textContent = page.say(GRIPPER_WORDS.facts);
  });
}

/** An id that no other page of the document has. */
function gripperId(page: GripperPage, name: string): string {
  const pages = [...document.querySelectorAll<HTMLElement>("[data-sistel]")];
  return `sistel-${pages.indexOf(page.root) + 1}-${name}`;
}

/** Such an id, and the name by which an element is found in the page. */
function gripperNamed(page: GripperPage, name: string): Attributes {
  return { id: gripperId(page, name), "data-id": name };
}

/** A text that follows the language. */
function gripperText<K extends keyof HTMLElementTagNameMap>(
  page: GripperPage,
  tag: K,
  words: Words,
  attributes: Attributes = {},
): HTMLElementTagNameMap[K] {
  const node = domNode(tag, attributes);
  page.speak(() => {
    node.textContent = page.say(words);
  });
  return node;
}

function gripperCommand(page: GripperPage): HTMLElement {
  const field = domNode("input", {
    type: "text",
    ...gripperNamed(page, "command"),
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "200",
    enterkeyhint: "go",
  });
  const answer = domNode("p", { class: "answer", role: "status" });
  const tell = (text: string, wrong: boolean) => {
    answer.textContent = text;
    answer.classList.toggle("wrong", wrong);
  };
  const speech = speechParts(
    page,
    (text) => {
      const orders = gripperOrders(page, text);
      return "problem" in orders ? 2 : Number(orders.guesses.length > 0);
    },
    (text) => {
      field.value = text;
      command(text);
    },
    tell,
  );
  const command = (text: string) => {
    const said = gripperCommanded(page, text);
    tell(said.text, said.wrong);
    speech.aloud(said.aloud);
  };
  const form = domNode(
    "form",
    { class: "command" },
    gripperText(page, "label", GRIPPER_WORDS.lead, { for: gripperId(page, "command") }),
    domNode(
      "div",
      { class: "line" },
      field,
      gripperText(page, "button", GRIPPER_WORDS.go, { type: "submit", class: "plain strong" }),
    ),
    ...speech.parts,
    answer,
  );
  page.speak(() => field.setAttribute("placeholder", page.say(GRIPPER_WORDS.example)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    command(field.value.trim() || page.say(GRIPPER_WORDS.example));
  });
  return form;
}

/** Codes to go through, one after the other, and words that were taken for others. */
type Orders = { codes: number[]; guesses: [string, string][] } | { problem: Words };

/** Why two digits are no orientation. */
function noCode(code: string): Words {
  if (!/^[1-6]{2}$/.test(code)) return { en: `${code}: digits go from 1 to 6`, ru: `${code}: цифры от 1 до 6` };
  return {
    en: `${code}: fingers and thumb would lie along one line`,
    ru: `${code}: пальцы и большой лежали бы на одной прямой`,
  };
}

/** What a code, a phrase, or a transition from one to another says. */
function gripperOrders(page: GripperPage, text: string): Orders {
  const one = (part: string): ReturnType<typeof page.read> => {
    const digits = part.match(/^(?:ос|oc)?\s*\(?\s*(\d\d)\s*\)?$/i);
    const code = digits?.[1];
    if (code === undefined) return page.Phrases.read(part);
    const guesses: [string, string][] = [];
    if (page.TABLES.axial[code]) return { code: Number(code), guesses };
    return { code: 0, guesses, problem: noCode(code) };
  };
  const way = text.match(GRIPPER_WAY);
  const parts = way ? [way[1] ?? way[3], way[2] ?? way[4]] : [text];
  const read = parts.map((part) => one(part.trim().replace(/,$/, "")));
  const problem = read.find((each) => each.problem)?.problem;
  if (problem) return { problem };
  return { codes: read.map(({ code }) => code), guesses: read.flatMap(({ guesses }) => guesses) };
}

/** Turns as a phrase, a code or a transition says; what to answer, in letters and aloud. */
function gripperCommanded(page: GripperPage, text: string): { text: string; wrong: boolean; aloud: string } {
  const orders = gripperOrders(page, text);
  if ("problem" in orders) {
    const why = page.say(GRIPPER_WORDS.unread)(page.say(orders.problem));
    return { text: why, wrong: true, aloud: why };
  }
  const { codes, guesses } = orders;
  const goal = codes[codes.length - 1];
  if (codes.length === 1) gripperTurn(page, goal);
  else {
    const { place } = gripperPose(page);
    // Cartesian and axial, at their times: there first, then the transition itself.
    const poses = codes.map((code, i) => [0.8 + 1.2 * i, 0, 5, ...place, code]);
    gripperSet(page, "transitions", poses.flat());
  }
  const guessed = guesses.map(([word, known]) => page.say(GRIPPER_WORDS.taken)(word, known));
  const done = codes.length === 1 ? page.say(GRIPPER_WORDS.done)(goal) : codes.join(" → ");
  return { text: [done, ...guessed].join(" · "), wrong: false, aloud: page.Phrases.say(goal, page.lang) };
}

function gripperCodes(page: GripperPage): HTMLElement {
  const box = domNode("div", { class: "codes" });
  const buttons = page.data.octants.flat().map((code) => {
    const button = domNode(
      "button",
      { type: "button", "data-code": code, onclick: () => gripperTurn(page, code) },
      String(code),
    );
    box.append(button);
    return [code, button] as const;
  });
  page.speak(() => {
    for (const [code, button] of buttons) {
      button.title = page.Phrases.say(code, page.lang);
      button.setAttribute("aria-label", `${code}: ${page.Phrases.say(code, page.lang)}`);
    }
  });
  page.showCode = (code) => {
    for (const [each, button] of buttons) button.setAttribute("aria-pressed", String(each === code));
  };
  return domNode("section", {}, gripperText(page, "h2", GRIPPER_WORDS.codes), box);
}

function gripperQuarters(page: GripperPage): HTMLElement {
  const box = domNode("div", { class: "quarters" });
  for (const axis of ["x", "y", "z"]) {
    for (const [sign, back] of [
      ["+", 1],
      ["−", -1],
    ] as const) {
      const turn = () => {
        const made = page.Poses.unit(
          page.Poses.times(page.goal ?? gripperPose(page).quaternion, page.Poses.about(axis, (back * Math.PI) / 2)),
        );
        const { code, angle } = page.Poses.nearest(made);
        // Pressed again on the way, it goes on from where it is going.
        page.goal = angle < 1e-3 ? page.Poses.axial(code) : made;
        clearTimeout(page.timer);
        page.timer = setTimeout(() => (page.goal = null), 1100);
        if (angle < 1e-3) gripperTurn(page, code);
        else gripperSet(page, "turn", [3, ...made]);
      };
      box.append(
        domNode(
          "button",
          { type: "button", class: `axis-${axis}`, "data-turn": axis + sign, onclick: turn },
          `${axis}${sign}`,
        ),
      );
    }
  }
  const tour = gripperText(page, "button", GRIPPER_WORDS.tour, {
    type: "button",
    onclick: () => gripperSet(page, "transitions", page.data.tour),
  });
  const centre = gripperText(page, "button", GRIPPER_WORDS.centre, {
    type: "button",
    onclick: () => gripperSet(page, "transitions", [1, 0, 5, 0, 0, 0, 13]),
  });
  return domNode(
    "section",
    {},
    gripperText(page, "h2", GRIPPER_WORDS.quarters),
    box,
    domNode("div", { class: "line" }, tour, centre),
  );
}

/** What the pose is now, in every description. */
function gripperNow(page: GripperPage): HTMLElement {
  const rows = (["code", "phrase", "euler", "quaternion", "place"] as const).map((key) => {
    const name = domNode("th", { scope: "row" });
    const value = domNode("td", { "data-value": key });
    page.speak(() => {
      name.textContent = page.say(GRIPPER_WORDS[key]);
    });
    return { key, name, value, line: domNode("tr", {}, name, value) };
  });
  const [codeRow, phraseRow, eulerRow, turnRow, poleRow] = rows;
  page.showPose = ({ place, quaternion }) => {
    const { code, angle } = page.Poses.nearest(quaternion);
    const exact = angle < 1e-4;
    const degrees = (value: number) => (180 / Math.PI) * value;
    const row = (values: number[]) =>
      values.map((value) => numberText(Math.abs(value) < 5e-7 ? 0 : value, 4)).join("  ");
    const [x, y, z, turn] = page.Poses.toAxis(quaternion);
    codeRow.name.textContent = page.say(exact ? GRIPPER_WORDS.code : GRIPPER_WORDS.nearest);
    codeRow.value.textContent = exact
      ? String(code)
      : `${code}  (${page.say(GRIPPER_WORDS.away)(numberText(degrees(angle), 3))})`;
    phraseRow.value.textContent = page.Phrases.say(code, page.lang);
    eulerRow.value.textContent = exact
      ? `${page.data.euler[code].slice(0, 3).join("  ").replaceAll("-", "−")}  ${page.data.euler[code][3]}°`
      : `${row([x, y, z])}  ${row([degrees(turn)])}°`;
    turnRow.value.textContent = row(quaternion);
    poleRow.value.textContent = row(place);
    page.showCode(exact ? code : null);
  };
  const body = domNode("tbody", {}, ...rows.map(({ line }) => line));
  return domNode("section", {}, gripperText(page, "h2", GRIPPER_WORDS.now), domNode("table", {}, body));
}

function gripperNumbers(page: GripperPage): HTMLElement {
  const section = domNode("section", {}, gripperText(page, "h2", GRIPPER_WORDS.numbers));
  section.append(
    gripperSetInputs(page, "rotation", page.TABLES.rotations),
    gripperSetInputs(page, "position", page.TABLES.positions),
  );
  return section;
}

/** A choice of parameters, and their numbers. */
function gripperSetInputs(page: GripperPage, what: "rotation" | "position", sets: NumberSet[]): HTMLElement {
  const choice = domNode("select", { ...gripperNamed(page, `set-${what}`) });
  sets.forEach((set, n) => {
    const option = domNode("option", { value: n });
    page.speak(() => {
      option.textContent = page.say(set.said);
    });
    choice.append(option);
  });
  const inputs = domNode("div", { class: "inputs" });
  const wrong = domNode("p", { class: "answer wrong", role: "status" });
  const apply = () => {
    const set = sets[Number(choice.value)];
    const given = [...inputs.querySelectorAll("input")].map((input) =>
      Number(input.value.replace(",", ".").replace("−", "-")),
    );
    wrong.textContent = "";
    try {
      if (!given.every(Number.isFinite)) page.Poses.refuse("a field holds no number", "в одном из полей не число");
      const made = page.Poses.fromSet(set, given, what === "rotation");
      if (what === "rotation") gripperSet(page, "turn", set.code === null ? [3, ...made] : [set.code, ...given]);
      else gripperSet(page, "move", set.code === null ? [0, ...made] : [set.code, ...given]);
    } catch (problem) {
      if (!(problem instanceof page.Poses.CodeError)) throw problem;
      wrong.textContent = problem.message;
    }
  };
  const fill = () => {
    const set = sets[Number(choice.value)];
    inputs.replaceChildren(
      ...set.numbers.map((name, k) =>
        domNode(
          "label",
          {},
          set.angles.includes(k) ? `${name}, °` : name,
          domNode("input", { type: "text", inputmode: "decimal", value: set.start[k], size: 5, onchange: apply }),
        ),
      ),
    );
    wrong.textContent = "";
  };
  choice.addEventListener("change", fill);
  fill();
  page.speak(() => (page.TABLES.lang = page.lang));
  return domNode(
    "div",
    { class: "set" },
    gripperText(page, "label", GRIPPER_WORDS[what], { for: gripperId(page, `set-${what}`) }),
    choice,
    inputs,
    wrong,
  );
}

function gripperFingers(page: GripperPage): HTMLElement {
  const slider = domNode("input", {
    type: "range",
    ...gripperNamed(page, "spread"),
    min: 0,
    max: 1000 * page.TABLES.widest,
    step: 1,
    value: 40,
  });
  const shown = domNode("output", { for: gripperId(page, "spread") }, "40 mm");
  slider.addEventListener("input", () => {
    if (page.gripper) page.gripper[page.data.fields.spread] = Number(slider.value) / 1000;
  });
  page.showSpread = (gap) => {
    const unit = page.lang === "ru" ? "мм" : "mm";
    shown.textContent = `${Math.round(1000 * gap)} ${unit}`;
    if (document.activeElement !== slider) slider.value = String(1000 * gap);
  };
  return domNode(
    "section",
    {},
    gripperText(page, "label", GRIPPER_WORDS.fingers, { for: gripperId(page, "spread") }),
    domNode("div", { class: "line" }, slider, shown),
  );
}

function gripperHelp(page: GripperPage): HTMLElement {
  const list = domNode("dl", {});
  for (const [keys, words] of GRIPPER_KEYS) {
    list.append(
      domNode("dt", {}, ...keys.split(" ").map((key) => domNode("kbd", {}, key))),
      gripperText(page, "dd", words),
    );
  }
  return domNode("section", { class: "keys" }, gripperText(page, "h2", GRIPPER_WORDS.keys), list);
}

/** What is shown goes along with the scene. */
function gripperFollow(page: GripperPage): void {
  let before = "";
  const follow = () => {
    const pose = gripperPose(page);
    const gap = Number(page.gripper?.[page.data.fields.spread] ?? 0);
    const now = JSON.stringify([pose, gap, page.lang]);
    if (now !== before) {
      page.showPose(pose);
      page.showSpread(gap);
      before = now;
    }
    requestAnimationFrame(follow);
  };
  follow();
}
