import {
  compileSchema,
  isJsonObject,
  type JsonValue,
  type SchemaCheck,
  SpecError,
  sampleValues,
} from '../../../specs/src/index.ts';
import { type Located, rawSchema } from './located-schema.ts';
import { classify, type Direction, type SchemaChange } from './schema-change.ts';

/**
 * A sample value that shows a break which no change says: an input that was accepted and is refused, or an output that was
 * not possible. Samples cannot show that nothing breaks, so that this adds a break and never takes one away.
 */
export function findWitness(
  { old, now }: { readonly old: Located; readonly now: Located },
  direction: Direction,
  found: readonly SchemaChange[],
): SchemaChange[] {
  if (found.some((change) => change.direction === direction && change.verdict === 'breaking')) return [];
  const [from, to] = direction === 'input' ? [old, now] : [now, old];
  const [accepts, stillAccepts] = [compile(from), compile(to)];
  if (accepts === undefined || stillAccepts === undefined) return [];
  const source = { schema: from.schema, definitions: from.document.reader.definitions() };
  for (const value of sampleValues(source, { random: () => 0.5, prefer: 'full' })) {
    const isObject = direction === 'output' || isJsonObject(value);
    if (!isObject || accepts(value).length > 0 || stillAccepts(value).length === 0) continue;
    const [rule, key] =
      direction === 'input' ? (['values-refused', 'before'] as const) : (['values-added', 'after'] as const);
    return [classify(rule, direction, { pointer: now.pointer, field: '', [key]: value })];
  }
  return [];
}

/** Undefined where a schema cannot be checked. */
function compile(located: Located): SchemaCheck | undefined {
  const schema: JsonValue = rawSchema(located) ?? true;
  if (!isJsonObject(schema) && typeof schema !== 'boolean') return undefined;
  try {
    return compileSchema(schema, { root: located.document.root, unreadable: 'accept' });
  } catch (error) {
    if (error instanceof SpecError) return undefined;
    throw error;
  }
}
