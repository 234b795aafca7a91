// Equations: formulas as MathML, each with its LaTeX to copy.
import type { EquationStructure, EquationsBlock, PageData, Words } from "../payload";
import type { Page } from "./core";
import { domNode } from "./dom";
import { panelsMarkup, panelsStyle } from "./panels";

const EQUATIONS_OPEN = 24;

const EQUATIONS_WORDS: Record<string, Words> = {
  copy: { en: "Copy as LaTeX", ru: "Копировать как LaTeX" },
  copyAll: { en: "Copy all as LaTeX", ru: "Копировать всё как LaTeX" },
  copied: { en: "Copied", ru: "Скопировано" },
  uncopied: { en: "Could not copy", ru: "Не удалось скопировать" },
  structure: { en: "Structure", ru: "Структура" },
  dof: { en: "degrees of freedom", ru: "степеней свободы" },
  holds: { en: "holds", ru: "держит" },
  symbols: { en: "Symbols", ru: "Обозначения" },
  quantity: { en: "quantity", ru: "величина" },
  value: { en: "value", ru: "значение" },
  unit: { en: "unit", ru: "единица" },
  costs: { en: "Operations of one evaluation", ru: "Операций на одно вычисление" },
  costsAbout: { en: "Of the tree of bodies, all numbers folded in.", ru: "Для дерева тел, все числа подставлены." },
  broken: { en: "This formula could not be read.", ru: "Эту формулу прочитать не удалось." },
};

const EQUATIONS_GREEK =
  "αalpha βbeta γgamma δdelta εvarepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi ρrho σsigma τtau υupsilon φvarphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΦPhi ΨPsi ΩOmega ϕphi ϵepsilon";
const EQUATIONS_SIGNS: Record<string, string> = {
  "−": "-",
  "·": "\\cdot ",
  "\u2062": " ",
  "\u2061": "",
  "≤": "\\le ",
  "≥": "\\ge ",
  "∧": "\\wedge ",
  "∨": "\\vee ",
  "<": "<",
  "×": "\\times ",
};
const EQUATIONS_ESCAPED: Record<string, string> = { "\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}" };
const EQUATIONS_CALLED = new Set("sin cos tan ln exp min max arctan arcsin arccos".split(" "));

/** A name as LaTeX: a letter, a Greek letter, a function, or words. */
export function equationsName(text: string): string {
  const greek = new Map(EQUATIONS_GREEK.split(" ").map((word) => [word[0], `\\${word.slice(1)} `]));
  const letter = greek.get(text);
  if (letter !== undefined) return letter;
  const code = text.codePointAt(0) ?? 0;
  // Bold capitals and small letters of the mathematical alphabet.
  if (code >= 0x1d400 && code <= 0x1d433 && text.length === 2) {
    const plain = code < 0x1d41a ? String.fromCharCode(65 + code - 0x1d400) : String.fromCharCode(97 + code - 0x1d41a);
    return `\\mathbf{${plain}}`;
  }
  if (/^[A-Za-z]$/.test(text)) return text;
  if (EQUATIONS_CALLED.has(text)) return `\\${text} `;
  const safe = text.replace(/[\\{}$&#^_%~]/g, (sign) => EQUATIONS_ESCAPED[sign] ?? `\\${sign}`);
  return /^[A-Za-z]+$/.test(text) ? `\\mathrm{${safe}}` : `\\text{${safe}}`;
}

/** What is asked of an element of MathML. */
export interface MathNode {
  readonly localName: string;
  readonly children: Iterable<MathNode>;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

/** MathML as LaTeX with amsmath. */
export function equationsLatex(node: MathNode): string {
  const parts = [...node.children];
  const all = () => parts.map(equationsLatex).join("");
  const text = node.textContent ?? "";
  switch (node.localName) {
    case "mi":
      return equationsName(text);
    case "mn":
      return text.replace(",", "{,}");
    case "mo":
      return EQUATIONS_SIGNS[text] ?? text;
    case "mtext":
      return equationsName(text);
    case "mspace":
      return "\\,";
    case "mfrac":
      return `\\frac{${equationsLatex(parts[0])}}{${equationsLatex(parts[1])}}`;
    case "mstyle": {
      const inner = all();
      return node.getAttribute("displaystyle") === "false" ? inner.replace(/^\\frac/, "\\tfrac") : inner;
    }
    case "msqrt":
      return `\\sqrt{${all()}}`;
    case "msub":
      return `${equationsLatex(parts[0])}_{${equationsLatex(parts[1])}}`;
    case "msup":
      return `${equationsGrouped(parts[0])}^{${equationsLatex(parts[1])}}`;
    case "msubsup":
      return `${equationsLatex(parts[0])}_{${equationsLatex(parts[1])}}^{${equationsLatex(parts[2])}}`;
    case "mover":
      return `${parts[1].textContent === "¨" ? "\\ddot" : "\\dot"}{${equationsLatex(parts[0])}}`;
    case "mtable": {
      const rows = parts.map((row) => [...row.children].map(equationsLatex).join(" & "));
      const lines = node.getAttribute("displaystyle") === "true";
      const name = lines ? "aligned" : "pmatrix";
      return `\\begin{${name}}\n${rows.join(" \\\\\n")}\n\\end{${name}}`;
    }
    case "mrow": {
      const table = parts.length === 3 && parts[1].localName === "mtable";
      return table ? equationsLatex(parts[1]) : all();
    }
    default:
      return all();
  }
}

/** The base of a power: in braces where it is more than a sign. */
function equationsGrouped(node: MathNode): string {
  const text = equationsLatex(node);
  return ["mi", "mn"].includes(node.localName) || /^\\(sin|cos|tan) $/.test(text) ? text.trim() : `{${text}}`;
}

const EQUATIONS_PROSE = /(𝐌|𝐉ᵀ|𝐉|𝐃ᵀ|𝐃|q̈|q̇)/u;
const EQUATIONS_BOLD: Record<string, string> = { "𝐌": "M", "𝐉": "J", "𝐃": "D" };

/** A sentence with letters of matrices in it, for which fonts of prose have no good signs. */
function equationsSentence(text: string): HTMLElement {
  const line = domNode("p", { class: "equations-about" });
  for (const part of text.split(EQUATIONS_PROSE)) {
    const letter = EQUATIONS_BOLD[[...part][0]];
    if (letter) line.append(domNode("b", {}, letter), ...(part.includes("ᵀ") ? [domNode("sup", {}, "T")] : []));
    else if (part === "q̈" || part === "q̇") {
      const sign = part === "q̈" ? "¨" : "˙";
      line.append(panelsMarkup(`<math><mover accent="true"><mi>q</mi><mo>${sign}</mo></mover></math>`, "math") ?? part);
    } else line.append(part);
  }
  return line;
}

const EQUATIONS_STYLE = `
.equations math{font-family:"sistel-math","STIX Two Math","Cambria Math","Latin Modern Math",math,serif}
.equations-bar{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-bottom:12px}
.equations-tool{min-height:32px;padding:0 12px;border:1px solid var(--line);border-radius:8px;background:none;color:var(--ink);font-size:13px;cursor:pointer}
.equations-tool:hover{border-color:var(--dim)}
.equations-facts{color:var(--dim);font-size:13px;margin:0 0 8px;overflow-wrap:anywhere}
.equations-hero{padding:14px 12px;margin:0 0 12px;border-radius:10px;background:var(--plate);text-align:center;font-size:19px;overflow-x:auto}
.equations-hero div+div{margin-top:8px;font-size:16px}
.equations-note{border-left:3px solid var(--accent);padding:2px 0 2px 12px;margin:8px 0;color:var(--dim);font-size:13px;overflow-wrap:anywhere}
.equations details{border-top:1px solid var(--line)}
.equations details>div{padding-bottom:10px}
.equations summary{display:flex;gap:8px;align-items:baseline;padding:10px 0;font-weight:600;cursor:pointer;list-style:none}
.equations summary::-webkit-details-marker{display:none}
.equations summary::before{content:"";flex:none;width:7px;height:7px;border-right:1.6px solid var(--dim);border-bottom:1.6px solid var(--dim);
 transform:rotate(-45deg);transition:transform .12s;align-self:center;margin:0 3px 0 2px}
.equations details[open]>summary::before{transform:rotate(45deg)}
.equations-count{color:var(--dim);font-weight:400;font-size:12.5px}
.equations-about{color:var(--dim);font-size:13px;margin:0 0 8px}
.equations h4{margin:12px 0 2px;font-size:13px;font-weight:600;overflow-wrap:anywhere;unicode-bidi:isolate}
.equations-row{position:relative;display:flex;align-items:center;border-radius:8px;margin:0 -8px}
.equations-row:hover,.equations-row:focus-within{background:var(--plate)}
.equations-formula{flex:1;min-width:0;overflow-x:auto;padding:7px 8px;scrollbar-width:thin}
.equations-formula math{display:block math;width:max-content;text-align:left;margin:0;font-size:16.5px}
.equations-formula mtd{padding:.22em .45em}
.equations-formula mtable[displaystyle] mtd{padding:.14em 0}
.equations-copy{position:absolute;right:4px;top:50%;transform:translateY(-50%);min-height:28px;padding:0 8px;border:1px solid var(--line);border-radius:6px;
 background:var(--paper);color:var(--dim);font-size:11.5px;cursor:pointer;opacity:0}
.equations-row:hover .equations-copy,.equations-copy:focus-visible{opacity:1}
.equations-copy:hover{color:var(--ink);border-color:var(--dim)}
.equations-table{width:100%;border-collapse:collapse;font-size:13px;margin-bottom:10px}
.equations-table th{color:var(--dim);font-weight:400;text-align:left;padding:3px 10px 3px 0;border-bottom:1px solid var(--line)}
.equations-table td{padding:4px 10px 4px 0;border-bottom:1px solid color-mix(in srgb,var(--line) 55%,transparent);vertical-align:baseline;overflow-wrap:anywhere}
.equations-table .right{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.equations-table .keep{white-space:nowrap}
.equations-table math{font-size:15px}
@media (hover:none){.equations-copy{position:static;transform:none;opacity:1;margin-left:4px;min-height:36px}}
@media (max-width:700px){.equations-tool{min-height:40px}}
`;

/** Equations of the structures, and what they cost. */
export async function mountEquations(element: HTMLElement, page: Page<PageData>): Promise<void> {
  const { equations } = page.data;
  if (!equations) return;
  panelsStyle("equations-style", EQUATIONS_STYLE);
  element.classList.add("equations");
  const none: EquationsBlock = { structures: [], formulas: [] };
  const { structures, formulas } = equations.shown
    ? (JSON.parse(await page.unpack(equations.id)) as EquationsBlock)
    : none;
  const say = (key: string) => page.say(EQUATIONS_WORDS[key]);
  const math = (number: number) => panelsMarkup(formulas[number], "math") ?? domNode("span", {}, say("broken"));
  const latex = (number: number) => equationsLatex(math(number));
  let chosen = 0;
  const opened = new Map<string, boolean>();

  const copy = (button: HTMLElement, write: () => string, word: () => string) => async () => {
    let done = "copied";
    try {
      await navigator.clipboard.writeText(write());
    } catch {
      // Pages from a disk may have no clipboard: an old way remains.
      const field = domNode("textarea", { readonly: true, "aria-hidden": "true" });
      field.value = write();
      field.style.cssText = "position:fixed;opacity:0";
      element.append(field);
      field.select();
      if (!document.execCommand("copy")) done = "uncopied";
      field.remove();
    }
    button.textContent = say(done);
    setTimeout(() => (button.textContent = word()), 1400);
  };

  const row = (number: number) => {
    const button = domNode("button", { type: "button", class: "equations-copy", title: say("copy") }, "LaTeX");
    button.setAttribute("aria-label", say("copy"));
    button.addEventListener(
      "click",
      copy(
        button,
        () => latex(number),
        () => "LaTeX",
      ),
    );
    return domNode(
      "div",
      { class: "equations-row" },
      domNode("div", { class: "equations-formula", tabindex: "0" }, math(number)),
      button,
    );
  };

  /** A part that folds; it is filled when it is first opened. */
  const fold = (key: string, title: string, count: number, fill: () => Node[], open: boolean) => {
    const body = domNode("div");
    const part = domNode(
      "details",
      { "data-key": key, open: opened.get(key) ?? open },
      domNode(
        "summary",
        {},
        domNode("span", {}, title),
        count > 1 ? domNode("span", { class: "equations-count" }, String(count)) : null,
      ),
      body,
    );
    let filled = false;
    const look = () => {
      if (!part.open || filled) return;
      filled = true;
      body.append(...fill());
    };
    part.addEventListener("toggle", () => {
      opened.set(key, part.open);
      look();
    });
    look();
    return part;
  };

  const table = (heads: [string, string][], rows: HTMLElement[]) =>
    domNode(
      "table",
      { class: "equations-table" },
      domNode(
        "thead",
        {},
        domNode("tr", {}, ...heads.map(([word, style]) => domNode("th", { scope: "col", class: style }, word))),
      ),
      domNode("tbody", {}, ...rows),
    );

  const costs = () =>
    equations.counts.length
      ? fold(
          "costs",
          say("costs"),
          0,
          () => [
            domNode("p", { class: "equations-about" }, say("costsAbout")),
            domNode(
              "table",
              { class: "equations-table" },
              domNode(
                "tbody",
                {},
                ...equations.counts.map(({ name, sign, count }) =>
                  domNode(
                    "tr",
                    {},
                    domNode("td", { class: "keep" }, sign),
                    domNode("td", {}, page.say(name)),
                    domNode("td", { class: "right" }, page.say(count)),
                  ),
                ),
              ),
            ),
          ],
          !equations.shown,
        )
      : null;

  const whole = (structure: EquationStructure) =>
    structure.sections
      .map((section) => {
        const lines = section.rows.map((number) => `\\[\n${latex(number)}\n\\]`);
        return `% ${page.say(section.title)}\n${lines.join("\n")}`;
      })
      .join("\n\n");

  const draw = () => {
    const parts: HTMLElement[] = [];
    if (equations.note) parts.push(domNode("p", { class: "equations-note" }, page.say(equations.note)));
    const structure = structures[chosen];
    if (structure) {
      const bar = domNode("div", { class: "equations-bar" });
      if (structures.length > 1) {
        const select: HTMLSelectElement = domNode("select", {
          onchange: () => ((chosen = Number(select.value)), draw()),
        });
        select.setAttribute("aria-label", say("structure"));
        select.append(
          ...structures.map((each, i) => domNode("option", { value: i, selected: i === chosen }, page.say(each.name))),
        );
        bar.append(select);
      }
      const all = domNode("button", { type: "button", class: "equations-tool" }, say("copyAll"));
      all.addEventListener(
        "click",
        copy(
          all,
          () => whole(structure),
          () => say("copyAll"),
        ),
      );
      bar.append(all);
      parts.push(bar);
      const facts = [`${say("dof")}: ${structure.dof}`];
      if (structures.length === 1 && page.say(structure.name))
        facts.unshift(`${say("structure")}: ${page.say(structure.name)}`);
      if (structure.holds.length) facts.push(`${say("holds")}: ${structure.holds.join(", ")}`);
      parts.push(domNode("p", { class: "equations-facts" }, facts.join(" · ")));
      parts.push(
        domNode(
          "div",
          { class: "equations-hero" },
          ...structure.heroes.map((number) => domNode("div", {}, math(number))),
        ),
      );
      for (const note of structure.notes) parts.push(domNode("p", { class: "equations-note" }, page.say(note)));
      if (equations.others) parts.push(domNode("p", { class: "equations-note" }, page.say(equations.others)));
      const heads: [string, string][] = [
        ["", ""],
        [say("quantity"), ""],
        [say("value"), "right"],
        [say("unit"), ""],
      ];
      parts.push(
        fold(
          "symbols",
          say("symbols"),
          structure.symbols.length,
          () => [
            table(
              heads,
              structure.symbols.map((symbol) =>
                domNode(
                  "tr",
                  {},
                  domNode("td", { class: "keep" }, math(symbol.sign)),
                  domNode("td", {}, page.say(symbol.about)),
                  domNode("td", { class: "right" }, symbol.value),
                  domNode("td", { class: "keep" }, page.say(symbol.unit)),
                ),
              ),
            ),
          ],
          structure.symbols.length <= EQUATIONS_OPEN,
        ),
      );
      const long = structure.sections.some((section) => section.key === "lines");
      for (const section of structure.sections) {
        parts.push(
          fold(
            section.key,
            page.say(section.title),
            section.rows.length,
            () => {
              const body = page.say(section.about) ? [equationsSentence(page.say(section.about))] : [];
              section.rows.forEach((number, i) => {
                if (section.heads[i]) body.push(domNode("h4", {}, page.say(section.heads[i])));
                body.push(row(number));
              });
              return body;
            },
            section.key === "motion" ||
              (!long && ["constraints", "mass"].includes(section.key) && section.rows.length <= EQUATIONS_OPEN),
          ),
        );
      }
    }
    const price = costs();
    if (price) parts.push(price);
    element.replaceChildren(...parts);
  };
  page.on("lang", draw);
  draw();
}
