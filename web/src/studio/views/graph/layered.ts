// Places for the nodes of a graph, in layers, so that few lines cross.
import { graphlib, layout } from "@dagrejs/dagre";

export interface Sized {
  id: string;
  width: number;
  height: number;
}

export interface Joined {
  id: string;
  source: string;
  target: string;
  /** Room for what is written beside the line. */
  width?: number;
  height?: number;
}

/** Left upper corners by id; `way` is where lines lead: to the right or down. */
export function layered(
  nodes: readonly Sized[],
  edges: readonly Joined[],
  way: "LR" | "TB",
): Map<string, [number, number]> {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: way, nodesep: 36, ranksep: 64, edgesep: 20, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { id, source, target, width = 0, height = 0 } of edges)
    if (source !== target && graph.hasNode(source) && graph.hasNode(target))
      graph.setEdge(source, target, { width, height, labelpos: "c" }, id);
  layout(graph as never);
  return new Map(
    nodes.map(({ id, width, height }) => {
      const { x, y } = graph.node(id) as { x: number; y: number };
      return [id, [x - width / 2, y - height / 2]];
    }),
  );
}
