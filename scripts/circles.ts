/** What each file or room imports, by their names. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The ways that lead from a node back to itself, shortest first at each node: `[a, b, a]`. A node is told of
 * once, so what is left of a knot after one of its circles is cut shows at the next look.
 */
export function circlesOf(graph: Graph): string[][] {
  const told = new Set<string>();
  const circles: string[][] = [];
  for (const node of graph.keys()) {
    if (told.has(node)) continue;
    const circle = shortestWayBack(graph, node);
    if (circle === null) continue;
    for (const each of circle) told.add(each);
    circles.push(circle);
  }
  return circles;
}

function shortestWayBack(graph: Graph, start: string): string[] | null {
  const reachedFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...wayTo(node, reachedFrom), start];
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, node);
      queue.push(next);
    }
  }
  return null;
}

function wayTo(node: string, reachedFrom: ReadonlyMap<string, string>): string[] {
  const before = reachedFrom.get(node);
  return before === undefined ? [node] : [...wayTo(before, reachedFrom), node];
}
