// Joints: a slider and a field for every coordinate; where every body, point and frame is.
import type { Coordinate, Place as Spot } from "../payload";
import type { Page } from "./core";
import { domNode, numberText } from "./dom";
import { PosedMotion, normaliseSpins } from "./motion";
import { placeOf } from "./view";
import { wordNode, wordOf } from "./words";

/** Of a kind of coordinate: how many of what is shown make one in SI, and the word of what is shown. */
export function shownUnit(kind: string, si: boolean): { scale: number; word: string | null; digits: number } {
  if (kind === "angle")
    return si ? { scale: 1, word: "radian", digits: 6 } : { scale: 180 / Math.PI, word: "degree", digits: 7 };
  if (kind === "length")
    return si ? { scale: 1, word: "metre", digits: 6 } : { scale: 1000, word: "millimetre", digits: 7 };
  return { scale: 1, word: null, digits: 6 };
}

/** A number for a field, without the dust of floating point and of the keys of a run. */
export function fieldNumber(value: number, digits: number, decimals = 12): string {
  return String(Number(Number(value.toPrecision(digits)).toFixed(decimals)) || 0);
}

/** Between which values a slider goes [SI]. */
export function sliderRange(
  coordinate: Pick<Coordinate, "kind" | "min" | "max">,
  value: number,
  size: number,
): [number, number] {
  let { min, max } = coordinate;
  const reach =
    coordinate.kind === "angle" ? Math.PI : coordinate.kind === "length" ? Math.max(size, Math.abs(value)) : 1;
  min ??= max === null ? -reach : Math.min(-reach, max - 2 * reach);
  max ??= Math.max(reach, min + 2 * reach);
  return [Math.min(min, value), Math.max(max, value)];
}

/** Turns about the fixed axes x, y, z, in this order, that make the axes of a body [rad]. */
export function turnsOf(poses: ArrayLike<number>, { body, R }: Pick<Spot, "body" | "R">): [number, number, number] {
  const o = 12 * body;
  const own = [0, 1, 2].map((i) => [0, 1, 2].map((k) => poses[o + 4 * i + k]));
  const r = R ? own.map((row) => [0, 1, 2].map((k) => row[0] * R[k] + row[1] * R[3 + k] + row[2] * R[6 + k])) : own;
  const flat = Math.hypot(r[0][0], r[1][0]);
  if (flat < 1e-9) return [Math.atan2(-r[1][2], r[1][1]), Math.atan2(-r[2][0], flat), 0];
  return [Math.atan2(r[2][1], r[2][2]), Math.atan2(-r[2][0], flat), Math.atan2(r[1][0], r[0][0])];
}

/**
 * A slider and a field for every coordinate, with buttons for postures and a choice of units.
 * @param element where they stand
 * @param page gets `pose(q, fixed)`, which shows a posture, and `si`, whether units are those of SI; "units" is emitted
 *   when they change
 */
export function mountSliders(element: HTMLElement, page: Page): void {
  const { coordinates, spins } = page.data;
  page.si = false;
  let posing = false;
  const rows: { slider: HTMLInputElement; field: HTMLInputElement; scale: number; digits: number }[] = [];
  const fields = domNode("div", { class: "joint-list" });
  const trouble = wordNode(page, domNode("p", { class: "note warn", role: "status", hidden: true }), "notClosed");
  const units = domNode("select", {
    class: "units",
    onchange: () => {
      page.si = units.value === "si";
      draw();
      follow();
      page.emit("units", page.si);
    },
  });
  const peopleOption = domNode("option", { value: "people" });
  const siOption = domNode("option", { value: "si" });
  units.append(wordNode(page, peopleOption, "unitsPeople"), wordNode(page, siOption, "unitsSi"));
  wordNode(page, units, "units", {}, "aria-label");
  const start = wordNode(
    page,
    domNode("button", { type: "button", class: "plain", onclick: () => pose(page.data.start.q, -1) }),
    "resetPose",
  );
  const zero = wordNode(
    page,
    domNode("button", { type: "button", class: "plain", onclick: () => pose(zeroes(), -1) }),
    "zeroPose",
  );
  element.append(
    domNode("div", { class: "panel-tools" }, start, zero, units),
    ...(page.data.loops ? [wordNode(page, domNode("p", { class: "note" }), "loopsFollow")] : []),
    trouble,
    fields,
  );
  if (!coordinates.length) element.prepend(wordNode(page, domNode("p", { class: "note" }), "noCoordinates"));

  const zeroes = () => {
    const q = new Float64Array(coordinates.length);
    for (const { q: i } of spins) q[i] = 1;
    return q;
  };

  /** Shows a posture; the coordinate with the number `fixed` keeps its value, the others follow to close loops. */
  const pose = (given: ArrayLike<number>, fixed: number) => {
    let q = normaliseSpins(Float64Array.from(given), spins);
    const structure = page.now?.structure ?? page.data.start.structure;
    trouble.hidden = true;
    if (page.data.loops && page.system?.close) {
      const closed = page.system.close(q, fixed < 0 ? null : fixed, structure, { t: page.time });
      if (closed.success) q = closed.q;
      else {
        trouble.hidden = false;
        if (page.now) q = Float64Array.from(page.now.q);
      }
    }
    page.player.pause();
    posing = true;
    page.exchange(new PosedMotion({ t: page.time, q, v: new Float64Array(page.data.rates.length), structure }));
    posing = false;
    follow();
  };
  page.pose = pose;

  const draw = () => {
    const q = page.now?.q ?? page.data.start.q;
    rows.length = 0;
    fields.replaceChildren(
      ...coordinates.map((coordinate, i) => {
        const { scale, word, digits } = shownUnit(coordinate.kind, page.si);
        const [min, max] = sliderRange(coordinate, q[i], page.data.size);
        const name = domNode(
          "label",
          { class: "joint-name", for: page.id(`joint-${i}`), title: coordinate.name },
          coordinate.name,
        );
        const slider = domNode("input", {
          type: "range",
          ...page.named(`joint-${i}`),
          min: min * scale,
          max: max * scale,
          step: "any",
        });
        const field = domNode("input", { type: "number", step: "any", "aria-label": coordinate.name });
        if (coordinate.min !== null) field.min = fieldNumber(coordinate.min * scale, 9);
        if (coordinate.max !== null) field.max = fieldNumber(coordinate.max * scale, 9);
        const unit = domNode("span", { class: "unit" }, word ? wordOf(page, word) : "");
        const set = (shown: number) => {
          if (!Number.isFinite(shown)) return;
          let value = shown / scale;
          if (coordinate.min !== null) value = Math.max(value, coordinate.min);
          if (coordinate.max !== null) value = Math.min(value, coordinate.max);
          const next = Float64Array.from(page.now?.q ?? page.data.start.q);
          next[i] = value;
          pose(next, i);
        };
        slider.addEventListener("input", () => set(Number(slider.value)));
        field.addEventListener("change", () => set(field.value === "" ? NaN : Number(field.value)));
        rows.push({ slider, field, scale, digits });
        return domNode("div", { class: "joint" }, name, slider, field, unit);
      }),
    );
  };
  const follow = () => {
    const state = page.now;
    if (!state || (!element.offsetParent && !posing)) return;
    rows.forEach(({ slider, field, scale, digits }, i) => {
      const shown = state.q[i] * scale;
      if (document.activeElement !== slider || posing) {
        if (shown < Number(slider.min)) slider.min = String(shown);
        if (shown > Number(slider.max)) slider.max = String(shown);
        slider.value = String(shown);
      }
      if (document.activeElement !== field || posing)
        field.value = fieldNumber(shown, digits, page.motion.kind === "posed" ? 12 : page.si ? 6 : 4);
    });
  };
  for (const happening of ["lang", "table"] as const) page.on(happening, () => (draw(), follow()));
  page.on("time", follow);
  page.on("shown", follow);
  draw();
  follow();
}

/** The panel: sliders, and where every body, point and frame is. */
export function mountJoints(element: HTMLElement, page: Page): void {
  mountSliders(element, page);
  const { planar, places } = page.data;
  const table = domNode("table", { class: "poses" });
  element.append(
    wordNode(page, domNode("h3", {}), "poses"),
    domNode("div", { class: "scroll-x", tabindex: "0" }, table),
  );
  const drawTable = () => {
    const length = wordOf(page, page.si ? "metre" : "millimetre");
    const angle = wordOf(page, page.si ? "radian" : "degree");
    const head = [
      wordOf(page, "place"),
      ...["x", "y", "z"].map((axis) => `${axis}, ${length}`),
      `${wordOf(page, planar ? "angle" : "turns")}, ${angle}`,
    ];
    const shownHead = planar ? [head[0], head[1], head[2], head[4]] : head;
    table.replaceChildren(
      domNode("thead", {}, domNode("tr", {}, ...shownHead.map((text) => domNode("th", { scope: "col" }, text)))),
      domNode(
        "tbody",
        {},
        ...places.map((place) =>
          domNode(
            "tr",
            { "data-place": place.name },
            domNode("th", { scope: "row", title: wordOf(page, place.kind) }, place.name),
            ...shownHead.slice(1).map(() => domNode("td", {})),
          ),
        ),
      ),
    );
  };
  const follow = () => {
    const state = page.now;
    if (!state || !element.offsetParent || !page.system) return;
    // Not those of the picture, which may follow later than this.
    const poses = page.system.poses(state.q);
    const [length, angle] = page.si ? [1, 1] : [1000, 180 / Math.PI];
    const text = (value: number) => numberText(Number(value.toFixed(page.si ? 7 : 4)), 6);
    [...table.tBodies[0].rows].forEach((row, i) => {
      const place = places[i];
      const at = placeOf(poses, place);
      const turns = place.kind === "point" ? null : turnsOf(poses, place);
      const cells = [...row.cells].slice(1);
      const shown = planar ? at.slice(0, 2) : at;
      shown.forEach((value, k) => (cells[k].textContent = text(value * length)));
      cells[shown.length].textContent = turns
        ? (planar ? [turns[2]] : turns).map((value) => text(value * angle)).join(", ")
        : "";
    });
  };
  page.on("lang", () => (drawTable(), follow()));
  page.on("units", () => (drawTable(), follow()));
  page.on("time", follow);
  page.on("shown", follow);
  drawTable();
  follow();
}
