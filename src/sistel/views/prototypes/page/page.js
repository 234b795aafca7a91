// The page of the gripper: words, codes and numbers turn it.

import { domNode, numberText, unpackBlock } from "../../page/app/core.js";
import { canDrawScenes, loadXite, sceneCanvas } from "../../page/app/scene.js";

const GRIPPER_WORDS = {
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
  other: { en: "По-русски", ru: "In English" },
  scene: { en: "The gripper in space: drag to look around", ru: "Схват в пространстве: тяните, чтобы осмотреть" },
  taken: { en: (word, known) => `“${word}” taken for “${known}”`, ru: (word, known) => `«${word}» понято как «${known}»` },
  unread: { en: (why) => `Not understood: ${why}`, ru: (why) => `Не понято: ${why}` },
  away: { en: (angle) => `${angle}° away`, ru: (angle) => `до него ${angle}°` },
  done: { en: (code) => `turn = 5 ${code}`, ru: (code) => `поворот = 5 ${code}` },
  absent: {
    en: "This browser cannot draw scenes in space: it has no WebGL 2.",
    ru: "Этот браузер не рисует пространственные сцены: нет WebGL 2.",
  },
};
const GRIPPER_KEYS = [
  ["← → ↑ ↓", { en: "move across", ru: "вправо, влево, вверх, вниз" }],
  ["PgUp PgDn", { en: "away, nearer", ru: "от нас, на нас" }],
  ["X Y Z", { en: "quarter turn; with Shift back", ru: "четверть оборота; с Shift обратно" }],
  ["1…6", { en: "two digits: a code", ru: "две цифры: код" }],
  ["+ −", { en: "open, close", ru: "развести, свести" }],
  ["Home", { en: "centre", ru: "в центр" }],
];

/** Fills the page. */
export async function showGripper(data) {
  const page = { data, lang: data.lang, speakers: [], gripper: null, read: Phrases.read };
  page.say = (words) => words[page.lang];
  page.speak = (heard) => {
    page.speakers.push(heard);
    heard();
  };
  const stage = document.querySelector(".stage");
  gripperHeader(page);
  const panel = document.querySelector(".panel");
  panel.append(gripperCommand(page), gripperCodes(page), gripperQuarters(page), gripperNow(page), gripperNumbers(page), gripperFingers(page), gripperHelp(page));
  if (!canDrawScenes()) stage.append(domNode("p", { role: "alert" }, page.say(GRIPPER_WORDS.absent)));
  else await gripperStage(page, stage);
  gripperFollow(page);
  globalThis.sistelGripper = page;
}

// --- the scene -------------------------------------------------------------------------------------------------------

async function gripperStage(page, stage) {
  const reader = new TextDecoder();
  const text = async (name) => reader.decode(await unpackBlock(name));
  const [scene, module, style] = await Promise.all(["scene", "module", "style"].map(text));
  const parts = Object.fromEntries(await Promise.all(page.data.parts.map(async (name) => [name, await text(`part-${name}`)])));
  const X3D = await loadXite({ module, style, parts });
  const canvas = sceneCanvas(X3D, stage, page.say(GRIPPER_WORDS.scene));
  const browser = X3D.getBrowser(canvas);
  // Keys that are the page's own never come to the scene.
  const own = (event) => {
    if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key)) event.stopPropagation();
  };
  stage.addEventListener("keydown", own, true);
  stage.addEventListener("keyup", own, true);
  await browser.replaceWorld(await browser.createX3DFromString(scene));
  page.X3D = X3D;
  page.browser = browser;
  page.gripper = browser.currentScene.getNamedNode("gripper");
  const sky = browser.currentScene.rootNodes.find((node) => node.getNodeTypeName() === "Background");
  const lines = browser.currentScene.rootNodes.find((node) => node.getNodeTypeName() === "Shape");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    const colours = dark.matches ? [0.16, 0.19, 0.24, 0.11, 0.13, 0.17, 0.07, 0.09, 0.12] : [0.99, 0.995, 1, 0.93, 0.95, 0.98, 0.86, 0.9, 0.94];
    const colour = (k) => new X3D.SFColor(...colours.slice(3 * k, 3 * k + 3));
    sky.skyColor = new X3D.MFColor(colour(0), colour(1), colour(2));
    lines.appearance.material.emissiveColor = dark.matches ? new X3D.SFColor(0.27, 0.32, 0.39) : new X3D.SFColor(0.72, 0.77, 0.83);
  };
  paint();
  dark.addEventListener("change", paint);
  page.speak(() => canvas.setAttribute("aria-label", page.say(GRIPPER_WORDS.scene)));
  canvas.focus({ preventScroll: true });
}

/** Numbers go to a field of the gripper. */
function gripperSet(page, field, numbers) {
  if (page.gripper) page.gripper[page.data.fields[field]] = new page.X3D.MFFloat(...numbers);
}

/** Where it is now. */
function gripperPose(page) {
  if (!page.gripper) return { place: [0, 0, 0], quaternion: [1, 0, 0, 0] };
  const at = page.gripper[page.data.fields.place];
  const turn = page.gripper[page.data.fields.orientation];
  return { place: [at.x, at.y, at.z], quaternion: Poses.fromAxis([turn.x, turn.y, turn.z, turn.angle]) };
}

/** An axial orientation by its code. */
function gripperTurn(page, code) {
  gripperSet(page, "turn", [5, code]);
}

// --- parts of the page -----------------------------------------------------------------------------------------------

function gripperHeader(page) {
  const title = document.querySelector("h1");
  const other = document.querySelector(".other");
  other.addEventListener("click", () => {
    page.lang = page.lang === "ru" ? "en" : "ru";
    for (const heard of page.speakers) heard();
  });
  page.speak(() => {
    document.documentElement.lang = page.lang;
    document.title = title.textContent = page.say(GRIPPER_WORDS.title);
    other.textContent = page.lang === "ru" ? "EN" : "RU";
    other.setAttribute("aria-label", page.say(GRIPPER_WORDS.other));
  });
}

/** A text that follows the language. */
function gripperText(page, tag, words, attributes = {}) {
  const node = domNode(tag, attributes);
  page.speak(() => {
    node.textContent = page.say(words);
  });
  return node;
}

function gripperCommand(page) {
  const field = domNode("input", { type: "text", id: "command", autocomplete: "off", spellcheck: "false", maxlength: "200", enterkeyhint: "go" });
  const answer = domNode("p", { class: "answer", role: "status" });
  const form = domNode(
    "form",
    { class: "command" },
    gripperText(page, "label", GRIPPER_WORDS.lead, { for: "command" }),
    domNode("div", { class: "line" }, field, gripperText(page, "button", GRIPPER_WORDS.go, { type: "submit", class: "main" })),
    answer,
  );
  page.speak(() => field.setAttribute("placeholder", page.say(GRIPPER_WORDS.example)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = gripperCommanded(page, field.value.trim() || page.say(GRIPPER_WORDS.example));
    answer.textContent = said.text;
    answer.classList.toggle("wrong", said.wrong);
  });
  return form;
}

/** Turns as a phrase or a code says; what to answer. */
function gripperCommanded(page, text) {
  const digits = text.match(/^(?:ос|oc)?\s*\(?\s*(\d\d)\s*\)?$/i);
  const found = digits && TABLES.axial[digits[1]] ? { code: Number(digits[1]), guesses: [] } : Phrases.read(text);
  if (found.problem) return { text: page.say(GRIPPER_WORDS.unread)(page.say(found.problem)), wrong: true };
  gripperTurn(page, found.code);
  const guessed = found.guesses.map(([word, known]) => page.say(GRIPPER_WORDS.taken)(word, known));
  return { text: [page.say(GRIPPER_WORDS.done)(found.code), ...guessed].join(" · "), wrong: false };
}

function gripperCodes(page) {
  const box = domNode("div", { class: "codes" });
  const buttons = page.data.octants.flat().map((code) => {
    const button = domNode("button", { type: "button", "data-code": code, onclick: () => gripperTurn(page, code) }, String(code));
    box.append(button);
    return [code, button];
  });
  page.speak(() => {
    for (const [code, button] of buttons) {
      button.title = Phrases.say(code, page.lang);
      button.setAttribute("aria-label", `${code}: ${Phrases.say(code, page.lang)}`);
    }
  });
  page.showCode = (code) => {
    for (const [each, button] of buttons) button.setAttribute("aria-pressed", String(each === code));
  };
  return domNode("section", {}, gripperText(page, "h2", GRIPPER_WORDS.codes), box);
}

function gripperQuarters(page) {
  const box = domNode("div", { class: "quarters" });
  for (const axis of ["x", "y", "z"]) {
    for (const [sign, back] of [["+", 1], ["−", -1]]) {
      const turn = () => {
        const made = Poses.unit(Poses.times(page.goal ?? gripperPose(page).quaternion, Poses.about(axis, (back * Math.PI) / 2)));
        const { code, angle } = Poses.nearest(made);
        // Pressed again on the way, it goes on from where it is going.
        page.goal = angle < 1e-3 ? Poses.axial(code) : made;
        clearTimeout(page.timer);
        page.timer = setTimeout(() => (page.goal = null), 1100);
        if (angle < 1e-3) gripperTurn(page, code);
        else gripperSet(page, "turn", [3, ...made]);
      };
      box.append(domNode("button", { type: "button", class: `axis-${axis}`, "data-turn": axis + sign, onclick: turn }, `${axis}${sign}`));
    }
  }
  const tour = gripperText(page, "button", GRIPPER_WORDS.tour, { type: "button", onclick: () => gripperSet(page, "transitions", page.data.tour) });
  const centre = gripperText(page, "button", GRIPPER_WORDS.centre, { type: "button", onclick: () => gripperSet(page, "transitions", [1, 0, 5, 0, 0, 0, 13]) });
  return domNode("section", {}, gripperText(page, "h2", GRIPPER_WORDS.quarters), box, domNode("div", { class: "line" }, tour, centre));
}

/** What the pose is now, in every description. */
function gripperNow(page) {
  const rows = ["code", "phrase", "euler", "quaternion", "place"].map((key) => {
    const name = domNode("th", { scope: "row" });
    const value = domNode("td", { "data-value": key });
    page.speak(() => {
      name.textContent = page.say(GRIPPER_WORDS[key]);
    });
    return [key, name, value, domNode("tr", {}, name, value)];
  });
  const cells = Object.fromEntries(rows.map(([key, name, value]) => [key, { name, value }]));
  page.showPose = ({ place, quaternion }) => {
    const { code, angle } = Poses.nearest(quaternion);
    const exact = angle < 1e-4;
    const degrees = (value) => (180 / Math.PI) * value;
    const row = (values) => values.map((value) => numberText(Math.abs(value) < 5e-7 ? 0 : value, 4)).join("  ");
    const [x, y, z, turn] = Poses.toAxis(quaternion);
    cells.code.name.textContent = page.say(exact ? GRIPPER_WORDS.code : GRIPPER_WORDS.nearest);
    cells.code.value.textContent = exact ? String(code) : `${code}  (${page.say(GRIPPER_WORDS.away)(numberText(degrees(angle), 3))})`;
    cells.phrase.value.textContent = Phrases.say(code, page.lang);
    cells.euler.value.textContent = exact ? `${page.data.euler[code].slice(0, 3).join("  ").replaceAll("-", "−")}  ${page.data.euler[code][3]}°` : `${row([x, y, z])}  ${row([degrees(turn)])}°`;
    cells.quaternion.value.textContent = row(quaternion);
    cells.place.value.textContent = row(place);
    page.showCode(exact ? code : null);
  };
  const body = domNode("tbody", {}, ...rows.map(([, , , line]) => line));
  return domNode("section", {}, gripperText(page, "h2", GRIPPER_WORDS.now), domNode("table", {}, body));
}

function gripperNumbers(page) {
  const section = domNode("section", {}, gripperText(page, "h2", GRIPPER_WORDS.numbers));
  section.append(gripperSetInputs(page, "rotation", TABLES.rotations), gripperSetInputs(page, "position", TABLES.positions));
  return section;
}

/** A choice of parameters, and their numbers. */
function gripperSetInputs(page, what, sets) {
  const choice = domNode("select", { id: `set-${what}` });
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
    const set = sets[choice.value];
    const given = [...inputs.querySelectorAll("input")].map((input) => Number(input.value.replace(",", ".").replace("−", "-")));
    wrong.textContent = "";
    try {
      if (!given.every(Number.isFinite)) Poses.refuse("a field holds no number", "в одном из полей не число");
      const made = Poses.fromSet(set, given, what === "rotation");
      if (what === "rotation") gripperSet(page, "turn", set.code === null ? [3, ...made] : [set.code, ...given]);
      else gripperSet(page, "move", set.code === null ? [0, ...made] : [set.code, ...given]);
    } catch (problem) {
      if (!(problem instanceof Poses.CodeError)) throw problem;
      wrong.textContent = problem.message;
    }
  };
  const fill = () => {
    const set = sets[choice.value];
    inputs.replaceChildren(
      ...set.numbers.map((name, k) =>
        domNode("label", {}, set.angles.includes(k) ? `${name}, °` : name, domNode("input", { type: "text", inputmode: "decimal", value: set.start[k], size: 5, onchange: apply })),
      ),
    );
    wrong.textContent = "";
  };
  choice.addEventListener("change", fill);
  fill();
  page.speak(() => (TABLES.lang = page.lang));
  return domNode("div", { class: "set" }, gripperText(page, "label", GRIPPER_WORDS[what], { for: `set-${what}` }), choice, inputs, wrong);
}

function gripperFingers(page) {
  const slider = domNode("input", { type: "range", id: "spread", min: 0, max: 1000 * TABLES.widest, step: 1, value: 40 });
  const shown = domNode("output", { for: "spread" }, "40 mm");
  slider.addEventListener("input", () => {
    if (page.gripper) page.gripper[page.data.fields.spread] = slider.value / 1000;
  });
  page.showSpread = (gap) => {
    const unit = page.lang === "ru" ? "мм" : "mm";
    shown.textContent = `${Math.round(1000 * gap)} ${unit}`;
    if (document.activeElement !== slider) slider.value = 1000 * gap;
  };
  return domNode("section", {}, gripperText(page, "label", GRIPPER_WORDS.fingers, { for: "spread" }), domNode("div", { class: "line" }, slider, shown));
}

function gripperHelp(page) {
  const list = domNode("dl", {});
  for (const [keys, words] of GRIPPER_KEYS) {
    list.append(domNode("dt", {}, ...keys.split(" ").map((key) => domNode("kbd", {}, key))), gripperText(page, "dd", words));
  }
  return domNode("section", { class: "keys" }, gripperText(page, "h2", GRIPPER_WORDS.keys), list);
}

/** What is shown goes along with the scene. */
function gripperFollow(page) {
  let before = "";
  const follow = () => {
    const pose = gripperPose(page);
    const gap = page.gripper?.[page.data.fields.spread] ?? 0;
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
