// The way from a page of a site into the studio that lies beside it: the model goes along in the address.
import type { PageData } from "../payload";
import { packed } from "../share";
import type { Page } from "./core";
import { domNode } from "./dom";
import { changedParameters } from "./link";
import type { LiveRunner } from "./runner";
import { modelText } from "./take";
import { wordNode } from "./words";

/** The button at the right of the header; null where there is no studio, or no text to open in it. */
export function studioTool(page: Page<PageData>, runner: LiveRunner | null): HTMLElement | null {
  const { source } = page.data;
  const at = page.root.dataset.studioAt;
  // Browsers run no studio from a file: it needs a web server, however small.
  if (!at || !source || location.protocol === "file:") return null;
  const open = async () => {
    const wanted = { ...source.wanted, ...changedParameters(page, runner) };
    const text = modelText(await page.unpack(source.id), source.own, wanted);
    const stem = decodeURIComponent(location.pathname.split("/").at(-1) ?? "").replace(/\.html?$/, "") || "model";
    const model = await packed(`${stem}.xml`, text);
    const address = new URL(at, location.href);
    if (model !== null) address.hash = model;
    globalThis.open(address, "_blank", "noopener");
  };
  const button = domNode(
    "button",
    { type: "button", class: "tool word", "data-id": "studio", onclick: () => void open() },
    "✎",
  );
  return wordNode(page, button, "openInStudio", {}, ["aria-label", "title"]);
}
