// Places for boxes inside boxes: each box is as large as what stands in it.
import { layered, type Joined } from "./layered";

export interface Inner {
  id: string;
  parent: string | null;
  /** Of the box itself, without what stands in it. */
  width: number;
  height: number;
}

export interface Cell {
  /** Left upper corner inside the parent. */
  x: number;
  y: number;
  width: number;
  height: number;
}

const SIDE = 18;

export function nested(nodes: readonly Inner[], edges: readonly Joined[]): Map<string, Cell> {
  const found = new Map<string, Cell>();
  const parents = new Map(nodes.map((each) => [each.id, each.parent]));
  const children = (of: string | null) => nodes.filter((each) => each.parent === of);
  /** The box directly in `of` that holds another one. */
  const within = (id: string, of: string | null): string | null => {
    let at: string | null = id;
    while (at !== null && (parents.get(at) ?? null) !== of) at = parents.get(at) ?? null;
    return at;
  };
  const arrange = (of: string | null, head: number): [number, number] => {
    const inside = children(of);
    const sized = inside.map((each) => {
      const own = children(each.id).length ? arrange(each.id, each.height) : [0, 0];
      return { id: each.id, width: Math.max(each.width, own[0] ?? 0), height: Math.max(each.height, own[1] ?? 0) };
    });
    const joined = edges.flatMap((each) => {
      const [source, target] = [within(each.source, of), within(each.target, of)];
      return source && target && source !== target ? [{ ...each, source, target }] : [];
    });
    const placed = layered(sized, joined, "LR");
    let [right, bottom] = [0, 0];
    for (const { id, width, height } of sized) {
      const [x, y] = placed.get(id) ?? [0, 0];
      const cell = { x: x + (of ? SIDE : 0), y: y + (of ? head : 0), width, height };
      found.set(id, cell);
      right = Math.max(right, cell.x + width + SIDE);
      bottom = Math.max(bottom, cell.y + height + SIDE);
    }
    return [right, bottom];
  };
  arrange(null, 0);
  return found;
}
