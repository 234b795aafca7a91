// The page that sends a program to drives: nothing is sent before a click.
import { type Looks, lookTools } from "../look/tools";
import { domNode, found } from "../page/dom";
import type { SenderData } from "../payload";
import { Line, type Outcome, type Serial } from "./sender";

const WORDS = {
  noSerial: {
    en: "This browser cannot talk to serial ports. Chrome, Chromium and Edge can.",
    ru: "Этот браузер не умеет говорить с последовательными портами. Умеют Chrome, Chromium и Edge.",
  },
  connected: { en: "The port is open.", ru: "Порт открыт." },
  failed: { en: "The port could not be opened: ", ru: "Порт не открылся: " },
  sending: { en: "Sending…", ru: "Отправка…" },
  done: { en: "Done: everything was confirmed.", ru: "Готово: всё подтверждено." },
  refused: { en: "A drive has refused. Nothing more is sent.", ru: "Привод отказал. Дальше ничего не отправляется." },
  silent: {
    en: "No answer came in time. Nothing more is sent.",
    ru: "Ответ не пришёл. Дальше ничего не отправляется.",
  },
  stopped: { en: "Stopped.", ru: "Остановлено." },
} as const;

const root = document.documentElement;
const data = JSON.parse(found(document, "#data").textContent ?? "") as SenderData;
const status = found(document, "[data-status]");
const log = found(document, "[data-log]");
const meter = found<HTMLProgressElement>(document, "progress");
const connect = found<HTMLButtonElement>(document, "[data-connect]");
const halt = found<HTMLButtonElement>(document, "[data-stop]");
const stages = [...document.querySelectorAll<HTMLButtonElement>("[data-stage]")];
let line: Line | null = null;
let said: [keyof typeof WORDS, string] | null = null;

const lang = () => (root.dataset.lang === "ru" ? "ru" : "en");
const tell = (key: keyof typeof WORDS, more = "") => {
  said = [key, more];
  status.textContent = WORDS[key][lang()] + more;
  status.dataset.is = key;
};
const note = (text: string, sort: string) => {
  log.append(domNode("li", { class: sort }, text));
  log.scrollTop = log.scrollHeight;
};
const allow = (index: number) => stages.forEach((button, i) => (button.disabled = i > index));

async function open(serial: Serial): Promise<void> {
  try {
    const opened = new Line(await serial.requestPort(), data, note);
    await opened.open();
    line = opened;
    connect.disabled = true;
    halt.disabled = false;
    allow(0);
    tell("connected");
  } catch (problem) {
    tell("failed", problem instanceof Error ? problem.message : String(problem));
  }
}

async function send(index: number): Promise<void> {
  if (!line) return;
  allow(-1);
  tell("sending");
  meter.value = 0;
  let outcome: Outcome;
  try {
    outcome = await line.send(data.stages[index], (part) => (meter.value = part));
  } catch (problem) {
    note(String(problem), "bad");
    outcome = "silent";
  }
  tell(outcome);
  allow(outcome === "done" ? index + 1 : index);
}

const chosen: Looks = {
  lang: lang(),
  theme: "auto",
  setLang: (to) => {
    chosen.lang = to;
    root.dataset.lang = to;
    look.draw();
    if (said) tell(...said);
  },
  setTheme: (theme) => ((chosen.theme = theme), look.draw()),
};
const look = lookTools(chosen, [root]);
found(document, ".tools").append(...look.tools);
look.draw();
const { serial } = navigator as Navigator & { serial?: Serial };
if (serial) {
  connect.addEventListener("click", () => void open(serial));
  stages.forEach((button, i) => button.addEventListener("click", () => void send(i)));
  halt.addEventListener("click", () => void line?.stop());
} else {
  connect.disabled = true;
  tell("noSerial");
}
root.dataset.ready = "yes";
