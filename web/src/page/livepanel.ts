// The live panel: what moves, what can be changed of it, and what it does.
import type { LiveSystem } from "../live/live";
import type { PageData } from "../payload";
import type { Page } from "./core";
import { mountCarried } from "./carried";
import { domNode, numberText } from "./dom";
import type { AnySteps } from "./history";
import { fieldNumber, shownUnit } from "./joints";
import { playerIcon } from "./player";
import { type ParameterPanel, mountParameters } from "./parameters";
import type { LiveRunner } from "./runner";
import { wordNode, wordOf } from "./words";

/** What the panel has to do with besides the motion. */
export interface LiveHelpers {
  /** What was set before. */
  steps: AnySteps;
  /** Shows the ghost, or not. */
  ghost: (on: boolean) => void;
}

/** The panel. */
export function mountLive(
  element: HTMLElement,
  page: Page<PageData>,
  system: LiveSystem,
  runner: LiveRunner | null,
  { steps, ghost }: LiveHelpers,
): void {
  if (!runner) {
    const why = domNode("p", { class: "note" });
    const said = () => (why.textContent = page.say(system.refused));
    said();
    page.on("lang", said);
    const help = wordNode(page, domNode("p", { class: "note" }), "refusedHelp", { file: `${page.data.name}.xml` });
    element.append(wordNode(page, domNode("h3", {}), "refused"), why, help);
    return;
  }
  const { coordinates, rates } = page.data;
  const { initial: values } = runner;

  const act = (key: string, call: () => void, name = "", more = "") =>
    wordNode(
      page,
      domNode("button", { type: "button", class: `plain ${more}`, onclick: call, "data-live": name }),
      key,
    );
  const go = domNode("button", { type: "button", class: "plain strong", "data-live": "start" });
  go.addEventListener("click", () => {
    if (runner.running) runner.hold();
    else if (runner.motion && !runner.stuck) runner.run();
    else runner.begin(true);
  });
  const again = act("again", () => runner.begin(runner.running), "again");
  const reset = act(
    "resetLive",
    () => {
      steps.note("reset");
      runner.hold();
      runner.reset();
      parameters.draw();
    },
    "reset",
  );
  wordNode(page, reset, "resetHelp", {}, "title");
  const undo = liveIcon(page, "undo", () => steps.undo());
  const redo = liveIcon(page, "redo", () => steps.redo());
  const state = domNode("p", { class: "live-state", role: "status" });
  const energies = domNode("dl", { class: "live-energy" });
  const trouble = domNode("p", { class: "note warn", hidden: true, role: "alert" });
  element.append(
    wordNode(page, domNode("p", { class: "note" }), "about"),
    domNode("div", { class: "panel-tools" }, go, again, reset, undo, redo),
    state,
    trouble,
    energies,
  );
  const parameters: ParameterPanel = mountParameters(element, page, runner, steps);
  element.append(liveHand(page, runner, ghost));
  const carried = mountCarried(element, page, system);

  // --- initial state
  const head = wordNode(page, domNode("h3", {}), "initial");
  const fields = domNode("table", { class: "initial" });
  const here = act("fromHere", () => {
    steps.note("start");
    if (page.now) runner.from(page.now);
  });
  const file = act("asFile", () => {
    steps.note("start");
    const kept = { ...runner.parameters };
    runner.reset();
    runner.change(kept);
  });
  const place: HTMLSelectElement = domNode("select", {
    onchange: () => {
      steps.note("start");
      runner.from({ ...values, structure: Number(place.value) });
    },
  });
  wordNode(page, place, "structure", {}, "aria-label");
  const drawFields = () => {
    place.replaceChildren(
      ...page.data.structures.map((structure, i) =>
        domNode("option", { value: i, selected: i === values.structure }, page.say(structure.said)),
      ),
    );
    place.hidden = page.data.structures.length < 2;
    const cell = (array: Float64Array, i: number, kind: string, name: string, key: string) => {
      const { scale, digits } = shownUnit(kind, false);
      const field = domNode("input", { type: "number", step: "any", value: fieldNumber(array[i] * scale, digits) });
      field.setAttribute("aria-label", `${name}: ${wordOf(page, key)}`);
      field.addEventListener("change", () => {
        if (field.value === "" || !Number.isFinite(Number(field.value))) return;
        steps.note(`start ${name}`);
        array[i] = Number(field.value) / scale;
        runner.from(values);
      });
      return domNode("td", {}, field);
    };
    const unit = (kind: string, rate: boolean) => {
      const { word } = shownUnit(kind, false);
      const text = word ? wordOf(page, word) : "";
      return domNode("td", { class: "unit" }, rate ? `${text || "1"}/${wordOf(page, "second")}` : text);
    };
    const partner = runner.layout.partner;
    const rows = coordinates.map((coordinate, i) => {
      const k = partner[i];
      const cells: HTMLElement[] = [domNode("th", { scope: "row", title: coordinate.name }, coordinate.name)];
      cells.push(cell(values.q, i, coordinate.kind, coordinate.name, "initialValue"), unit(coordinate.kind, false));
      if (k >= 0) cells.push(cell(values.v, k, rates[k].kind, rates[k].name, "initialRate"), unit(rates[k].kind, true));
      return domNode("tr", {}, ...cells);
    });
    const spun = new Set(partner);
    rates.forEach((rate, k) => {
      if (spun.has(k)) return;
      rows.push(
        domNode(
          "tr",
          {},
          domNode("th", { scope: "row" }, rate.name),
          domNode("td"),
          domNode("td"),
          cell(values.v, k, rate.kind, rate.name, "initialRate"),
          unit(rate.kind, true),
        ),
      );
    });
    fields.replaceChildren(domNode("tbody", {}, ...rows));
  };
  element.append(
    head,
    domNode("div", { class: "panel-tools" }, here, file, place),
    domNode("div", { class: "scroll-x", tabindex: "0" }, fields),
  );

  let begun: { t: number; total: number } | null = null;
  const balance = () => {
    const now = page.motion === runner.motion ? page.now : null;
    const first = runner.motion?.rows[0];
    energies.hidden = !now;
    if (!now || !first) return;
    const { kinetic, potential, total } = system.energies(now.q, now.v);
    if (begun?.t !== first.t || now === first) begun = { t: first.t, total: system.energies(first.q, first.v).total };
    const figures: [string, number][] = [
      ["kinetic", kinetic],
      ["potential", potential],
      ["whole", total],
      ["sinceStart", total - begun.total],
    ];
    if (system.work !== 0) figures.push(["handWork", system.work]);
    energies.replaceChildren(
      ...figures.map(([key, value]) =>
        domNode(
          "div",
          { "data-energy": key },
          domNode("dt", {}, `${wordOf(page, key)}, ${wordOf(page, "joule")}`),
          domNode("dd", {}, numberText(Number(value.toPrecision(10)))),
        ),
      ),
    );
  };

  const changed = () => {
    go.textContent = wordOf(page, runner.running ? "stopLive" : runner.motion && !runner.stuck ? "goOn" : "startLive");
    const now = page.motion === runner.motion ? page.now : null;
    const slow =
      runner.running && runner.pace < 0.9
        ? ` · ${wordOf(page, "slow", { times: numberText(runner.pace * page.player.speed, 2) })}`
        : "";
    const where = now && page.say(page.data.structures[now.structure]?.said);
    state.textContent = now
      ? `${numberText(now.t, 5)} ${wordOf(page, "second")}${where ? ` · ${where}` : ""}${slow}`
      : "";
    trouble.hidden = !runner.stuck;
    if (runner.stuck) trouble.textContent = `${wordOf(page, "halted")}: ${page.say(runner.stuck)}`;
    undo.disabled = !steps.canUndo;
    redo.disabled = !steps.canRedo;
    balance();
    carried();
  };
  const follow = () => {
    if (element.offsetParent) changed();
  };
  runner.changed = follow;
  runner.moved = () => {
    drawFields();
    parameters.draw();
  };
  steps.changed = () => {
    parameters.draw();
    follow();
  };
  const words = () => {
    parameters.draw();
    drawFields();
    changed();
  };
  page.on("lang", words);
  page.on("time", follow);
  page.on("motion", follow);
  page.on("shown", follow);
  words();
}

const LIVE_ICONS = {
  undo: "M9 5 4 10l5 5v-3.500h6a3 3 0 0 1 0 6h-4v2h4a5 5 0 0 0 0-10H9z",
  redo: "M15 5l5 5-5 5v-3.500H9a3 3 0 0 0 0 6h4v2H9a5 5 0 0 1 0-10h6z",
};

/** A button that is a picture. */
function liveIcon(page: Page<PageData>, key: keyof typeof LIVE_ICONS, call: () => void): HTMLButtonElement {
  const node = domNode(
    "button",
    { type: "button", class: "tool", onclick: call, "data-live": key },
    playerIcon(LIVE_ICONS[key]),
  );
  return wordNode(page, node, key, {}, ["aria-label", "title"]);
}

/** What hands do, how strong they are, and the ghost. */
function liveHand(page: Page<PageData>, runner: LiveRunner, ghost: (on: boolean) => void): HTMLElement {
  const box = domNode("input", { type: "checkbox", checked: true, ...page.named("ghost") });
  box.addEventListener("change", () => ghost(box.checked));
  const strength = domNode("input", {
    type: "range",
    min: -2,
    max: 2,
    step: "any",
    value: 0,
    ...page.named("strength"),
  });
  const shown = domNode("output", { class: "unit" });
  const tell = () =>
    (shown.textContent = `${numberText(runner.stiffness, 2)} ${wordOf(page, "newton")}/${wordOf(page, "metre")}`);
  strength.addEventListener("input", () => {
    runner.strength = 4 ** Number(strength.value);
    tell();
  });
  page.on("lang", tell);
  tell();
  const name = wordNode(page, domNode("label", { for: page.id("strength") }), "handStrength");
  return domNode(
    "section",
    { class: "live-hand" },
    wordNode(page, domNode("h3", {}), "hand"),
    wordNode(page, domNode("p", { class: "note" }), runner.pushes ? "handPushes" : "handPoses"),
    ...(runner.pushes ? [domNode("div", { class: "live-strength" }, name, strength, shown)] : []),
    domNode("label", { class: "live-check" }, box, wordNode(page, domNode("span", {}), "ghostShow")),
  );
}
