import { dirname } from 'node:path/posix';
import type { SourceFile } from './source-files.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Files that import each other, and folders of a module that do; type-only imports count. */
export function cycleProblems(files: readonly SourceFile[]): string[] {
  const edges = files.flatMap((file) =>
    file.imports.filter(({ isOwn }) => isOwn).map(({ target }) => ({ from: file, target })),
  );
  const fileGraph = graphOf(edges.map(({ from, target }) => [from.path, target]));
  const folderGraph = graphOf(
    edges
      .filter(({ from }) => !from.isTest && !isEntryPoint(from.path))
      .map(({ from, target }): [string, string] => [dirname(from.path), dirname(target)])
      .filter(([from, to]) => isInSource(from) && isInSource(to) && !isNested(from, to)),
  );
  return [
    ...cyclesIn(fileGraph).map((trail) => `import cycle: ${trail.join(' → ')}`),
    ...mutualPairs(folderGraph).map(([one, other]) => `folders import each other: ${one} ↔ ${other}`),
  ];
}

const isEntryPoint = (path: string): boolean => path.endsWith('/index.ts');
const isInSource = (folder: string): boolean => folder.includes('/src/');
const isNested = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

function graphOf(edges: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

function cyclesIn(graph: Graph): string[][] {
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (finished.has(path)) return;
    const at = trail.indexOf(path);
    if (at >= 0) {
      cycles.push([...trail.slice(at), path]);
      return;
    }
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

function mutualPairs(graph: Graph): [string, string][] {
  return [...graph].flatMap(([from, targets]) =>
    [...targets].filter((to) => from < to && graph.get(to)?.has(from)).map((to): [string, string] => [from, to]),
  );
}
