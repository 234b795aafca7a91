// Without a server: the same calls, answered by Python inside the browser, in two workers. One is for what follows the
// hand, the other for what takes its time.
import { Exchange, type Link, type LinkState } from "./link";
import type { Order, Said } from "./alone/python";
import { Runs } from "./alone/runs";
import type { Failure, JobEnd, Question, Told } from "./protocol";

/** Themes that may take seconds. */
const SLOW = new Set(["page", "work", "equations", "tasks", "forms", "papers", "drives", "console"]);
/** Pages that are shown, or may be again. */
const PAGES = 4;

interface Drawn {
  html: string;
  title: string;
}

class Python {
  readonly #worker: Worker;
  constructor(
    base: string,
    bytes: number,
    build: string,
    slow: boolean,
    readonly heard: (said: Said) => void,
  ) {
    this.#worker = new Worker(new URL("python.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<Said>) => heard(data);
    this.#worker.onerror = (event) => heard({ broken: event.message || "worker" });
    this.order({ begin: { base, bytes, build, slow } });
  }

  order(order: Order): void {
    this.#worker.postMessage(order);
  }
}

export class WorkerLink implements Link {
  readonly alone = true;
  readonly #exchange = new Exchange();
  readonly #seen: ((state: LinkState) => void)[] = [];
  readonly #quick: Python;
  #slow: Python | null = null;
  #state: LinkState = "joining";
  readonly #addresses: string[] = [];
  /** Other windows of this studio, which have the same folder. */
  readonly #others = "BroadcastChannel" in self ? new BroadcastChannel("sistel.studio") : null;

  /**
   * @param base where the studio lies
   * @param bytes how much of it is fetched first
   * @param build what tells one state of the program from another
   */
  constructor(
    readonly base: string,
    readonly bytes: number,
    readonly build: string,
  ) {
    this.#quick = new Python(base, bytes, build, false, (said) => this.#heard(said, true));
    void keepForLater(base);
    if (this.#others)
      this.#others.onmessage = ({ data }: MessageEvent<string[] | "runs">) => {
        if (data === "runs") this.#exchange.take({ told: "runs.changed", with: {} });
        else this.#changed(data);
      };
  }

  /** Runs: the pages of models compute them, without Python. */
  readonly #runs = new Runs(
    (params) => this.#exchange.ask((question) => this.#send(question), "page.make", params),
    (drawn) => this.#shown(drawn),
    (path, text) => this.call("files.create", { path, text }),
    (told) => this.#exchange.take(told),
    () => this.#others?.postMessage("runs"),
  );

  async call<T>(name: string, params: object = {}, latest?: string): Promise<T> {
    const run = this.#runs.calls[name];
    if (run) return (await run(params as Record<string, unknown>)) as T;
    if (name === "console.run") params = await this.#asked(params);
    const done = await this.#exchange.ask<T>((question) => this.#send(question), name, params, latest);
    if (name === "page.make") return this.#shown(done as Drawn) as T;
    if (name === "work.start") setTimeout(() => this.#ended((done as { end: JobEnd }).end), 0);
    return done;
  }

  /** What is asked of a run is asked of its state at the time that the line names. */
  async #asked(params: { run?: string; line?: string }): Promise<object> {
    if (params.run === undefined) return params;
    const { time } = await this.#exchange.ask<{ time: number | null }>(
      (question) => this.#send(question),
      "console.time",
      params,
    );
    const { run, ...rest } = params;
    return { ...rest, ...(await this.#runs.state(run, time)) };
  }

  hear(heard: (told: Told) => void): void {
    this.#exchange.hear(heard);
  }

  watch(seen: (state: LinkState) => void): void {
    this.#seen.push(seen);
    seen(this.#state);
  }

  #send(question: Question): void {
    const slow = SLOW.has(question.call.split(".")[0] ?? "");
    if (slow) this.#slow ??= this.#beside();
    ((slow ? this.#slow : null) ?? this.#quick).order({ ask: question });
  }

  #beside(): Python {
    return new Python(this.base, this.bytes, this.build, true, (said) => this.#heard(said, false));
  }

  #heard(said: Said, quick: boolean): void {
    if ("answer" in said) this.#exchange.take(said.answer);
    else if ("wrote" in said) {
      (quick ? this.#slow : this.#quick)?.order({ changed: said.wrote });
      if (!quick) this.#exchange.take({ told: "files.changed", with: {} });
      this.#others?.postMessage(said.wrote);
    } else if ("unkept" in said) this.#exchange.take({ told: "unkept", with: { why: said.unkept } });
    else if ("broken" in said) {
      const failure: Failure = {
        code: "no-python",
        message: {
          en: `Python could not be started in this browser: ${said.broken}`,
          ru: `Не удалось запустить Python в этом браузере: ${said.broken}`,
        },
        diagnostics: [],
      };
      this.#exchange.drop(failure);
      this.#exchange.take({ told: "starting", with: { share: null, failed: failure.message } });
      this.#become("lost");
    } else if (!quick) return;
    else if ("share" in said) this.#exchange.take({ told: "starting", with: { share: said.share } });
    else {
      // What takes its time gets ready meanwhile, so that the first picture need not wait for it.
      this.#slow ??= this.#beside();
      this.#become("joined");
    }
  }

  /** Another window has written files: both workers take them over, and the window looks at what is open. */
  #changed(paths: string[]): void {
    this.#quick.order({ changed: paths });
    this.#slow?.order({ changed: paths });
    this.#exchange.take({ told: "files.changed", with: {} });
    for (const path of paths)
      if (!path.startsWith(".")) this.#exchange.take({ told: "file.changed", with: { path, stamp: "" } });
  }

  /** A work that was done at once tells its end as one that was done beside; its pages get addresses. */
  #ended(end: JobEnd): void {
    const result = end.result as { page?: string | null; sender?: string | null } | null;
    if (result?.page) result.page = this.#shown({ html: result.page, title: end.name }).url;
    if (result?.sender) result.sender = this.#shown({ html: result.sender, title: end.name }).url;
    this.#exchange.take({ told: "job.ended", with: end });
  }

  #become(state: LinkState): void {
    this.#state = state;
    for (const seen of this.#seen) seen(state);
  }

  /** A page gets an address of its own, as long as it may be looked at. */
  #shown({ html, title }: Drawn): { url: string; title: string } {
    const url = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    this.#addresses.push(url);
    const old = this.#addresses.length > PAGES ? this.#addresses.shift() : undefined;
    if (old) URL.revokeObjectURL(old);
    return { url, title };
  }
}

/** Keeps the studio for visits without a network, where the server of these files allows it. */
async function keepForLater(base: string): Promise<void> {
  // Without https this is possible on one's own machine alone; then the network is needed every time.
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(new URL("offline.js", base)).catch(() => undefined);
}
