// Plain data with arrays of numbers as a text, and back: what stands in a page that was saved with a run.

const KINDS = { f: Float64Array, s: Uint16Array };

/** As JSON without `<`, so that it may stand in a page; arrays of numbers keep all of their digits. */
export function boxed(data: unknown): string {
  const text = JSON.stringify(data, (_, value: unknown) => {
    const kind = value instanceof Float64Array ? "f" : value instanceof Uint16Array ? "s" : null;
    if (kind === null) return value;
    const bytes = new Uint8Array((value as Float64Array).slice().buffer);
    let letters = "";
    for (let at = 0; at < bytes.length; at += 0x8000)
      letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return { [`$${kind}`]: btoa(letters) };
  });
  return text.replaceAll("<", "\\u003c");
}

/** What `boxed` has packed. */
export function unboxed(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    for (const [kind, Kind] of Object.entries(KINDS)) {
      const letters = (value as Record<string, unknown>)[`$${kind}`];
      if (typeof letters === "string") {
        const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
        return new Kind(bytes.buffer);
      }
    }
    return value;
  });
}
