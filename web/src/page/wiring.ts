// The drawing of the functional schemes, with the values at the cursor on its wires.
import type { PageData } from "../payload";
import type { Page } from "./core";
import { domNode, numberText } from "./dom";
import { panelsStyle } from "./panels";
import type { SignalReader } from "./signals";
import { schemeNode } from "./view";
import { wordNode, wordOf } from "./words";

const WIRING_STYLE = `
.wiring-paper{overflow:auto;border:1px solid var(--line);border-radius:8px;max-height:70vh;background:var(--paper)}
.wiring-paper svg{display:block;max-width:none}
.wiring-paper:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;
const WIRING_STEP = 1.25;
const WIRING_LEAST = 0.7;

/** The panel. */
export async function mountWiring(element: HTMLElement, page: Page<PageData>, reader: SignalReader): Promise<void> {
  const { control } = reader;
  panelsStyle("wiring", WIRING_STYLE);
  await reader.load();
  const paper = domNode("div", { class: "wiring-paper", tabindex: 0, role: "region" });
  wordNode(page, paper, "wiring", {}, "aria-label");
  const note = domNode("p", { class: "note" });
  let size = [1, 1];
  let scale = 0;
  let texts: Element[] = [];
  const resize = () => {
    const svg = paper.querySelector("svg");
    svg?.setAttribute("width", String(size[0] * scale));
    svg?.setAttribute("height", String(size[1] * scale));
  };
  const fit = () => {
    // Letters below this size cannot be read: the rest is reached by scrolling.
    scale = Math.min(1, Math.max(WIRING_LEAST, (paper.clientWidth - 4) / size[0]));
    resize();
  };
  const zoom = (factor: number) => {
    scale = Math.min(3, Math.max(0.15, scale * factor));
    resize();
  };
  const tool = (key: string, call: () => void) =>
    wordNode(page, domNode("button", { type: "button", class: "plain", onclick: call }), key);
  element.append(
    domNode(
      "div",
      { class: "panel-tools" },
      tool("fit", fit),
      tool("zoomIn", () => zoom(WIRING_STEP)),
      tool("zoomOut", () => zoom(1 / WIRING_STEP)),
      tool("wholeScreen", () => void paper.requestFullscreen().catch(() => {})),
    ),
    paper,
    note,
  );
  const show = () => {
    if (!page.now || !element.offsetParent) return;
    const values = reader.at(page.now);
    texts.forEach((text, i) => {
      const value = values[i];
      text.textContent = value === null || value === undefined ? "" : numberText(value, 4);
    });
  };
  const draw = async () => {
    const svg = await schemeNode(page, control.drawing[page.lang]);
    const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    size = [width, height];
    paper.replaceChildren(svg);
    texts = Array.from({ length: control.drawn }, (_, i) => svg.querySelector(`.n${i}`)).map(
      (text) => text ?? document.createElementNS("http://www.w3.org/2000/svg", "text"),
    );
    if (scale) resize();
    else fit();
    const left = control.all - control.plotted;
    note.textContent = wordOf(page, left > 0 ? "wiringLeft" : "wiringNote", {
      plotted: control.plotted,
      all: control.all,
    });
    show();
  };
  page.on("lang", draw);
  page.on("time", show);
  page.on("motion", show);
  page.on("shown", () => {
    if (!element.offsetParent) return;
    if (!paper.scrollWidth) fit();
    show();
  });
  await draw();
}
