// Starts the viewer of every element that asks for one.
import type { ViewerData } from "../payload";
import { showViewer } from "./viewer";

for (const root of document.querySelectorAll<HTMLElement>("[data-sistel=viewer]")) {
  const data = root.querySelector("[data-payload]")?.textContent ?? "";
  void showViewer(root, JSON.parse(data) as ViewerData);
}
