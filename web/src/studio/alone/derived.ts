// What was derived once stays: equations of models take seconds in a browser, and are the same at the next visit.
import type { Keeper } from "./folder";
import { settled } from "./store";

const NAME = "sistel.studio.derived";
const STORE = "files";
const SUFFIX = ".object";
/** All entries together [bytes]; past it the oldest go. */
const MOST = 48 * 2 ** 20;
/** Smaller ones are found as quickly as they are fetched [bytes]. */
const LEAST = 1000;

interface Entry {
  data: Uint8Array;
  /** [ms since 1970] */
  at: number;
}

/** The cache of Python, whose entries have names that belong to what is in them. */
export class Derived {
  #database: IDBDatabase | null = null;
  readonly #known = new Map<string, { size: number; at: number }>();

  /**
   * @param files where Python is
   * @param place its cache there
   * @param build what tells one state of the program from another: it finds nothing of others
   */
  constructor(
    readonly files: Keeper,
    readonly place: string,
    readonly build: string,
  ) {}

  /** Brings back what was kept; what another state of the program has left goes. */
  async open(): Promise<void> {
    this.files.mkdirTree(this.place);
    // Python takes nothing from a folder that others could write to.
    this.files.chmod(this.place, 0o700);
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    this.#database = await settled(opening);
    const store = this.#database.transaction(STORE, "readwrite").objectStore(STORE);
    for (const key of (await settled(store.getAllKeys())) as string[]) {
      if (!key.startsWith(`${this.build}/`)) {
        store.delete(key);
        continue;
      }
      const { data, at } = await settled(store.get(key) as IDBRequest<Entry>);
      const name = key.slice(this.build.length + 1);
      this.files.writeFile(`${this.place}/${name}`, data);
      this.files.chmod(`${this.place}/${name}`, 0o600);
      this.#known.set(name, { size: data.length, at });
    }
  }

  /** Keeps what is new. */
  keep(): void {
    if (!this.#database) return;
    const fresh = this.files
      .readdir(this.place)
      .filter((name) => name.endsWith(SUFFIX) && !this.#known.has(name))
      .map((name) => ({ name, data: this.files.readFile(`${this.place}/${name}`) }));
    if (!fresh.length) return;
    const store = this.#database.transaction(STORE, "readwrite").objectStore(STORE);
    for (const { name, data } of fresh) {
      const at = Date.now();
      this.#known.set(name, { size: data.length, at });
      if (data.length >= LEAST) store.put({ data, at } satisfies Entry, `${this.build}/${name}`);
    }
    let size = [...this.#known.values()].reduce((sum, each) => sum + each.size, 0);
    for (const [name, each] of [...this.#known].sort(([, a], [, b]) => a.at - b.at)) {
      if (size <= MOST) break;
      store.delete(`${this.build}/${name}`);
      size -= each.size;
    }
  }
}
