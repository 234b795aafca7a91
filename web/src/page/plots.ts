// Plots: charts over time that share the page's cursor, of a run or of a motion that grows.
import type { CommonData, ControlSignal } from "../payload";
import { plotsBoard } from "./board";
import { PLOTS_WORDS } from "./plotwords";
import type { Moment, Motion, Page, Said } from "./core";
import { domNode } from "./dom";
import { Turns, brokenCurves, exactEntries, exactReading, statesOf, turnCharts } from "./exact";
import { KeptMotion } from "./kept";
import { RecordedMotion } from "./motion";
import { wordNode } from "./words";
import { type Drawn, type Entry, PlotsGrowth, type Quantity, plotsDecode, plotsParts } from "./curves";

/** Signals that are plotted of a motion that grows, and those of one chart. */
const PLOTS_SIGNALS = 40;
const PLOTS_BESIDE = 6;

/** Which signals share a chart: those of a unit. */
function signalParts(signals: ControlSignal[]): number[][] {
  const parts: number[][] = [];
  signals.forEach(({ title, kind }, i) => {
    const like = (part: number[]) =>
      part.length < PLOTS_BESIDE && signals[part[0]].kind === kind && signals[part[0]].title.en === title.en;
    const found = parts.find(like);
    if (found) found.push(i);
    else parts.push([i]);
  });
  return parts;
}

/** Charts that grow with a motion. */
interface LiveCharts {
  motion: Motion;
  entries: Entry[];
  take(moment: Moment): void;
}

/** Charts of coordinates, velocities and energies of a motion that grows. */
export function liveCharts(page: Page, motion: Motion, most?: number): LiveCharts {
  const { coordinates, rates }: CommonData = page.data;
  const { system } = page;
  const curves: { group: string; name: Said; kind: Quantity; per: number }[] = [
    ...coordinates.map(({ name, kind }) => ({ group: "coordinates", name, kind, per: 0 })),
    ...rates.map(({ name, kind }) => ({ group: "velocities", name, kind, per: 1 })),
  ];
  if (system?.energies)
    for (const name of ["kinetic", "potential", "total"])
      curves.push({ group: "energy", name: PLOTS_WORDS[name], kind: "energy", per: 0 });
  const { spins } = page.data;
  const turns = new Turns(spins);
  const turning = turnCharts(page, spins);
  const firstTurn = curves.length;
  for (const { curves: each } of turning)
    curves.push(...each.map(({ name }) => ({ group: "turns", name, kind: "angle" as const, per: 0 })));
  const hidden = new Set(spins.flatMap(({ q }) => [q, q + 1, q + 2, q + 3]));
  const signals = page.signals;
  const told = (signals?.control.signals ?? []).slice(0, PLOTS_SIGNALS);
  const growth = new PlotsGrowth(curves.length + told.length, most);
  const firsts = { coordinates: 0, velocities: coordinates.length, energy: coordinates.length + rates.length };
  const parts = plotsParts(page.data.curves, curves.slice(0, firstTurn), firsts)
    .map(({ part, milli }) => ({ part: part.filter((i) => !hidden.has(i)), milli }))
    .filter(({ part }) => part.length);
  const entries: Entry[] = parts.map(({ part, milli }) => {
    const { group, kind, per } = curves[part[0]];
    const of = part.map((i) => i - firsts[group as keyof typeof firsts]);
    return {
      exact: exactReading(group, of) ?? undefined,
      chart: {
        group,
        title: PLOTS_WORDS[group],
        kind,
        per,
        milli,
        curves: part.map((i, k) => ({ name: curves[i].name, of: of[k] })),
      },
      source: () => ({ t: growth.t, y: part.map((i) => growth.y[i]) }),
    };
  });
  const beside = entries.findLastIndex(({ chart }) => chart.group === "coordinates") + 1;
  const turned = turning.map((chart, n): Entry => {
    const places = chart.curves.map((_, k) => firstTurn + 3 * n + k);
    return { chart, source: () => ({ t: growth.t, y: places.map((i) => growth.y[i]) }) };
  });
  entries.splice(beside, 0, ...turned);
  if (page.recorded instanceof RecordedMotion) underlay(entries, page.recorded);
  for (const part of signalParts(told)) {
    const { kind, title } = told[part[0]];
    entries.push({
      chart: { group: "signals", title, kind, per: 0, milli: false, curves: part.map((i) => ({ name: told[i].name })) },
      source: () => ({ t: growth.t, y: part.map((i) => growth.y[curves.length + i]) }),
    });
  }
  let lowest: number | null = null;
  return {
    motion,
    entries,
    take(moment: Moment) {
      const { t, q, v } = moment;
      const row = [...q, ...v];
      if (system?.energies) {
        const { kinetic, potential } = system.energies(q, v);
        // Its zero means nothing: it counts from where the motion began.
        lowest ??= potential;
        row.push(kinetic, potential - lowest, kinetic + potential - lowest);
      }
      row.push(...turns.row(q));
      if (signals) for (const value of signals.at(moment).slice(0, told.length)) row.push(value ?? NaN);
      growth.add(t, row);
    },
  };
}

/** The run of the page under the curves of a motion that grows: two motions over each other. */
function underlay(entries: Entry[], run: RecordedMotion): void {
  let states: Moment[] | null = null;
  for (const entry of entries) {
    const { exact } = entry;
    if (!exact) continue;
    let made: Drawn | null = null;
    const drawn = () => {
      if (made) return made;
      states ??= statesOf(run);
      const rows = states.map(exact);
      const y = entry.chart.curves.map((_, k) => rows.map((row) => row[k]));
      return (made = brokenCurves({ t: states.map((state) => state.t), y }));
    };
    const curves = () => {
      const { t, y } = drawn();
      return y.map((values) => ({ t, y: values }));
    };
    entry.under = [{ dash: [5, 4], curves }];
  }
}

/** Plots of the page's motion. */
export async function mountPlots(element: HTMLElement, page: Page): Promise<void> {
  const { curves } = page.data;
  const decoded = curves ? plotsDecode(curves, await page.unpackBytes(curves.id)) : [];
  const packed: Entry[] = curves ? curves.charts.map((chart, i) => ({ chart, source: () => decoded[i] })) : [];
  const recorded =
    page.recorded instanceof KeptMotion ? page.recorded.entries() : exactEntries(page, page.recorded, packed);
  const { compared } = page;
  if (compared) {
    await compared.underlay(recorded);
    compared.mount(element, () => {
      for (const chart of board.charts) chart.draw(true);
      board.move();
    });
  }
  const board = plotsBoard(element, page);
  page.plots = board;
  const control = page.signals?.control;
  if (control && control.all > control.plotted) {
    const gaps = { plotted: control.plotted, all: control.all };
    element.append(wordNode(page, domNode("p", { class: "note" }), "wiringLeft", gaps));
  }
  let live: LiveCharts | null = null;
  let shown: Entry[] | null = null;

  const begin = () => {
    const { motion } = page;
    if (motion.kind === "live") {
      live = liveCharts(page, motion);
      for (const row of motion.rows ?? []) live.take(row);
      shown = live.entries;
      board.show(shown);
    } else if (shown !== recorded) {
      live = null;
      shown = recorded;
      board.show(recorded);
    } else board.move();
  };
  let waits = false;
  page.on("samples", (rows) => {
    if (!live || page.motion !== live.motion) return;
    for (const row of rows) live.take(row);
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      if (!element.offsetParent) return;
      for (const chart of board.charts) if (chart.visible && !chart.element.hidden) chart.draw(true);
      board.move();
    }, 66);
  });
  page.on("motion", begin);
  begin();
}
