// Places of a drawing in columns and rows, as the file counts them: what it does not say is found.
import { layered, type Joined, type Sized } from "./layered";

/** From one column to the next, and from one row to the next [px]. */
export const COLUMN = 280;
export const ROW = 96;
/** Between two boxes of a column [px]. */
const GAP = 14;
/** The finest part of a row that a place is kept in. */
const PART = 4;

export interface Celled extends Sized {
  /** Column and row, where they are given. */
  at?: readonly [number, number] | null;
}

/** Column and row of each box; boxes whose places are not given make room for the others of their columns. */
export function gridded(nodes: readonly Celled[], edges: readonly Joined[]): Map<string, [number, number]> {
  const found = new Map<string, [number, number]>();
  const taken = new Map<number, [number, number][]>();
  const take = (id: string, column: number, row: number, height: number) => {
    found.set(id, [column, row]);
    const spans = taken.get(column) ?? [];
    spans.push([row * ROW, row * ROW + height]);
    taken.set(column, spans);
  };
  for (const { id, at, height } of nodes) if (at) take(id, at[0], at[1], height);
  const free = nodes.filter((each) => !each.at);
  if (!free.length) return found;
  const placed = layered(nodes, edges, "LR");
  const centre = (node: Celled) => (placed.get(node.id)?.[0] ?? 0) + node.width / 2;
  const columns: number[] = [];
  for (const x of nodes.map(centre).sort((a, b) => a - b))
    if (!columns.length || x - (columns.at(-1) ?? 0) > 1) columns.push(x);
  const column = (node: Celled) => {
    const x = centre(node);
    let best = 0;
    columns.forEach((each, number) => {
      if (Math.abs(each - x) < Math.abs((columns[best] ?? 0) - x)) best = number;
    });
    return best;
  };
  const top = (node: Celled) => placed.get(node.id)?.[1] ?? 0;
  for (const node of [...free].sort((a, b) => top(a) - top(b))) {
    const own = column(node);
    let row = Math.round((top(node) / ROW) * PART) / PART;
    const spans = [...(taken.get(own) ?? [])].sort((a, b) => a[0] - b[0]);
    for (const [from, to] of spans)
      if (row * ROW < to + GAP && row * ROW + node.height + GAP > from)
        row = Math.ceil(((to + GAP) / ROW) * PART) / PART;
    take(node.id, own, row, node.height);
  }
  return found;
}

/** The column and row nearest to a place of the canvas. */
export function cell({ x, y }: { x: number; y: number }): [number, number] {
  return [Math.max(0, Math.round(x / COLUMN)), Math.max(0, Math.round((y / ROW) * PART) / PART)];
}
