import { type CanonicalSchema, isNothing } from '../../../specs/src/index.ts';
import { everyKind, isSingle, type Kind, kindOf } from './json-kinds.ts';
import type { Merging } from './merging.ts';
import { anyObject, choiceOf, membersOf, type TypeModel } from './type-model.ts';

/** Which kind of value an assertion is about that no type expresses; `format` informs and refuses nothing. */
const kindsOfLimits: Readonly<Record<string, Kind>> = {
  ...{ minimum: 'number', maximum: 'number', exclusiveMinimum: 'number', exclusiveMaximum: 'number' },
  ...{ multipleOf: 'number', minLength: 'string', maxLength: 'string', pattern: 'string' },
  ...{ uniqueItems: 'array', minProperties: 'object', maxProperties: 'object' },
};

/** The same type, marked where a schema refuses some of its values for reasons beyond types. */
export function readLimits({
  schema,
  base,
  merging,
}: {
  schema: CanonicalSchema;
  base: TypeModel;
  merging: Merging;
}): TypeModel | undefined {
  const kinds = new Set<Kind>();
  for (const keyword of schema.limits?.keys() ?? []) {
    const kind = Object.hasOwn(kindsOfLimits, keyword) ? kindsOfLimits[keyword] : undefined;
    if (kind !== undefined) kinds.add(kind);
  }
  if (schema.contains !== undefined || saysLengthAlone(schema)) kinds.add('array');
  const { propertyNames } = schema;
  if (propertyNames !== undefined && propertyNames.enum === undefined && !isNothing(propertyNames)) kinds.add('object');
  if (kinds.size === 0) return undefined;
  const loose = loosen(base, kinds, merging);
  return schema.contains === undefined ? loose : choiceOf(membersOf(loose).map(describeItems));
}

// Which items it speaks of depends on the value.
function describeItems(type: TypeModel): TypeModel {
  return type.kind === 'list' || type.kind === 'tuple' ? { ...type, described: true } : type;
}

function saysLengthAlone({ minItems, maxItems, items, prefixItems }: CanonicalSchema): boolean {
  return (minItems !== undefined || maxItems !== undefined) && items === undefined && prefixItems === undefined;
}

/** Marks the values of these kinds as not all accepted. */
export function loosen(type: TypeModel, kinds: ReadonlySet<Kind>, merging: Merging): TypeModel {
  if (type.kind === 'unknown') return loosen({ kind: 'choice', members: everyKind }, kinds, merging);
  if (type.kind === 'choice') return choiceOf(type.members.map((member) => loosen(member, kinds, merging)));
  if (type.kind === 'reference') {
    const expanded = merging.expand(type.name);
    if (expanded === undefined || !isSingle(expanded) || !kinds.has(kindOf(expanded) ?? 'bytes')) return type;
    // An object keeps its name.
    const mark = { ...anyObject, loose: true as const };
    return expanded.kind === 'object' ? { kind: 'all', members: [type, mark] } : loosen(expanded, kinds, merging);
  }
  if (!isSingle(type) || type.kind === 'bytes') return type;
  const kind = kindOf(type);
  return kind !== undefined && kinds.has(kind) ? { ...type, loose: true } : type;
}
