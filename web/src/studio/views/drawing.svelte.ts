// The control scheme that is open: what it consists of, what is chosen in it, and changes of its text.
import type { Edge, Node, Rect } from "@xyflow/svelte";
import { untrack } from "svelte";
import type { Changed, ControlScheme, Opens, SchemeChange, SchemeNode } from "../protocol";
import type { Studio } from "../studio.svelte";
import { quietly, type TextFile } from "../textfile.svelte";
import type { BlockData } from "./block";
import { cell, COLUMN, gridded, ROW } from "./graph/grid";
import { Places } from "./graph/places";
import type { Replay } from "./replay.svelte";

/** A scheme that was opened: the use that it belongs to, and the behaviour whose states are shown. */
export interface Opened {
  scheme: string | null;
  use: string | null;
  behaviour: string | null;
}
const TOP: Opened = { scheme: null, use: null, behaviour: null };
/** Boxes that have their places in this browser alone: the file has no name for them. */
const UNNAMED = ["outside", "port", "repeat", "use"];
/** Boxes from which on a drawing is large. */
export const MANY = 80;

export class Control {
  scheme = $state.raw<ControlScheme | null>(null);
  nodes = $state.raw<Node[]>([]);
  edges = $state.raw<Edge[]>([]);
  /** What was opened, the outermost first. */
  path = $state.raw<Opened[]>([]);
  /** Grows where the drawing is another one, and is to be seen whole. */
  drawn = $state(0);
  /** What is to be seen, where the drawing has changed. */
  fitted = $state.raw<Rect | null>(null);
  readonly opened: Opened = $derived(this.path.at(-1) ?? TOP);
  #file: TextFile | null = null;
  #moved: Record<string, [number, number]> | null = null;
  #arranged: { key: string; found: Map<string, [number, number]> } | null = null;

  constructor(
    readonly studio: Studio,
    readonly replay: Replay,
  ) {}

  get chosen(): SchemeNode | null {
    const selected = this.nodes.find((each) => each.selected);
    return this.scheme?.nodes.find((each) => each.id === selected?.id) ?? null;
  }

  /** Signals of the run that belong to this scheme. */
  get signals(): string[] {
    return this.scheme?.nodes.flatMap((each) => each.outs.flatMap((out) => out.signal ?? [])) ?? [];
  }

  /** Reads the scheme of a text; where it cannot be read, the last one stays. */
  async read(file: TextFile, text: string, wanted: Opened): Promise<void> {
    if (file !== this.#file) {
      this.#file = file;
      this.scheme = null;
    }
    const { scheme, use } = wanted;
    try {
      const found = await this.studio.link.call<ControlScheme>(
        "scheme.read",
        {
          path: file.path,
          text,
          lang: this.studio.lang,
          ...(scheme === null ? {} : { scheme }),
          ...(use === null ? {} : { use }),
          ...(file.sound !== null && file.sound !== text ? { sound: file.sound } : {}),
        },
        "control",
      );
      if (file === this.#file) untrack(() => this.show(found));
    } catch (problem) {
      // The scheme that was open has gone, or has another name.
      if (scheme !== null && file === this.#file) this.path = [];
      quietly(problem);
    }
  }

  get #places(): Places {
    return new Places(`control ${this.#file?.path ?? ""} ${this.scheme?.id ?? ""}`);
  }

  show(found: ControlScheme): void {
    const other = this.scheme?.id !== found.id || this.scheme.prefix !== found.prefix || !this.scheme.nodes.length;
    this.scheme = found;
    const boxes = found.nodes.map((each) => ({
      id: each.id,
      width: wide(each),
      height: 34 + 22 * rows(each),
      at: each.at,
    }));
    const wires = found.wires.map((each) => ({ id: each.id, source: each.source, target: each.target }));
    const key = JSON.stringify([boxes.filter((each) => !each.at), wires]);
    const arranged = this.#arranged?.key !== key;
    if (arranged) this.#arranged = { key, found: gridded(boxes, wires) };
    const where = this.#arranged?.found ?? new Map<string, [number, number]>();
    const own = this.#places;
    const chosen = new Set(this.nodes.filter((each) => each.selected).map((each) => each.id));
    const diagnostics = this.#file?.diagnostics.filter((each) => each.severity === "error" && each.file === null) ?? [];
    // What the browser has measured of a box holds until it measures again.
    const measured = new Map(this.nodes.map((each) => [each.id, each.measured]));
    this.nodes = found.nodes.map((node) => {
      const [column, row] = node.at ?? where.get(node.id) ?? [0, 0];
      const wrong = diagnostics.filter((each) => node.to > node.from && each.from >= node.from && each.from < node.to);
      const data: BlockData = {
        node,
        studio: this.studio,
        replay: this.replay,
        wired: new Set(
          found.wires
            .filter((each) => each.target === node.id && !each.formula && !each.negative)
            .map((each) => each.in),
        ),
        wrong: wrong.map((each) => this.studio.say(each.message)).join("\n"),
        opens: (what) => void this.open(what),
        set: (id, attribute, value) => void this.change({ do: "set", id, attribute, value }),
      };
      return {
        id: node.id,
        type: "block",
        position: (node.at ? null : own.moved(node.id)) ?? { x: COLUMN * column, y: ROW * row },
        selected: chosen.has(node.id),
        deletable: node.to > node.from,
        ...(measured.get(node.id) ? { measured: measured.get(node.id) } : {}),
        ariaLabel: `${node.name} ${this.studio.say(node.title)}`.trim(),
        data,
      };
    });
    this.edges = found.wires.map((each) => ({
      id: each.id,
      source: each.source,
      sourceHandle: each.out,
      target: each.target,
      targetHandle: each.in,
      type: "smoothstep",
      ariaLabel: `${each.out} → ${each.target} ${each.in}`,
      ...(each.negative || (each.unit && found.nodes.length < MANY)
        ? { label: `${each.negative ? "−" : ""} ${each.unit ?? ""}`.trim() }
        : {}),
    }));
    if (other) this.drawn++;
    else if (arranged) this.fit();
  }

  fit(): void {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { position, data, hidden } of this.nodes) {
      if (hidden) continue;
      const { node } = data as BlockData;
      left = Math.min(left, position.x);
      top = Math.min(top, position.y);
      right = Math.max(right, position.x + wide(node));
      bottom = Math.max(bottom, position.y + 34 + 22 * rows(node));
    }
    if (right > left) this.fitted = { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** Makes a change of the text; says whether that was possible. */
  async change(what: SchemeChange): Promise<Changed | null> {
    const file = this.#file ?? this.studio.current;
    if (!file) return null;
    const done = await this.studio.try(async () => {
      const found = await this.studio.link.call<Changed>("scheme.edit", {
        path: file.path,
        text: file.text,
        scheme: this.scheme?.id ?? null,
        change: what,
        lang: this.studio.lang,
      });
      file.apply(found.edits, {
        userEvent: "input.graph",
        ...(found.select ? { select: { from: found.select.from, to: found.select.from } } : {}),
      });
      return found;
    });
    return done ?? null;
  }

  /** Puts a block into the scheme; a file without one gets it first. */
  async add(item: string, at?: { x: number; y: number }): Promise<void> {
    if (!this.scheme?.id) {
      const file = this.studio.current;
      if (!(await this.change({ do: "create" })) || !file) return;
      await this.read(file, file.text, TOP);
    }
    const done = await this.change({ do: "add", item, ...(at ? { at: cell(at) } : {}) });
    if (done?.made) this.choose(done.made);
  }

  /** What is made is chosen as soon as it is there. */
  choose(id: string): void {
    this.nodes = [
      ...this.nodes.map((each) => ({ ...each, selected: each.id === id })),
      ...(this.nodes.some((each) => each.id === id)
        ? []
        : [{ id, position: { x: -1e5, y: 0 }, data: {}, selected: true, hidden: true }]),
    ];
  }

  /** A box was put somewhere: the file keeps where, and this browser for what has no name in it. */
  moved(node: Node): void {
    const own = this.scheme?.nodes.find((each) => each.id === node.id);
    if (!own) return;
    if (UNNAMED.includes(own.kind) || (!own.name && own.kind !== "output")) {
      this.#places.move(node.id, node.position);
      return;
    }
    if (!this.#moved) {
      this.#moved = {};
      queueMicrotask(() => {
        const places = this.#moved ?? {};
        this.#moved = null;
        void this.change({ do: "move", places });
      });
    }
    this.#moved[node.id] = cell(node.position);
  }

  arrange(): void {
    this.#places.forget();
    const given = this.scheme?.nodes.some((each) => each.at);
    if (given) void this.change({ do: "arrange" }).then(() => this.fit());
    else if (this.scheme) {
      this.show(this.scheme);
      this.fit();
    }
  }

  async open({ scheme, use, file, behaviour }: Opens): Promise<void> {
    const { opened } = this;
    if (behaviour !== undefined) {
      this.path = [...this.path, { ...opened, scheme: this.scheme?.id ?? null, behaviour }];
      return;
    }
    if (file !== undefined) {
      await this.studio.openFile(file);
      this.path = [{ scheme: scheme ?? null, use: null, behaviour: null }];
      return;
    }
    this.path = [...this.path, { scheme: scheme ?? null, use: use ?? null, behaviour: null }];
  }
}

const rows = (node: SchemeNode) => Math.max(1, node.ins.length, node.outs.length);
/** About as wide as the browser will make it. */
function wide(node: SchemeNode): number {
  const ins = Math.max(0, ...node.ins.map((each) => each.label.length + Math.min(20, each.value.length)));
  const head = node.name.length + Math.max(node.title?.en.length ?? 0, node.title?.ru.length ?? 0);
  return Math.min(240, Math.max(110, 40 + 7 * head, 60 + 7 * ins));
}
