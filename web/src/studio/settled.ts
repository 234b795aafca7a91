// What the reader chose, kept by the browser between visits.

/** Reads a value that this browser keeps. */
export function kept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`sistel.studio.${name}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // a browser that keeps nothing, or somebody else's value
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`sistel.studio.${name}`, JSON.stringify(value));
  } catch {
    // A full or forbidden store: the choice lasts until it is closed.
  }
}
