import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { CanonicalSchema } from './canonical-schema.ts';
import { complain, type Place, type ReadSchema, within } from './place.ts';

type Source = { raw: JsonObject; place: Place; read: ReadSchema };
/** What the dialects say with several keywords at once, put into the canonical words. */
type Repair = {
  id: string;
  applies(raw: JsonObject): boolean;
  apply(schema: CanonicalSchema, source: Source): CanonicalSchema;
};

/** In this order: nullability comes last because it wraps what the others have made. */
export const repairs: readonly Repair[] = [
  { id: 'old-tuple', applies: (raw) => Array.isArray(raw['items']), apply: readOldTuple },
  {
    id: 'boolean-bounds',
    applies: (raw) => typeof raw['exclusiveMinimum'] === 'boolean' || typeof raw['exclusiveMaximum'] === 'boolean',
    apply: (schema, { raw }) => ({ ...schema, limits: numericBounds(raw, schema.limits ?? new Map()) }),
  },
  { id: 'conditional', applies: (raw) => raw['if'] !== undefined, apply: readConditional },
  { id: 'nullable', applies: (raw) => raw['nullable'] === true, apply: (schema) => acceptNull(schema) },
];

function readOldTuple(schema: CanonicalSchema, { raw, place, read }: Source): CanonicalSchema {
  const listed = raw['items'];
  if (!Array.isArray(listed)) return schema;
  if (schema.prefixItems !== undefined)
    complain(place, 'items-doubled', 'items and prefixItems both list the first items');
  const itemsPlace = within(place, 'items');
  const prefixItems = listed.map((item, index) => read(item, within(itemsPlace, index)));
  const rest = raw['additionalItems'];
  return {
    ...schema,
    ...(prefixItems.length === 0 ? {} : { prefixItems }),
    ...(rest === undefined ? {} : { items: read(rest, within(place, 'additionalItems')) }),
  };
}

// Without a consequence a condition says nothing; it can still count as describing members.
function readConditional(schema: CanonicalSchema, { raw, place, read }: Source): CanonicalSchema {
  const part = (keyword: string): CanonicalSchema | undefined => {
    const value = raw[keyword];
    return value === undefined ? undefined : read(value, within(place, keyword));
  };
  const [test, yes, no] = [part('if') ?? {}, part('then'), part('else')];
  const conditional = { test, ...(yes === undefined ? {} : { yes }), ...(no === undefined ? {} : { no }) };
  return { ...schema, conditional };
}

function numericBounds(raw: JsonObject, limits: ReadonlyMap<string, JsonValue>): Map<string, JsonValue> {
  const repaired = new Map(limits);
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const bound = raw[inclusive];
    if (typeof raw[exclusive] !== 'boolean') continue;
    repaired.delete(exclusive);
    if (raw[exclusive] === true && typeof bound === 'number') {
      repaired.delete(inclusive);
      repaired.set(exclusive, bound);
    }
  }
  return repaired;
}

// With and without `type` beside it, `nullable` is meant: null is one more value of this place.
function acceptNull(schema: CanonicalSchema): CanonicalSchema {
  const { description, default: standard, examples, deprecated, ...assertions } = schema;
  if (Object.keys(assertions).length === 0) return schema;
  const annotations: CanonicalSchema = {
    ...(description === undefined ? {} : { description }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(examples === undefined ? {} : { examples }),
    ...(deprecated === undefined ? {} : { deprecated }),
  };
  return { ...annotations, anyOf: [assertions, { type: ['null'] }] };
}
