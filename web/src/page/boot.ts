// The scripts of a page are packed; this unpacks and starts them, for every page of the document that has not begun.
import { unpacked } from "./packed";

/** The address of the script of a page: its pieces, each with the addresses of those that it imports. */
function appAddress(blocks: string[]): string {
  const packs = blocks.map((letters) => {
    const text = new TextDecoder().decode(unpacked(letters));
    // What was built whole, as the page of a lesson, has no line of names before it.
    if (!text.startsWith("//[")) return [["whole", text] as [string, string]];
    let from = text.indexOf("\n") + 1;
    return (JSON.parse(text.slice(2, from)) as [string, number][]).map(([name, length]): [string, string] => {
      const piece = text.slice(from, from + length);
      from += length;
      return [name, piece];
    });
  });
  // What every page has comes first, but for its last piece, which asks for the others.
  const [base = [], ...parts] = packs;
  const known: [string, string][] = [];
  let address = "";
  for (const [name, piece] of [...base.slice(0, -1), ...parts.flat(), ...base.slice(-1)]) {
    const linked = known.reduce((text, [other, url]) => text.replaceAll(`"./${other}"`, `"${url}"`), piece);
    address = URL.createObjectURL(new Blob([linked], { type: "text/javascript" }));
    known.push([name, address]);
  }
  return address;
}

async function boot(root: HTMLElement): Promise<void> {
  root.dataset.begun = "";
  try {
    const block = (name: string) => unpacked(root.querySelector(`[data-packed=${name}]`)?.textContent ?? "");
    const address = appAddress(
      [...root.querySelectorAll("[data-packed^=app]")].map(({ textContent }) => textContent ?? ""),
    );
    const style = document.createElement("style");
    style.textContent = new TextDecoder().decode(block("look"));
    if (root.querySelector("[data-packed=font]")) {
      const font = URL.createObjectURL(new Blob([block("font")], { type: "font/woff2" }));
      style.textContent += `@font-face{font-family:"sistel-math";src:url(${font}) format("woff2")}`;
    }
    root.prepend(style);
    const { start } = (await import(address)) as { start: (root: HTMLElement) => Promise<void> };
    URL.revokeObjectURL(address);
    await start(root);
  } catch (problem) {
    console.error(problem);
    const note = document.createElement("p");
    note.className = "note warn";
    note.textContent =
      root.lang === "ru"
        ? `Страницу не удалось запустить (нужен браузер не старше 2023 года): ${String(problem)}`
        : `The page could not be started (it needs a browser of 2023 or later): ${String(problem)}`;
    root.querySelector("[data-part=picture]")?.append(note);
  }
}

for (const root of document.querySelectorAll<HTMLElement>("[data-sistel]:not([data-begun])")) void boot(root);
