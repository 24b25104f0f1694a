import fc from 'fast-check';
import type { JsonSchema, SchemaObject } from '../../../generated/models/validation/check.js';
import { linearPattern } from '../../../generated/models/validation/linear-pattern.js';
import { createValidator } from '../../../generated/models/validation/validator.js';
import { dangerousPattern, weighted } from './texts.ts';
import { type AttackTime, tryCases } from './try-cases.ts';

/** A schema and a value. `valid` is only set if the construction of the case determines it. */
type ValueCase = { readonly schema: JsonSchema; readonly value: unknown; readonly valid?: boolean };
type Wrap = (inner: unknown) => unknown;

const S = { $ref: '#/$defs/S' };
const next: Wrap = (inner) => ({ next: inner });
const item: Wrap = (inner) => [inner];

/** A schema that refers to S for the next level, and a function that wraps a value in such a level. */
type Link = readonly [link: SchemaObject, wrap: Wrap];
const links: readonly Link[] = [
  [{ type: 'object', properties: { next: S }, required: ['next'], additionalProperties: false }, next],
  [{ type: 'object', properties: { next: { anyOf: [{ type: 'null' }, S] } } }, next],
  [{ type: 'object', properties: { next: { oneOf: [S, { type: 'boolean' }] } } }, next],
  [{ type: 'object', properties: { next: { not: { not: S } } } }, next],
  [{ type: 'object', patternProperties: { '^x': S } }, (x1) => ({ x1 })],
  [{ type: 'object', unevaluatedProperties: S }, next],
  [{ type: 'array', items: S, uniqueItems: true }, item],
  [{ type: 'array', prefixItems: [{ type: 'integer' }, S] }, (inner) => [1, inner]],
  [{ type: 'array', contains: S }, item],
];
/** Schemas that accept the values that S rejects, and reject the values that S accepts. */
const negations: readonly SchemaObject[] = [
  { not: S },
  { oneOf: [S, { not: { type: 'null' } }] },
  { anyOf: [{ not: S }, { type: 'null' }] },
  { not: { allOf: [S, { not: { type: 'null' } }] } },
  { not: { oneOf: [S, { type: 'null' }] } },
];

/** Nests a value `depth` levels deep. S accepts it if the innermost value is the string, and rejects it if that is the number. */
function chain([below, wrap]: Link, negation: SchemaObject | undefined, depth: number, leaf: 'leaf' | 7): ValueCase {
  const $defs = { S: { anyOf: [{ type: 'string' }, below] } };
  let value: unknown = leaf;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  const schema: SchemaObject = { ...(negation ?? S), $defs };
  const valid = (leaf === 'leaf') === (negation === undefined);
  // A validator may reject a valid value that is nested too deeply.
  return { schema, value, ...(valid && depth > 50 ? {} : { valid }) };
}

const depth = fc.oneof(fc.nat(50), fc.constantFrom(399, 400, 401), fc.nat(100_000));
const negation = fc.option(fc.constantFrom(...negations), { nil: undefined });
const chains = fc
  .tuple(fc.constantFrom(...links), negation, depth, fc.constantFrom<['leaf', 7]>('leaf', 7))
  .map((parts) => chain(...parts));

const foreignSchemas: readonly JsonSchema[] = [
  { type: 'array', uniqueItems: true },
  { enum: [1, 'a', { a: 1 }, [1]] },
  { properties: { a: { type: 'number', multipleOf: 2 } }, additionalProperties: { items: { type: 'string' } } },
];
/** Values that JSON can't express. */
const foreign: fc.Arbitrary<ValueCase> = fc.record({
  schema: fc.constantFrom(...foreignSchemas),
  value: fc.anything({
    ...{ withBigInt: true, withDate: true, withMap: true, withSet: true, withObjectString: true },
    ...{ withNullPrototype: true, withSparseArray: true, withTypedArray: true },
  }),
});

const patterned = dangerousPattern.map(({ pattern, text }): ValueCase => {
  const allOf = [{ pattern }, { patternProperties: { [pattern]: false } }, { propertyNames: { pattern } }];
  return { schema: { allOf }, value: { [text]: text } };
});

const maxCpuMs = 4_000;

/** Attacks the validators of generated packages with hostile values. */
export function attackValues(_folder: string, time: AttackTime) {
  return tryCases(time, {
    cases: weighted<ValueCase>([4, chains], [2, foreign], [1, patterned]),
    named: links.flatMap((link) => [399, 400, 401].map((levels) => chain(link, undefined, levels, 7))),
    check: async ({ schema, value, valid }) => {
      const { accepts, validate } = createValidator(schema, linearPattern);
      const startedAt = process.cpuUsage();
      const answers = [accepts(value), validate(value).valid];
      const { user, system } = process.cpuUsage(startedAt);
      const problems = (user + system) / 1_000 > maxCpuMs ? [`both calls took ${(user + system) / 1_000} ms`] : [];
      if (answers[0] !== answers[1]) problems.push(`accepts returns ${answers[0]}, validate ${answers[1]}`);
      else if (valid !== undefined && answers[0] !== valid) problems.push(`accepts returns ${answers[0]}`);
      return problems;
    },
  });
}
