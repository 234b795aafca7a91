// What plots, equations and the model's panel share: styles, numbers, markup that is let in only if it is known.
import { domNode } from "./dom";

/** Puts a style sheet into the document once. */
export function panelsStyle(name: string, text: string): void {
  if (document.head.querySelector(`style[data-style="${name}"]`)) return;
  const style = domNode("style", { "data-style": name });
  style.textContent = text;
  document.head.append(style);
}

/** The last index of a rising list that is not above a value; -1 where all are. */
export function panelsIndex(list: ArrayLike<number>, value: number): number {
  let low = -1;
  let high = list.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}

const PANELS_SPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };
const PANELS_TAGS = {
  svg: new Set("svg g path rect circle text tspan title defs marker line".split(" ")),
  math: new Set(
    "math mrow mi mo mn mtext mspace mstyle msub msup msubsup mover mfrac msqrt mroot mtable mtr mtd".split(" "),
  ),
};
const PANELS_ATTRIBUTES = new Set(
  (
    "class id d x y r cx cy rx x1 x2 y1 y2 width height viewBox transform text-anchor lang role aria-label marker-end orient refX refY " +
    "markerWidth markerHeight markerUnits accent display displaystyle stretchy style"
  ).split(" "),
);

/**
 * Markup of a page's own making as nodes; what is not known is left out, so that nothing can run.
 * @param text one element
 * @param kind what it is
 */
export function panelsMarkup(text: string, kind: "svg" | "math"): Element | null {
  const space = PANELS_SPACES[kind];
  const whole = text.includes(space) ? text : text.replace(/^<(\w+)/, `<$1 xmlns="${space}"`);
  const read = new DOMParser().parseFromString(whole, "application/xml");
  if (read.querySelector("parsererror")) return null;
  const copy = (node: Node): Element | Text | null => {
    if (node instanceof Text) return document.createTextNode(node.data);
    if (!(node instanceof Element) || node.namespaceURI !== space || !PANELS_TAGS[kind].has(node.localName))
      return null;
    const made = document.createElementNS(space, node.localName);
    for (const { name, value } of node.attributes) {
      const plain = name !== "style" || /^text-align:left;padding-left:[\d.a-z]+$/.test(value);
      if (PANELS_ATTRIBUTES.has(name) && plain) made.setAttribute(name, value);
    }
    for (const child of node.childNodes) {
      const part = copy(child);
      if (part) made.append(part);
    }
    return made;
  };
  return copy(read.documentElement) as Element | null;
}
