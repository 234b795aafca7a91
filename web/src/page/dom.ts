// Elements and numbers, as every page makes them.

type Attribute = string | number | boolean | null | undefined;

/** Attributes by name; those that begin with `on` are listeners. */
export interface Attributes {
  onclick?: (event: MouseEvent) => unknown;
  onchange?: (event: Event) => unknown;
  [name: string]: Attribute | ((event: never) => unknown);
}

export type Child = Node | string | null | undefined;

function dressed<T extends Element>(node: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value as EventListener);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/**
 * An element with attributes and children; texts become text nodes, never markup.
 * `on…` attributes are listeners; `false`, `null` and `undefined` attributes are left out.
 */
export function domNode<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return dressed(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svgNode<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** The one element that there must be. */
export function found<T extends Element = HTMLElement>(place: ParentNode, selector: string): T {
  const node = place.querySelector<T>(selector);
  if (!node) throw new Error(`no ${selector}`);
  return node;
}

/** Gives the parts of a drawing ids that begin with a prefix, and what names them too. */
export function renameIds(root: Element, prefix: string): void {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      if (name === "id") element.setAttribute(name, prefix + value);
      else if (value.includes("#"))
        element.setAttribute(
          name,
          value.replace(/url\(#|^#/g, (sign) => sign + prefix),
        );
    }
  }
}

/** A number as people read it: so many significant digits, no trailing zeros, a true minus. */
export function numberText(value: number | null, digits = 4): string {
  if (value === null || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  if (text.includes("e")) {
    const [digitsPart, power] = text.split("e");
    text = `${Number(digitsPart)}·10${[...String(Number(power))].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻").join("")}`;
  }
  return text.replace("-", "−");
}

/** Hands a text to the reader as a file. */
export function download(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Hands bytes to the reader as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const link = domNode("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
