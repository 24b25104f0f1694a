import {
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  kindsOfValue,
  visitParts,
} from '../../../specs/src/index.ts';

/**
 * Returns the definitions that refer to themselves for the same value, so that validating against them would never end.
 */
export function endlessDefinitions(definitions: Definitions): DefinitionName[] {
  const targets = new Map<DefinitionName, ReadonlySet<DefinitionName>>();
  for (const [name, schema] of definitions) targets.set(name, new Set(referencesInPlace(schema)));
  if ([...targets.values()].every(({ size }) => size === 0)) return [];
  // First remove definitions that don't lead to a cycle, then those that lead into one without being part of it.
  const leading = removeDeadEnds(targets);
  return [...removeDeadEnds(reverseEdges(leading)).keys()].sort();
}

type Graph = ReadonlyMap<DefinitionName, ReadonlySet<DefinitionName>>;

/** Removes the nodes that don't lead to a cycle. */
function removeDeadEnds(graph: Graph): Graph {
  const sources = reverseEdges(graph);
  const left = new Map([...graph].map(([name, targets]) => [name, targets.size]));
  const ended = [...left].flatMap(([name, count]) => (count === 0 ? [name] : []));
  for (let name = ended.pop(); name !== undefined; name = ended.pop()) {
    left.delete(name);
    for (const source of sources.get(name) ?? []) {
      const count = (left.get(source) ?? 0) - 1;
      left.set(source, count);
      if (count === 0) ended.push(source);
    }
  }
  const kept = [...graph].filter(([name]) => left.has(name));
  return new Map(kept.map(([name, targets]) => [name, new Set([...targets].filter((target) => left.has(target)))]));
}

function reverseEdges(graph: Graph): Graph {
  const sources = new Map([...graph.keys()].map((name) => [name, new Set<DefinitionName>()]));
  for (const [name, targets] of graph) for (const target of targets) sources.get(target)?.add(name);
  return sources;
}

function referencesInPlace(schema: CanonicalSchema): DefinitionName[] {
  const names = schema.ref === undefined ? [] : [schema.ref];
  visitParts(schema, (part) => names.push(...referencesInPlace(part)), [...kindsOfValue, 'tested']);
  return names;
}
