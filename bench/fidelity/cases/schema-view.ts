import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import type { JsonSchema } from '../oracle/json-schema.ts';

/** The combined keywords of several schemas of one value, with one branch of every union. */
export type View = {
  types: readonly string[] | undefined;
  enums: readonly JsonValue[] | undefined;
  members: ReadonlyMap<string, readonly JsonSchema[]>;
  required: ReadonlySet<string>;
  rest: readonly JsonSchema[];
  prefix: readonly (readonly JsonSchema[])[];
  items: readonly JsonSchema[];
  examples: readonly JsonValue[];
  bounds: ReadonlyMap<string, number>;
  unions: readonly JsonObject[];
  impossible: boolean;
};

export type Pick = (union: JsonObject) => number;

const nodesAtMost = 200;

export function resolveSchema(reference: string, root: JsonSchema): JsonSchema {
  const target = isJsonObject(root) ? resolvePointer(root, reference.slice(1)) : undefined;
  return isJsonObject(target) || typeof target === 'boolean' ? target : true;
}

export function readUnion(schema: JsonObject): readonly JsonSchema[] | undefined {
  const branches = schema['oneOf'] ?? schema['anyOf'];
  return Array.isArray(branches) ? branches.filter(isSchema) : undefined;
}

export function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return isJsonObject(value) || typeof value === 'boolean';
}

/** The schemas that apply to the same value; `branchesOf` chooses the branches of a union. */
export function gather(
  start: readonly JsonSchema[],
  root: JsonSchema,
  pickBranches: (union: JsonObject, branches: readonly JsonSchema[]) => readonly JsonSchema[],
): { nodes: readonly JsonObject[]; impossible: boolean } {
  const nodes = new Set<JsonObject>();
  let impossible = false;
  const pending = [...start];
  for (let schema = pending.shift(); schema !== undefined; schema = pending.shift()) {
    if (schema === false) impossible = true;
    if (typeof schema === 'boolean' || nodes.has(schema) || nodes.size > nodesAtMost) continue;
    nodes.add(schema);
    if (typeof schema['$ref'] === 'string') pending.push(resolveSchema(schema['$ref'], root));
    if (Array.isArray(schema['allOf'])) pending.push(...schema['allOf'].filter(isSchema));
    for (const word of ['anyOf', 'oneOf']) {
      const branches = schema[word];
      if (Array.isArray(branches)) pending.push(...pickBranches(schema, branches.filter(isSchema)));
    }
  }
  return { nodes: [...nodes], impossible };
}

export function openView(start: readonly JsonSchema[], root: JsonSchema, pick: Pick): View {
  const unions: JsonObject[] = [];
  const { nodes, impossible } = gather(start, root, (union, branches) => {
    unions.push(union);
    const branch = branches[Math.min(pick(union), branches.length - 1)];
    return branch === undefined ? [] : [branch];
  });
  return { ...shareMembers(nodes), ...shareWords(nodes), unions, impossible };
}

function shareMembers(nodes: readonly JsonObject[]): Share<'members' | 'required' | 'rest' | 'prefix' | 'items'> {
  const members = new Map<string, JsonSchema[]>();
  const prefix: JsonSchema[][] = [];
  for (const node of nodes) {
    for (const [name, schema] of membersAt(node, 'properties'))
      members.set(name, [...(members.get(name) ?? []), schema]);
    for (const [index, schema] of listAt(node, 'prefixItems').filter(isSchema).entries()) {
      prefix[index] = [...(prefix[index] ?? []), schema];
    }
  }
  return {
    members,
    prefix,
    required: new Set(nodes.flatMap((node) => listAt(node, 'required')).filter((name) => typeof name === 'string')),
    items: nodes.map(({ items }) => items).filter(isSchema),
    rest: nodes.map(({ additionalProperties }) => additionalProperties).filter(isSchema),
  };
}

function membersAt(node: JsonObject, keyword: string): [string, JsonSchema][] {
  const holder = node[keyword];
  if (!isJsonObject(holder)) return [];
  return Object.entries(holder).flatMap(([name, schema]) => (isSchema(schema) ? [[name, schema]] : []));
}

type Share<Keys extends keyof View> = { [Key in Keys]: View[Key] };

function shareWords(nodes: readonly JsonObject[]): Share<'types' | 'enums' | 'examples' | 'bounds'> {
  const types = nodes.map((node) => listAt(node, 'type').filter((word) => typeof word === 'string'));
  const enums = nodes.map((node) => ('const' in node ? [node['const'] ?? null] : listAt(node, 'enum')));
  const bounds = new Map<string, number>();
  for (const [keyword, value] of nodes.flatMap((node) => Object.entries(node))) {
    if (typeof value === 'number') bounds.set(keyword, tighter(keyword, bounds.get(keyword), value));
  }
  return {
    types: narrowed(types, both),
    enums: narrowed(enums, (left, right) => right.filter((one) => includes(left, one))),
    examples: nodes.flatMap((node) => [
      ...listAt(node, 'examples'),
      ...('default' in node ? [node['default'] ?? null] : []),
    ]),
    bounds,
  };
}

/** The intersection of the lists that are present. */
function narrowed<T>(
  lists: readonly (readonly T[])[],
  combine: (left: readonly T[], right: readonly T[]) => readonly T[],
): readonly T[] | undefined {
  const said = lists.filter((list) => list.length > 0);
  return said.length === 0 ? undefined : said.reduce(combine);
}

function both(left: readonly string[], right: readonly string[]): string[] {
  const numeric = (word: string): boolean => word === 'integer' || word === 'number';
  return left.flatMap((word) => {
    if (right.includes(word)) return [word];
    return numeric(word) && right.some(numeric) ? ['integer'] : [];
  });
}

function tighter(keyword: string, known: number | undefined, value: number): number {
  if (known === undefined) return value;
  return /^(max|exclusiveMax)/.test(keyword) ? Math.min(known, value) : Math.max(known, value);
}

export function includes(values: readonly JsonValue[], value: JsonValue): boolean {
  return values.some((one) => JSON.stringify(one) === JSON.stringify(value));
}

function listAt(holder: JsonObject, key: string): readonly JsonValue[] {
  const value = holder[key];
  return Array.isArray(value) ? value : [];
}
