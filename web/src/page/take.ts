// What the reader takes along: table, pictures, scene, model, film, link, paper.
import type { PageData, Words } from "../payload";
import type { Moment, Page } from "./core";
import { domNode, saveBlob } from "./dom";
import { changedParameters, linkOf } from "./link";
import { recordFilm, recordGif, recorderType } from "./recorder";
import type { LiveRunner } from "./runner";
import { sceneOf, stillPng, stillSvg } from "./stills";

const TAKE_ROWS = 1000;
/** Steps of the numbers in tables of recorded runs: of places over the size of the system, of rates over the fastest. */
const TAKE_STEPS = [1e-6, 1e-5];
const TAKE_WORDS = {
  take: { en: "Take along", ru: "Взять с собой" },
  csv: { en: "Table of the motion (CSV, SI)", ru: "Таблица движения (CSV, СИ)" },
  exact: {
    en: "Places are exact to 10⁻⁴ of the size of the system, rates to 10⁻³ of the fastest; all digits: sistel run FILE -o run.csv",
    ru: "Места точны до 10⁻⁴ размера системы, скорости — до 10⁻³ наибольшей; все знаки: sistel run ФАЙЛ -o run.csv",
  },
  png: { en: "Picture (PNG)", ru: "Картинка (PNG)" },
  svg: { en: "Drawing (SVG)", ru: "Чертёж (SVG)" },
  x3d: { en: "Scene (X3D)", ru: "Сцена (X3D)" },
  xml: { en: "Model (XML)", ru: "Модель (XML)" },
  film: { en: "Film, played once (WebM)", ru: "Фильм, один раз целиком (WebM)" },
  gif: { en: "Moving picture (GIF)", ru: "Движущаяся картинка (GIF)" },
  stop: { en: "End the film here", ru: "Закончить фильм здесь" },
  link: { en: "Link to this moment", ru: "Ссылка на этот миг" },
  print: { en: "Print", ru: "Печать" },
  copied: { en: "The link is in the clipboard and in the address.", ru: "Ссылка в буфере обмена и в адресной строке." },
  inAddress: { en: "The link is in the address.", ru: "Ссылка в адресной строке." },
  filming: { en: "The film is being recorded …", ru: "Записывается фильм …" },
  filmed: { en: "The film is saved.", ru: "Фильм сохранён." },
  failed: { en: "That did not work: ", ru: "Не получилось: " },
  noFilm: { en: "This browser records no films.", ru: "Этот браузер не записывает фильмы." },
  nothing: { en: "there is no picture", ru: "картинки нет" },
} satisfies Record<string, Words>;
type TakeWord = keyof typeof TAKE_WORDS;

/** A field of a table: in quotes where it must be; what a spreadsheet would compute has an apostrophe. */
function tableCell(text: string): string {
  const safe = /^[=+\-@]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** The motion as a table [SI]: its rows where it keeps them, else rows at equal distances. */
export function motionTable(page: Page<PageData>): string {
  const { motion, data } = page;
  const rows: Moment[] = motion.rows ? [...motion.rows] : [];
  const [begin, end] = motion.own ?? [motion.begin, motion.end];
  for (let i = 0; !motion.rows && i <= TAKE_ROWS; i++) {
    const row = motion.at(begin + ((end - begin) * i) / TAKE_ROWS);
    if (row) rows.push({ ...row, q: Float64Array.from(row.q), v: Float64Array.from(row.v) });
  }
  const heads = ["t", ...data.coordinates.map(({ name }) => name), ...data.rates.map(({ name }) => `${name}'`)];
  const lines = [[...heads, "structure"].map(tableCell)];
  // What a page computes itself has all digits; keys of a run are rounded, and more digits would be noise.
  const [place, share] = TAKE_STEPS;
  const steps = [
    ...data.coordinates.map(() => place * Math.min(1, data.size)),
    ...data.rates.map((_, k) => share * rows.reduce((most, { v }) => Math.max(most, Math.abs(v[k])), 0)),
  ];
  const decimals = steps.map((step) => Math.min(Math.max(Math.ceil(-Math.log10(step)), 0), 20));
  const number = (x: number, i: number) => String(motion.rows ? x : Number(x.toFixed(decimals[i])));
  for (const { t, q, v, structure } of rows)
    lines.push([String(t), ...[...q, ...v].map(number)].concat(tableCell(data.structures[structure]?.name ?? "")));
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

/**
 * The file of the model with other values of parameters.
 * @param text of the file
 * @param own values of the file [SI]
 * @param wanted values to be written [SI]
 */
export function modelText(text: string, own: Record<string, number>, wanted: Record<string, number>): string {
  let made = text;
  for (const [name, value] of Object.entries(wanted)) {
    if (own[name] === value) continue;
    const escaped = name.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
    const safe = escaped.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const place = new RegExp(
      `(<(?:parameter|параметр)\\s[^>]*?(?:name|имя)="${safe}"[^>]*?(?:value|значение)=")([^"]*)(")`,
    );
    // What the author wrote, times a number: it keeps its unit, whatever that is.
    made = made.replace(place, (_, before: string, written: string, after: string) =>
      own[name] ? `${before}(${written})*${value / own[name]}${after}` : `${before}${value}${after}`,
    );
  }
  return made;
}

/** The button at the right of the header, and its list. */
export function takeTool(page: Page<PageData>, runner: LiveRunner | null): HTMLElement {
  const say = (word: TakeWord) => page.say(TAKE_WORDS[word]);
  const stem = (page.say(page.data.name) || "sistel").replace(/[^\p{L}\p{N}_-]+/gu, "_").slice(0, 60);
  const keep = (suffix: string, type: string, what: string | Blob | null) => {
    if (what === null) throw new Error(say("nothing"));
    saveBlob(`${stem}.${suffix}`, typeof what === "string" ? new Blob([what], { type }) : what);
  };
  const told = domNode("p", { class: "take-told", role: "status" });
  let ending: { word: TakeWord; control: AbortController } | null = null;

  const filmed = async (word: TakeWord, record: (signal: AbortSignal) => Promise<Blob>) => {
    if (ending) {
      ending.control.abort();
      return;
    }
    ending = { word, control: new AbortController() };
    told.textContent = say("filming");
    draw();
    try {
      const made = await record(ending.control.signal);
      keep(made.type.slice(made.type.lastIndexOf("/") + 1), made.type, made);
      told.textContent = say("filmed");
    } finally {
      ending = null;
      draw();
    }
  };
  const film = () => {
    if (!recorderType()) return void (told.textContent = say("noFilm"));
    return filmed("film", (signal) => recordFilm(page, signal));
  };
  const gif = () =>
    filmed("gif", (signal) =>
      recordGif(page, signal, (part) => {
        told.textContent = `${say("filming")} ${Math.round(100 * part)} %`;
      }),
    );
  const link = async () => {
    const hash = linkOf(page, runner);
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      told.textContent = say("copied");
    } catch {
      told.textContent = say("inAddress");
    }
  };
  const model = async () => {
    const { source } = page.data;
    if (!source) return;
    const wanted = { ...source.wanted, ...changedParameters(page, runner) };
    keep("xml", "application/xml", modelText(await page.unpack(source.id), source.own, wanted));
  };
  const print = async () => {
    // What WebGL has drawn is not there on paper.
    const { theme } = page;
    if (theme !== "light") page.setTheme("light");
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    const blob = sceneOf(page) ? await stillPng(page) : null;
    const image = blob && domNode("img", { class: "paper-picture", src: URL.createObjectURL(blob), alt: "" });
    if (image) {
      page.part("picture").append(image);
      await image.decode();
    }
    open(false);
    globalThis.print();
    if (theme !== "light") page.setTheme(theme);
    if (image) {
      URL.revokeObjectURL(image.src);
      image.remove();
    }
  };
  const scene = async () => {
    if (page.data.scene) keep("x3d", "model/x3d+xml", await page.unpack(page.data.scene.id));
  };
  const table = () => {
    keep("csv", "text/csv", motionTable(page));
    if (!page.motion.rows) told.textContent = say("exact");
  };
  const entries: [TakeWord, boolean, () => unknown][] = [
    ["csv", page.motion.end > page.motion.begin || Boolean(runner), table],
    ["png", true, async () => keep("png", "image/png", await stillPng(page))],
    ["svg", true, () => keep("svg", "image/svg+xml", stillSvg(page))],
    ["x3d", Boolean(page.data.scene), scene],
    ["xml", Boolean(page.data.source), model],
    ["film", true, film],
    ["gif", true, gif],
    ["link", page.alone, link],
    ["print", page.alone, print],
  ];
  const list = domNode("div", { class: "take-list", hidden: true, role: "menu", ...page.named("take-list") });
  const button = domNode("button", {
    type: "button",
    class: "tool word",
    "data-id": "take",
    "aria-haspopup": "menu",
    "aria-expanded": "false",
    onclick: () => open(Boolean(list.hidden)),
  });
  const open = (on: boolean) => {
    list.hidden = !on;
    button.setAttribute("aria-expanded", String(on));
    told.textContent = "";
    if (on) {
      draw();
      list.querySelector("button")?.focus();
    }
  };
  const draw = () => {
    button.textContent = "⤓";
    for (const name of ["aria-label", "title"]) button.setAttribute(name, say("take"));
    list.setAttribute("aria-label", say("take"));
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("data-take") : null;
    const shown = entries.filter(([word, there]) => there && (word !== "svg" || !sceneOf(page)));
    list.replaceChildren(
      ...shown.map(([word, , act]) =>
        domNode(
          "button",
          {
            type: "button",
            role: "menuitem",
            "data-take": word,
            onclick: async () => {
              told.textContent = "";
              try {
                await act();
              } catch (problem) {
                told.textContent = say("failed") + (problem instanceof Error ? problem.message : String(problem));
              }
            },
          },
          say(word === ending?.word ? "stop" : word),
        ),
      ),
      told,
    );
    if (focused) list.querySelector<HTMLElement>(`[data-take="${focused}"]`)?.focus();
  };
  const holder = domNode("div", { class: "take" }, button, list);
  holder.addEventListener("keydown", (event) => {
    const items = [...list.querySelectorAll<HTMLElement>("button")];
    const now = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape" && !list.hidden) {
      open(false);
      button.focus();
    } else if (list.hidden || to === undefined) return;
    else items[(to + items.length) % items.length].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!list.hidden && event.target instanceof Node && !holder.contains(event.target)) open(false);
  });
  page.on("lang", draw);
  draw();
  return holder;
}
