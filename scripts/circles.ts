/** What each file or room imports, by their names. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Circles from a node back to itself, the shortest of each node: `[a, b, a]`. A node is reported once, so
 * further circles of a knot appear after the first one was removed.
 */
export function circlesOf(graph: Graph): string[][] {
  const reported = new Set<string>();
  const circles: string[][] = [];
  for (const node of graph.keys()) {
    if (reported.has(node)) continue;
    const circle = shortestWayBack(graph, node);
    if (circle === null) continue;
    for (const each of circle) reported.add(each);
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
