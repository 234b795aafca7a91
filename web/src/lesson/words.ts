// Words of the lesson, beside those of every page.
import { WORDS, wordNode, wordOf } from "../page/words";
import type { Words } from "../payload";
import type { Page } from "../page/core";
import { domNode } from "../page/dom";

/** Words by key. */
export const LESSON_WORDS: Record<string, Words> = {
  forward: { en: "Forward", ru: "Прямая задача" },
  inverse: { en: "Inverse", ru: "Обратная задача" },
  trajectory: { en: "Trajectory and dynamics", ru: "Траектория и динамика" },
  lessonModes: { en: "Problem", ru: "Задача" },
  calculate: { en: "Calculate", ru: "Рассчитать" },
  tool: { en: "Tool: {name}", ru: "Инструмент: {name}" },
  askForward: {
    en: "Move the joints; Calculate shows where the tool is, and follows from then on.",
    ru: "Двигайте сочленения; «Рассчитать» покажет, где инструмент, и дальше будет следить.",
  },
  matrix: { en: "Homogeneous matrix, m", ru: "Однородная матрица, м" },
  jacobianTitle: { en: "Jacobian", ru: "Матрица Якоби" },
  jacobianRows: {
    en: "Rows: turns about x, y, z, then moves along them; SI",
    ru: "Строки: повороты вокруг x, y, z, затем смещения вдоль них; СИ",
  },
  determinant: { en: "Determinant", ru: "Определитель" },
  manipulability: { en: "Manipulability", ru: "Манипулятивность" },
  ofPlace: { en: "of the place alone", ru: "только положения" },
  singular: {
    en: "The posture is singular or nearly so: some motion of the tool cannot be made from here.",
    ru: "Поза особая или почти особая: какое-то движение инструмента отсюда невозможно.",
  },
  dhTitle: { en: "Denavit–Hartenberg table", ru: "Таблица Денавита — Хартенберга" },
  dhNote: { en: "Standard convention: Rz(θ) Tz(d) Tx(a) Rx(α).", ru: "Стандартный вариант: Rz(θ) Tz(d) Tx(a) Rx(α)." },
  dhBase: { en: "before the first row", ru: "до первой строки" },
  dhTool: { en: "after the last row", ru: "после последней строки" },
  dhNone: { en: "This chain has no such table.", ru: "Для этой цепи такой таблицы нет." },
  joint: { en: "Joint", ru: "Сочленение" },
  target: { en: "Target", ru: "Цель" },
  fromForward: { en: "Take from the arm", ru: "Взять с манипулятора" },
  fromForwardHelp: {
    en: "The pose that the tool has now, as forward kinematics gives it",
    ru: "Поза инструмента сейчас, по прямой задаче",
  },
  task: { en: "Task", ru: "Требуется" },
  taskPose: { en: "whole pose", ru: "поза целиком" },
  taskPosition: { en: "place alone", ru: "только положение" },
  taskPointing: { en: "place, direction of z", ru: "положение, ось z" },
  method: { en: "Method", ru: "Метод" },
  methodLm: { en: "Levenberg–Marquardt", ru: "Левенберг — Марквардт" },
  methodCcd: { en: "CCD", ru: "CCD" },
  methodAnfis: { en: "ANFIS", ru: "ANFIS" },
  begin: { en: "Begin at", ru: "Начать с" },
  beginNow: { en: "the posture now", ru: "нынешней позы" },
  beginFile: { en: "the posture of the start", ru: "начальной позы" },
  beginNets: { en: "what the networks say", ru: "ответа сетей" },
  settings: { en: "Settings of the method", ru: "Настройки метода" },
  tolerancePlace: { en: "Tolerance of place", ru: "Допуск положения" },
  toleranceTurn: { en: "Tolerance of angle", ru: "Допуск угла" },
  mostIterations: { en: "Most iterations", ru: "Итераций не больше" },
  mostRestarts: { en: "Attempts after the first", ru: "Попыток после первой" },
  damping: { en: "Damping λ", ru: "Демпфирование λ" },
  dampingUp: { en: "λ after a bad step, times", ru: "λ после плохого шага, ×" },
  dampingDown: { en: "λ after a good step, times", ru: "λ после хорошего шага, ×" },
  reached: { en: "Reached", ru: "Достигнуто" },
  near: { en: "Approximate", ru: "Приближённо" },
  notReached: { en: "Not reached; this is the nearest", ru: "Не достигнуто; показано ближайшее" },
  remains: { en: "What remains, in the axes of the target: {what}.", ru: "Остаётся, в осях цели: {what}." },
  aboutAxis: { en: "{size} about {axis}", ru: "{size} вокруг {axis}" },
  alongAxis: { en: "{size} along {axis}", ru: "{size} по {axis}" },
  tooFew: {
    en: "The task has {rows} components and only {joints} coordinates move the tool: most such targets have no solution. Ask for less.",
    ru: "В задаче {rows} составляющих, а инструмент двигают только {joints} координат: у большинства таких целей решения нет. Задайте меньше требований.",
  },
  binds: { en: "Limits that bind: {names}.", ru: "Мешают пределы: {names}." },
  outOfReach: {
    en: "It seems out of reach: no attempt came nearer.",
    ru: "Похоже, туда не достать: ближе не подошла ни одна попытка.",
  },
  ccdStuck: {
    en: "Joints that move one at a time did not get further; Levenberg–Marquardt may.",
    ru: "Если двигать сочленения по одному, дальше не выходит; метод Левенберга — Марквардта может.",
  },
  badTarget: { en: "Fill in every number of the target.", ru: "Заполните все числа цели." },
  iterations: { en: "Iterations", ru: "Итерации" },
  attempt: { en: "Attempt", ru: "Попытка" },
  errorPlace: { en: "Error, mm", ru: "Ошибка, мм" },
  errorTurn: { en: "Error, °", ru: "Ошибка, °" },
  roll: { en: "roll φx", ru: "крен φx" },
  pitch: { en: "pitch φy", ru: "тангаж φy" },
  yaw: { en: "yaw φz", ru: "рыскание φz" },
  against: {
    en: "Errors are against forward kinematics of the answer.",
    ru: "Ошибки — относительно прямой задачи для ответа.",
  },
  answer: { en: "Answer", ru: "Ответ" },
  useTo: { en: "As the end of a trajectory", ru: "Как конец траектории" },
  ends: { en: "From where to where", ru: "Откуда и куда" },
  from: { en: "From", ru: "Откуда" },
  to: { en: "To", ru: "Куда" },
  fromNow: { en: "From = now", ru: "Откуда = сейчас" },
  toNow: { en: "To = now", ru: "Куда = сейчас" },
  toAnswer: { en: "To = inverse", ru: "Куда = обратная" },
  swap: { en: "Swap", ru: "Поменять" },
  kind: { en: "Profile", ru: "Закон" },
  kindCubic: { en: "cubic", ru: "кубический" },
  kindQuintic: { en: "quintic", ru: "5-й степени" },
  kindSeptic: { en: "septic", ru: "7-й степени" },
  kindTrapezoid: { en: "trapezoid", ru: "трапеция" },
  kindScurve: { en: "S-curve", ru: "S-кривая" },
  kindGiven: { en: "as given", ru: "заданный" },
  duration: { en: "Time", ru: "Время" },
  shortest: { en: "shortest", ru: "кратчайшее" },
  payload: { en: "Load", ru: "Груз" },
  kilogram: { en: "kg", ru: "кг" },
  limitVelocity: { en: "Speed up to", ru: "Скорость до" },
  limitAcceleration: { en: "Acceleration up to", ru: "Ускорение до" },
  limitJerk: { en: "Jerk up to", ru: "Рывок до" },
  tooFast: {
    en: "The limits allow no move shorter than {least} s.",
    ru: "Пределы не допускают движения короче {least} с.",
  },
  badMove: {
    en: "Fill in every number; times and limits are above 0.",
    ru: "Заполните все числа; времена и пределы больше 0.",
  },
  beyond: { en: "Beyond the limits of the joint: {names}.", ru: "За пределами сочленения: {names}." },
  peaks: { en: "Greatest values", ru: "Наибольшие значения" },
  peakSpeed: { en: "speed", ru: "скорость" },
  peakAcceleration: { en: "acceleration", ru: "ускорение" },
  peakForce: { en: "force", ru: "сила" },
  peakTorque: { en: "torque", ru: "момент" },
  netsError: { en: "ANFIS off by", ru: "ошибка ANFIS" },
  torques: { en: "Torques", ru: "Моменты" },
  torquesSlides: { en: "Forces", ru: "Силы" },
  torquesNets: { en: "Torques by ANFIS", ru: "Моменты по ANFIS" },
  torquesNetsSlides: { en: "Forces by ANFIS", ru: "Силы по ANFIS" },
  velocities: { en: "Velocities", ru: "Скорости" },
  accelerations: { en: "Accelerations", ru: "Ускорения" },
  toolPlace: { en: "Place of the tool", ru: "Положение инструмента" },
  csv: { en: "Table (CSV)", ru: "Таблица (CSV)" },
  netsDynamics: {
    en: "Forces are of Newton–Euler; for those of networks too, give trained DynamicsNets:",
    ru: "Силы — по Ньютону — Эйлеру; чтобы были и по сетям, задайте обученные DynamicsNets:",
  },
  netsLoad: { en: "The networks know nothing of the load.", ru: "О грузе сети не знают." },
  path: { en: "length of the way of the tool", ru: "длина пути инструмента" },
  compare: { en: "Compare methods", ru: "Сравнить методы" },
  taken: { en: "ms", ru: "мс" },
  aimHelp: {
    en: "Take the target in the picture: its origin moves it, the tips of its axes turn it. The arm follows.",
    ru: "Возьмите цель на картине: за начало — перенести, за концы осей — повернуть. Рука следует за ней.",
  },
  branches: { en: "All postures", ru: "Все позы" },
  branch: { en: "Posture {number}", ru: "Поза {number}" },
  branchesFound: {
    en: "Postures with this pose of the tool: {count}, the nearest first. Searched from all over the ranges in {time} ms, each verified by forward kinematics; press one.",
    ru: "Поз с таким положением инструмента: {count}, ближайшая первой. Поиск по всем диапазонам за {time} мс, каждая проверена прямой задачей; нажмите на любую.",
  },
  branchesMany: {
    en: "The arm has more joints than the task has components: postures are not apart, there are infinitely many.",
    ru: "Сочленений больше, чем компонент у задачи: позы не отделены друг от друга, их бесконечно много.",
  },
  dhEdit: {
    en: "Change any number: the arm follows at once, in all three problems. Shapes and masses of the bodies stay as they are and go with their frames; lines show the arm of the table.",
    ru: "Измените любое число: рука сразу станет такой во всех трёх задачах. Форма и массы тел остаются прежними и идут за своими осями; линии показывают руку по таблице.",
  },
  dhTinted: {
    en: "Tinted numbers are added to the coordinate of the joint.",
    ru: "Число на цветном фоне прибавляется к координате сочленения.",
  },
  dhOwn: { en: "added to q{q}", ru: "прибавляется к q{q}" },
  dhFixed: {
    en: "The numbers cannot be changed here: not every joint of the system is in this table.",
    ru: "Числа здесь не меняются: в таблице не все сочленения системы.",
  },
  dhReset: { en: "Table of the file", ru: "Таблица из файла" },
  dhLow: { en: "from", ru: "от" },
  dhHigh: { en: "to", ru: "до" },
  dhCrossed: {
    en: "{name}: the lower limit cannot be above the upper one.",
    ru: "{name}: нижний предел не может быть выше верхнего.",
  },
  dhBack: { en: "Back", ru: "Назад" },
  dhOn: { en: "Next move", ru: "Следующий ход" },
  dhPlay: { en: "All moves", ru: "Все ходы" },
  dhEnd: { en: "Hide frames", ru: "Убрать оси" },
  dhShow: {
    en: "Step through the table: every row is four moves of a frame, θ, d, a, α.",
    ru: "Пройдите таблицу по шагам: каждая строка — четыре хода осей, θ, d, a, α.",
  },
  dhBegin: { en: "The frame stands at the base.", ru: "Оси стоят на основании." },
  dhTheta: {
    en: "Row {row}, θ: turn by {size} about z{before}",
    ru: "Строка {row}, θ: поворот на {size} вокруг z{before}",
  },
  dhD: { en: "Row {row}, d: go {size} along z{before}", ru: "Строка {row}, d: сдвиг на {size} вдоль z{before}" },
  dhA: { en: "Row {row}, a: go {size} along the new x", ru: "Строка {row}, a: сдвиг на {size} вдоль новой x" },
  dhAlpha: { en: "Row {row}, α: turn by {size} about it", ru: "Строка {row}, α: поворот на {size} вокруг неё" },
  keyModes: { en: "forward, inverse, trajectory", ru: "прямая, обратная, траектория" },
  lessonKeyReset: { en: "the whole picture", ru: "вся картина" },
};
Object.assign(WORDS, LESSON_WORDS);

/** A field for a number; its value is NaN where nothing is written. */
export interface NumberField {
  element: HTMLElement;
  input: HTMLInputElement;
  value: () => number;
}

/** A value and the word for it. */
export type Choice = [string, string];

/** A field for a number with its name and unit. */
export function lessonField(
  page: Page,
  {
    name,
    word,
    unit = null,
    value = "",
    min = null,
  }: { name: string; word: string; unit?: string | string[] | null; value?: string | number; min?: number | null },
): NumberField {
  const input = domNode("input", { type: "number", step: "any", ...page.named(name), min });
  input.value = String(value);
  const label = lessonUnit(
    page,
    domNode("label", { for: page.id(name) }),
    unit ? [word, ", ", ...[unit].flat()] : word,
  );
  return {
    element: domNode("div", { class: "lesson-field" }, label, input),
    input,
    value: () => (input.value === "" ? NaN : Number(input.value)),
  };
}

/** A unit that may be of several words: ["degree", "/", "second", "²"]. */
export function lessonUnit<T extends HTMLElement>(page: Page, node: T, unit: string | string[]): T {
  const write = () => {
    node.textContent = [unit]
      .flat()
      .map((part) => wordOf(page, part))
      .join("");
  };
  write();
  page.on("lang", write);
  return node;
}

/** A choice among words; `choices` are pairs of a value and a word. */
export function lessonSelect(
  page: Page,
  {
    name,
    word,
    choices,
    value,
    onchange,
  }: { name: string; word: string; choices: Choice[]; value: string; onchange?: (value: string) => void },
): { element: HTMLElement; select: HTMLSelectElement } {
  const select: HTMLSelectElement = domNode("select", {
    ...page.named(name),
    onchange: () => onchange?.(select.value),
  });
  for (const [key, title] of choices) select.append(wordNode(page, domNode("option", { value: key }), title));
  select.value = value;
  const label = wordNode(page, domNode("label", { for: page.id(name) }), word);
  return { element: domNode("div", { class: "lesson-field" }, label, select), select };
}

/** A choice among words that all are seen. */
export function lessonRadios<V extends string>(
  page: Page,
  {
    name,
    word,
    choices,
    value,
    onchange,
  }: { name: string; word: string; choices: [V, string][]; value: V; onchange: (value: V) => void },
): { element: HTMLElement; value: () => V } {
  const inputs = choices.map(([key]) =>
    domNode("input", {
      type: "radio",
      name: page.id(name),
      value: key,
      ...page.named(`${name}-${key}`),
      onchange: () => onchange(key),
    }),
  );
  for (const input of inputs) input.checked = input.value === value;
  const legend = wordNode(page, domNode("legend", {}), word);
  const labels = choices.map(([key, text], i) =>
    domNode("label", { for: page.id(`${name}-${key}`) }, inputs[i], wordNode(page, domNode("span", {}), text)),
  );
  const element = domNode("fieldset", { class: "lesson-radios" }, legend, domNode("div", {}, ...labels));
  return { element, value: () => choices[inputs.findIndex((input) => input.checked)]?.[0] ?? value };
}

/** A button with a word. */
export function lessonButton(
  page: Page,
  word: string,
  act: () => unknown,
  sort = "plain",
  id: string | null = null,
): HTMLButtonElement {
  return wordNode(page, domNode("button", { type: "button", class: sort, onclick: act, "data-id": id }), word);
}

/** Lines of a program, as they are typed. */
export function lessonCode(text: string): HTMLElement {
  return domNode("pre", { class: "lesson-code" }, domNode("code", {}, text));
}
