// The form of a file: its parameters and initial data beside the system that moves with them, and the file written anew.
import type { LiveSystem } from "../live/live";
import type { Changes } from "../live/postures";
import { type Swings, smallSwings } from "../live/swings";
import type { FormData, FormField, FormSlot, PageData, Words } from "../payload";
import type { Page } from "./core";
import { domNode, download, numberText } from "./dom";
import type { LiveRunner } from "./runner";
import { PosedMotion } from "./motion";
import { wordNode, wordOf } from "./words";

const FORM_WORDS = {
  lead: {
    en: "Fill in other numbers: the motion follows, and the file can be saved with them. Its comments and its layout stay.",
    ru: "Впишите другие числа: движение следует за ними, а файл можно сохранить с ними. Комментарии и разметка останутся.",
  },
  leadStill: {
    en: "Fill in other numbers: the picture follows, and the file can be saved with them. Its comments and its layout stay.",
    ru: "Впишите другие числа: картина следует за ними, а файл можно сохранить с ними. Комментарии и разметка останутся.",
  },
  parameters: { en: "Parameters", ru: "Параметры" },
  gravity: { en: "Gravity", ru: "Тяжесть" },
  start: { en: "Initial data", ru: "Начальные данные" },
  save: { en: "Save the file", ru: "Сохранить файл" },
  saved: { en: "{file} is saved: {count}.", ru: "Файл {file} сохранён: {count}." },
  changes: { en: "changes: {count}", ru: "изменений: {count}" },
  drawn: {
    en: "Bodies are drawn with the lengths of the file; the saved file draws them with these.",
    ru: "На картине у тел длины из файла; с новыми их нарисует сохранённый файл.",
  },
  unchanged: { en: "Nothing is changed yet.", ru: "Пока ничего не изменено." },
  changed: { en: "Changes in {file}", ru: "Изменения в {file}" },
  added: { en: "added", ru: "добавлено" },
  line: { en: "line {line}", ru: "строка {line}" },
  mistakes: { en: "Wrong numbers: {count}.", ru: "Неверных чисел: {count}." },
  needed: { en: "A number is needed.", ru: "Нужно число." },
  number: { en: "“{text}” is no number.", ru: "«{text}» — не число." },
  below: { en: "At least {low} {unit}.", ru: "Не меньше {low} {unit}." },
  above: { en: "At most {high} {unit}.", ru: "Не больше {high} {unit}." },
  range: { en: "{low} … {high}", ru: "{low} … {high}" },
  from: { en: "from {low}", ru: "от {low}" },
  upTo: { en: "up to {high}", ru: "до {high}" },
  follows: { en: "follows from parameters: {text}", ru: "вычисляется из параметров: {text}" },
  blank: { en: "not in the file", ru: "нет в файле" },
  still: {
    en: "This page goes on with the number of the file: {why}.",
    ru: "Страница считает с числом из файла: {why}.",
  },
  settled: { en: "The links make it {value} {unit}.", ru: "По связям получается {value} {unit}." },
  elsewhere: { en: "run the saved file to see it", ru: "запустите сохранённый файл" },
  swings: { en: "Small swings", ru: "Малые колебания" },
  swingsAbout: {
    en: "About the equilibrium that lies downhill from this start.",
    ru: "Около равновесия, лежащего ниже по склону от этого начала.",
  },
  noSwings: { en: "Not counted: {why}.", ru: "Не вычислены: {why}." },
  period: { en: "Period", ru: "Период" },
  frequency: { en: "Frequency", ru: "Частота" },
  fading: { en: "Fades by e in", ru: "Затухает в e раз за" },
  growing: { en: "Grows by e in", ru: "Растёт в e раз за" },
  never: { en: "does not fade", ru: "не затухает" },
  none: { en: "does not swing", ru: "не колеблется" },
  free: { en: "Motions without a force that leads back: {count}.", ru: "Движений без возвращающей силы: {count}." },
  second: { en: "s", ru: "с" },
  hertz: { en: "Hz", ru: "Гц" },
} satisfies Record<string, Words>;

type Word = keyof typeof FORM_WORDS;
type Gaps = Record<string, string | number>;

/** A field as it is filled in: what to write, or what is wrong with it. */
type Read = { text: string; value: number | null } | { wrong: Words };

/** What is written in a field; numbers with a comma and a long minus are taken as they are meant. */
export function readField(field: FormField, typed: string): Read {
  const text = typed
    .trim()
    .replace(/^[−–]/, "-")
    .replace(/^(-?)\s+/, "$1")
    .replace(",", ".");
  if (text === "") return field.required ? { wrong: FORM_WORDS.needed } : { text: "", value: null };
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(text) || !Number.isFinite(Number(text)))
    return { wrong: filledWords(FORM_WORDS.number, { text: typed.trim().slice(0, 40) }) };
  const value = Number(text);
  const unit = (lang: "en" | "ru") => field.unit[lang];
  for (const [limit, off, key] of [
    [field.min, field.min !== null && value < field.min, "below"],
    [field.max, field.max !== null && value > field.max, "above"],
  ] as const) {
    if (!off || limit === null) continue;
    const said = (lang: "en" | "ru") =>
      FORM_WORDS[key][lang].replace(/\{\w+\} \{unit\}/, `${numberText(limit, 12)} ${unit(lang)}`.trim());
    return { wrong: { en: said("en"), ru: said("ru") } };
  }
  return { text: text.replace(/^\+/, "").replace(/\.(?!\d)/, ""), value: (value * field.scale[0]) / field.scale[1] };
}

function filledWords(words: Words, gaps: Gaps): Words {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(gaps[name] ?? whole));
  return { en: fill(words.en), ru: fill(words.ru) };
}

/**
 * The text of a file with other numbers; everything else of it stays.
 *
 * @param text as it is
 * @param form fields and the pieces that it may gain
 * @param values by the keys of fields
 */
export function filledText(
  text: string,
  form: Pick<FormData, "fields" | "slots" | "encoding">,
  values: ReadonlyMap<string, string>,
): string {
  const edits: [number, number, string][] = [];
  const inside = new Map<number, string[]>();
  const add = (slot: number, piece: string, front: boolean) => {
    const known = inside.get(slot) ?? [];
    if (front) known.unshift(piece);
    else known.push(piece);
    inside.set(slot, known);
  };
  for (const { key, written, place, slot } of form.fields) {
    const value = values.get(key) ?? written;
    if (place.length) edits.push([place[0], place[1], value]);
    else if (value !== "") add(slot, value, false);
  }
  // Slots come before what stands inside them.
  for (let i = form.slots.length - 1; i >= 0; i--) {
    const { first, last, parent, before, after }: FormSlot = form.slots[i];
    const own = inside.get(i);
    if (!own) continue;
    const piece = before + own.join("") + after;
    if (parent >= 0) add(parent, piece, true);
    else edits.unshift([first, last, piece]);
  }
  if (form.encoding.length) edits.push([form.encoding[0], form.encoding[1], "UTF-8"]);
  let made = "",
    at = 0;
  for (const [first, last, piece] of edits.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    made += text.slice(at, first) + piece;
    at = last;
  }
  return made + text.slice(at);
}

/** A row of the form. */
interface Row {
  field: FormField;
  input: HTMLInputElement | null;
  /** Where a number is shown that follows from others. */
  output: HTMLElement | null;
  /** What is wrong, or else what there is to know. */
  note: HTMLElement;
  wrong: boolean;
}

/** The panel. */
export async function mountForm(
  element: HTMLElement,
  page: Page<PageData>,
  form: FormData,
  runner: LiveRunner | null,
  system: LiveSystem,
  other: () => LiveSystem,
): Promise<void> {
  const text = await page.unpack(form.id);
  const say = (key: Word, gaps: Gaps = {}) => page.say(filledWords(FORM_WORDS[key], gaps));
  const speak = (node: HTMLElement, key: Word) => {
    const write = () => (node.textContent = say(key));
    write();
    page.on("lang", write);
    return node;
  };
  const rows: Row[] = [];
  const values = new Map<string, string>();
  const refused = new Map(page.data.parameters.filter(({ live }) => !live).map((row) => [row.name, row.refused]));
  let saved = false;

  // --- tools
  const plain = (key: string, act: () => void, more = "") =>
    wordNode(page, domNode("button", { type: "button", class: `plain ${more}`, onclick: act }), key);
  const go = domNode("button", { type: "button", class: "plain", "data-form": "run" });
  go.addEventListener("click", () => {
    if (!runner) return;
    if (runner.running) runner.hold();
    else if (runner.motion && !runner.stuck) runner.run();
    else runner.begin(true);
  });
  const back = plain("asFile", () => {
    for (const { field, input } of rows) if (input) input.value = shownNumber(field.written);
    update();
  });
  const save = speak(domNode("button", { type: "button", class: "plain strong", "data-form": "save" }), "save");
  save.addEventListener("click", () => {
    const first = rows.find(({ wrong }) => wrong);
    if (first?.input) {
      first.input.focus();
      return;
    }
    download(form.file, "application/xml", filledText(text, form, values));
    saved = true;
    tell();
  });
  const state = domNode("p", { class: "live-state", role: "status", "data-form": "state" });
  const trouble = domNode("p", { class: "note warn", hidden: true, role: "alert" });

  // --- fields
  const groups = (["parameters", "gravity", "start"] as const).map((group) => {
    const fields = form.fields.filter((field) => field.group === group);
    const title = domNode("h3", {});
    const list = domNode("div", { class: "form-list" }, ...fields.map(row));
    return fields.length ? [speak(title, group), list] : [];
  });
  function row(field: FormField): HTMLElement {
    const id = page.named(`form-${field.key}`);
    const name = domNode("label", { class: "form-name", for: id.id, dir: "auto" });
    const about = domNode("span", { class: "form-about", dir: "auto" });
    const unit = domNode("span", { class: "unit" });
    const note = domNode("p", { class: "form-note", id: page.id(`form-${field.key}-note`) });
    const input = field.formula
      ? null
      : domNode("input", {
          ...id,
          type: "text",
          inputmode: "decimal",
          autocomplete: "off",
          spellcheck: "false",
          maxlength: 40,
          value: shownNumber(field.written),
          required: field.required,
          "aria-describedby": note.id,
          "data-field": field.key,
        });
    input?.addEventListener("input", () => update());
    const output = input ? null : domNode("output", { ...id, class: "form-value", "data-field": field.key });
    if (output && field.value !== null)
      output.textContent = numberText((field.value * field.scale[1]) / field.scale[0], 7);
    const made: Row = { field, input, output, note, wrong: false };
    rows.push(made);
    const words = () => {
      name.textContent = page.say(field.name);
      about.textContent = page.say(field.about);
      unit.textContent = page.say(field.unit);
    };
    words();
    page.on("lang", words);
    return domNode("div", { class: "form-row" }, domNode("div", {}, name, about), input ?? output, unit, note);
  }

  // --- what follows from them
  const swings = domNode("div", { class: "form-swings" });
  const changes = domNode("ul", { class: "form-changes" });
  const heading = domNode("h3", {});
  const drawn = speak(domNode("p", { class: "note" }), "drawn");
  const left = domNode("div", {});
  element.append(
    speak(domNode("p", { class: "note" }), runner ? "lead" : "leadStill"),
    domNode("div", { class: "panel-tools" }, save, ...(runner ? [go] : []), back),
    state,
    trouble,
    drawn,
    ...groups.flat(),
    ...(runner ? [speak(domNode("h3", {}), "swings"), swings] : []),
    heading,
    changes,
    left,
  );

  /** Reads every field; the motion and the text follow what is right. */
  const update = (move = true) => {
    saved = false;
    const parameters: Record<string, number> = {};
    const moved = { q: new Map<number, number>(), v: new Map<number, number>() };
    for (const each of rows) {
      const { field, input, note } = each;
      if (!input) {
        note.textContent = say("follows", { text: field.written });
        continue;
      }
      const read = readField(field, input.value);
      each.wrong = "wrong" in read;
      input.setAttribute("aria-invalid", String(each.wrong));
      note.classList.toggle("wrong", each.wrong);
      if ("wrong" in read) {
        note.textContent = page.say(read.wrong);
        continue;
      }
      const same = Number(read.text) === Number(field.written.replace(/^[−]\s*/, "-")) && read.text !== "";
      if (same || read.text === field.written) values.delete(field.key);
      else values.set(field.key, read.text);
      const changed = values.has(field.key);
      note.textContent = told(field, changed);
      if (read.value === null) continue;
      if (field.of === "parameter" && !refused.has(field.parameter)) parameters[field.parameter] = read.value;
      if (changed && (field.of === "q" || field.of === "v")) moved[field.of].set(field.index, read.value);
    }
    if (move) settled = () => {};
    else settled();
    if (move && !rows.some(({ wrong }) => wrong)) {
      if (runner) {
        runner.given(parameters, moved);
        count(parameters, moved);
        if (!runner.stuck) settle(moved, runner.initial);
      } else if (pose(parameters, moved)) settle(moved, system);
    }
    tell();
  };

  /** What there is to know of a field that is right. */
  const told = (field: FormField, changed: boolean): string => {
    const still = field.of === "" || (field.of === "parameter" && refused.has(field.parameter));
    if (changed && still) return say("still", { why: page.say(refused.get(field.parameter) ?? FORM_WORDS.elsewhere) });
    const [low, high] = [field.min, field.max].map((limit) => (limit === null ? "" : numberText(limit, 6)));
    const range = low && high ? "range" : low ? "from" : high ? "upTo" : null;
    const parts = [range ? say(range, { low, high }) : "", field.place.length ? "" : say("blank")];
    return parts.filter(Boolean).join(" · ");
  };

  /** The posture with these numbers, of a system that does not move here. */
  let apart: Words | null = null;
  const pose = (parameters: Record<string, number>, moved: Changes): boolean => {
    const wrong = system.start({ parameters, changes: moved });
    apart = wrong === system.refused ? null : wrong;
    if (apart) return false;
    const { q, v, t, structure } = system;
    page.exchange(new PosedMotion({ t, q: q.slice(), v: v.slice(), structure }), t);
    return true;
  };

  /** Shows what follows, and says where links do not leave a coordinate or a velocity as it was filled in. */
  let settled: () => void = () => {};
  const settle = (moved: Changes, made: Record<"q" | "v", Float64Array>) => {
    settled = () => settle(moved, made);
    for (const { field, input, output, note } of rows) {
      const own = field.of === "q" || field.of === "v" ? made[field.of][field.index] : field.value;
      const text = own === null ? "–" : numberText((own * field.scale[1]) / field.scale[0], 7);
      if (input && !field.required) input.placeholder = text;
      // What else follows from parameters is known for those of the file alone.
      const known = field.of === "q" || field.of === "v" || values.size === 0;
      if (output) output.textContent = known ? text : "–";
      if (field.of !== "q" && field.of !== "v") continue;
      const wanted = moved[field.of].get(field.index),
        found = made[field.of][field.index];
      if (wanted === undefined || Math.abs(found - wanted) <= 1e-8 * Math.max(1, Math.abs(wanted))) continue;
      const value = numberText((found * field.scale[1]) / field.scale[0], 6);
      note.textContent = say("settled", { value, unit: page.say(field.unit) });
      note.classList.add("wrong");
    }
  };

  /** Small swings with these numbers. */
  let swinging: LiveSystem | null = null;
  const count = (parameters: Record<string, number>, moved: Changes) => {
    swinging ??= other();
    const wrong = swinging.start({ parameters, changes: moved });
    show(wrong ?? swinging.stopped ?? smallSwings(swinging));
  };
  let found: Swings | Words | null = null;
  const show = (what: Swings | Words | null) => {
    found = what;
    if (!what) return;
    if (!("swings" in what)) {
      swings.replaceChildren(domNode("p", { class: "note" }, say("noSwings", { why: page.say(what) })));
      return;
    }
    const second = say("second");
    const cells = what.swings.map(({ period, rate }) => [
      period === null ? say("none") : `${numberText(period, 7)} ${second}`,
      period === null ? "" : `${numberText(1 / period, 5)} ${say("hertz")}`,
      rate === 0
        ? say("never")
        : `${say(rate < 0 ? "fading" : "growing")} ${numberText(1 / Math.abs(rate), 4)} ${second}`,
    ]);
    const body = what.swings.map(({ period, rate }, i) =>
      domNode(
        "tr",
        { "data-swing": i, "data-period": period ?? "", "data-rate": rate },
        ...cells[i].map((cell) => domNode("td", {}, cell)),
      ),
    );
    const head = [say("period"), say("frequency"), ""].map((word) => domNode("th", { scope: "col" }, word));
    swings.replaceChildren(
      domNode("p", { class: "note" }, say("swingsAbout")),
      ...(body.length
        ? [
            domNode(
              "div",
              { class: "scroll-x", tabindex: "0" },
              domNode(
                "table",
                { class: "poses" },
                domNode("thead", {}, domNode("tr", {}, ...head)),
                domNode("tbody", {}, ...body),
              ),
            ),
          ]
        : []),
      ...(what.free ? [domNode("p", { class: "note" }, say("free", { count: what.free }))] : []),
    );
  };

  /** How things stand. */
  const tell = () => {
    const wrong = rows.filter((each) => each.wrong).length;
    const number = say("changes", { count: values.size });
    state.textContent = wrong
      ? say("mistakes", { count: wrong })
      : saved
        ? say("saved", { file: form.file, count: number })
        : values.size
          ? ""
          : say("unchanged");
    state.classList.toggle("wrong", wrong > 0);
    heading.textContent = say("changed", { file: form.file });
    heading.hidden = changes.hidden = values.size === 0;
    drawn.hidden = !rows.some(({ field }) => field.drawn && values.has(field.key));
    changes.replaceChildren(
      ...rows
        .filter(({ field }) => values.has(field.key))
        .map(({ field }) => {
          const unit = page.say(field.unit);
          const where = field.line ? say("line", { line: field.line }) : say("added");
          const before = field.written ? `${shownNumber(field.written)} → ` : "";
          const now = shownNumber(values.get(field.key) ?? "") || "–";
          return domNode(
            "li",
            {},
            domNode("span", { class: "form-where" }, where),
            domNode("span", { dir: "auto" }, page.say(field.name)),
            domNode("strong", {}, `${before}${now} ${unit}`.trim()),
          );
        }),
    );
    left.replaceChildren(...form.left.map((words) => domNode("p", { class: "note" }, page.say(words))));
    if (!runner) {
      trouble.hidden = false;
      trouble.textContent = apart ? page.say(apart) : `${wordOf(page, "refused")}: ${page.say(system.refused)}.`;
      return;
    }
    const begun = runner.motion && !runner.stuck && runner.motion.rows.length > 1;
    go.textContent = wordOf(page, runner.running ? "stopLive" : begun ? "goOn" : "startLive");
    trouble.hidden = !runner.stuck;
    if (runner.stuck) trouble.textContent = `${wordOf(page, "halted")}: ${page.say(runner.stuck)}`;
  };
  if (runner) runner.changed = tell;
  page.on("lang", () => {
    update(false);
    show(found);
  });
  update();
}

/** With a true minus. */
function shownNumber(text: string): string {
  return text.replace(/^-/, "−");
}
