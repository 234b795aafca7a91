// Recorded runs over each other: ghosts in the picture, curves under curves, one clock for all.
import { LivePostures } from "../live/postures";
import type { LiveSystem } from "../live/live";
import type { PageData, StructureRow } from "../payload";
import type { Ghost, Motion, Page } from "./core";
import { DASHES, type Entry, type Under, plotsDecode, plotsValue } from "./curves";
import { domNode, numberText } from "./dom";
import { exactEntries } from "./exact";
import { type Kept, KeptMotion, kitOf } from "./kept";
import { panelsStyle } from "./panels";
import { RecordedMotion, motionLayout } from "./motion";
import { wordOf } from "./words";

const STYLE = `
.compared{margin:0 0 8px;border:1px solid var(--line);border-radius:6px;font-size:12.5px}
.compared li{display:flex;align-items:center;gap:8px;min-height:28px;padding:0 8px}
.compared ul{margin:0;padding:3px 0;list-style:none}
.compared svg{flex:none}
.compared line{stroke:var(--ink);stroke-width:2}
.compared .where{margin-left:auto;color:var(--dim);font-variant-numeric:tabular-nums;white-space:nowrap}
.compared .name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;unicode-bidi:isolate}
.compared label{display:flex;align-items:center;gap:8px;min-width:0;cursor:pointer}
.compared p{margin:0;padding:2px 8px 6px;color:var(--dim)}
@media (max-width:700px){.compared li{min-height:40px}}
`;

/** Runs that share a clock. */
interface Clocked extends Motion {
  begin: number;
  end: number;
  readonly own: readonly [number, number];
}

/** A run over that of the page. */
interface Other {
  name: string;
  structures: StructureRow[];
  motion: Clocked;
  /** Values of parameters that are not those of the page; null where its system is another one. */
  values: Record<string, number> | null;
  /** Its charts. */
  entries: () => Promise<Entry[]>;
  /** Where its bodies are; null where they are those of another system. */
  postures: LivePostures | null;
  dash: number[];
  shown: boolean;
}

/** Runs over the one of a page. */
export class Compared {
  readonly #recorded: Clocked;

  private constructor(
    readonly page: Page<PageData>,
    readonly others: Other[],
    recorded: Clocked,
  ) {
    this.#recorded = recorded;
    // One clock: from the first beginning to the last end.
    const all = [recorded, ...others.map(({ motion }) => motion)];
    recorded.begin = Math.min(...all.map((each) => each.own[0]));
    recorded.end = Math.max(...all.map((each) => each.own[1]));
  }

  /** Unpacks the runs of a page; null where there are none. */
  static async read(page: Page<PageData>, system: LiveSystem): Promise<Compared | null> {
    const { recorded } = page;
    if (!(recorded instanceof RecordedMotion) || !page.data.compared.length) return null;
    const others: Other[] = [];
    for (const [i, data] of page.data.compared.entries()) {
      const { name, structures, values } = data;
      const motion = new RecordedMotion(data.run, await page.unpackBytes(data.run.id), motionLayout(data));
      const entries = async () => {
        const decoded = plotsDecode(data.curves, await page.unpackBytes(data.curves.id));
        const packed = data.curves.charts.map((chart, k): Entry => ({ chart, source: () => decoded[k] }));
        return exactEntries({ data }, motion, packed);
      };
      others.push({ ...{ name, structures, motion, values, entries }, ...drawing(system, values, i) });
    }
    return new Compared(page, others, recorded);
  }

  /** Runs that a page has computed, over another one; null where there are none. */
  static async over(page: Page<PageData>, system: LiveSystem, runs: Kept[]): Promise<Compared | null> {
    const { recorded } = page;
    if (!(recorded instanceof KeptMotion) || !runs.length) return null;
    const own = await kitOf(page);
    const others = runs.map((kept, i): Other => {
      const { name, structures } = kept;
      const values = kept.kit === own ? kept.values : null;
      const widths = { nq: kept.q.length / kept.t.length, nv: kept.v.length / kept.t.length };
      // The rates of another system are not known here: between two rows its coordinates go straight.
      const layout = values ? recorded.layout : { ...widths, spins: [], partner: new Int32Array(widths.nq).fill(-1) };
      const motion = new KeptMotion(kept, layout);
      const entries = () => Promise.resolve(motion.entries());
      return { ...{ name, structures, motion, values, entries }, ...drawing(system, values, i) };
    });
    return new Compared(page, others, recorded);
  }

  /** Bodies of the runs at the cursor, one for each; null where one is not shown. */
  ghosts(): (Ghost | null)[] {
    const { page } = this;
    const here = page.motion === this.#recorded;
    return this.others.map(({ structures, values, motion, postures, shown }) => {
      const state = motion.at(page.time);
      if (!here || !shown || !postures || !state) return null;
      const changed = values && Object.keys(values).length > 0;
      return {
        poses: postures.poses(state.q),
        values: changed ? postures.values : null,
        structure: structures[state.structure]?.key,
      };
    });
  }

  /** Adds to the charts of the page what the other runs have under the same names; tells what they lack. */
  async underlay(entries: Entry[]): Promise<void> {
    for (const other of this.others) {
      const own = await other.entries();
      const known = new Map<string, { entry: Entry; curve: number }>();
      for (const entry of own)
        entry.chart.curves.forEach((_, curve) => {
          const key = keyOf(entry, curve);
          if (!known.has(key)) known.set(key, { entry, curve });
        });
      for (const entry of entries) {
        const found = entry.chart.curves.map((_, curve) => known.get(keyOf(entry, curve)) ?? null);
        if (found.some(Boolean)) (entry.under ??= []).push(underOf(other, found));
      }
      this.#lack.set(other, lacking(entries, own));
    }
  }
  readonly #lack = new Map<Other, string[]>();

  /** A list of the runs: how each is drawn, and where it is at the cursor. */
  mount(element: HTMLElement, redraw: () => void): void {
    const { page } = this;
    panelsStyle("compared-style", STYLE);
    const list = domNode("ul", {});
    const notes = domNode("div", {});
    const box = domNode("section", { class: "compared", "data-part": "compared" }, list, notes);
    const rows = [
      {
        name: this.#recorded instanceof KeptMotion ? this.#recorded.kept.name : page.data.called,
        motion: this.#recorded,
        structures: page.data.structures,
        other: null,
      },
      ...this.others.map((other) => ({
        name: other.name,
        motion: other.motion,
        structures: other.structures,
        other,
      })),
    ].map(({ name, motion, structures, other }) => {
      const where = domNode("span", { class: "where" });
      const sign = sample(other?.dash ?? []);
      const label = domNode("span", { class: "name", title: name }, name);
      const item = domNode("li", {}, sign, label, where);
      if (other) {
        const tick = domNode("input", { type: "checkbox", checked: true });
        tick.addEventListener("change", () => {
          other.shown = tick.checked;
          redraw();
          page.seek(page.time);
        });
        item.replaceChildren(domNode("label", {}, tick, sign, label), where);
      }
      list.append(item);
      return { where, motion, structures };
    });
    const show = () => {
      for (const { where, motion, structures } of rows) {
        const [begin, end] = motion.own;
        const t = page.time;
        const over = t > end * (1 + 1e-12) || t < begin;
        const at = motion.at(t);
        const structure = page.say(structures[at?.structure ?? -1]?.said);
        const text = over
          ? wordOf(page, t < begin ? "comparedBefore" : "comparedOver", { t: numberText(t < begin ? begin : end, 5) })
          : structure;
        if (where.textContent !== text) where.textContent = text;
      }
    };
    const speak = () => {
      box.setAttribute("aria-label", wordOf(page, "compared"));
      notes.replaceChildren();
      for (const [other, lack] of this.#lack) {
        const { name, values } = other;
        if (!values) notes.append(domNode("p", {}, wordOf(page, "comparedUnlike", { name })));
        if (lack.length)
          notes.append(
            domNode(
              "p",
              {},
              wordOf(page, "comparedLacking", { name, count: lack.length, names: lack.slice(0, 6).join(", ") }),
            ),
          );
      }
      show();
    };
    page.on("time", () => element.offsetParent && show());
    page.on("motion", () => (box.hidden = page.motion.kind !== "recorded"));
    page.on("lang", speak);
    element.append(box);
    speak();
  }
}

/** How a run is drawn over another: its bodies, where they are known, and its dashes. */
function drawing(system: LiveSystem, values: Record<string, number> | null, i: number) {
  let postures: LivePostures | null = null;
  if (values) {
    postures = new LivePostures(system.kernels, system.table);
    if (postures.setValues(values)) postures = null;
  }
  return { postures, dash: DASHES[i % DASHES.length], shown: true };
}

/** By what curves of two runs belong together: of what they are, and what they are called. */
function keyOf({ chart }: Entry, curve: number): string {
  const { name } = chart.curves[curve];
  return JSON.stringify([chart.group, chart.kind, chart.per, typeof name === "string" ? name : name.en]);
}

/** Names of curves that are on one side alone. */
function lacking(entries: Entry[], own: Entry[]): string[] {
  const keys = (all: Entry[]) =>
    new Map(
      all.flatMap((entry) =>
        entry.chart.curves.map(({ name }, i) => [keyOf(entry, i), typeof name === "string" ? name : name.en] as const),
      ),
    );
  const [here, there] = [keys(entries), keys(own)];
  const names = [...there].filter(([key]) => !here.has(key)).map(([, name]) => name);
  return [...new Set(names)];
}

/** The curves of another run for one chart. */
function underOf(other: Other, found: ({ entry: Entry; curve: number } | null)[]): Under {
  const { motion, dash } = other;
  const [begin, end] = motion.own;
  return {
    dash,
    name: other.name,
    shown: () => other.shown,
    curves: () =>
      found.map((each) => {
        if (!each) return null;
        const { t, y } = each.entry.source();
        return { t, y: y[each.curve] };
      }),
    at: (t) => {
      if (t < begin || t > end) return found.map(() => null);
      const state = motion.at(t);
      return found.map((each) => {
        if (!each || !state) return null;
        const { entry, curve } = each;
        if (entry.exact) return entry.exact(state)[curve];
        const drawn = entry.source();
        return plotsValue(drawn.t, drawn.y[curve], t);
      });
    },
  };
}

/** A short line as a run is drawn with. */
function sample(dash: number[]): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("width", "30");
  svg.setAttribute("height", "8");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  for (const [name, value] of Object.entries({ x1: "1", y1: "4", x2: "29", y2: "4" })) line.setAttribute(name, value);
  if (dash.length) line.setAttribute("stroke-dasharray", dash.join(" "));
  svg.append(line);
  return svg;
}
