// The system itself: facts, the tree of bodies, structures and transitions, parameters, tables.
import type { PageData, TreeBody, TreeData, Words } from "../payload";
import type { Page } from "./core";
import { domNode, renameIds } from "./dom";
import { panelsMarkup, panelsStyle } from "./panels";
import type { Gaps } from "./words";

const MODEL_DEEPEST = 24;
const MODEL_OPEN = 40;

const MODEL_WORDS: Record<string, Words> = {
  tree: { en: "Tree of bodies", ru: "Дерево тел" },
  bases: { en: "list of bases", ru: "СНБТ" },
  branch: { en: "Bodies of the branch", ru: "Тела ветви" },
  more: { en: "… and {count} more", ru: "… ещё {count}" },
  structures: { en: "Structures", ru: "Структуры" },
  transitions: { en: "Transitions", ru: "Переходы" },
  graph: { en: "Graph of structures", ru: "Граф структур" },
  parameters: { en: "Parameters", ru: "Параметры" },
  name: { en: "name", ru: "имя" },
  value: { en: "value", ru: "значение" },
  range: { en: "range", ru: "пределы" },
  about: { en: "what it is", ru: "что это" },
  initial: { en: "initial", ru: "начальная" },
  now: { en: "now", ru: "сейчас" },
  any: { en: "any structure", ru: "любая структура" },
  when: { en: "when", ru: "когда" },
  impact: { en: "impact", ru: "удар" },
  sets: { en: "sets", ru: "задаёт" },
  holds: { en: "holds", ru: "держит" },
  dof: { en: "degrees of freedom", ru: "степеней свободы" },
  whyNot: { en: "cannot be simulated", ru: "не моделируется" },
};

/** The children of every body, by number; the ground is 0. */
export function modelChildren<B extends { number: number; base: number }>(bodies: readonly B[]): Map<number, B[]> {
  const ground: B[] = [];
  const children = new Map([[0, ground]]);
  for (const body of bodies) children.set(body.number, []);
  for (const body of bodies) (children.get(body.base) ?? ground).push(body);
  return children;
}

const MODEL_STYLE = `
.model-about{margin:0 0 8px;font-style:italic;overflow-wrap:anywhere}
.model-class{margin:0 0 10px}
.model-class b{color:var(--accent)}
.model-facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(104px,1fr));gap:10px 16px;margin:0 0 6px;padding:0}
.model-facts div{min-width:0}
.model-facts dt{color:var(--dim);font-size:12px}
.model-facts dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.model-small{color:var(--dim);font-size:12.5px;margin:4px 0;overflow-wrap:anywhere}
.model details.model-part{border-top:1px solid var(--line);margin-top:10px}
.model-part>summary{display:flex;gap:8px;align-items:baseline;padding:10px 0 8px;font-weight:600;cursor:pointer;list-style:none}
.model-part>summary::-webkit-details-marker{display:none}
.model-part>summary::before,.model-fold::before{content:"";flex:none;width:7px;height:7px;border-right:1.6px solid var(--dim);border-bottom:1.6px solid var(--dim);
 transform:rotate(-45deg);transition:transform .12s;align-self:center;margin:0 3px 0 2px}
.model-part[open]>summary::before,.model-fold[aria-expanded="true"]::before{transform:rotate(45deg)}
.model-count{color:var(--dim);font-weight:400;font-size:12.5px}
.model-tree,.model-tree ul{list-style:none;margin:0;padding:0}
.model-tree ul{margin-left:11px;padding-left:10px;border-left:1px solid var(--line)}
.model-tree ul.model-flat{margin-left:0;padding-left:0;border-left:0}
.model-line{display:flex;align-items:center;border-radius:7px}
.model-line:hover,.model-line.lit{background:var(--plate)}
.model-line.lit{box-shadow:inset 2px 0 0 var(--warn)}
.model-fold{flex:none;display:flex;align-items:center;justify-content:center;width:24px;min-height:30px;border:0;background:none;cursor:pointer;padding:0}
.model-fold[disabled]{visibility:hidden}
.model-body{flex:1;min-width:0;display:flex;gap:8px;align-items:center;min-height:30px;padding:2px 6px 2px 2px;border:0;background:none;text-align:left;cursor:pointer}
.model-number{color:var(--dim);font-variant-numeric:tabular-nums;flex:none;min-width:1.1em;text-align:right}
.model-name{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;unicode-bidi:isolate;min-width:2em}
.model-joint{color:var(--dim);font-size:12.5px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;flex:0 1 auto;unicode-bidi:isolate}
.model-mass{margin-left:auto;color:var(--dim);font-size:12.5px;white-space:nowrap;font-variant-numeric:tabular-nums}
.model-details{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 14px;margin:0 0 6px 50px;font-size:12.5px}
.model-details dt{color:var(--dim)}
.model-details dd{margin:0;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.model-list{list-style:none;margin:0;padding:0}
.model-item{padding:7px 8px;margin:0 -8px;border-radius:8px;overflow-wrap:anywhere}
.model-item[aria-current]{background:var(--plate)}
.model-item b{font-weight:600;unicode-bidi:isolate}
.model-item div{color:var(--dim);font-size:12.5px;margin-top:1px}
.model-tag{margin-left:8px;padding:1px 7px;border-radius:9px;font-size:11px;background:color-mix(in srgb,var(--accent) 14%,transparent);color:var(--accent)}
.model-warn{color:var(--bad)!important}
.model-scroll{overflow-x:auto;scrollbar-width:thin}
.model-table{border-collapse:collapse;font-size:12.5px;width:100%}
.model-table th{color:var(--dim);font-weight:400;text-align:left;padding:3px 12px 3px 0;border-bottom:1px solid var(--line);white-space:nowrap}
.model-table td{padding:5px 12px 5px 0;border-bottom:1px solid color-mix(in srgb,var(--line) 55%,transparent);vertical-align:top;unicode-bidi:isolate}
.model-table .right{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.model-table .keep{white-space:nowrap;max-width:16em;overflow:hidden;text-overflow:ellipsis}
.model-table .wrap{min-width:11em;overflow-wrap:anywhere}
.model-graph{overflow:auto;max-height:70vh;border:1px solid var(--line);border-radius:10px;text-align:center;scrollbar-width:thin}
.model-graph svg{display:block;margin:0 auto;max-width:none;font-family:var(--sans,system-ui,sans-serif)}
.model-graph .paper{fill:none}
.model-graph .box{fill:var(--plate);stroke:var(--dim);stroke-width:1.2}
.model-graph .initial{stroke:var(--accent);stroke-width:2}
.model-graph .any{fill:none;stroke:var(--dim);stroke-dasharray:4 3}
.model-graph .label{fill:var(--paper);stroke:var(--line)}
.model-graph .line{fill:none;stroke:var(--dim);stroke-width:1.4}
.model-graph .tip,.model-graph .dot{fill:var(--dim)}
.model-graph .begin{fill:none;stroke:var(--accent);stroke-width:2}
.model-graph .begin-tip,.model-graph .begin-dot{fill:var(--accent)}
.model-graph text{fill:var(--ink)}
.model-graph .name{font-size:15px;font-weight:600}
.model-graph .small,.model-graph .dim,.model-graph .impact,.model-graph .why{font-size:12px}
.model-graph .dim{fill:var(--dim)}
.model-graph .impact{fill:var(--warn)}
.model-graph .why{fill:var(--bad)}
.model-graph .now .box{stroke:var(--warn);stroke-width:2.6}
@media (max-width:700px){.model-body,.model-fold{min-height:40px}.model-fold{width:32px}}
`;

/** The tree of bodies: rows that fold, tell more, and light up their body in the picture. */
class ModelTree {
  readonly #lines = new Map<number, HTMLElement>();
  readonly #told = new Set<number>();
  readonly #folded = new Set<number>();

  constructor(
    readonly page: Page,
    readonly tree: TreeData,
  ) {}

  draw(): HTMLElement {
    const { page, tree } = this;
    const children = modelChildren(tree.bodies);
    this.#lines.clear();
    const root = domNode("ul", { class: "model-tree" });
    const ground = domNode(
      "li",
      {},
      domNode(
        "div",
        { class: "model-line" },
        domNode(
          "span",
          { class: "model-body" },
          domNode("span", { class: "model-number" }, "0"),
          domNode("span", {}, page.say(tree.ground)),
        ),
      ),
    );
    root.append(ground);
    // A list of work rather than recursion: a chain may be long.
    const work = [{ place: ground, bodies: children.get(0) ?? [], depth: 1 }];
    for (let now = work.pop(); now; now = work.pop()) {
      const { place, bodies, depth } = now;
      if (!bodies.length) continue;
      const list = domNode("ul", { class: depth > MODEL_DEEPEST ? "model-flat" : "" });
      place.append(list);
      for (const body of bodies) {
        const own = children.get(body.number) ?? [];
        const item = domNode("li", {});
        item.append(...this.line(body, own.length > 0, item));
        list.append(item);
        work.push({ place: item, bodies: own, depth: depth + 1 });
      }
    }
    return root;
  }

  line(body: TreeBody, branches: boolean, item: HTMLElement): HTMLElement[] {
    const { page } = this;
    const number = body.number;
    const fold = domNode("button", {
      type: "button",
      class: "model-fold",
      disabled: !branches,
      "aria-expanded": String(!this.#folded.has(number)),
    });
    fold.setAttribute("aria-label", `${page.say(MODEL_WORDS.branch)}: ${body.name}`);
    const joint = [page.say(body.joint), body.jointName].filter(Boolean).join(" ");
    const more = domNode(
      "button",
      {
        type: "button",
        class: "model-body",
        "aria-expanded": String(this.#told.has(number)),
        title: `${body.name} · ${joint}`,
      },
      domNode("span", { class: "model-number" }, String(number)),
      domNode("span", { class: "model-name" }, body.name),
      domNode("span", { class: "model-joint" }, joint),
      domNode("span", { class: "model-mass" }, page.say(body.mass)),
    );
    const line = domNode("div", { class: "model-line" }, fold, more);
    const details = domNode("dl", { class: "model-details", hidden: !this.#told.has(number) });
    for (const { word, value } of body.details)
      details.append(domNode("dt", {}, page.say(word)), domNode("dd", {}, page.say(value)));
    const open = () => {
      const shut = this.#folded.has(number);
      fold.setAttribute("aria-expanded", String(!shut));
      for (const child of item.children) if (child instanceof HTMLUListElement) child.hidden = shut;
    };
    fold.addEventListener("click", () => {
      if (!this.#folded.delete(number)) this.#folded.add(number);
      open();
    });
    more.addEventListener("click", () => {
      if (!this.#told.delete(number)) this.#told.add(number);
      details.hidden = !this.#told.has(number);
      more.setAttribute("aria-expanded", String(this.#told.has(number)));
    });
    for (const name of ["pointerenter", "focusin"]) line.addEventListener(name, () => page.highlight(number));
    for (const name of ["pointerleave", "focusout"]) line.addEventListener(name, () => page.highlight(null));
    if (this.#folded.has(number)) queueMicrotask(open);
    this.#lines.set(number, line);
    return [line, details];
  }

  light(number: number | null): void {
    for (const [own, line] of this.#lines) line.classList.toggle("lit", own === number);
  }
}

/** The panel of the system itself. */
export async function mountModel(element: HTMLElement, page: Page<PageData>): Promise<void> {
  panelsStyle("model-style", MODEL_STYLE);
  element.classList.add("model");
  const { tree } = page.data;
  const graphs = tree.graph ? (JSON.parse(await page.unpack(tree.id)) as Partial<Words>) : {};
  const say = (key: string, gaps: Gaps = {}) =>
    page.say(MODEL_WORDS[key]).replace(/\{(\w+)\}/g, (whole: string, name: string) => String(gaps[name] ?? whole));
  const bodies = new ModelTree(page, tree);
  const opened = new Map<string, boolean>();
  let items: HTMLElement[] = [];
  let boxes: Element[] = [];

  const part = (key: string, title: string, count: number, body: Node[], open = true) => {
    const made = domNode(
      "details",
      { class: "model-part", "data-key": key, open: opened.get(key) ?? open },
      domNode(
        "summary",
        {},
        domNode("span", {}, title),
        count > 1 ? domNode("span", { class: "model-count" }, String(count)) : null,
      ),
      ...body,
    );
    made.addEventListener("toggle", () => opened.set(key, made.open));
    return made;
  };
  interface Column {
    title: string;
    right?: boolean;
    keep?: boolean;
  }
  const table = (columns: Column[], rows: string[][]) =>
    domNode(
      "div",
      { class: "model-scroll", tabindex: "0" },
      domNode(
        "table",
        { class: "model-table" },
        domNode(
          "thead",
          {},
          domNode(
            "tr",
            {},
            ...columns.map(({ title, right }) => domNode("th", { scope: "col", class: right ? "right" : "" }, title)),
          ),
        ),
        domNode(
          "tbody",
          {},
          ...rows.map((row) =>
            domNode(
              "tr",
              {},
              ...row.map((cell, i) =>
                domNode(
                  "td",
                  {
                    class: columns[i].right ? "right" : columns[i].keep ? "keep" : "wrap",
                    title: columns[i].keep && cell.length > 24 ? cell : null,
                  },
                  cell,
                ),
              ),
            ),
          ),
        ),
      ),
    );

  const facts = () =>
    domNode(
      "dl",
      { class: "model-facts" },
      ...tree.facts.map(({ word, value }) =>
        domNode("div", {}, domNode("dt", {}, page.say(word)), domNode("dd", {}, page.say(value))),
      ),
    );

  const structures = () => {
    items = tree.structures.map((structure) => {
      const tag = structure.initial ? domNode("span", { class: "model-tag" }, say("initial")) : null;
      const told = [`${structure.class} · ${say("dof")} ${structure.dof}`];
      if (structure.holds.length) told.push(`${say("holds")}: ${structure.holds.join(", ")}`);
      if (page.say(structure.changes)) told.push(page.say(structure.changes));
      const why = page.say(structure.whyNot);
      return domNode(
        "li",
        { class: "model-item" },
        domNode("b", {}, structure.name),
        tag,
        domNode("div", {}, told.join(" · ")),
        why ? domNode("div", { class: "model-warn" }, `${say("whyNot")}: ${why}`) : null,
      );
    });
    return domNode("ul", { class: "model-list" }, ...items);
  };

  const transitions = () =>
    domNode(
      "ul",
      { class: "model-list" },
      ...tree.transitions.map((transition) => {
        const lines = [[say("when"), page.say(transition.condition)]];
        if (page.say(transition.impact)) lines.push([say("impact"), page.say(transition.impact)]);
        if (page.say(transition.resets)) lines.push([say("sets"), page.say(transition.resets)]);
        return domNode(
          "li",
          { class: "model-item" },
          domNode("b", {}, transition.sources.join(", ") || say("any")),
          " → ",
          domNode("b", {}, transition.target),
          ...lines.map(([word, text]) => domNode("div", {}, `${word}: ${text}`)),
        );
      }),
    );

  const graph = () => {
    const text = graphs[page.lang];
    const picture = text ? panelsMarkup(text, "svg") : null;
    if (!picture) return null;
    if (!page.alone) renameIds(picture, page.id(""));
    boxes = [...picture.querySelectorAll("g")].filter((group) => group.querySelector(".box"));
    return part("graph", say("graph"), 0, [domNode("div", { class: "model-graph", tabindex: "0" }, picture)]);
  };

  const parameters = () => {
    const rows = page.data.parameters;
    if (!rows.length) return null;
    const columns: Column[] = [
      { title: say("name"), keep: true },
      { title: say("value"), right: true },
      { title: say("range"), keep: true },
      { title: say("about") },
    ];
    const cells = rows.map((row) => [row.name, page.say(row.shown), page.say(row.range), row.about]);
    const used = columns.map((_, i) => i).filter((i) => cells.some((row) => row[i]));
    return part("parameters", say("parameters"), rows.length, [
      table(
        used.map((i) => columns[i]),
        cells.map((row) => used.map((i) => row[i])),
      ),
    ]);
  };

  const mark = () => {
    const now = page.now ? page.data.structures[page.now.structure] : undefined;
    tree.structures.forEach((structure, i) => {
      const same = now !== undefined && (structure.name === now.name || structure.name === page.say(now.said));
      const here = same && tree.structures.length > 1;
      items[i]?.toggleAttribute("aria-current", here);
      boxes[i]?.classList.toggle("now", here);
    });
  };

  const draw = () => {
    const parts: HTMLElement[] = [];
    if (tree.about) parts.push(domNode("p", { class: "model-about" }, tree.about));
    parts.push(
      domNode("p", { class: "model-class" }, domNode("b", {}, tree.class), ` — ${page.say(tree.classSaid)}`),
      facts(),
    );
    if (page.say(tree.others)) parts.push(domNode("p", { class: "model-small" }, page.say(tree.others)));
    const listed: HTMLElement[] = [bodies.draw()];
    if (tree.hidden) listed.push(domNode("p", { class: "model-small" }, say("more", { count: tree.hidden })));
    listed.push(domNode("p", { class: "model-small" }, `${say("bases")} ${tree.bases}`));
    parts.push(part("tree", say("tree"), tree.bodies.length, listed));
    items = [];
    boxes = [];
    if (tree.declared || tree.structures.some((structure) => page.say(structure.whyNot)))
      parts.push(
        part(
          "structures",
          say("structures"),
          tree.structures.length,
          [structures()],
          tree.structures.length <= MODEL_OPEN,
        ),
      );
    const picture = graph();
    if (picture) parts.push(picture);
    if (tree.transitions.length)
      parts.push(
        part(
          "transitions",
          say("transitions"),
          tree.transitions.length,
          [transitions()],
          tree.transitions.length <= MODEL_OPEN,
        ),
      );
    const given = parameters();
    if (given) parts.push(given);
    tree.tables[page.lang].forEach((each, i) => {
      const rest = each.total - each.rows.length;
      parts.push(
        part(`table-${i}`, each.title, each.total, [
          table(each.columns, each.rows),
          ...(rest ? [domNode("p", { class: "model-small" }, say("more", { count: rest }))] : []),
        ]),
      );
    });
    element.replaceChildren(...parts);
    mark();
  };
  page.on("lang", draw);
  page.on("highlight", (number) => bodies.light(number));
  let before: number | null = null;
  page.on("time", ({ structure }) => {
    if (structure !== before) mark();
    before = structure;
  });
  draw();
}
