// One open file: its text with the history of changes, what is wrong with it, and how it stands to the one on disk.
import { isolateHistory } from "@codemirror/commands";
import { EditorState, type ChangeSpec, type EditorStateConfig, type TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { Refused, type Link } from "./link";
import type { Checked, Diagnostic, Edit, ReadFile, Words } from "./protocol";

/** How long nothing is typed before the text is checked [ms]. */
const CHECK_AFTER = 30;
/** The same before a draft is kept [ms]. */
const DRAFT_AFTER = 700;

/** What a file describes: a system, a part of one, a task about it, drives, motors to choose from, a cell. */
export type FileKind = "model" | "part" | "task" | "drives" | "motors" | "cell";

export class TextFile {
  path = $state("");
  text = $state.raw("");
  saved = $state.raw("");
  stamp = $state("");
  diagnostics = $state.raw<Diagnostic[]>([]);
  facts = $state.raw<Words | null>(null);
  took = $state<number | null>(null);
  /** The last text that had no errors: pictures are of it. */
  sound = $state.raw<string | null>(null);
  /** Why saving waits for a word of the reader. */
  quarrel = $state<"conflict" | "gone" | "draft" | null>(null);
  /** When it was saved last, as a clock shows it. */
  savedAt = $state<string | null>(null);
  caret = $state({ line: 1, column: 1, at: 0 });
  readonly dirty: boolean = $derived(this.text !== this.saved);
  readonly errors: number = $derived(this.diagnostics.filter((each) => each.severity === "error").length);
  /** What it describes, as the service has found it; null before it has. */
  checked = $state<FileKind | null>(null);
  /** The same, before that by its first element. */
  readonly kind: FileKind = $derived(this.checked ?? kindOf(this.text));
  readonly title: string = $derived(this.path.split("/").at(-1) ?? this.path);
  /** Values of parameters that are tried and not written. */
  tried = $state.raw<Record<string, number>>({});
  /** A condition at which runs of it end; empty without. */
  stop = $state("");
  /** What inputs of its schemes are given during the next run, by their names. */
  inputs = $state.raw<Record<string, string>>({});
  /** A table of the folder that gives them more. */
  table = $state("");

  state: EditorState;
  view: EditorView | null = null;
  /** Told when diagnostics come, for the marks of the editor. */
  onchecked: (() => void) | null = null;

  #checking: ReturnType<typeof setTimeout> | undefined;
  #drafting: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(
    readonly link: Link,
    file: ReadFile,
    setup: (file: TextFile) => EditorStateConfig,
  ) {
    this.path = file.path;
    this.saved = file.text;
    this.stamp = file.stamp;
    const draft = file.draft?.text;
    this.text = draft !== undefined && draft !== file.text ? draft : file.text;
    if (this.text !== this.saved) this.quarrel = "draft";
    this.state = EditorState.create({ ...setup(this), doc: this.text });
    // Line ends of Windows become one sign in an editor; what was read then counts as what stands there.
    const shown = this.state.doc.toString();
    if (shown !== this.text) {
      if (this.text === this.saved) this.saved = shown;
      this.text = shown;
    }
    void this.check();
  }

  /** Changes the text as one step that can be undone. */
  dispatch(spec: TransactionSpec): void {
    if (this.view) this.view.dispatch(spec);
    else {
      const transaction = this.state.update(spec);
      this.state = transaction.state;
      if (transaction.docChanged) this.changed(transaction.state.doc.toString());
    }
  }

  apply(edits: readonly Edit[], how: { userEvent?: string; select?: { from: number; to: number } } = {}): void {
    if (!edits.length) return;
    const changes: ChangeSpec[] = edits.map(({ from, to, insert }) => ({ from, to, insert }));
    this.dispatch({
      changes,
      userEvent: how.userEvent ?? "input.service",
      // Each of them is one step of its own, however fast they come.
      annotations: isolateHistory.of("full"),
      ...(how.select ? { selection: { anchor: how.select.to, head: how.select.from }, scrollIntoView: true } : {}),
    });
  }

  /** Puts the caret, or a selection, somewhere. */
  go(from: number, to = from): void {
    const length = this.state.doc.length;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.dispatch({ selection, scrollIntoView: true });
    this.view?.focus();
  }

  changed(text: string): void {
    if (text === this.text) return;
    this.text = text;
    if (this.quarrel === "draft") this.quarrel = null;
    clearTimeout(this.#checking);
    this.#checking = setTimeout(() => void this.check(), CHECK_AFTER);
    clearTimeout(this.#drafting);
    this.#drafting = setTimeout(() => void this.draft(), DRAFT_AFTER);
  }

  async check(): Promise<void> {
    const asked = ++this.#asked;
    const text = this.text;
    try {
      const found = await this.link.call<Checked>("text.check", { path: this.path, text }, `check ${this.path}`);
      if (asked !== this.#asked) return;
      this.diagnostics = found.diagnostics;
      this.took = found.took;
      this.facts = found.facts ?? null;
      this.checked = found.kind === "system" ? "model" : (found.kind ?? null);
      if (!found.diagnostics.some((each) => each.severity === "error")) this.sound = text;
      this.onchecked?.();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (problem.code === "connection-lost") setTimeout(() => asked === this.#asked && void this.check(), 1500);
    }
  }

  /** Keeps what is written and not saved where a killed window does not lose it. */
  async draft(): Promise<void> {
    const text = this.dirty ? this.text : null;
    await this.link.call("files.draft", { path: this.path, text }, `draft ${this.path}`).catch(quietly);
  }

  /** Saves; where the disk has another file than was read, the reader is asked. */
  async save(force = false): Promise<boolean> {
    const text = this.text;
    clearTimeout(this.#drafting);
    try {
      const stamp = force || this.quarrel === "gone" ? { force: true } : { stamp: this.stamp };
      const done = await this.link.call<{ stamp: string }>("files.save", { path: this.path, text, ...stamp });
      this.stamp = done.stamp;
      this.saved = text;
      this.quarrel = null;
      this.savedAt = new Date().toTimeString().slice(0, 5);
      return true;
    } catch (problem) {
      if (problem instanceof Refused && problem.code === "conflict") {
        this.quarrel = "conflict";
        return false;
      }
      throw problem;
    }
  }

  /** The file on disk is another: it is taken when nothing is lost by that. Says whether it was. */
  async disk(): Promise<boolean> {
    const file = await this.link.call<ReadFile>("files.read", { path: this.path });
    if (file.stamp === this.stamp) return false;
    if (file.text === this.text || !this.dirty) {
      this.take(file);
      return true;
    }
    this.quarrel = "conflict";
    return false;
  }

  /** The text becomes that of the disk. */
  take(file: ReadFile): void {
    this.stamp = file.stamp;
    this.quarrel = null;
    const change = difference(this.state.doc.toString(), file.text);
    if (change) this.dispatch({ changes: change, userEvent: "input.disk" });
    this.saved = this.state.doc.toString();
    void this.draft();
  }

  async takeDisk(): Promise<void> {
    this.take(await this.link.call<ReadFile>("files.read", { path: this.path }));
  }

  close(): void {
    clearTimeout(this.#checking);
    clearTimeout(this.#drafting);
    this.#asked++;
    if (this.dirty) void this.draft();
  }
}

/** What a text describes, by its first element. */
export function kindOf(text: string): FileKind {
  const root =
    /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<([^\s/>!?]+)/.exec(text.slice(0, 8000))?.[1]?.toLowerCase() ?? "";
  if (root === "task" || root === "задача") return "task";
  if (root === "cell" || root === "ячейка") return "cell";
  if (root === "motors") return "motors";
  return root === "drives" || root === "приводы" ? "drives" : "model";
}

/** The one change that makes a text another, as short as the same beginning and end allow; null between the same. */
export function difference(before: string, after: string): Edit | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  let tail = 0;
  while (
    tail < most - from &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

/** Calls whose failure says nothing new: the connection shows itself. */
export function quietly(problem: unknown): void {
  if (!(problem instanceof Refused)) throw problem;
}
