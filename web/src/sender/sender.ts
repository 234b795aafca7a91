// Sends stages of bytes to drives, one answer after the other.
import type { SenderData, SentItem, SentStage } from "../payload";

/** What Web Serial gives: the little of it that is needed here. */
export interface Port {
  open(options: { baudRate: number }): Promise<void>;
  close(): Promise<void>;
  readable: ReadableStream<Uint8Array> | null;
  writable: WritableStream<Uint8Array> | null;
}

export interface Serial {
  requestPort(): Promise<Port>;
}

/** How a stage ended. */
export type Outcome = "done" | "refused" | "silent" | "stopped";

const ANSWER = 1000;
/** How long an answer to a question may take [ms]. */
const PAUSE = 100;
/** Between two questions [ms]. */

export function bytesOf(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** What a drive has said: words, or nothing where all is well; and the number in it. */
export interface Answer {
  text: string;
  value: number;
}

/** Takes whole answers from the bytes that came, and leaves the rest. */
export function takeAnswers(bytes: number[], frame: SenderData["frame"]): Answer[] {
  const found: Answer[] = [];
  for (;;) {
    if (frame === "line") {
      const end = bytes.indexOf(10);
      if (end < 0) return found;
      const text = String.fromCharCode(...bytes.splice(0, end + 1)).trim();
      if (text) found.push({ text, value: parseInt(text, 10) });
      continue;
    }
    const head = frame === "telegram" ? [0x53] : [0xff, 0xff, 0xfd, 0];
    while (bytes.length && !head.every((byte, i) => i >= bytes.length || bytes[i] === byte)) bytes.shift();
    const length = frame === "telegram" ? bytes[1] + 2 : bytes[5] + 256 * bytes[6] + 7;
    if (!(bytes.length >= length)) return found;
    const whole = bytes.splice(0, length);
    // A telegram of the command 3 and a packet with an error say no.
    const bad = frame === "telegram" ? whole[3] === 3 : whole[8] !== 0;
    const data = frame === "telegram" ? whole.slice(7, -2) : whole.slice(9, -2);
    found.push({
      text: bad ? `error ${whole.map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}` : "",
      value: data.reduceRight((value, byte) => 256 * value + byte, 0),
    });
  }
}

/** A line to drives. */
export class Line {
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #bytes: number[] = [];
  #answers: Answer[] = [];
  #wake: () => void = () => {};
  #stopped = false;
  #asking = false;

  constructor(
    private readonly port: Port,
    private readonly data: SenderData,
    private readonly told: (line: string, sort: "sent" | "came" | "bad") => void,
  ) {}

  async open(): Promise<void> {
    await this.port.open({ baudRate: this.data.baud });
    if (!this.port.writable || !this.port.readable) throw new Error("the port is closed");
    this.#writer = this.port.writable.getWriter();
    this.#reader = this.port.readable.getReader();
    void this.#listen(this.#reader);
  }

  async #listen(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        this.#bytes.push(...value);
        for (const answer of takeAnswers(this.#bytes, this.data.frame)) {
          const fine = answer.text === this.data.good || this.#asking;
          if (answer.text) this.told(answer.text, fine ? "came" : "bad");
          // Single letters are what drives say by themselves.
          if (!/^[a-z]$/.test(answer.text)) this.#answers.push(answer);
        }
        this.#wake();
      }
    } catch (problem) {
      this.told(String(problem), "bad");
    }
  }

  async #write(item: SentItem): Promise<void> {
    this.told(item.shown, "sent");
    await this.#writer?.write(bytesOf(item.data));
  }

  #answer(patience: number): Promise<Answer | null> {
    return new Promise((settle) => {
      const late = setTimeout(() => settle(null), patience);
      const look = () => {
        if (this.#stopped) settle(null);
        else if (this.#answers.length) settle(this.#answers.shift() ?? null);
        else return;
        clearTimeout(late);
        this.#wake = () => {};
      };
      this.#wake = look;
      look();
    });
  }

  /** Send a stage; it ends with the first answer that is not good, or does not come. */
  async send(stage: SentStage, progress: (part: number) => void): Promise<Outcome> {
    this.#stopped = false;
    this.#answers = [];
    const begin = performance.now();
    for (const [i, item] of stage.items.entries()) {
      const wait = item.time === null ? 0 : begin + item.time - performance.now();
      if (wait > 0) await new Promise((go) => setTimeout(go, wait));
      if (this.#stopped) return "stopped";
      if (item.until) {
        const outcome = await this.#ask(item, item.until);
        if (outcome !== "done") return outcome;
        progress((i + 1) / stage.items.length);
        continue;
      }
      await this.#write(item);
      if (item.answer) {
        const said = await this.#answer(item.patience);
        if (this.#stopped) return "stopped";
        if (said === null) return "silent";
        if (said.text !== this.data.good) return "refused";
      }
      progress((i + 1) / stage.items.length);
    }
    return "done";
  }

  /** Ask again and again, until the number that is answered has the bits that are awaited. */
  async #ask(item: SentItem, until: [number, number]): Promise<Outcome> {
    const end = performance.now() + item.patience;
    this.#asking = true;
    try {
      while (performance.now() < end) {
        await this.#write(item);
        const said = await this.#answer(ANSWER);
        if (this.#stopped) return "stopped";
        if (said === null) return "silent";
        if (Number.isNaN(said.value) || said.text.startsWith("error")) return "refused";
        if ((said.value & until[0]) === until[1]) return "done";
        await new Promise((go) => setTimeout(go, PAUSE));
        if (this.#stopped) return "stopped";
      }
      return "silent";
    } finally {
      this.#asking = false;
    }
  }

  /** Stop all drives now, whatever is being sent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    for (const item of this.data.stop) await this.#write(item);
  }

  async close(): Promise<void> {
    await this.#reader?.cancel();
    this.#reader?.releaseLock();
    this.#writer?.releaseLock();
    await this.port.close();
  }
}
