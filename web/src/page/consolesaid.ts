// What an operator has done, in words: pages without a console tell of it too.
import type { PageData, Words } from "../payload";
import type { Language } from "./core";
import { numberText } from "./dom";
import { WORDS } from "./words";

/** What was done, in words of both languages. */
export function consoleSaid({ control }: Pick<PageData, "control">, input: string, value: number): Words {
  const signal = control?.signals.find(({ name }) => name === input);
  const row = control?.inputs.find(({ signals }) => signals.some((i) => control.signals[i].name === input));
  const say = (lang: Language) => {
    if (row?.face === "button") return `${input}: ${WORDS[value ? "pressed" : "letGo"][lang]}`;
    if (signal?.truth) return `${input}: ${WORDS[value ? "switchedOn" : "switchedOff"][lang]}`;
    return `${input} = ${shownValue(lang, value, signal)}`;
  };
  return { en: say("en"), ru: say("ru") };
}

/** A value of a signal, with its unit. */
export function shownValue(lang: Language, value: number | null, signal?: { scale: number; unit: Words }): string {
  const unit = signal ? signal.unit[lang] : "";
  const gap = unit && unit !== "°" ? " " : "";
  return `${numberText(value === null ? null : value * (signal?.scale ?? 1), 5)}${gap}${unit}`;
}
