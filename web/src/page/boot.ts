// The scripts of a page are packed; this unpacks and starts them, for every page of the document that has not begun.
import { unpacked } from "./packed";

async function boot(root: HTMLElement): Promise<void> {
  root.dataset.begun = "";
  try {
    const block = (name: string) => unpacked(root.querySelector(`[data-packed=${name}]`)?.textContent ?? "");
    const address = URL.createObjectURL(new Blob([block("app")], { type: "text/javascript" }));
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
