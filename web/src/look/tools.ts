// The tools at the right of every header: language and theme.
import { domNode } from "../page/dom";
import type { Words } from "../payload";

export type LookLanguage = "en" | "ru";
export type LookTheme = "auto" | "light" | "dark";

const LOOK_WORDS = {
  language: { en: "RU: switch to Russian", ru: "EN: переключить на английский" },
  auto: { en: "Theme: as the system", ru: "Тема: как в системе" },
  light: { en: "Theme: light", ru: "Тема: светлая" },
  dark: { en: "Theme: dark", ru: "Тема: тёмная" },
  back: { en: "To the gallery", ru: "В галерею" },
} satisfies Record<string, Words>;
export const LOOK_SIGNS = { auto: "◐", light: "○", dark: "●" } as const;
export const LOOK_NEXT = { auto: "dark", dark: "light", light: "auto" } as const;

/** A page as its header sees it. */
export interface Looks {
  lang: LookLanguage;
  theme: LookTheme;
  setLang(lang: LookLanguage): void;
  setTheme(theme: LookTheme): void;
}

/**
 * The buttons of language and theme.
 * @param page what they change
 * @param places elements that have a language and a theme: the page, and its document where it is alone there
 * @returns the buttons, and what shows anew what is chosen
 */
export function lookTools(page: Looks, places: HTMLElement[]): { tools: HTMLElement[]; draw: () => void } {
  const lang = domNode("button", {
    type: "button",
    class: "tool word",
    "data-id": "language",
    onclick: () => page.setLang(page.lang === "ru" ? "en" : "ru"),
  });
  const theme = domNode("button", {
    type: "button",
    class: "tool word",
    "data-id": "theme",
    onclick: () => page.setTheme(LOOK_NEXT[page.theme]),
  });
  const name = (node: Element, words: Words) => {
    for (const key of ["aria-label", "title"]) node.setAttribute(key, words[page.lang]);
  };
  const draw = () => {
    lang.textContent = page.lang === "ru" ? "EN" : "RU";
    name(lang, LOOK_WORDS.language);
    theme.textContent = LOOK_SIGNS[page.theme];
    name(theme, LOOK_WORDS[page.theme]);
    for (const place of places) {
      place.lang = page.lang;
      if (page.theme === "auto") delete place.dataset.theme;
      else place.dataset.theme = page.theme;
      const back = place.querySelector("a.brand");
      if (back) name(back, LOOK_WORDS.back);
    }
  };
  return { tools: [lang, theme], draw };
}
