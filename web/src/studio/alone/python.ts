// A worker with Python in it: it answers calls in the order in which they come, but those that newer ones make needless.
import type { Answer, Failure, Question } from "../protocol";
import { Derived } from "./derived";
import { Folder, type Keeper } from "./folder";

/** What the page tells the worker: where things lie, and calls. */
export type Order =
  { begin: { base: string; bytes: number; build: string; slow: boolean } } | { ask: Question } | { changed: string[] };
/** What the worker tells the page. */
export type Said =
  | { share: number }
  | { ready: true }
  | { broken: string }
  | { answer: Answer }
  | { wrote: string[] }
  | { unkept: string };

interface Python {
  FS: Keeper;
  runPython(code: string): unknown;
  unpackArchive(data: ArrayBuffer, kind: string, how: { extractDir: string }): void;
}
type Ask = (question: string) => string;

const scope = self as unknown as {
  postMessage(said: Said): void;
  onmessage: ((event: MessageEvent<Order>) => void) | null;
  fetch: typeof fetch;
};
/** How much of the way to the first answer fetching is. */
const FETCHED = 0.7;
const PLACE = "/home/pyodide/models";
const CACHE = "/home/pyodide/.cache/sistel/kernels";
const LEFT_OUT: Failure = {
  code: "left-out",
  message: { en: "A newer call took its place.", ru: "Её место занял новый вызов." },
  diagnostics: [],
};

const waiting: Question[] = [];
let ask: Ask | null = null;
let folder: Folder | null = null;
let derived: Derived | null = null;
let busy = false;
/** Files of other windows that are being taken over. */
let taking: Promise<void> | undefined;

/** Tells how much of what is fetched has come. */
function watched(bytes: number): typeof fetch {
  const fetched = scope.fetch.bind(self);
  let come = 0;
  return async (what, how) => {
    const response = await fetched(what, how);
    if (!response.ok || !response.body) return response;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, out) {
        come += part.length;
        scope.postMessage({ share: Math.min(FETCHED, (FETCHED * come) / bytes) });
        out.enqueue(part);
      },
    });
    return new Response(response.body.pipeThrough(counter), { headers: response.headers, status: response.status });
  };
}

async function begin({ base, bytes, build, slow }: { base: string; bytes: number; build: string; slow: boolean }) {
  scope.fetch = watched(bytes);
  const pyodide = (await import(new URL("pyodide/pyodide.mjs", base).href)) as {
    loadPyodide(how: { indexURL: string }): Promise<Python>;
  };
  const source = fetch(new URL("sistel.zip", base)).then((response) => {
    if (!response.ok) throw new Error(`sistel.zip: ${response.status}`);
    return response.arrayBuffer();
  });
  const python = await pyodide.loadPyodide({ indexURL: new URL("pyodide/", base).href });
  python.unpackArchive(await source, "zip", { extractDir: "/lib/sistel" });
  folder = new Folder(python.FS, PLACE);
  try {
    await folder.open();
  } catch (problem) {
    scope.postMessage({ unkept: String(problem) });
  }
  if (slow && build) {
    derived = new Derived(python.FS, CACHE, build);
    // Where the browser keeps nothing, it is derived again.
    await derived.open().catch(() => (derived = null));
  }
  scope.postMessage({ share: 0.9 });
  ask = python.runPython(
    `import sys; sys.path.insert(0, "/lib/sistel")\nfrom sistel.cli._browser import start\nstart("${PLACE}")`,
  ) as Ask;
  scope.postMessage({ share: 1 });
  scope.postMessage({ ready: true });
  void work();
}

/** Answers what waits, one after the other; between two, what came meanwhile is taken in. */
async function work(): Promise<void> {
  if (busy || !ask) return;
  busy = true;
  for (;;) {
    await new Promise((go) => setTimeout(go, 0));
    const question = waiting.shift();
    if (!question) break;
    await taking;
    const { id, latest } = question;
    if (latest !== undefined && waiting.some((other) => other.latest === latest)) {
      scope.postMessage({ answer: { id, failed: LEFT_OUT } });
      continue;
    }
    const answer = JSON.parse(ask(JSON.stringify(question))) as { done: unknown } | { failed: Failure };
    // What a call has written is kept before it is answered: a window that closes then loses nothing.
    if (/^files\.|^hello$|^work\./.test(question.call)) {
      try {
        const wrote = (await folder?.keep()) ?? [];
        if (wrote.length) scope.postMessage({ wrote });
      } catch (problem) {
        scope.postMessage({ unkept: String(problem) });
      }
    }
    scope.postMessage({ answer: { id, ...answer } });
    try {
      derived?.keep();
    } catch {
      // Where the browser keeps nothing, it is derived again.
      derived = null;
    }
  }
  busy = false;
}

scope.onmessage = ({ data }) => {
  if ("begin" in data)
    begin(data.begin).catch((problem: unknown) =>
      scope.postMessage({ broken: problem instanceof Error ? problem.message : String(problem) }),
    );
  else if ("ask" in data) {
    waiting.push(data.ask);
    void work();
  } else taking = folder?.take(data.changed).catch(() => undefined);
};
