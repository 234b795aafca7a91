// Commands by voice, and answers aloud: where the browser has what it takes.
import type { Language } from "../page/core";
import { domNode } from "../page/dom";
import type { Words } from "../payload";

/** What browsers call an alternative of what was heard. */
interface Heard {
  readonly transcript: string;
}

/** The little of a recogniser that is needed here; browsers have it with a prefix, and their types do not. */
interface Recogniser {
  lang: string;
  interimResults: boolean;
  maxAlternatives: number;
  start(): void;
  abort(): void;
  onresult: ((event: { results: ArrayLike<ArrayLike<Heard>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
}

/** What listens and answers, and what it needs of its page. */
export interface SpeechPage {
  readonly lang: Language;
  say<T>(words: { en: T; ru: T }): T;
  speak(heard: () => void): void;
}

const LOCALES: Record<Language, string> = { en: "en-US", ru: "ru-RU" };
const ALTERNATIVES = 5;

const SPEECH_WORDS = {
  listen: { en: "Say it", ru: "Сказать" },
  listening: { en: "Listening…", ru: "Слушаю…" },
  heard: { en: (text: string) => `Heard: “${text}”`, ru: (text: string) => `Услышано: «${text}»` },
  aloud: { en: "Answer aloud", ru: "Отвечать вслух" },
  sent: {
    en: "The browser listens by its own means; some send what they hear to their makers.",
    ru: "Слушает сам браузер; некоторые отправляют услышанное своим создателям.",
  },
  absent: {
    en: "This browser does not recognise speech: type the phrase.",
    ru: "Этот браузер не распознаёт речь: наберите фразу.",
  },
};
const SPEECH_FAULTS: Record<string, Words> = {
  "not-allowed": { en: "The microphone is not allowed here.", ru: "Микрофон здесь не разрешён." },
  "service-not-allowed": {
    en: "The browser does not allow its recogniser here.",
    ru: "Браузер не разрешает здесь своё распознавание.",
  },
  "audio-capture": { en: "There is no microphone.", ru: "Микрофона нет." },
  "no-speech": { en: "Nothing was heard.", ru: "Ничего не слышно." },
  network: {
    en: "The browser's recogniser needs a network, which is not there.",
    ru: "Распознаванию этого браузера нужна сеть, а её нет.",
  },
  "language-not-supported": {
    en: "The browser's recogniser does not know this language.",
    ru: "Распознавание этого браузера не знает этого языка.",
  },
};
const SPEECH_ELSE = {
  en: (error: string) => `The browser's recogniser has failed (${error}): type the phrase.`,
  ru: (error: string) => `Распознавание браузера отказало (${error}): наберите фразу.`,
};

function recogniser(): (new () => Recogniser) | null {
  const known = globalThis as {
    SpeechRecognition?: new () => Recogniser;
    webkitSpeechRecognition?: new () => Recogniser;
  };
  return known.SpeechRecognition ?? known.webkitSpeechRecognition ?? null;
}

/**
 * A button that listens and a choice to answer aloud; a sentence where the browser does not listen.
 *
 * @param page whose language it hears and speaks
 * @param fits how well a text can be read: 0 as it is, 1 with guesses, 2 not at all
 * @param heard takes what was understood
 * @param tell shows a sentence; whether it is about something wrong
 * @returns what to show, and what speaks a sentence where that is wanted
 */
export function speechParts(
  page: SpeechPage,
  fits: (text: string) => number,
  heard: (text: string) => void,
  tell: (text: string, wrong: boolean) => void,
): { parts: HTMLElement[]; aloud: (text: string) => void } {
  const parts: HTMLElement[] = [];
  const Made = recogniser();
  const note = domNode("p", { class: "speech-note" });
  if (Made) {
    const button = domNode("button", { type: "button", "data-speech": "listen", "aria-pressed": "false" });
    let open: Recogniser | null = null;
    const show = () => {
      button.textContent = page.say(open ? SPEECH_WORDS.listening : SPEECH_WORDS.listen);
      button.setAttribute("aria-pressed", String(open !== null));
      button.title = page.say(SPEECH_WORDS.sent);
    };
    const close = () => {
      open = null;
      show();
    };
    button.addEventListener("click", () => {
      if (open) {
        open.abort();
        close();
        return;
      }
      const own = new (recogniser() ?? Made)();
      own.lang = LOCALES[page.lang];
      own.interimResults = false;
      own.maxAlternatives = ALTERNATIVES;
      own.onresult = ({ results }) => {
        if (open !== own || !results.length) return;
        const texts = Array.from(results[results.length - 1], ({ transcript }) => transcript.trim()).filter(Boolean);
        // The recogniser's own order, but what can be read comes before what cannot.
        const best = texts.map((text) => [fits(text), text] as const).sort(([a], [b]) => a - b)[0];
        if (!best) return;
        tell(page.say(SPEECH_WORDS.heard)(best[1]), false);
        heard(best[1]);
      };
      own.onerror = ({ error }) => {
        if (open !== own || error === "aborted") return;
        tell(SPEECH_FAULTS[error] ? page.say(SPEECH_FAULTS[error]) : page.say(SPEECH_ELSE)(error), true);
      };
      own.onend = () => {
        if (open === own) close();
      };
      open = own;
      show();
      try {
        own.start();
      } catch (problem) {
        close();
        tell(page.say(SPEECH_ELSE)(problem instanceof Error ? problem.name : String(problem)), true);
      }
    });
    page.speak(show);
    parts.push(button);
  } else {
    page.speak(() => (note.textContent = page.say(SPEECH_WORDS.absent)));
  }
  let wanted: HTMLInputElement | null = null;
  if ("speechSynthesis" in globalThis) {
    wanted = domNode("input", { type: "checkbox", "data-speech": "aloud" });
    const words = domNode("span", {});
    page.speak(() => (words.textContent = page.say(SPEECH_WORDS.aloud)));
    parts.push(domNode("label", { class: "aloud" }, wanted, words));
  }
  const aloud = (text: string) => {
    if (!wanted?.checked) return;
    const said = new SpeechSynthesisUtterance(text);
    said.lang = LOCALES[page.lang];
    speechSynthesis.cancel();
    speechSynthesis.speak(said);
  };
  const row = parts.length ? [domNode("div", { class: "line speech" }, ...parts)] : [];
  return { parts: Made ? row : [...row, note], aloud };
}
