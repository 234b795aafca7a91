// A link that holds a whole model: packed, in the part of an address that is not sent to any server.
import type { Words } from "./payload";

/** More letters than this, unpacked, are no model somebody wrote. */
export const MOST = 4_000_000;
/** Letters of an address that are looked at: what is longer unpacks into more than that, or is noise. */
const LONGEST = 6_000_000;

class TooLarge extends Error {}

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
      throw new TooLarge();
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The part of an address after `#` that holds a file; null where the file is too large for that. */
export async function packed(path: string, text: string): Promise<string | null> {
  const file = new TextEncoder().encode(JSON.stringify({ path, text }));
  if (file.length > MOST) return null;
  const bytes = await through(file, new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return `model=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The file that an address holds; null where it holds none, and why where what it holds is no model. */
export async function unpacked(hash: string): Promise<{ path: string; text: string } | Words | null> {
  const found = /^#?model=/.exec(hash);
  if (!found) return null;
  try {
    const letters = hash.slice(found[0].length);
    if (letters.length > LONGEST) throw new TooLarge();
    if (!/^[\w-]+$/.test(letters)) throw new TypeError("other letters");
    const data = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(data, (letter) => letter.charCodeAt(0));
    const whole = await through(bytes, new DecompressionStream("deflate-raw"), MOST);
    const file: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(whole));
    const { path, text } = file as { path?: unknown; text?: unknown };
    if (typeof path !== "string" || typeof text !== "string") throw new TypeError("no file");
    // A name alone: a link of a stranger chooses no folder.
    const name = (path.split(/[/\\]/).at(-1) ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").slice(0, 80);
    return { path: /^\.*$/.test(name) ? "model.xml" : name, text };
  } catch (problem) {
    if (problem instanceof TooLarge)
      return {
        en: "What this link holds is too large for a model: more than 4 MB.",
        ru: "То, что в этой ссылке, слишком велико для модели: больше 4 МБ.",
      };
    return {
      en: "The model in this link is damaged: a part of the address is missing, or it was changed.",
      ru: "Модель в этой ссылке повреждена: часть адреса потеряна или изменена.",
    };
  }
}
