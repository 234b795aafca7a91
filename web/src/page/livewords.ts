// Words of the live panel, beside those of every page.
import type { Words } from "../payload";
import { WORDS } from "./words";

const LIVE_PANEL_WORDS: Record<string, Words> = {
  again: { en: "Start over", ru: "Сначала" },
  resetLive: { en: "Reset", ru: "Сброс" },
  resetHelp: {
    en: "Parameters, state, time and inputs as in the file",
    ru: "Параметры, состояние, время и вводы — как в файле",
  },
  undo: { en: "Undo", ru: "Отменить" },
  redo: { en: "Redo", ru: "Вернуть" },
  keyUndo: { en: "undo, with Shift redo", ru: "отменить, с Shift — вернуть" },
  ghostShow: { en: "Ghost of the motion before", ru: "Тень прошлого движения" },
  hand: { en: "Hand", ru: "Рука" },
  handStrength: { en: "Strength of the hand", ru: "Сила руки" },
  handPushes: {
    en: "Take a body in the picture: while the system moves, a spring pulls it to the pointer; while it stands, it is posed, and loops stay closed.",
    ru: "Возьмите тело на картине: пока система движется, пружина тянет его к указателю; пока стоит — меняется поза, и контуры остаются замкнутыми.",
  },
  handPoses: {
    en: "Take a body in the picture to pose the system; loops stay closed. Pushes do not act here: forces of this file read what forces make.",
    ru: "Возьмите тело на картине, чтобы изменить позу; контуры остаются замкнутыми. Толкать здесь нельзя: силы этого файла зависят от того, что делают силы.",
  },
  newton: { en: "N", ru: "Н" },
  newtonMetre: { en: "N·m", ru: "Н·м" },
  handWork: { en: "work of the hand", ru: "работа руки" },
  sinceStart: { en: "since the start", ru: "с начала" },
  carried: { en: "What is carried", ru: "Реакции" },
  carriedNote: {
    en: "On the body of a joint at its pole, on that of a contact where it touches; in the axes of the world.",
    ru: "На тело сочленения в его полюсе, на тело контакта в точке касания; в осях мира.",
  },
  carriedNone: {
    en: "What joints and links carry is not computed here: it would make the page too large, or contacts share a load in a way that has to be searched for. The plots of a run show it.",
    ru: "Реакции здесь не вычисляются: страница стала бы слишком велика или контакты делят нагрузку так, что её приходится искать. Их показывают графики расчёта.",
  },
  force: { en: "force", ru: "сила" },
  moment: { en: "moment", ru: "момент" },
  jointOrLink: { en: "Joint or link", ru: "Сочленение или связь" },
  bindsMin: {
    en: "{name} cannot be below {limit}: the file says so. {asked} was brought to it.",
    ru: "{name} не может быть меньше {limit}: так сказано в файле. {asked} приведено к этому пределу.",
  },
  bindsMax: {
    en: "{name} cannot be above {limit}: the file says so. {asked} was brought to it.",
    ru: "{name} не может быть больше {limit}: так сказано в файле. {asked} приведено к этому пределу.",
  },
  bindsNot: { en: "{name} = {asked} cannot be: {why}.", ru: "{name} = {asked} невозможно: {why}." },
  bindsJointMin: { en: "{name} stands at its lower limit, {limit}.", ru: "{name} стоит на нижнем пределе, {limit}." },
  bindsJointMax: { en: "{name} stands at its upper limit, {limit}.", ru: "{name} стоит на верхнем пределе, {limit}." },
  rangeFile: { en: "{low} … {high}, limits of the file", ru: "{low} … {high}, пределы из файла" },
  rangeLow: { en: "at least {low}, says the file", ru: "не меньше {low}, сказано в файле" },
  rangeHigh: { en: "at most {high}, says the file", ru: "не больше {high}, сказано в файле" },
  rangeFree: { en: "no limits; the slider goes {low} … {high}", ru: "без пределов; ползунок ходит {low} … {high}" },
  whyFixed: { en: "Why these cannot be changed here", ru: "Почему эти здесь не меняются" },
  refusedHelp: {
    en: "What the page can do: pose the system by hand, show the run, and tell its forces. For another motion: sistel run {file} -p NAME=VALUE -o page.html",
    ru: "Что страница может: менять позу рукой, показывать расчёт и его силы. Для другого движения: sistel run {file} -p ИМЯ=ЗНАЧЕНИЕ -o page.html",
  },
};

Object.assign(WORDS, LIVE_PANEL_WORDS);
