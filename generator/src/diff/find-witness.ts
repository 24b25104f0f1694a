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
 * A sample value that shows a break: an input that was accepted and is refused, or an output that was not possible. Samples cannot show
 * that nothing breaks, so that this adds a break and never takes one away.
 */
export function findWitness(old: Located, now: Located, direction: Direction): SchemaChange[] {
  const [from, to] = direction === 'input' ? [old, now] : [now, old];
  const [accepts, stillAccepts] = [compile(from), compile(to)];
  const source = { schema: from.schema, definitions: from.document.reader.definitions() };
  const samples = accepts && stillAccepts ? sampleValues(source, { random: () => 0.5, prefer: 'full' }) : [];
  for (const value of samples) {
    if (direction === 'input' && !isJsonObject(value)) continue;
    if (accepts?.(value).length !== 0 || stillAccepts?.(value).length === 0) continue;
    const facts = { pointer: now.pointer, field: '' };
    return direction === 'input'
      ? [classify('values-refused', direction, { ...facts, before: value })]
      : [classify('values-added', direction, { ...facts, after: value })];
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
