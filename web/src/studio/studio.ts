// The studio: mounts into every element that asks for it.
import { mount } from "svelte";
import App from "./App.svelte";
import { SocketLink, type Link } from "./link";
import { Studio } from "./studio.svelte";
import "./studio.css";

async function linked(place: HTMLElement): Promise<Link> {
  // Without a server the same calls are answered by Python inside the browser.
  if (place.dataset.studio === "worker") {
    const { WorkerLink } = await import("./worker");
    return new WorkerLink(
      new URL(".", location.href).href,
      Number(place.dataset.bytes ?? 0) || 14e6,
      place.dataset.build ?? "",
    );
  }
  const address = new URL(place.dataset.socket ?? "socket", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return new SocketLink(address);
}

for (const place of document.querySelectorAll<HTMLElement>("[data-studio]"))
  void linked(place).then((link) =>
    mount(App, { target: place, props: { studio: new Studio(link, place.dataset.site ?? null), place } }),
  );
