import { compileSchema, isJsonObject, resolvePointer, SpecError, sampleValues } from '../../../specs/src/index.ts';
import type { Located } from './located-schema.ts';
import { classify, type Direction, type SchemaChange } from './schema-change.ts';

/**
 * A sample value that shows a break: an input that was accepted and is refused, or an output that was not possible. Samples cannot show
 * that nothing breaks, so that this adds a break and never takes one away.
 */
export function findWitness(old: Located, now: Located, direction: Direction): SchemaChange[] {
  const [from, to] = direction === 'input' ? [old, now] : [now, old];
  const source = { schema: from.schema, definitions: from.document.reader.definitions() };
  const accepts = ({ document, pointer }: Located) => {
    const schema: unknown = resolvePointer(document.root, pointer) ?? true;
    const isSchema = isJsonObject(schema) || typeof schema === 'boolean';
    return compileSchema(isSchema ? schema : true, { root: document.root, unreadable: 'accept' });
  };
  try {
    const [check, laterCheck] = [accepts(from), accepts(to)];
    for (const value of sampleValues(source, { random: () => 0.5, prefer: 'full' })) {
      const isSent = direction === 'output' || isJsonObject(value);
      if (!isSent || check(value).length > 0 || laterCheck(value).length === 0) continue;
      const facts = { pointer: now.pointer, field: '' };
      return direction === 'input'
        ? [classify('values-refused', direction, { ...facts, before: value })]
        : [classify('values-added', direction, { ...facts, after: value })];
    }
  } catch (error) {
    // Not every schema can be checked, and ajv fails on some that count evaluated members.
    if (!(error instanceof SpecError || error instanceof TypeError)) throw error;
  }
  return [];
}
