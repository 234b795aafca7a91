// Runs that are kept in this browser: what is told of each, and what it is made of.
import type { Kept } from "../../page/kept";
import type { RunEntry } from "../protocol";

/** A run, and the page that computed it. */
export interface Whole {
  kept: Kept;
  html: string;
  /** The text that it is of, and what was written over it, in the units of its author. */
  text: string;
  tried: Record<string, number>;
}

const NAME = "sistel.studio.runs";

export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error("IndexedDB"));
  });
}

function over(writing: IDBTransaction): Promise<void> {
  return new Promise((done, fail) => {
    writing.oncomplete = () => done();
    writing.onabort = () => fail(writing.error ?? new Error("IndexedDB"));
  });
}

/** The store; where the browser keeps nothing, runs live as long as the window. */
export class RunStore {
  #opened: Promise<IDBDatabase | null> | null = null;
  readonly #here = new Map<string, { entry: RunEntry; whole: Whole }>();

  #database(): Promise<IDBDatabase | null> {
    this.#opened ??= (async () => {
      try {
        const opening = indexedDB.open(NAME, 1);
        opening.onupgradeneeded = () => {
          for (const each of ["entries", "wholes"]) opening.result.createObjectStore(each);
        };
        return await settled(opening);
      } catch {
        return null;
      }
    })();
    return this.#opened;
  }

  /** What is told of all runs, the last one first. */
  async list(): Promise<RunEntry[]> {
    const database = await this.#database();
    const own = [...this.#here.values()].map(({ entry }) => entry);
    if (!database) return own.reverse();
    const entries = database.transaction("entries").objectStore("entries");
    const kept = await settled(entries.getAll() as IDBRequest<RunEntry[]>);
    return [...kept, ...own].sort((a, b) => b.made - a.made);
  }

  /** Keeps a run; false where it is kept in this window alone. */
  async put(entry: RunEntry, whole: Whole): Promise<boolean> {
    const database = await this.#database();
    try {
      if (!database) throw new Error("IndexedDB");
      const writing = database.transaction(["entries", "wholes"], "readwrite");
      writing.objectStore("entries").put(entry, entry.id);
      writing.objectStore("wholes").put(whole, entry.id);
      await over(writing);
      return true;
    } catch {
      this.#here.set(entry.id, { entry, whole });
      return false;
    }
  }

  async whole(id: string): Promise<Whole | null> {
    const here = this.#here.get(id);
    if (here) return here.whole;
    const database = await this.#database();
    if (!database) return null;
    const store = database.transaction("wholes").objectStore("wholes");
    return (await settled(store.get(id) as IDBRequest<Whole | undefined>)) ?? null;
  }

  async rename(id: string, name: string): Promise<void> {
    const here = this.#here.get(id);
    if (here) {
      here.entry = { ...here.entry, name };
      here.whole.kept.name = name;
      return;
    }
    const database = await this.#database();
    if (!database) return;
    const writing = database.transaction(["entries", "wholes"], "readwrite");
    const [entries, wholes] = [writing.objectStore("entries"), writing.objectStore("wholes")];
    const entry = await settled(entries.get(id) as IDBRequest<RunEntry | undefined>);
    const whole = await settled(wholes.get(id) as IDBRequest<Whole | undefined>);
    if (entry) entries.put({ ...entry, name }, id);
    if (whole) wholes.put({ ...whole, kept: { ...whole.kept, name } }, id);
    await over(writing);
  }

  async remove(id: string): Promise<void> {
    this.#here.delete(id);
    const database = await this.#database();
    if (!database) return;
    const writing = database.transaction(["entries", "wholes"], "readwrite");
    for (const each of ["entries", "wholes"]) writing.objectStore(each).delete(id);
    await over(writing);
  }
}
