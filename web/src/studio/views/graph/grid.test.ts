import { describe, expect, it } from "vitest";
import { cell, COLUMN, gridded, ROW } from "./grid";
import { nested } from "./nested";

/** What a map has to have. */
function of<T>(found: Map<string, T>, id: string): T {
  const one = found.get(id);
  if (one === undefined) throw new Error(`no ${id}`);
  return one;
}
const box = (id: string, height = 80) => ({ id, width: 120, height });

describe("gridded", () => {
  it("puts what follows into later columns, and nothing over anything", () => {
    const nodes = [..."abcdefgh"].map((id) => box(id, 150));
    const edges = [
      ["a", "c"],
      ["b", "c"],
      ["c", "d"],
      ["c", "e"],
      ["c", "f"],
      ["g", "d"],
    ].map(([source = "", target = ""]) => ({ id: source + target, source, target }));
    const found = gridded(
      [{ ...box("c", 150), at: [1, 0] as const }, ...nodes.filter((each) => each.id !== "c")],
      edges,
    );
    expect(found.get("c")).toEqual([1, 0]);
    for (const { source, target } of edges)
      if (source !== "c" && target !== "c") expect(of(found, source)[0]).toBeLessThan(of(found, target)[0]);
    const cells = [...found];
    for (const [one, [column, row]] of cells)
      for (const [other, [otherColumn, otherRow]] of cells)
        if (one < other && column === otherColumn) expect(Math.abs(row - otherRow) * ROW).toBeGreaterThanOrEqual(150);
  });
  it("counts as the file does", () => {
    expect(cell({ x: 2.4 * COLUMN, y: 1.3 * ROW })).toEqual([2, 1.25]);
    expect(cell({ x: -50, y: -50 })).toEqual([0, 0]);
  });
});

describe("nested", () => {
  it("makes boxes as large as what stands in them", () => {
    const inner = (id: string, parent: string | null) => ({ id, parent, width: 100, height: 40 });
    const found = nested(
      [inner("out", null), inner("one", "out"), inner("two", "out"), inner("deep", "two"), inner("last", null)],
      [
        { id: "1", source: "one", target: "deep" },
        { id: "2", source: "deep", target: "last" },
      ],
    );
    const holds = (outer: string, id: string) => {
      const [box, own] = [of(found, outer), of(found, id)];
      expect(own.x).toBeGreaterThan(0);
      expect(own.y).toBeGreaterThanOrEqual(40);
      expect(own.x + own.width).toBeLessThan(box.width);
      expect(own.y + own.height).toBeLessThan(box.height);
    };
    holds("out", "one");
    holds("out", "two");
    holds("two", "deep");
    expect(of(found, "last").x).toBeGreaterThanOrEqual(of(found, "out").x + of(found, "out").width);
  });
});
