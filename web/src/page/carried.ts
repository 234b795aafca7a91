// What joints, links and contacts carry at the cursor, computed by the page.
import { pointOf } from "../live/hands";
import type { LivePostures } from "../live/postures";
import type { PageData } from "../payload";
import type { Lines, Page } from "./core";
import { domNode, numberText } from "./dom";
import { arrow } from "./pushes";
import { wordNode, wordOf } from "./words";

/** The longest arrow, over the size of the system, that of its whole weight. */
const CARRIED_LONGEST = 0.22;
/** Forces below this part of the weight have no arrow. */
const CARRIED_LEAST = 4e-3;

/** Loads of the state at the cursor of a live motion, by name; null where the page does not know them. */
function loadsNow(page: Page, system: LivePostures): Record<string, number[]> | null {
  const { now, motion } = page;
  return now && motion.kind === "live" ? system.loads(now) : null;
}

/** Forces of contacts as arrows, while the page itself moves the system. */
export function carriedLines(page: Page, system: LivePostures): Lines {
  const made: Lines = { paths: [], colours: [] };
  const { contacts, size, planar } = page.data;
  if (!Object.keys(contacts).length || !page.poses) return made;
  const loads = loadsNow(page, system);
  const weight = (system.table.push?.mass ?? 0) * 9.81;
  for (const [name, { body, p }] of Object.entries(contacts)) {
    const force = loads?.[name]?.slice(3);
    const strength = force ? Math.hypot(...force) : 0;
    if (!force || !(strength > CARRIED_LEAST * weight)) continue;
    const length = CARRIED_LONGEST * size * Math.min(strength / weight, 3);
    const way = force.map((x) => x / strength);
    made.paths.push(arrow(pointOf(page.poses, body, p), way, length, planar));
    made.colours.push("var(--bad)");
  }
  return made;
}

/** A table of what is carried; the returned function shows the state at the cursor. */
export function mountCarried(element: HTMLElement, page: Page<PageData>, system: LivePostures): () => void {
  const known = system.table.structures.some(({ loads = null }) => loads !== null);
  const table = domNode("table", { class: "poses", "data-id": "carried" });
  const place = domNode("details", { class: "live-carried" }, wordNode(page, domNode("summary", {}), "carried"));
  place.append(
    wordNode(page, domNode("p", { class: "note" }), known ? "carriedNote" : "carriedNone"),
    domNode("div", { class: "scroll-x", tabindex: "0" }, table),
  );
  element.append(place);
  const show = () => {
    if (!place.open || !known) return;
    const loads = loadsNow(page, system);
    table.hidden = !loads;
    if (!loads) return;
    const axes = page.data.planar ? ["x", "y"] : ["x", "y", "z"];
    const head = [
      wordOf(page, "jointOrLink"),
      ...axes.map((axis) => `F${axis}, ${wordOf(page, "newton")}`),
      `|F|, ${wordOf(page, "newton")}`,
      `${page.data.planar ? "M" : "|M|"}, ${wordOf(page, "newtonMetre")}`,
    ];
    const rows = Object.entries(loads).map(([name, load]) => {
      const force = load.slice(3);
      const moment = page.data.planar ? load[2] : Math.hypot(...load.slice(0, 3));
      return [
        name,
        ...[...force.slice(0, axes.length), Math.hypot(...force), moment].map((x) => numberText(tidy(x), 4)),
      ];
    });
    table.replaceChildren(
      domNode("thead", {}, domNode("tr", {}, ...head.map((text) => domNode("th", { scope: "col" }, text)))),
      domNode(
        "tbody",
        {},
        ...rows.map(([name, ...cells]) =>
          domNode(
            "tr",
            { "data-carries": name },
            domNode("th", { scope: "row", title: name }, name),
            ...cells.map((text) => domNode("td", {}, text)),
          ),
        ),
      ),
    );
  };
  /** Without the dust of rounding. */
  const largest = (system.table.push?.mass ?? 1) * 9.81;
  const tidy = (x: number) => (Math.abs(x) < 1e-11 * largest ? 0 : x);
  place.addEventListener("toggle", show);
  return show;
}
