// The folder in the browser: files that Python sees, kept in IndexedDB under their paths.

import { settled } from "./store";

/** The part of Pyodide's file system that is used. */
export interface Keeper {
  mkdirTree(path: string): void;
  readdir(path: string): string[];
  readFile(path: string): Uint8Array;
  writeFile(path: string, data: Uint8Array): void;
  unlink(path: string): void;
  chmod(path: string, mode: number): void;
  utime(path: string, accessed: number, changed: number): void;
  analyzePath(path: string): { exists: boolean };
  lookupPath(path: string): { node: { id: number; mode: number; size?: number; mtime?: number } };
  isDir(mode: number): boolean;
}
interface Kept {
  data: Uint8Array;
  /** When it was written [ms since 1970]. */
  at: number;
}

const NAME = "sistel.studio";
const STORE = "files";

export class Folder {
  #store: IDBDatabase | null = null;
  /** Files as they were kept last: what tells one content from another. */
  readonly #known = new Map<string, string>();

  constructor(
    readonly files: Keeper,
    readonly place: string,
  ) {
    files.mkdirTree(place);
  }

  /** Brings back what was kept. */
  async open(): Promise<void> {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    this.#store = await settled(opening);
    const store = this.#store.transaction(STORE).objectStore(STORE);
    const [paths, all] = await Promise.all([
      settled(store.getAllKeys()),
      settled(store.getAll() as IDBRequest<Kept[]>),
    ]);
    all.forEach((kept, place) => this.#write(paths[place] as string, kept));
  }

  /** Keeps what has changed since; gives the paths. */
  async keep(): Promise<string[]> {
    if (!this.#store) return [];
    const now = new Map(this.#list(""));
    const changed = [...now].filter(([path, mark]) => this.#known.get(path) !== mark).map(([path]) => path);
    const gone = [...this.#known.keys()].filter((path) => !now.has(path));
    if (!changed.length && !gone.length) return [];
    const writing = this.#store.transaction(STORE, "readwrite");
    const store = writing.objectStore(STORE);
    for (const path of changed)
      store.put({ data: this.files.readFile(`${this.place}/${path}`), at: Date.now() } satisfies Kept, path);
    for (const path of gone) store.delete(path);
    await new Promise<void>((done, fail) => {
      writing.oncomplete = () => done();
      writing.onabort = () => fail(writing.error ?? new Error("IndexedDB"));
    });
    for (const path of changed) this.#known.set(path, now.get(path) ?? "");
    for (const path of gone) this.#known.delete(path);
    return [...changed, ...gone];
  }

  /** Takes over files that another window, or the other worker of this one, has written or removed. */
  async take(paths: string[]): Promise<void> {
    if (!this.#store) return;
    const store = this.#store.transaction(STORE).objectStore(STORE);
    const found = await Promise.all(paths.map((path) => settled(store.get(path) as IDBRequest<Kept | undefined>)));
    paths.forEach((path, place) => {
      const kept = found[place];
      if (kept) this.#write(path, kept);
      else {
        if (this.files.analyzePath(`${this.place}/${path}`).exists) this.files.unlink(`${this.place}/${path}`);
        this.#known.delete(path);
      }
    });
  }

  #write(path: string, { data, at }: Kept): void {
    const whole = `${this.place}/${path}`;
    this.files.mkdirTree(whole.slice(0, whole.lastIndexOf("/")));
    this.files.writeFile(whole, data);
    this.files.utime(whole, at, at);
    this.#known.set(path, this.#mark(whole));
  }

  #mark(whole: string): string {
    const { id, size, mtime } = this.files.lookupPath(whole).node;
    return `${id} ${size ?? ""} ${mtime ?? ""}`;
  }

  *#list(inside: string): Iterable<[string, string]> {
    for (const name of this.files.readdir(`${this.place}/${inside}`)) {
      if (name === "." || name === "..") continue;
      const path = inside ? `${inside}/${name}` : name;
      const whole = `${this.place}/${path}`;
      if (this.files.isDir(this.files.lookupPath(whole).node.mode)) yield* this.#list(path);
      else yield [path, this.#mark(whole)];
    }
  }
}
