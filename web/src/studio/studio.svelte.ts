// What the studio knows: the folder, what is open, what runs, what was run, and what the reader chose.
import type { LookLanguage, LookTheme } from "../look/tools";
import type { Handed, Kept } from "../page/kept";
import { editorSetup } from "./editor/setup";
import { Refused, type Link, type LinkState } from "./link";
import { keep, kept } from "./settled";
import { TextFile, quietly, type FileKind } from "./textfile.svelte";
import { WORDS, type Word } from "./words";
import type {
  Edit,
  FileEntry,
  Hello,
  JobEnd,
  JobEntry,
  Left,
  LiveState,
  ReadFile,
  RunEntry,
  Told,
  Words,
} from "./protocol";

export type View = "motion" | "scheme" | "control" | "structures" | "equations" | "tasks";
export type Side = "parameters" | "tree";
export type Bottom = "runs" | "problems" | "console" | "log";
/** What a narrow screen shows. */
export type Pane = "text" | "picture" | "side" | "bottom";

export interface LogLine {
  at: string;
  kind: "info" | "good" | "warning" | "error";
  text: string | Words;
}

export interface Notice {
  id: number;
  kind: "info" | "good" | "warning" | "error";
  text: string | Words;
  hint?: string | Words | null;
}

/** What the page of motion is of. */
export interface Shown {
  url: string;
  title: string;
  /** Of the run, where it is one. */
  run: string | null;
  /** Runs over it. */
  compared: string[];
  /** What the page takes over from this window. */
  handed?: Handed | undefined;
}

/** The page that is shown inside. */
export interface Inside {
  keep(): Promise<Kept | null>;
  url(): string;
}

export interface Asked {
  title: Words;
  value: string;
  done(value: string): void;
  /** What is wrong with an answer, if anything. */
  check?(value: string): Promise<Words | null>;
}

/** A line of the console, and what came of it. */
export interface Said {
  asked: string;
  text: string | Words;
  wrong: boolean;
  /** Stretches of the line that are wrong. */
  marks?: [number, number][];
}

/** Runs over another: more patterns of dashes cannot be told apart. */
export const MOST_COMPARED = 3;
/** Whether Run does something with a file. */
export const runnable = (kind: FileKind): boolean => kind === "model" || kind === "task";
/** Works of the service are called by their methods, and shown by the views that began them. */
const isWork = (job: { kind?: string }) => job.kind?.includes(".") ?? false;
const isRun = (job: { kind?: string }) => job.kind === "run";

export class Studio {
  lang = $state<LookLanguage>(
    kept<LookLanguage | null>("lang", null) ?? (navigator.language.startsWith("ru") ? "ru" : "en"),
  );
  theme = $state<LookTheme>(kept<LookTheme>("theme", "auto"));
  connection = $state<LinkState>("joining");
  hello = $state.raw<Hello | null>(null);
  files = $state.raw<FileEntry[]>([]);
  open = $state.raw<TextFile[]>([]);
  current = $state.raw<TextFile | null>(null);
  view = $state<View>(kept<View>("view", "motion"));
  side = $state<Side>(kept<Side>("side", "parameters"));
  bottom = $state<Bottom>("runs");
  pane = $state<Pane>("picture");
  runs = $state.raw<RunEntry[]>([]);
  jobs = $state.raw<JobEntry[]>([]);
  shown = $state.raw<Shown | null>(null);
  /** Whether the motion is that of the shown run, or the model as it is written. */
  motion = $state<"run" | "live">("live");
  /** The run whose signals stand on wires. */
  replayed = $state.raw<string | null>(null);
  /** The motion under way that keeps pace with the clock. */
  live = $state.raw<LiveState | null>(null);
  /** What was asked in the console. */
  said = $state.raw<Said[]>([]);
  log = $state.raw<LogLine[]>([]);
  notices = $state.raw<Notice[]>([]);
  until = $state("");
  dialog = $state<"new" | "help" | "sweep" | null>(null);
  tour = $state<number | null>(null);
  /** A question with one line for an answer. */
  ask = $state.raw<Asked | null>(null);

  /** Solves the task that is shown. */
  solver: (() => void) | null = null;

  #notice = 0;
  /** Jobs that this window began: the run they end in is shown. */
  /** Without a server: how much of Python has come, or why it does not run. */
  starting = $state.raw<number | Words | null>(null);
  /** How often the live motion was asked to begin, and which panel is shown then. */
  played = $state(0);
  panel = $state("");
  /** The page of the motion that is shown. */
  inside: Inside | null = null;
  readonly #mine = new Set<string>();
  /** Works that this window waits for; what ended before its number was known waits here in its turn. */
  readonly #works = new Map<string, (end: JobEnd) => void>();
  readonly #over = new Map<string, JobEnd>();

  /**
   * @param link what answers
   * @param site address of the site that it is a part of
   */
  constructor(
    readonly link: Link,
    readonly site: string | null = null,
  ) {
    link.watch((state) => this.#joined(state));
    link.hear((told) => void this.#told(told).catch((problem: unknown) => this.complain(problem)));
  }

  say(text: Words | string | null | undefined): string {
    if (text === null || text === undefined) return "";
    return typeof text === "string" ? text : text[this.lang];
  }

  word(name: Word): string {
    return WORDS[name][this.lang];
  }

  setLang(lang: LookLanguage): void {
    this.lang = lang;
    keep("lang", lang);
  }

  setTheme(theme: LookTheme): void {
    this.theme = theme;
    keep("theme", theme);
  }

  choose(view: View): void {
    this.view = view;
    this.pane = "picture";
    keep("view", view);
  }

  chooseSide(side: Side): void {
    this.side = side;
    keep("side", side);
  }

  // What is said

  tell(kind: Notice["kind"], text: string | Words, hint?: string | Words | null): void {
    const id = ++this.#notice;
    // What is said again takes the place of what was said.
    const others = this.notices.filter((each) => this.say(each.text) !== this.say(text));
    this.notices = [...others.slice(-3), { id, kind, text, hint: hint ?? null }];
    this.note(kind, text);
    if (kind === "info" || kind === "good") setTimeout(() => this.dismiss(id), 6000);
  }

  /** Who still names what was taken away. */
  tellLeft(left: readonly Left[] | undefined): void {
    for (const name of new Set(left?.map((each) => each.name))) {
      const lines = [...new Set(left?.filter((each) => each.name === name).map((each) => each.line))].join(", ");
      this.tell("warning", {
        en: `“${name}” ${WORDS.leftBehind.en} ${lines}`,
        ru: `«${name}» ${WORDS.leftBehind.ru} ${lines}`,
      });
    }
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((each) => each.id !== id);
  }

  note(kind: LogLine["kind"], text: string | Words): void {
    this.log = [...this.log.slice(-499), { at: new Date().toTimeString().slice(0, 8), kind, text }];
  }

  /** A failure, where it is not one that shows itself. */
  complain(problem: unknown): void {
    if (problem instanceof Refused) {
      if (problem.code === "left-out" || problem.code === "connection-lost") return;
      const first = problem.failure.diagnostics[0];
      this.tell("error", problem.failure.message, first?.hint ?? first?.expected ?? null);
    } else {
      console.error(problem);
      this.tell("error", problem instanceof Error ? problem.message : String(problem));
    }
  }

  /** Does something whose failure is told. */
  async try<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (problem) {
      this.complain(problem);
      return null;
    }
  }

  // Coming and going

  #joined(state: LinkState): void {
    const before = this.connection;
    this.connection = state;
    if (state === "joined" && before !== "joined") void this.try(() => this.#begin());
  }

  async #begin(): Promise<void> {
    const hello = await this.link.call<Hello>("hello", {});
    const first = this.hello === null;
    this.hello = hello;
    this.files = hello.files;
    await Promise.all([this.#readRuns(), this.#readJobs()]);
    if (first) {
      const before = kept<string[]>(`open ${hello.folder}`, []).filter((path) => this.has(path));
      const wanted = hello.open ?? before[0];
      for (const path of before) await this.openFile(path, false);
      if (wanted) await this.openFile(wanted);
      // A narrow screen begins with what there is to open.
      else this.pane = "text";
      if (hello.shown) await this.#show(hello.shown);
      return;
    }
    // The server was away: what is open may have changed.
    for (const file of this.open) {
      if (!this.has(file.path)) file.quarrel = "gone";
      else await file.disk();
      void file.check();
    }
  }

  has(path: string): boolean {
    return this.files.some((each) => each.path === path);
  }

  async #told(message: Told): Promise<void> {
    switch (message.told) {
      case "file.changed": {
        const file = this.open.find((each) => each.path === message.with.path);
        if (!file || file.stamp === message.with.stamp) return;
        if (await file.disk())
          this.note("info", { en: `${file.path}: ${WORDS.reloaded.en}`, ru: `${file.path}: ${WORDS.reloaded.ru}` });
        return;
      }
      case "file.gone": {
        const file = this.open.find((each) => each.path === message.with.path);
        if (file) file.quarrel = "gone";
        return;
      }
      case "files.changed":
        await this.readFiles();
        // What a text includes may be another now.
        for (const file of this.open) void file.check();
        return;
      case "job.progress": {
        const { job, share, note } = message.with;
        if (!this.jobs.some((each) => each.job === job)) await this.#readJobs();
        this.jobs = this.jobs.map((each) => (each.job === job ? { ...each, share, note } : each));
        return;
      }
      case "job.ended":
        await this.#ended(message.with);
        return;
      case "run.live":
        if (this.jobs.some((each) => each.job === message.with.job)) this.live = message.with;
        return;
      case "runs.changed":
        await this.#readRuns();
        return;
      case "shown":
        await this.#show(message.with);
        return;
      case "said":
        this.tell(message.with.kind, message.with.text);
        return;
      case "starting":
        this.starting = message.with.failed ?? message.with.share;
        return;
      case "unkept":
        this.tell("warning", WORDS.unkept, message.with.why);
        return;
      case "bye":
        this.tell("warning", WORDS.bye);
    }
  }

  // Files

  async readFiles(): Promise<void> {
    this.files = (await this.link.call<{ files: FileEntry[] }>("files.list", {})).files;
  }

  async openFile(path: string, show = true): Promise<TextFile | null> {
    let file = this.open.find((each) => each.path === path) ?? null;
    if (!file) {
      const read = await this.try(() => this.link.call<ReadFile>("files.read", { path }));
      if (!read) return null;
      file = new TextFile(this.link, read, (own) => editorSetup(own, this));
      this.open = [...this.open, file];
      this.#remember();
    }
    if (show) {
      if (!this.current) this.pane = "picture";
      this.current = file;
      if (file.kind === "task") this.choose("tasks");
    }
    return file;
  }

  #remember(): void {
    if (this.hello)
      keep(
        `open ${this.hello.folder}`,
        this.open.map((each) => each.path),
      );
  }

  closeFile(file: TextFile): void {
    const place = this.open.indexOf(file);
    file.close();
    this.open = this.open.filter((each) => each !== file);
    if (this.current === file) this.current = this.open[Math.min(place, this.open.length - 1)] ?? null;
    this.#remember();
  }

  async createFile(path: string, text: string): Promise<void> {
    await this.try(async () => {
      await this.link.call("files.create", { path, text });
      await this.readFiles();
      await this.openFile(path);
      this.dialog = null;
    });
  }

  /** A name that no file of the folder has yet. */
  freeName(path: string): string {
    if (!this.has(path)) return path;
    const [, stem = path, suffix = ""] = /^(.*?)(\.[^.]*)?$/.exec(path) ?? [];
    for (let number = 2; ; number++) if (!this.has(`${stem}_${number}${suffix}`)) return `${stem}_${number}${suffix}`;
  }

  async save(force = false): Promise<boolean> {
    const file = this.current;
    if (!file) return false;
    return (await this.try(() => file.save(force))) ?? false;
  }

  // Help with the text

  /** Puts something else in the place of a name, everywhere it stands. */
  async rename(file: TextFile): Promise<void> {
    const at = file.caret.at;
    const found = await this.try(() =>
      this.link.call<{ name: string } | null>("text.rename", { path: file.path, text: file.text, at }),
    );
    if (!found) return;
    this.ask = {
      title: WORDS.newName,
      value: found.name,
      done: (to) =>
        void this.try(async () => {
          const { edits } = await this.link.call<{ edits: Edit[] }>("text.rename", {
            path: file.path,
            text: file.text,
            at,
            name: to,
          });
          file.apply(edits, { userEvent: "input.rename" });
        }),
    };
  }

  async definition(file: TextFile): Promise<void> {
    await this.try(async () => {
      const found = await this.link.call<{ from: number; to: number } | null>("text.definition", {
        path: file.path,
        text: file.text,
        at: file.caret.at,
      });
      if (found) file.go(found.from, found.to);
    });
  }

  async format(file: TextFile): Promise<void> {
    await this.#rewrite(file, "text.format", {});
  }

  /** Russian words become English ones, or the other way round. */
  async translate(file: TextFile): Promise<void> {
    await this.#rewrite(file, "text.translate", {});
  }

  async #rewrite(file: TextFile, call: string, how: object): Promise<void> {
    await this.try(async () => {
      const { edits } = await this.link.call<{ edits: Edit[] }>(call, { path: file.path, text: file.text, ...how });
      file.apply(edits, { userEvent: "input.format" });
    });
  }

  // Runs

  async run(live?: { watched: string[] }): Promise<void> {
    const file = this.current;
    if (!file || !runnable(file.kind)) return;
    if (file.kind === "task") {
      if (this.view === "tasks") this.solver?.();
      else this.choose("tasks");
      return;
    }
    if (this.link.alone && live) {
      // The page itself keeps pace with the clock, with its panel of the operator.
      this.motion = "live";
      this.view = "motion";
      this.pane = "picture";
      this.panel = "console";
      this.played++;
      this.note("info", WORDS.playedHere);
      return;
    }
    const until = this.until.trim() === "" ? null : Number(this.until.replace(",", "."));
    if (until !== null && !(Number.isFinite(until) && until > 0)) {
      this.tell("error", {
        en: "The time to run is a positive number of seconds.",
        ru: "Время расчёта — положительное число секунд.",
      });
      return;
    }
    await this.try(async () => {
      const { job } = await this.link.call<{ job: string }>("run.start", {
        path: file.path,
        text: file.text,
        ...(until === null ? {} : { until }),
        ...(Object.keys(file.tried).length ? { parameters: file.tried } : {}),
        ...(file.stop && !live ? { stop: file.stop } : {}),
        ...(live ? { live: true, watched: live.watched } : { inputs: file.inputs, table: file.table }),
      });
      this.#mine.add(job);
      // Whoever works at a scheme sees the run on its wires.
      if (this.view !== "control") this.view = "motion";
      this.pane = "picture";
      if (!this.jobs.some((each) => each.job === job))
        this.jobs = [...this.jobs, { job, kind: live ? "live" : "run", name: file.title, share: null, note: null }];
    });
  }

  /** Without a server: what has moved live in the page becomes a run. */
  async keepLive(): Promise<void> {
    const { inside, current: file } = this;
    await this.try(async () => {
      const kept = this.motion === "live" ? await inside?.keep() : null;
      if (!inside || !kept || !file) {
        this.tell("info", WORDS.keepNothing);
        return;
      }
      const html = await (await fetch(inside.url())).text();
      await this.link.call("runs.keep", { kept, html, path: file.path, text: file.text });
      this.bottom = "runs";
    });
  }

  /** Puts a run over the one that is shown, or takes it away again. */
  async compare(id: string): Promise<void> {
    const { shown } = this;
    if (!shown?.run || shown.run === id) return;
    const before = shown.compared;
    const now = before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-MOST_COMPARED);
    await this.showRun(shown.run, now);
  }

  /** Begins a sweep, or goes on with one. */
  async sweep(call: "sweep.start" | "sweep.resume", order: object): Promise<boolean> {
    return (
      (await this.try(async () => {
        const { job } = await this.link.call<{ job: string }>(call, order);
        this.#mine.add(job);
        this.bottom = "runs";
        return true;
      })) ?? false
    );
  }

  /** Does a work of the service beside the server; files that it makes are put into a folder. */
  async work<T>(name: string, params: object, into = "", begun?: (job: string) => void): Promise<T> {
    let job: string;
    try {
      ({ job } = await this.link.call<{ job: string }>("work.start", { do: name, with: params, into }));
    } catch (problem) {
      // Where nobody works beside, the answer is waited for.
      if (problem instanceof Refused && problem.code === "unknown-method") return this.link.call<T>(name, params);
      throw problem;
    }
    begun?.(job);
    const end =
      this.#over.get(job) ??
      (await new Promise<JobEnd>((done) => {
        this.#works.set(job, done);
      }));
    this.#over.delete(job);
    this.#works.delete(job);
    if (end.failed) throw new Refused(end.failed);
    if (end.interrupted) throw new Refused({ code: "interrupted", message: WORDS.interrupted, diagnostics: [] });
    return end.result as T;
  }

  async interrupt(): Promise<void> {
    for (const { job } of this.jobs.filter(isRun)) await this.link.call("run.interrupt", { job }).catch(quietly);
  }

  get running(): JobEntry | null {
    return this.jobs.find(isRun) ?? null;
  }

  async #readRuns(): Promise<void> {
    this.runs = await this.link.call<RunEntry[]>("runs.list", {});
  }

  async #readJobs(): Promise<void> {
    this.jobs = await this.link.call<JobEntry[]>("jobs.list", {});
  }

  async #ended(end: JobEnd): Promise<void> {
    this.jobs = this.jobs.filter((each) => each.job !== end.job);
    if (isWork(end)) {
      const waiting = this.#works.get(end.job);
      if (waiting) waiting(end);
      else this.#over.set(end.job, end);
      while (this.#over.size > 32) this.#over.delete(this.#over.keys().next().value ?? "");
      return;
    }
    const mine = this.#mine.delete(end.job);
    if (this.live?.job === end.job) this.live = null;
    if (end.failed) {
      if (mine) this.complain(new Refused(end.failed));
      else this.note("error", end.failed.message);
      return;
    }
    await this.#readRuns();
    const seconds = `${end.took.toPrecision(2)} `;
    const word = end.interrupted ? WORDS.interrupted : WORDS.ended;
    this.note(end.interrupted ? "warning" : "good", {
      en: `${end.name}: ${word.en}, ${seconds}s`,
      ru: `${end.name}: ${word.ru}, ${seconds}с`,
    });
    const id = typeof end.run === "string" ? end.run : end.run?.id;
    const stop = typeof end.run === "string" ? null : end.run?.stop;
    if (stop) {
      const { condition, time } = stop;
      this.note("info", {
        en: time === null ? `"${condition}" never began to hold` : `stopped at ${time} s: ${condition}`,
        ru: time === null ? `«${condition}» не наступило` : `остановлено в ${time} с: ${condition}`,
      });
    }
    if (mine && id) {
      this.replayed = id;
      this.bottom = "runs";
      await this.showRun(id);
    }
  }

  async showRun(id: string, compared: string[] = []): Promise<void> {
    await this.try(async () => {
      const { url, handed } = await this.link.call<{ url: string; handed?: Handed }>("runs.page", {
        id,
        lang: this.lang,
        ...(compared.length ? { compare: compared } : {}),
      });
      this.shown = { url, title: this.runs.find((each) => each.id === id)?.name ?? id, run: id, compared, handed };
      this.replayed = id;
      this.motion = "run";
      if (this.view !== "control") this.view = "motion";
    });
  }

  async #show(what: { title: string; run?: string; url?: string; path?: string }): Promise<void> {
    await this.#readRuns();
    if (what.url) {
      this.shown = { url: what.url, title: what.title, run: what.run ?? null, compared: [] };
      this.motion = "run";
      this.choose("motion");
    } else {
      if (what.path) {
        if (!this.has(what.path)) await this.readFiles();
        await this.openFile(what.path);
      }
      if (what.run) await this.showRun(what.run);
    }
    this.note("info", what.title);
  }
}
