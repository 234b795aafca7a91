// What was set before, to go back to and forth again.

/** What was set, for those who do not ask what it is. */
export type AnySteps = Pick<Steps<never>, "changed" | "canUndo" | "canRedo" | "note" | "undo" | "redo">;

/** States one after another; small changes of one thing within a moment count as one. */
export class Steps<T> {
  /** Called when there is more or less to go back to. */
  changed: (() => unknown) | null = null;
  readonly #past: T[] = [];
  #future: T[] = [];
  #what = "";
  #when = -Infinity;

  /**
   * @param now the present state
   * @param put makes a state the present one
   * @param clock milliseconds
   * @param moment how long changes of one thing belong together [ms]
   */
  constructor(
    readonly now: () => T,
    readonly put: (state: T) => void,
    readonly clock: () => number = () => performance.now(),
    readonly moment = 800,
  ) {}

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Remembers the present state: something is about to change. */
  note(what: string): void {
    const when = this.clock();
    const same = what === this.#what && when - this.#when < this.moment && this.#past.length > 0;
    this.#what = what;
    this.#when = when;
    this.#future = [];
    if (!same) this.#past.push(this.now());
    if (this.#past.length > 200) this.#past.shift();
    this.changed?.();
  }

  undo(): void {
    this.#go(this.#past, this.#future);
  }

  redo(): void {
    this.#go(this.#future, this.#past);
  }

  #go(from: T[], to: T[]): void {
    const state = from.pop();
    if (state === undefined) return;
    to.push(this.now());
    this.#what = "";
    this.put(state);
    this.changed?.();
  }
}
