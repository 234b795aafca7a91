// What the editor itself says, in Russian; its own words are English.
import type { LookLanguage } from "../../look/tools";

const RU: Record<string, string> = {
  "Control character": "Управляющий знак",
  "Selection deleted": "Выделенное удалено",
  "Folded lines": "Свёрнутые строки",
  "Unfolded lines": "Развёрнутые строки",
  to: "до",
  "folded code": "свёрнутый текст",
  unfold: "развернуть",
  "Fold line": "Свернуть",
  "Unfold line": "Развернуть",
  "Go to line": "К строке",
  go: "перейти",
  Find: "Найти",
  Replace: "Заменить",
  next: "дальше",
  previous: "назад",
  all: "все",
  "match case": "с учётом регистра",
  "by word": "слово целиком",
  regexp: "выражение",
  replace: "заменить",
  "replace all": "заменить все",
  close: "закрыть",
  "current match": "найденное место",
  "replaced $ matches": "заменено мест: $",
  "replaced match on line $": "заменено в строке $",
  "on line": "в строке",
  Completions: "Дополнения",
  Diagnostics: "Замечания",
  "No diagnostics": "Замечаний нет",
};

export function phrases(lang: LookLanguage): Record<string, string> {
  return lang === "ru" ? RU : {};
}
