// Where nodes stand: as they were put by hand in this browser, else in layers.
import { keep, kept } from "../../settled";
import { layered, type Joined, type Sized } from "./layered";

export type Place = { x: number; y: number };

/** How many drawings are remembered. */
const MOST = 60;

export class Places {
  #moved: Record<string, [number, number]>;
  constructor(readonly key: string) {
    this.#moved = kept<Record<string, Record<string, [number, number]>>>("places", {})[key] ?? {};
  }

  #keep(): void {
    const entries = Object.entries(kept<Record<string, Record<string, [number, number]>>>("places", {}))
      .filter(([key]) => key !== this.key)
      .slice(-MOST);
    if (Object.keys(this.#moved).length) entries.push([this.key, this.#moved]);
    keep("places", Object.fromEntries(entries));
  }

  /** Where something was put by hand. */
  moved(id: string): Place | null {
    const found = this.#moved[id];
    return found ? { x: found[0], y: found[1] } : null;
  }

  move(id: string, { x, y }: Place): void {
    this.#moved = { ...this.#moved, [id]: [Math.round(x), Math.round(y)] };
    this.#keep();
  }

  /** A thing with another name stands where it stood. */
  rename(id: string, to: string): void {
    const { [id]: place, ...rest } = this.#moved;
    if (!place) return;
    this.#moved = { ...rest, [to]: place };
    this.#keep();
  }

  /** All stand in layers again. */
  forget(): void {
    this.#moved = {};
    this.#keep();
  }

  of(nodes: readonly Sized[], edges: readonly Joined[], way: "LR" | "TB"): Map<string, Place> {
    const arranged = layered(nodes, edges, way);
    return new Map(
      nodes.map(({ id }) => {
        const [x, y] = this.#moved[id] ?? arranged.get(id) ?? [0, 0];
        return [id, { x, y }];
      }),
    );
  }

  /** In a round, the first on the left: so lines from each to each other cross least. */
  around(nodes: readonly Sized[]): Map<string, Place> {
    const widest = Math.max(120, ...nodes.map((each) => each.width));
    const [across, down] = [(0.32 + 0.16 * nodes.length) * (widest + 150), 36 + 40 * nodes.length];
    return new Map(
      nodes.map(({ id, width, height }, number) => {
        const angle = Math.PI + (2 * Math.PI * number) / nodes.length;
        const [x, y] = this.#moved[id] ?? [
          Math.round((nodes.length > 1 ? across * Math.cos(angle) : 0) - width / 2),
          Math.round((nodes.length > 2 ? down * Math.sin(angle) : 0) - height / 2),
        ];
        return [id, { x, y }];
      }),
    );
  }
}
