// Plots: charts over time that share the page's cursor, of a run or of a motion that grows.
import type { CommonData, ControlSignal } from "../payload";
import { PLOTS_WORDS, plotsBoard } from "./board";
import type { Moment, Motion, Page, Said } from "./core";
import { domNode } from "./dom";
import { wordNode } from "./words";
import { type Entry, PlotsGrowth, type Quantity, plotsDecode, plotsParts } from "./curves";

/** Signals that are plotted of a motion that grows, and those of one chart. */
const PLOTS_SIGNALS = 40;
const PLOTS_BESIDE = 8;

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

/** Charts of coordinates, velocities and energies of a motion that grows. */
function plotsLive(page: Page, motion: Motion) {
  const { coordinates, rates }: CommonData = page.data;
  const { system } = page;
  const curves: { group: string; name: Said; kind: Quantity; per: number }[] = [
    ...coordinates.map(({ name, kind }) => ({ group: "coordinates", name, kind, per: 0 })),
    ...rates.map(({ name, kind }) => ({ group: "velocities", name, kind, per: 1 })),
  ];
  if (system?.energies)
    for (const name of ["kinetic", "potential", "total"])
      curves.push({ group: "energy", name: PLOTS_WORDS[name], kind: "energy", per: 0 });
  const signals = page.signals;
  const told = (signals?.control.signals ?? []).slice(0, PLOTS_SIGNALS);
  const growth = new PlotsGrowth(curves.length + told.length);
  const firsts = { coordinates: 0, velocities: coordinates.length, energy: coordinates.length + rates.length };
  const entries: Entry[] = plotsParts(page.data.curves, curves, firsts).map(({ part, milli }) => {
    const { group, kind, per } = curves[part[0]];
    return {
      chart: {
        group,
        title: PLOTS_WORDS[group],
        kind,
        per,
        milli,
        curves: part.map((i) => ({ name: curves[i].name })),
      },
      source: () => ({ t: growth.t, y: part.map((i) => growth.y[i]) }),
    };
  });
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
      if (signals) for (const value of signals.at(moment).slice(0, told.length)) row.push(value ?? NaN);
      growth.add(t, row);
    },
  };
}

/** Plots of the page's motion. */
export async function mountPlots(element: HTMLElement, page: Page): Promise<void> {
  const { curves } = page.data;
  const decoded = curves ? plotsDecode(curves, await page.unpackBytes(curves.id)) : [];
  const recorded: Entry[] = curves ? curves.charts.map((chart, i) => ({ chart, source: () => decoded[i] })) : [];
  const board = plotsBoard(element, page);
  const control = page.signals?.control;
  if (control && control.all > control.plotted) {
    const gaps = { plotted: control.plotted, all: control.all };
    element.append(wordNode(page, domNode("p", { class: "note" }), "wiringLeft", gaps));
  }
  let live: ReturnType<typeof plotsLive> | null = null;
  let shown: Entry[] | null = null;

  const begin = () => {
    const { motion } = page;
    if (motion.kind === "live") {
      live = plotsLive(page, motion);
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
