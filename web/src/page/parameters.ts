// Parameters of the live motion: what they are, in the units of their author, and which ranges bind.
import type { PageData, ParameterRow } from "../payload";
import type { Page } from "./core";
import { domNode, numberText } from "./dom";
import type { AnySteps } from "./history";
import { fieldNumber } from "./joints";
import type { LiveRunner } from "./runner";
import { wordNode, wordOf } from "./words";

/** What others may ask of the list. */
export interface ParameterPanel {
  /** Shows the present values. */
  draw(): void;
}

/** A value with its unit, as the author of the file counts [SI]. */
export function parameterText(page: Page, { scale, shownUnit }: ParameterRow, value: number): string {
  return [numberText(Number((value * scale).toPrecision(7)), 6), page.say(shownUnit)].filter(Boolean).join(" ");
}

/** What bounds a parameter, in words. */
export function parameterRange(page: Page, row: ParameterRow): string {
  const text = (value: number | null) => (value === null ? "" : parameterText(page, row, value));
  const own = { low: text(row.min), high: text(row.max) };
  if (row.min !== null && row.max !== null) return wordOf(page, "rangeFile", own);
  if (row.min !== null) return wordOf(page, "rangeLow", own);
  if (row.max !== null) return wordOf(page, "rangeHigh", own);
  return wordOf(page, "rangeFree", { low: text(row.low), high: text(row.high) });
}

/** The parameters with their sliders; those that are built into the equations are told, with the cause. */
export function mountParameters(
  element: HTMLElement,
  page: Page<PageData>,
  runner: LiveRunner,
  steps: AnySteps,
): ParameterPanel {
  const live = page.data.parameters.filter((parameter) => parameter.live);
  const fixed = page.data.parameters.filter((parameter) => !parameter.live);
  if (live.length || fixed.length) element.append(wordNode(page, domNode("h3", {}), "parameters"));
  const list = domNode("div", { class: "parameter-list" });
  const rows = live.map((row, i) => new ParameterSlider(page, runner, steps, row, i));
  list.append(...rows.map((row) => row.element));
  element.append(list);
  const built = domNode("details", { class: "parameter-built", hidden: !fixed.length });
  element.append(built);
  const draw = () => {
    for (const row of rows) row.show();
    built.replaceChildren(
      domNode("summary", {}, wordOf(page, "fixedParameters", { names: fixed.map(({ name }) => name).join(", ") })),
      domNode(
        "dl",
        {},
        ...fixed
          .filter(({ refused }) => refused)
          .flatMap(({ name, refused }) => [domNode("dt", {}, name), domNode("dd", {}, page.say(refused))]),
      ),
    );
  };
  return { draw };
}

/** One parameter. */
class ParameterSlider {
  readonly element: HTMLElement;
  readonly #slider: HTMLInputElement;
  readonly #field: HTMLInputElement;
  readonly #unit = domNode("span", { class: "unit" });
  readonly #about: HTMLElement;
  readonly #range = domNode("span", { class: "parameter-range" });
  readonly #bound = domNode("p", { class: "parameter-bound", role: "status", hidden: true });
  /** What is said of the last value that somebody asked for; nothing where it was taken. */
  #told: (() => string) | null = null;

  constructor(
    readonly page: Page<PageData>,
    readonly runner: LiveRunner,
    readonly steps: AnySteps,
    readonly row: ParameterRow,
    number: number,
  ) {
    const { scale, name } = row;
    const [low, high] = [row.low ?? 0, row.high ?? 0].map((value) => value * scale);
    this.#slider = domNode("input", {
      type: "range",
      ...page.named(`parameter-${number}`),
      min: low,
      max: high,
      step: "any",
    });
    this.#field = domNode("input", { type: "number", step: "any", "aria-label": name });
    this.#about = domNode("span", { class: "parameter-about", hidden: !row.about }, row.about);
    this.#slider.addEventListener("input", () => this.ask(Number(this.#slider.value)));
    this.#field.addEventListener("change", () => this.ask(this.#field.value === "" ? NaN : Number(this.#field.value)));
    this.element = domNode(
      "div",
      { class: "parameter", "data-parameter": name },
      domNode(
        "div",
        { class: "joint" },
        domNode("label", { class: "joint-name", for: page.id(`parameter-${number}`), title: name }, name),
        this.#slider,
        this.#field,
        this.#unit,
      ),
      domNode("p", { class: "parameter-words" }, this.#about, this.#range),
      this.#bound,
    );
  }

  /** Takes a value as it is shown; says where a limit of the file binds. */
  ask(shown: number): void {
    const { row, page, runner } = this;
    if (!Number.isFinite(shown)) {
      this.show();
      return;
    }
    const wanted = shown / row.scale;
    const value = Math.min(Math.max(wanted, row.min ?? -Infinity), row.max ?? Infinity);
    this.steps.note(`parameter ${row.name}`);
    const wrong = runner.change({ [row.name]: value });
    const asked = () => parameterText(page, row, wanted);
    // A slider that stands at its end has been brought there on purpose.
    const bound = Math.abs(wanted - value) > 1e-12 * Math.max(1, Math.abs(value));
    const key = value > wanted ? "bindsMin" : "bindsMax";
    if (wrong) this.#told = () => wordOf(page, "bindsNot", { name: row.name, asked: asked(), why: page.say(wrong) });
    else if (bound)
      this.#told = () => wordOf(page, key, { name: row.name, asked: asked(), limit: parameterText(page, row, value) });
    else this.#told = null;
    this.show();
  }

  /** Shows the present value. */
  show(): void {
    const { page, row, runner } = this;
    const shown = runner.parameters[row.name] * row.scale;
    const slider = this.#slider;
    if (shown < Number(slider.min)) slider.min = String(shown);
    if (shown > Number(slider.max)) slider.max = String(shown);
    slider.value = String(shown);
    this.#field.value = fieldNumber(shown, 7);
    this.#unit.textContent = page.say(row.shownUnit);
    this.#range.textContent = parameterRange(page, row);
    this.#bound.hidden = !this.#told;
    this.#bound.textContent = this.#told?.() ?? "";
    this.#field.toggleAttribute("aria-invalid", Boolean(this.#told));
    this.element.classList.toggle("binds", this.#stands());
  }

  /** Whether the value stands at a limit of the file. */
  #stands(): boolean {
    const value = this.runner.parameters[this.row.name];
    return value === this.row.min || value === this.row.max;
  }
}
