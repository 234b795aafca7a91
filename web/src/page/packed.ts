// Long texts inside a page: LZMA, as letters that no HTML parser can mistake.
import { unpackLzma } from "./lzma";

/** Digits of RFC 1924, but for "<", which would begin an element. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;.=>?@^_`{|}~";

/** The bytes that letters stand for, five of them for four bytes. */
export function bytesOf(letters: string): Uint8Array<ArrayBuffer> {
  const places = new Uint8Array(128);
  for (let i = 0; i < DIGITS.length; i++) places[DIGITS.charCodeAt(i)] = i;
  const lacking = (5 - (letters.length % 5)) % 5;
  const whole = letters + "~".repeat(lacking);
  const bytes = new Uint8Array((whole.length / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let from = 0, to = 0; from < whole.length; from += 5, to += 4) {
    let number = 0;
    for (let i = from; i < from + 5; i++) number = number * 85 + (places[whole.charCodeAt(i)] ?? 0);
    view.setUint32(to, number);
  }
  return bytes.subarray(0, bytes.length - lacking);
}

/** What is packed, unpacked: bytes as they are behind a size of zero, else so many out of a stream. */
export function unpacked(letters: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(letters.trim());
  const size = new DataView(bytes.buffer).getUint32(0, true);
  return size ? unpackLzma(bytes.subarray(4), size) : bytes.slice(4);
}
