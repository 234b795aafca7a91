// Every word of the page, in both languages; panels with words of their own keep them beside.
import type { Words } from "../payload";
import type { Page } from "./core";

/** Words by key. */
export const WORDS: Record<string, Words> = {
  play: { en: "Play", ru: "Пуск" },
  pause: { en: "Pause", ru: "Пауза" },
  stepBack: { en: "Step back", ru: "Шаг назад" },
  stepOn: { en: "Step forward", ru: "Шаг вперёд" },
  eventBack: { en: "Previous event", ru: "Предыдущее событие" },
  eventOn: { en: "Next event", ru: "Следующее событие" },
  loop: { en: "Loop", ru: "По кругу" },
  speed: { en: "Speed", ru: "Скорость" },
  time: { en: "Time", ru: "Время" },
  second: { en: "s", ru: "с" },
  help: { en: "Keys and help", ru: "Клавиши и справка" },
  close: { en: "Close", ru: "Закрыть" },
  picture: { en: "Picture", ru: "Картина" },
  scheme: { en: "Moving scheme of the system", ru: "Подвижная схема системы" },
  scene: { en: "Scene in space", ru: "Пространственная сцена" },
  transport: { en: "Playback", ru: "Воспроизведение" },
  timeline: { en: "Timeline of structures and events", ru: "Шкала времени: структуры и события" },
  panels: { en: "Panels", ru: "Панели" },
  plots: { en: "Plots", ru: "Графики" },
  events: { en: "Events", ru: "События" },
  chart: { en: "Schedule", ru: "Циклограмма" },
  drives: { en: "Drives", ru: "Приводы" },
  live: { en: "Live", ru: "Вживую" },
  form: { en: "Form", ru: "Форма" },
  console: { en: "Console", ru: "Пульт" },
  wiring: { en: "Control", ru: "Управление" },
  wiringNote: {
    en: "Numbers on wires are in SI, at the cursor. A broken wire with a switch is a sample, a staircase a hold.",
    ru: "Числа на проводах — в СИ, на момент курсора. Ключ в проводе — выборка, лесенка — удержание.",
  },
  wholeScreen: { en: "Whole screen", ru: "На весь экран" },
  wiringLeft: {
    en: "Of {all} signals, the run of this page keeps {plotted}: inputs, displays, what motors get, then the first of the file. The live motion shows all; sistel run -q NAME plots any.",
    ru: "Из {all} сигналов расчёт на странице хранит {plotted}: вводы, приборы, то, что идёт на приводы, затем первые в файле. Вживую видны все; любой построит sistel run -q ИМЯ.",
  },
  consoleNote: {
    en: "What you touch drives the live motion, from the next instant on, and is recorded.",
    ru: "То, чего вы касаетесь, управляет движением вживую со следующего мгновения и записывается.",
  },
  consoleOff: {
    en: "The console shows the run; it drives nothing, for the page cannot move the system: {why}",
    ru: "Пульт показывает расчёт, но ничем не управляет: страница не может двигать систему: {why}",
  },
  consoleStart: { en: "Start anew", ru: "Начать заново" },
  record: { en: "Record", ru: "Запись" },
  replay: { en: "Replay", ru: "Повторить" },
  recordOther: {
    en: "This motion has another start or other parameters than the file: the record alone does not give it again.",
    ru: "У этого движения другое начало или другие параметры, чем в файле: одна запись его не повторит.",
  },
  recordCsv: { en: "CSV", ru: "CSV" },
  recordJson: { en: "JSON", ru: "JSON" },
  press: { en: "Press", ru: "Нажать" },
  pressed: { en: "pressed", ru: "нажато" },
  letGo: { en: "let go", ru: "отпущено" },
  switchedOn: { en: "on", ru: "включено" },
  switchedOff: { en: "off", ru: "выключено" },
  joystick: { en: "joystick, arrow keys move it", ru: "джойстик, двигается стрелками" },
  joints: { en: "Joints", ru: "Поза" },
  equations: { en: "Equations", ru: "Уравнения" },
  model: { en: "Model", ru: "Модель" },
  fit: { en: "Look at all", ru: "Показать всё" },
  lookAtAll: { en: "Look at all", ru: "Показать всё" },
  bodyOutside: { en: "{name} has left the picture", ru: "{name} — за кадром" },
  bodiesOutside: { en: "{name} and {more} more have left the picture", ru: "{name} и ещё {more} — за кадром" },
  follow: { en: "Follow the system", ru: "Следовать за системой" },
  zoomIn: { en: "Zoom in", ru: "Ближе" },
  zoomOut: { en: "Zoom out", ru: "Дальше" },
  trails: { en: "Trails", ru: "Следы" },
  layers: { en: "Layers", ru: "Слои" },
  frames: { en: "Frames of bodies", ru: "Системы координат тел" },
  axes: { en: "Axes of joints", ru: "Оси сочленений" },
  masses: { en: "Centres of mass", ru: "Центры масс" },
  contacts: { en: "Points of contact", ru: "Точки контакта" },
  labels: { en: "Labels", ru: "Подписи" },
  pushes: { en: "Forces of contacts", ru: "Силы контактов" },
  structure: { en: "Structure", ru: "Структура" },
  recorded: { en: "Computed run", ru: "Готовый расчёт" },
  living: { en: "Live", ru: "Вживую" },
  posed: { en: "Posture by hand", ru: "Поза вручную" },
  openInStudio: { en: "Open in the studio", ru: "Открыть в студии" },
  backToRun: { en: "Back to the run", ru: "Вернуться к расчёту" },
  loss: { en: "energy lost", ru: "потеря энергии" },
  impulse: { en: "impulse", ru: "импульс" },
  joule: { en: "J", ru: "Дж" },
  newtonSecond: { en: "N·s", ru: "Н·с" },
  transition: { en: "Transition", ru: "Переход" },
  warnings: { en: "Warnings", ru: "Предупреждения" },
  warningsOf: { en: "Warnings of the run: {count}", ru: "Предупреждений о расчёте: {count}" },
  entered: { en: "States of behaviours", ru: "Состояния поведений" },
  enteredShown: { en: "The first {shown} of {all}.", ru: "Первые {shown} из {all}." },
  sameStructure: { en: "The structure stays the same.", ru: "Структура не меняется." },
  noEvents: { en: "Nothing has happened: the structure stays the same.", ru: "Событий нет: структура не меняется." },
  eventsShown: {
    en: "Of {all} events, {shown} are shown here: the strongest of every moment.",
    ru: "Из {all} событий здесь показано {shown}: самые сильные в каждый момент.",
  },
  staysJoined: {
    en: "{count} stays too short to be told apart are drawn together with their neighbours.",
    ru: "Пребываний, слишком коротких для показа, — {count}: они слиты с соседними.",
  },
  timeShown: {
    en: "This page has room for the motion until {shown} s; the run goes on until {all} s.",
    ru: "На странице поместилось движение до {shown} с; расчёт идёт до {all} с.",
  },
  rowsShown: { en: "The first {shown} of {all} are listed.", ru: "Показаны первые {shown} из {all}." },
  stopped: { en: "The run ended early: {why}.", ru: "Расчёт закончился раньше: {why}." },
  coordinate: { en: "Coordinate", ru: "Координата" },
  coordinates: { en: "Coordinates", ru: "Координаты" },
  value: { en: "Value", ru: "Значение" },
  units: { en: "Units", ru: "Единицы" },
  unitsPeople: { en: "° and mm", ru: "° и мм" },
  unitsSi: { en: "rad and m (SI)", ru: "рад и м (СИ)" },
  degree: { en: "°", ru: "°" },
  millimetre: { en: "mm", ru: "мм" },
  radian: { en: "rad", ru: "рад" },
  metre: { en: "m", ru: "м" },
  poses: { en: "Where everything is", ru: "Где что находится" },
  place: { en: "Place", ru: "Место" },
  body: { en: "body", ru: "тело" },
  point: { en: "point", ru: "точка" },
  frame: { en: "frame", ru: "система координат" },
  angle: { en: "angle", ru: "угол" },
  turns: { en: "turns about x, y, z", ru: "повороты вокруг x, y, z" },
  resetPose: { en: "As at the start", ru: "Как в начале" },
  zeroPose: { en: "All zero", ru: "Все нули" },
  loopsFollow: {
    en: "Closed loops follow: the other coordinates are found so that all links hold.",
    ru: "Замкнутые контуры следуют: остальные координаты находятся так, чтобы все связи держались.",
  },
  notClosed: { en: "The loops cannot be closed in this posture.", ru: "В этой позе контуры не замкнуть." },
  noCoordinates: {
    en: "Nothing moves here: there are no coordinates.",
    ru: "Здесь ничего не движется: координат нет.",
  },
  startLive: { en: "Start", ru: "Запустить" },
  goOn: { en: "Continue", ru: "Продолжить" },
  stopLive: { en: "Stop", ru: "Остановить" },
  initial: { en: "Initial state", ru: "Начальное состояние" },
  initialValue: { en: "initial value", ru: "начальное значение" },
  initialRate: { en: "initial velocity", ru: "начальная скорость" },
  fromHere: { en: "From the state at the cursor", ru: "Из состояния под курсором" },
  asFile: { en: "As in the file", ru: "Как в файле" },
  parameters: { en: "Parameters", ru: "Параметры" },
  fixedParameters: {
    en: "These are built into the equations of this page: {names}.",
    ru: "Эти вошли в уравнения страницы числами: {names}.",
  },
  energy: { en: "Energy", ru: "Энергия" },
  kinetic: { en: "kinetic", ru: "кинетическая" },
  potential: { en: "potential", ru: "потенциальная" },
  whole: { en: "together", ru: "вместе" },
  refused: { en: "This system cannot be integrated in the page", ru: "Эту систему на странице не проинтегрировать" },
  halted: { en: "The motion cannot go on", ru: "Движение не может продолжаться" },
  slow: { en: "slower than asked: {times}×", ru: "медленнее заданного: {times}×" },
  about: {
    en: "The page itself integrates the equations of motion and passes events and impacts. Change what you like and start.",
    ru: "Страница сама интегрирует уравнения движения и проходит события и удары. Измените что угодно и запустите.",
  },
  again: { en: "Start over", ru: "Сначала" },
  resetLive: { en: "Reset", ru: "Сброс" },
  resetHelp: {
    en: "Parameters, state, time and inputs as in the file",
    ru: "Параметры, состояние, время и вводы — как в файле",
  },
  undo: { en: "Undo", ru: "Отменить" },
  redo: { en: "Redo", ru: "Вернуть" },
  keyUndo: { en: "undo, with Shift redo", ru: "отменить, с Shift — вернуть" },
  compared: { en: "Runs over each other", ru: "Расчёты друг поверх друга" },
  comparedOver: { en: "ended at {t} s", ru: "закончен в {t} с" },
  comparedBefore: { en: "begins at {t} s", ru: "начнётся в {t} с" },
  comparedUnlike: {
    en: "{name} is of another system: its curves are compared by their names, its bodies are not shown.",
    ru: "{name} — другая система: кривые сравниваются по именам, тела не показаны.",
  },
  comparedLacking: {
    en: "{name} also has {count} curves whose names are not here: {names}.",
    ru: "У {name} есть ещё кривые, которых здесь нет ({count}): {names}.",
  },
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
  rangeFile: { en: "{low} … {high}, limits of the file", ru: "{low} … {high}, пределы из файла" },
  rangeLow: { en: "at least {low}, says the file", ru: "не меньше {low}, сказано в файле" },
  rangeHigh: { en: "at most {high}, says the file", ru: "не больше {high}, сказано в файле" },
  rangeFree: { en: "no limits; the slider goes {low} … {high}", ru: "без пределов; ползунок ходит {low} … {high}" },
  refusedHelp: {
    en: "What the page can do: pose the system by hand, show the run, and tell its forces. For another motion: sistel run {file} -p NAME=VALUE -o page.html",
    ru: "Что страница может: менять позу рукой, показывать расчёт и его силы. Для другого движения: sistel run {file} -p ИМЯ=ЗНАЧЕНИЕ -o page.html",
  },
  loading: { en: "Loading the scene…", ru: "Загрузка сцены…" },
  noWebgl: {
    en: "This browser has no WebGL, so the scheme is shown instead of the scene.",
    ru: "В этом браузере нет WebGL, поэтому вместо сцены показана схема.",
  },
  noScene: {
    en: "The scene could not be shown, so here is the scheme.",
    ru: "Сцену показать не удалось, поэтому здесь схема.",
  },
  failed: { en: "This panel could not be shown: {why}", ru: "Эту панель показать не удалось: {why}" },
  keySpace: { en: "play or pause", ru: "пуск или пауза" },
  keyArrows: { en: "a step back or forward", ru: "шаг назад или вперёд" },
  keyShift: { en: "previous or next event", ru: "предыдущее или следующее событие" },
  keyEnds: { en: "beginning or end", ru: "начало или конец" },
  keySpeed: { en: "faster or slower", ru: "быстрее или медленнее" },
  keyLoop: { en: "loop", ru: "по кругу" },
  keyReset: { en: "the whole picture; in live mode, all over again", ru: "вся картина; вживую — всё сначала" },
  keyHelp: { en: "this help", ru: "эта справка" },
  pointerHelp: {
    en: "Picture: wheel or pinch to zoom, drag to move. Timeline: click or drag.",
    ru: "Картина: колесо или щипок — масштаб, протяжка — сдвиг. Шкала времени: щелчок или протяжка.",
  },
  made: {
    en: "Made by sistel. Everything is inside this file.",
    ru: "Сделано программой sistel. Всё — внутри этого файла.",
  },
};

/** What stands for {name} in a text. */
export type Gaps = Record<string, string | number>;

/** What speaks, and tells when it speaks another language. */
export type Speaker = Pick<Page, "say" | "on">;

/** A word of the table in the page's language. */
export function wordOf(page: Pick<Page, "say">, key: string, gaps: Gaps = {}): string {
  return page
    .say(WORDS[key] ?? key)
    .replace(/\{(\w+)\}/g, (whole: string, name: string) => (name in gaps ? String(gaps[name]) : whole));
}

/** An element whose text is a word, in whatever language the page has. */
export function wordNode<T extends Element>(
  page: Speaker,
  node: T,
  key: string,
  gaps: Gaps = {},
  attribute: string | string[] | null = null,
): T {
  const write = () => {
    const text = wordOf(page, key, gaps);
    if (attribute) for (const name of [attribute].flat()) node.setAttribute(name, text);
    else node.textContent = text;
  };
  write();
  page.on("lang", write);
  return node;
}
