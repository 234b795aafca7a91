// The index of a gallery: it searches and filters its cards, and speaks both languages.
import { type Looks, lookTools } from "../look/tools";
import { found } from "../page/dom";

const root = document.documentElement;
const find = (selector: string) => found(document, selector);
const all = <T extends HTMLElement = HTMLElement>(selector: string) => [...document.querySelectorAll<T>(selector)];
const cards = all(".card").map((element) => ({
  element,
  words: element.dataset.words ?? "",
  kinds: (element.dataset.kinds ?? "").split(" "),
  of: element.dataset.of,
}));
const kinds = new Set<string>();

// A page from a file may have no memory of its own.
const recall = (key: string) => {
  try {
    return localStorage.getItem(`sistel-${key}`);
  } catch {
    return null;
  }
};
const keep = (key: string, value: string) => {
  try {
    localStorage.setItem(`sistel-${key}`, value);
  } catch {
    /* nothing to keep it in */
  }
};
// As the words of the cards are written: small letters, no ё, no low lines.
const plain = (text: string) => text.toLocaleLowerCase().replaceAll("ё", "е").replaceAll("_", " ");

const search = found<HTMLInputElement>(document, "[data-search]");
const select = document.querySelector<HTMLSelectElement>("[data-class]");

function filter(): void {
  const wanted = plain(search.value).split(/\s+/).filter(Boolean);
  let count = 0;
  for (const card of cards) {
    const shown =
      wanted.every((word) => card.words.includes(word)) &&
      [...kinds].every((kind) => card.kinds.includes(kind)) &&
      (!select?.value || card.of === select.value);
    card.element.hidden = !shown;
    count += Number(shown);
  }
  find("[data-count]").textContent = String(count);
  find(".of").hidden = count === cards.length;
  find(".nothing").hidden = count > 0;
  try {
    const text = search.value.trim();
    history.replaceState(null, "", text ? `#${encodeURIComponent(text)}` : location.pathname + location.search);
  } catch {
    /* the address stays */
  }
}

function speak(lang: string): void {
  root.lang = root.dataset.lang = lang;
  for (const name of ["placeholder", "aria-label", "title"]) {
    for (const element of all(`[data-${name}-${lang}]`)) {
      element.setAttribute(name, element.getAttribute(`data-${name}-${lang}`) ?? "");
    }
  }
  for (const option of all("option[data-en]")) option.textContent = option.dataset[lang] ?? "";
  const heading = document.querySelector(`h1 [data-in="${lang}"]`);
  document.title = heading?.textContent ?? document.title;
}

// The picture of the card that is pointed at moves; where nothing can be pointed at, that in the middle of the screen.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const pointed = matchMedia("(hover: hover)");
function moving(card: HTMLElement): (on: boolean) => void {
  const image = card.querySelector<HTMLElement>("img[data-moving]");
  if (!image) return () => {};
  const [stands, moves] = [image.getAttribute("src") ?? "", image.dataset.moving ?? ""];
  const show = (on: boolean) => {
    const wanted = on && !still.matches ? moves : stands;
    if (image.getAttribute("src") !== wanted) image.setAttribute("src", wanted);
  };
  card.addEventListener("pointerenter", () => show(true));
  card.addEventListener("pointerleave", () => show(false));
  card.addEventListener("focusin", () => show(true));
  card.addEventListener("focusout", () => show(false));
  return show;
}

for (const chip of all(".chip")) {
  chip.addEventListener("click", () => {
    const on = chip.getAttribute("aria-pressed") !== "true";
    chip.setAttribute("aria-pressed", String(on));
    const kind = chip.dataset.kind ?? "";
    if (on) kinds.add(kind);
    else kinds.delete(kind);
    // What cannot be both at once is not asked for together.
    const other = kind === "planar" ? "spatial" : kind === "spatial" ? "planar" : null;
    if (on && other && kinds.delete(other)) find(`.chip[data-kind="${other}"]`).setAttribute("aria-pressed", "false");
    filter();
  });
}
const chosen: Looks = {
  lang: "en",
  theme: "auto",
  setLang: (lang) => {
    keep("lang", lang);
    speak((chosen.lang = lang));
    look.draw();
  },
  setTheme: (theme) => {
    keep("theme", theme);
    chosen.theme = theme;
    look.draw();
  },
};
const look = lookTools(chosen, [root]);
find(".tools").append(...look.tools);
search.addEventListener("input", filter);
if (select) select.addEventListener("change", filter);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== search && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && document.activeElement === search && search.value) {
    search.value = "";
    filter();
  }
});
const movers = new Map(cards.map((card) => [card.element as Element, moving(card.element)]));
if (!pointed.matches) {
  const watch = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) movers.get(target)?.(isIntersecting);
    },
    { rootMargin: "-48% 0px -48% 0px" },
  );
  for (const card of cards) watch.observe(card.element);
}

const theme = recall("theme");
if (theme === "light" || theme === "dark") chosen.theme = theme;
const lang = recall("lang") ?? root.dataset.lang;
chosen.lang = lang === "ru" ? "ru" : "en";
speak(chosen.lang);
look.draw();
search.hidden = false;
for (const element of all(".filters")) element.hidden = false;
try {
  search.value = decodeURIComponent(location.hash.slice(1));
} catch {
  /* no search that can be read */
}
filter();
