import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { conditional, object, refTo } from './documents.ts';
import { type DangerousPattern, dangerousPattern, weighted } from './texts.ts';

/** A value for a validator; `valid` only where it is known by construction. */
type Probe = { readonly value: () => unknown; readonly valid?: boolean };
/** A schema for the output of a model, and values for its validator. */
export type ValueCase = {
  readonly name: string;
  readonly schema: JsonValue;
  readonly components: Record<string, JsonValue>;
  readonly probes: readonly Probe[];
};
type Wrap = (inner: unknown) => unknown;

const S = refTo('S');
function nest(depth: number, wrap: Wrap, leaf: unknown): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}
const array = (more: JsonObject): JsonObject => ({ type: 'array', ...more });
const next: Wrap = (inner) => ({ next: inner });
const item: Wrap = (inner) => [inner];

/** How a schema refers to itself one level down, and how a value is wrapped for it. */
const links: readonly (readonly [link: JsonValue, wrap: Wrap])[] = [
  [object({ next: S }), next],
  [object({ next: S }, { required: ['next'], additionalProperties: false }), next],
  [object({ next: { anyOf: [{ type: 'null' }, S] } }), next],
  [object({ next: { oneOf: [S, { type: 'boolean' }] } }), next],
  [object({ next: { allOf: [S, S] } }), next],
  [object({ next: { not: { not: S } } }), next],
  [array({ items: S }), item],
  [array({ items: S, uniqueItems: true }), item],
  [array({ prefixItems: [{ type: 'integer' }, S] }), (inner) => [1, inner]],
  [array({ contains: S }), item],
  [{ type: 'object', additionalProperties: S }, (any) => ({ any })],
  [{ type: 'object', patternProperties: { '^x': S } }, (x1) => ({ x1 })],
  [object({ next: refTo('Hop') }), next],
  [object({}, { unevaluatedProperties: S }), next],
  [{ type: 'object', allOf: [{ properties: { next: S } }, { required: ['next'] }] }, next],
];
/** Words that turn a failure of S into success, and its success into a failure. */
const negations: readonly JsonValue[] = [
  { not: S },
  { oneOf: [S, true] },
  { oneOf: [S, { not: { type: 'null' } }] },
  conditional(S, false),
  conditional({ not: S }, true, false),
  { allOf: [{ not: S }] },
  { anyOf: [{ not: S }, { type: 'null' }] },
  { not: { anyOf: [{ type: 'null' }, S] } },
  { not: { allOf: [S, { not: { type: 'null' } }] } },
  { not: { oneOf: [S, { type: 'null' }] } },
];

/** A chain of one recursive link, or a string at its end: valid with a string, invalid with a number, at every depth. */
function chain(link: number, negation: number | undefined, depths: readonly number[]): ValueCase {
  const [below, wrap] = links[link] ?? [true, item];
  const strings = depths.map((depth): Probe => {
    const value = (): unknown => nest(depth, wrap, 'leaf');
    if (negation !== undefined) return { value, valid: false };
    // A validator may refuse a valid value that is nested too deeply.
    return depth <= 50 ? { value, valid: true } : { value };
  });
  const numbers = depths.map((depth): Probe => ({ value: () => nest(depth, wrap, 7), valid: false }));
  return {
    name: `chain ${link}${negation === undefined ? '' : ` below negation ${negation}`}, ${depths} deep`,
    schema: negation === undefined ? S : (negations[negation] ?? S),
    components: { S: { anyOf: [{ type: 'string' }, below] }, Hop: refTo('HopTwo'), HopTwo: { allOf: [S] } },
    probes: negation === undefined ? [...strings, ...numbers] : strings,
  };
}

/** References that come back to the same value. */
const cycles: fc.Arbitrary<ValueCase> = fc
  .uniqueArray(fc.constantFrom('S', 'T', 'U'), { minLength: 1 })
  .chain((names) => {
    const to = fc.constantFrom('S', ...names).map(refTo);
    const body = fc.oneof<fc.Arbitrary<JsonValue>[]>(
      to,
      fc.tuple(to, to).map((oneOf) => ({ oneOf })),
      to.map((not) => ({ not })),
      to.map((one) => ({ anyOf: [{ type: 'null' }, one] })),
      to.map((one) => ({ allOf: [one] })),
      to.map((not) => ({ oneOf: [{ type: 'string' }, { not }] })),
      fc.tuple(to, to, to).map((all) => conditional(...all)),
      fc.tuple(to, to).map(([additionalProperties, not]) => ({ type: 'object', additionalProperties, not })),
    );
    return fc.record({ S: body, T: body, U: body }).map((components) => ({
      name: `cycle ${JSON.stringify(components)}`,
      schema: S,
      components,
      probes: [null, 'a', 1, {}, { a: 1 }, [[]], { a: { a: {} } }].map((value) => ({ value: () => value })),
    }));
  });

function patterned({ pattern, text }: DangerousPattern): ValueCase {
  const allOf = [
    { pattern },
    object({ a: { type: 'string', pattern } }),
    { type: 'object', patternProperties: { [pattern]: false } },
    { type: 'object', propertyNames: { pattern } },
  ];
  const probes = [text, { a: text }, { [text]: text }].map((value) => ({ value: () => value }));
  return { name: `pattern ${pattern}`, schema: { allOf }, components: {}, probes };
}

/** Values that JSON can't express. */
function foreign(schema: JsonValue): ValueCase {
  const circle: Record<string, unknown> = { a: 1 };
  circle['next'] = circle;
  const bigints = Array.from({ length: 1_000 }, (_, index) => 10n ** 3_000n + BigInt(index));
  const values: readonly unknown[] = [
    circle, [circle, circle], 1n, [1n, 1n], 10n ** 300_000n, bigints, Number.NaN, [Number.NaN, Number.NaN], Number.POSITIVE_INFINITY, undefined, [undefined, undefined], Symbol('a'), [Symbol('a')],
    () => 1, new Date(0), [new Date(0), new Date(0)], new Map([[1, 2]]), Object.create(null), [Object.create(null), {}], new Array(50_000), JSON.parse('{"__proto__":{"a":1}}'),
    { toJSON: () => 'a' }, [{ toJSON: 1 }, { toJSON: 1 }], Object.assign(() => 1, { a: 1 }), new Uint8Array(9), Object('a'), '\ud800', ['\ud800', '\udfff'],
  ]; // biome-ignore format: a list of values
  return {
    name: `values that are not JSON for ${JSON.stringify(schema)}`,
    schema,
    components: { S: object({ next: S, a: { type: 'number' } }) },
    probes: values.map((value) => ({ value: () => value })),
  };
}
const foreignSchemas: readonly JsonValue[] = [
  array({ uniqueItems: true }),
  { enum: [1, 'a', { a: 1 }, [1]] },
  { const: { a: [1] } },
  S,
];

/** Everything that can be listed; checked before random cases. */
export const namedCases: readonly ValueCase[] = [
  ...foreignSchemas.map(foreign),
  ...links.map((_, link) => chain(link, undefined, [50, 399, 400, 401])),
  ...negations.map((_, negation) => chain(0, negation, [50, 399, 400, 401, 50_000])),
];

const index = (list: readonly unknown[]): fc.Arbitrary<number> => fc.nat(list.length - 1);
const between = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const depths = (max: number): fc.Arbitrary<number[]> => fc.array(between(2, max), { minLength: 1, maxLength: 4 });
/** Random cases. */
export const valueCases: fc.Arbitrary<ValueCase> = weighted(
  [4, fc.tuple(index(links), fc.constant(undefined), depths(20_000)).map((given) => chain(...given))],
  [3, fc.tuple(index(links), index(negations), depths(100_000)).map((given) => chain(...given))],
  [2, cycles],
  [2, dangerousPattern.map(patterned)],
);
