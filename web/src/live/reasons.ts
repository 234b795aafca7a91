// Why a motion cannot go on, in words of mechanics.
import type { Words } from "../payload";
import type { Trouble } from "./stay";

export type Reason =
  Exclude<Trouble, ""> | "small" | "chatters" | "passage" | "meeting" | "none" | "contacts" | "inside";

export const LIVE_WORDS: Record<Reason, Words> = {
  lost: { en: "the motion has no finite values", ru: "движение не имеет конечных значений" },
  small: {
    en: "the step has become too small: the posture may be singular",
    ru: "шаг стал слишком малым: возможно, поза особая",
  },
  chatters: { en: "transitions follow each other without end", ru: "переходы сменяют друг друга без конца" },
  passage: { en: "the passage has no solution", ru: "переход не имеет решения" },
  apart: { en: "its links cannot be closed", ru: "связи не замыкаются" },
  meeting: { en: "a link begins to hold while it is apart", ru: "связь начинает держать, не сойдясь" },
  contacts: {
    en:
      "no contact forces agree with the laws of contacts and friction: friction may press bodies together faster than " +
      "normal forces part them (Painlevé's paradox)",
    ru:
      "силы контактов, при которых верны законы контакта и трения, не нашлись: трение может прижимать тела быстрее, " +
      "чем нормальные силы их отталкивают (парадокс Пенлеве)",
  },
  inside: {
    en: "a contact is inside its surface, or a joint beyond its stop",
    ru: "контакт находится внутри поверхности, или шарнир — за упором",
  },
  none: { en: "the page has no equations of this structure", ru: "уравнений этой структуры на странице нет" },
  slides: {
    en: "the motion stays on the border of a comparison (as sign(v) at v = 0): neither side leads away from it",
    ru: "движение остаётся на границе сравнения (как sign(v) при v = 0): ни одна сторона не уводит от неё",
  },
};
