// A link that holds a whole model: packed, in the part of an address that is not sent to any server.
import type { Words } from "./protocol";

/** More than this, unpacked, is no model somebody wrote. */
const MOST = 4_000_000;

async function through(
  data: Uint8Array<ArrayBuffer>,
  way: GenericTransformStream,
  most = Infinity,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = (new Blob([data]).stream().pipeThrough(way) as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The part of an address after `#` that holds a file. */
export async function packed(path: string, text: string): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify({ path, text })),
    new CompressionStream("deflate-raw"),
  );
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return `model=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The file that an address holds; null where it holds none, and why where it holds a broken one. */
export async function unpacked(hash: string): Promise<{ path: string; text: string } | Words | null> {
  const found = /^#?model=([\w-]+)$/.exec(hash);
  if (!found?.[1]) return null;
  try {
    const letters = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const file: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(
        await through(bytes, new DecompressionStream("deflate-raw"), MOST),
      ),
    );
    const { path, text } = file as { path?: unknown; text?: unknown };
    if (typeof path !== "string" || typeof text !== "string") throw new TypeError("no file");
    // A name alone: a link of a stranger chooses no folder.
    return { path: path.split(/[/\\]/).at(-1)?.slice(0, 80) || "model.xml", text };
  } catch {
    return {
      en: "The model in this link is damaged: a part of the address is missing, or it was changed.",
      ru: "Модель в этой ссылке повреждена: часть адреса потеряна или изменена.",
    };
  }
}
