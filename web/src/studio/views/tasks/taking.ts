// Files of the folder, taken out of the window: opened in a tab of their own, or downloaded.
import type { Studio } from "../../studio.svelte";

const TYPES: Record<string, string> = {
  pdf: "application/pdf",
  csv: "text/csv;charset=utf-8",
  html: "text/html;charset=utf-8",
  fo: "application/xml",
};

/** Bytes that came as letters. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  return bytes;
}

/** Hands a file to the browser. */
export function download(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content]));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function content(studio: Studio, path: string): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const { name, base64 } = await studio.link.call<{ name: string; base64: string }>("files.bytes", { path });
  return { name, bytes: bytesOf(base64) };
}

export async function downloadFile(studio: Studio, path: string): Promise<void> {
  await studio.try(async () => {
    const { name, bytes } = await content(studio, path);
    download(name, bytes);
  });
}

/** Opens what a work has just made, and nothing else: a page of the folder could be anybody's. */
export async function openFile(studio: Studio, path: string): Promise<void> {
  await studio.try(async () => {
    const { name, bytes } = await content(studio, path);
    const url = URL.createObjectURL(new Blob([bytes], { type: TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain" }));
    // A page that cannot be opened is downloaded instead.
    if (!globalThis.open(url, "_blank")) download(name, bytes);
    setTimeout(() => URL.revokeObjectURL(url), 600_000);
  });
}

/** The folder that a file is in; empty for that of the studio. */
export const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");

/** Texts of open files that are not saved: works take them in the place of those on the disk. */
export const unsaved = (studio: Studio): Record<string, string> =>
  Object.fromEntries(studio.open.filter((each) => each.dirty).map((each) => [each.path, each.text]));
