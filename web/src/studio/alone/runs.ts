// Runs without a server: a page of the model, which nobody sees, computes them with its own kernels.
import type { Handed, Kept } from "../../page/kept";
import { Refused } from "../link";
import type { Curve, Curves, JobEnd, JobEntry, RunEntry, Told, Words } from "../protocol";
import { savedPage, savedTable } from "./saved";
import { RunStore, type Whole } from "./store";

/** Without a time, a run is as long [s]: as on a server. */
const UNTIL = 10;
/** Letters of a name. */
const LONGEST = 120;

/** A page of a model. */
interface Drawn {
  html: string;
  title: string;
}
interface Params {
  [name: string]: unknown;
}
interface CurvesAsked {
  id: string;
  names: string[];
  from?: number;
  to?: number;
  most: number;
  lang: "en" | "ru";
}
type Frame = HTMLIFrameElement & { handed?: Handed };

/** What answers the calls about runs. */
export class Runs {
  readonly #store = new RunStore();
  readonly #jobs = new Map<string, JobEntry & { ending: boolean }>();
  #number = 0;

  /**
   * @param drawn makes the page of a model
   * @param shown gives a page an address
   * @param put keeps a file of the folder
   * @param tell tells the window something
   * @param changed tells other windows that there are other runs
   */
  constructor(
    readonly drawn: (params: Params) => Promise<Drawn>,
    readonly shown: (drawn: Drawn) => { url: string; title: string },
    readonly put: (path: string, text: string) => Promise<unknown>,
    readonly tell: (told: Told) => void,
    readonly changed: () => void,
  ) {}

  readonly calls: Record<string, (params: Params) => Promise<unknown>> = {
    "run.start": (params) => Promise.resolve(this.#start(params)),
    "run.interrupt": (params) => Promise.resolve(this.#interrupt(String(params.job))),
    "jobs.list": () =>
      Promise.resolve(
        [...this.#jobs.values()].map(({ job, kind, name, share, note }) => ({ job, kind, name, share, note })),
      ),
    "runs.list": () => this.#store.list(),
    "runs.rename": (params) => this.#rename(String(params.id), String(params.name)),
    "runs.remove": (params) => this.#remove(String(params.id)),
    "runs.page": (params) => this.#page(params),
    "runs.save": (params) => this.#save(String(params.id), String(params.path)),
    "runs.curves": (params) => this.#curves(params as unknown as CurvesAsked),
    "runs.values": (params) => this.#values(params as unknown as { id: string; names: string[]; t: number }),
    "runs.keep": (params) => this.#keep(params as unknown as { kept: Kept; path: string; text: string; html: string }),
  };

  /** The state of a run at a time, as Python reads it. */
  async state(id: string, t: number | null): Promise<object> {
    const { kept, text, tried } = await this.#whole(id);
    const { q, v, m, structures, structure } = kept;
    const end = kept.t[kept.t.length - 1] ?? 0;
    const at = t ?? end;
    let i = kept.t.findLastIndex((each) => each <= at);
    if (at > end || i < 0)
      throw refused("beyond-run", {
        en: `the run has no time ${at} s: it goes from ${kept.t[0]} s to ${end} s`,
        ru: `в расчёте нет времени ${at} с: он идёт от ${kept.t[0]} с до ${end} с`,
      });
    // Of two rows around the time the nearer one; rows are as far apart as a run has steps.
    if (i + 1 < kept.t.length && (kept.t[i + 1] ?? 0) - at < at - (kept.t[i] ?? 0)) i++;
    const row = (all: Float64Array) => {
      const width = all.length / kept.t.length;
      return [...all.subarray(width * i, width * i + width)];
    };
    const time = kept.t[i] ?? 0;
    const key = structures[structure[i] ?? 0]?.key ?? "";
    return { text, tried, state: { structure: key, t: time, y: [...row(q), ...row(v), ...row(m), time] } };
  }

  async #whole(id: string): Promise<Whole> {
    const found = await this.#store.whole(id);
    if (found) return found;
    throw refused("no-run", { en: "this run is not there any more", ru: "этого расчёта больше нет" });
  }

  #start(params: Params): { job: string } {
    if (params.live || params.stop)
      throw refused("needs-server", {
        en: "a condition to stop at needs the studio on your own machine",
        ru: "для условия остановки нужна студия на вашей машине",
      });
    if (params.table || Object.values(params.inputs ?? {}).some((each) => String(each).trim()))
      throw refused("needs-server", {
        en: "a run with given inputs needs the studio on your own machine; here they are touched while it runs live",
        ru: "для расчёта с заданными входами нужна студия на вашей машине; здесь их трогают, пока он идёт вживую",
      });
    const job = `r${++this.#number}`;
    const path = String(params.path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    this.#jobs.set(job, { job, kind: "run", name, share: null, note: null, ending: false });
    const began = performance.now();
    const end = (more: Partial<JobEnd>) => {
      const interrupted = this.#jobs.get(job)?.ending ?? false;
      this.#jobs.delete(job);
      const took = (performance.now() - began) / 1000;
      this.tell({ told: "job.ended", with: { job, kind: "run", name, took, interrupted, ...more } });
    };
    void this.#made(job, params, name).then(
      async ({ kept, html }) => {
        const took = (performance.now() - began) / 1000;
        const run = await this.#entry(kept, html, params, took);
        if (kept.stuck) this.#told(kept.stuck);
        end({ run, name: run.name });
      },
      (problem: unknown) => {
        if (problem instanceof Refused) end({ failed: problem.failure });
        else {
          const why = String(problem);
          end({ failed: refused("own-error", { en: why, ru: why }).failure });
        }
      },
    );
    return { job };
  }

  /** Puts a run among those that are kept. */
  async #entry(kept: Kept, html: string, params: Params, took: number): Promise<RunEntry> {
    const path = String(params.path);
    const tried = (params.parameters ?? {}) as Record<string, number>;
    const known = new Set((await this.#store.list()).map((each) => each.name));
    let [name, number] = [kept.name, 1];
    while (known.has(name)) name = `${kept.name} ${++number}`;
    const made = Date.now() / 1000;
    const id = `${Date.now().toString(16)}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(16)}`;
    const run: RunEntry = {
      id,
      ...{ name, model: kept.name, path, made, took },
      ...(Object.keys(tried).length ? { changed: tried } : {}),
      until: kept.t[kept.t.length - 1] ?? null,
      events: kept.events.length,
      warnings: kept.stuck ? 1 : 0,
      drift: null,
    };
    const safe = await this.#store.put(run, { kept: { ...kept, name }, html, text: String(params.text), tried });
    if (!safe)
      this.tell({
        told: "unkept",
        with: {
          why: {
            en: "This run is there as long as this window.",
            ru: "Этот расчёт есть, пока открыто это окно.",
          },
        },
      });
    this.#list();
    return run;
  }

  #list(): void {
    this.tell({ told: "runs.changed", with: {} });
    this.changed();
  }

  #told(why: Words): void {
    this.tell({ told: "said", with: { kind: "warning", text: why } });
  }

  async #made(job: string, params: Params, name: string): Promise<{ kept: Kept; html: string }> {
    const until = params.until === undefined ? UNTIL : Number(params.until);
    const { html, title } = await this.drawn(params);
    const kept = await new Promise<Kept>((done, fail) => {
      const frame: Frame = document.createElement("iframe");
      frame.style.cssText = "position:fixed;width:0;height:0;border:0;visibility:hidden";
      frame.tabIndex = -1;
      frame.title = name;
      frame.setAttribute("aria-hidden", "true");
      const url = URL.createObjectURL(new Blob([html], { type: "text/html" }));
      const close = () => {
        frame.remove();
        URL.revokeObjectURL(url);
      };
      frame.handed = {
        order: {
          name: title,
          until,
          share: (share) => {
            const known = this.#jobs.get(job);
            if (known) {
              known.share = share;
              this.tell({ told: "job.progress", with: { job, share, note: null } });
            }
            return !known?.ending;
          },
          // The arrays are those of a window that goes away: this one has copies.
          done: (made) => {
            done(structuredClone(made));
            close();
          },
          failed: (why) => {
            fail(refused("no-motion", why));
            close();
          },
        },
      };
      frame.src = url;
      document.body.append(frame);
    });
    return { kept, html };
  }

  #interrupt(job: string): { interrupted: boolean } {
    const known = this.#jobs.get(job);
    if (known) known.ending = true;
    return { interrupted: known !== undefined };
  }

  async #rename(id: string, name: string): Promise<object> {
    const tidy = name
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
      .replace(/\s+/g, " ")
      .trim();
    if (!tidy || tidy.length > LONGEST)
      throw refused("bad-name", {
        en: `a name has 1 to ${LONGEST} letters`,
        ru: `в имени от 1 до ${LONGEST} знаков`,
      });
    await this.#store.rename(id, tidy);
    this.#list();
    return {};
  }

  async #remove(id: string): Promise<object> {
    await this.#store.remove(id);
    this.#list();
    return {};
  }

  async #page(params: Params): Promise<object> {
    const { html, kept } = await this.#whole(String(params.id));
    const others = (params.compare as string[] | undefined) ?? [];
    const compared = await Promise.all(others.map(async (id) => (await this.#whole(id)).kept));
    return { ...this.shown({ html, title: kept.name }), handed: { run: kept, compared } satisfies Handed };
  }

  /** Signals between two instants, as finely as a window shows them: of what lies between, least and greatest. */
  async #curves({ id, names, from, to, most, lang }: CurvesAsked): Promise<Curves> {
    const { t, signals } = await this.#kept(id);
    const [begin = 0, end = 0] = [t[0], t[t.length - 1]];
    const first = Math.max(
      t.findLastIndex((each) => each <= (from ?? begin)),
      0,
    );
    const last = t.findLastIndex((each) => each <= (to ?? end)) + 1;
    const count = Math.min(Math.max(most, 2), last - first);
    const starts = Array.from({ length: count }, (_, i) => first + Math.floor((i * (last - first)) / count));
    const curves: Curve[] = [];
    const failed: Record<string, Words> = {};
    for (const name of names) {
      const signal = signals.find((each) => each.name === name);
      if (!signal) {
        failed[name] = { en: "it is not kept in this run", ru: "в этом расчёте он не сохранён" };
        continue;
      }
      const { values, held, unit } = signal;
      const plain = (value: number | undefined) => (Number.isFinite(value) ? (value ?? null) : null);
      const curve: Curve = { name, unit: unit[lang], held, values: starts.map((i) => plain(values[i])) };
      if (count < last - first) {
        const parts = starts.map((i, k) => values.subarray(i, starts[k + 1] ?? last).filter(Number.isFinite));
        curve.low = parts.map((part) => plain(part.reduce((a, b) => Math.min(a, b), Infinity)));
        curve.high = parts.map((part) => plain(part.reduce((a, b) => Math.max(a, b), -Infinity)));
      }
      curves.push(curve);
    }
    return { times: starts.map((i) => t[i] ?? 0), begin, end, curves, failed };
  }

  async #values({ id, names, t }: { id: string; names: string[]; t: number }): Promise<Record<string, number | null>> {
    const { t: times, signals } = await this.#kept(id);
    const i = Math.max(
      times.findLastIndex((each) => each <= t),
      0,
    );
    const found: Record<string, number | null> = {};
    for (const { name, values } of signals)
      if (names.includes(name)) found[name] = Number.isFinite(values[i]) ? (values[i] ?? null) : null;
    return found;
  }

  /** A run; the one that was asked for last is at hand. */
  async #kept(id: string): Promise<Kept> {
    if (this.#last?.id !== id) this.#last = { id, kept: (await this.#whole(id)).kept };
    return this.#last.kept;
  }
  #last: { id: string; kept: Kept } | null = null;

  async #save(id: string, path: string): Promise<object> {
    const whole = await this.#whole(id);
    if (/\.html?$/i.test(path)) await this.put(path, savedPage(whole));
    else if (/\.csv$/i.test(path)) await this.put(path, savedTable(whole));
    else
      throw refused("unknown-format", {
        en: "a run is saved as .html or .csv here; .npz needs the studio on your own machine",
        ru: "здесь расчёт сохраняется как .html или .csv; для .npz нужна студия на вашей машине",
      });
    return { path };
  }

  /** A motion that went live, as a run. */
  async #keep({ kept, path, text, html }: { kept: Kept; path: string; text: string; html: string }): Promise<object> {
    const run = await this.#entry(structuredClone(kept), html, { path, text }, 0);
    return { run };
  }
}

function refused(code: string, message: Words): Refused {
  return new Refused({ code, message, diagnostics: [] });
}
