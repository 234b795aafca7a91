// Questions and answers, whatever carries them.
import type { Answer, Failure, Question, Told } from "./protocol";

export type LinkState = "joining" | "joined" | "lost";

/** Why a question has no answer. */
export class Refused extends Error {
  readonly code: string;
  constructor(readonly failure: Failure) {
    super(failure.message.en);
    this.name = "Refused";
    this.code = failure.code;
  }
}

/** What the window asks. */
export interface Link {
  /** Whether there is no server behind it. */
  readonly alone?: boolean;
  /** What is fetched then, before it answers [bytes]. */
  readonly bytes?: number;
  /** Answers a question, or fails with `Refused`. Of questions with the same `latest` that wait, the last is answered. */
  call<T>(name: string, params?: object, latest?: string): Promise<T>;
  /** Calls `heard` for everything that is told unasked. */
  hear(heard: (told: Told) => void): void;
  /** Calls `seen` when the connection comes and goes. */
  watch(seen: (state: LinkState) => void): void;
}

const LOST: Failure = {
  code: "connection-lost",
  message: {
    en: "The connection to the studio is lost. It is tried again.",
    ru: "Связь со студией потеряна. Попытки продолжаются.",
  },
  diagnostics: [],
};

interface Waiting {
  done(result: unknown): void;
  fail(problem: Refused): void;
}

/** Questions that wait for their answers. */
export class Exchange {
  #last = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #heard: ((told: Told) => void)[] = [];

  ask<T>(send: (question: Question) => void, call: string, params: object, latest?: string): Promise<T> {
    const id = ++this.#last;
    return new Promise<T>((done, fail) => {
      this.#waiting.set(id, { done: (result) => done(result as T), fail });
      send({ id, call, with: params, ...(latest === undefined ? {} : { latest }) });
    });
  }

  hear(heard: (told: Told) => void): void {
    this.#heard.push(heard);
  }

  take(message: Answer | Told): void {
    if ("told" in message) {
      for (const heard of this.#heard) heard(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("failed" in message) waiting?.fail(new Refused(message.failed));
    else waiting?.done(message.done);
  }

  /** Fails everything that waits. */
  drop(failure: Failure): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of all) each.fail(new Refused(failure));
  }
}

/** Over a socket to the server; it is opened again when it closes. */
export class SocketLink implements Link {
  readonly #exchange = new Exchange();
  readonly #seen: ((state: LinkState) => void)[] = [];
  readonly #unsent: Question[] = [];
  #socket: WebSocket | null = null;
  #pause = 250;
  #ended = false;

  constructor(readonly address: URL) {
    this.#join();
  }

  call<T>(name: string, params: object = {}, latest?: string): Promise<T> {
    return this.#exchange.ask<T>((question) => this.#send(question), name, params, latest);
  }

  hear(heard: (told: Told) => void): void {
    this.#exchange.hear(heard);
  }

  watch(seen: (state: LinkState) => void): void {
    this.#seen.push(seen);
  }

  #send(question: Question): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(question));
    else if (this.#socket?.readyState === WebSocket.CONNECTING) this.#unsent.push(question);
    else this.#exchange.take({ id: question.id, failed: LOST });
  }

  #join(): void {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    this.#tell("joining");
    socket.addEventListener("open", () => {
      this.#pause = 250;
      for (const question of this.#unsent.splice(0)) socket.send(JSON.stringify(question));
      this.#tell("joined");
    });
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as Answer | Told;
      if ("told" in message && message.told === "bye") this.#ended = true;
      this.#exchange.take(message);
    });
    socket.addEventListener("close", () => {
      this.#unsent.length = 0;
      this.#exchange.drop(LOST);
      this.#tell("lost");
      // A server that comes back is found within seconds; one that said good-bye is asked for seldom.
      setTimeout(() => this.#join(), this.#ended ? 3000 : this.#pause);
      this.#pause = Math.min(4000, 2 * this.#pause);
      this.#ended = false;
    });
  }

  #tell(state: LinkState): void {
    for (const seen of this.#seen) seen(state);
  }
}
