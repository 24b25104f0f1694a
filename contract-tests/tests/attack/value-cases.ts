import type { JsonValue } from '../../../specs/src/index.ts';
import { type Random, seedRandom } from './attack-class.ts';
import { plainWord } from './hostile-texts.ts';
import { mutate, sample } from './samples.ts';
import { makeDocument } from './schema-documents.ts';
import { componentRef, randomSchema, type SchemaWords } from './schemas.ts';
import { type Make, nested, object, S, type ValueCase, type ValueProbe } from './value-case.ts';
import { branches, cycles, deep, foreign, inherited, listed, patterns, unique } from './value-kinds.ts';

const agreeing: Make = (random) => {
  const keys = ['a', 'b', 'kind', 'c', plainWord(random, 2)];
  const names = ['A', 'B', 'C', 'D'];
  const words = (from: number): SchemaWords => ({
    keys,
    components: [...names.slice(from), 'Last'],
    text: () => random.one(['a', 'b', 'abc', plainWord(random, 2)]),
  });
  const components: Record<string, JsonValue> = {
    Last: random.one([{ type: 'string' }, { enum: ['a', 1, null, { a: [1] }] }]),
  };
  names.forEach((name, index) => {
    components[name] = randomSchema(random, words(index + 1), 2);
  });
  const schema = randomSchema(random, words(0), 4);
  return {
    schema,
    components,
    probes: (document) => {
      const samples = Array.from({ length: 8 }, () => sample(schema, document, random));
      return [...samples, ...samples.flatMap((one) => [mutate(one, random), mutate(mutate(one, random), random)])].map(
        (value) => ({ value: () => value, truth: 'ajv' }),
      );
    },
  };
};

/** How a schema leads to itself one level down, and how a value is wrapped for it. */
const links: readonly { link: JsonValue; wrap: (inner: unknown) => unknown }[] = [
  { link: object({ next: S }), wrap: (next) => ({ next }) },
  { link: object({ next: S }, { required: ['next'], additionalProperties: false }), wrap: (next) => ({ next }) },
  { link: object({ next: { anyOf: [{ type: 'null' }, S] } }), wrap: (next) => ({ next }) },
  { link: object({ next: { oneOf: [S, { type: 'boolean' }] } }), wrap: (next) => ({ next }) },
  { link: object({ next: { allOf: [S, S] } }), wrap: (next) => ({ next }) },
  { link: object({ next: { not: { not: S } } }), wrap: (next) => ({ next }) },
  { link: { type: 'array', items: S }, wrap: (next) => [next] },
  { link: { type: 'array', items: S, uniqueItems: true }, wrap: (next) => [next] },
  { link: { type: 'array', prefixItems: [{ type: 'integer' }, S] }, wrap: (next) => [1, next] },
  { link: { type: 'array', contains: S }, wrap: (next) => [next] },
  { link: { type: 'object', additionalProperties: S }, wrap: (any) => ({ any }) },
  { link: { type: 'object', patternProperties: { '^x': S } }, wrap: (x1) => ({ x1 }) },
  { link: object({ next: componentRef('Hop') }), wrap: (next) => ({ next }) },
  { link: object({}, { unevaluatedProperties: S }), wrap: (next) => ({ next }) },
  {
    link: { type: 'object', allOf: [{ properties: { next: S } }, { required: ['next'] }] },
    wrap: (next) => ({ next }),
  },
];
const hops: Record<string, JsonValue> = {
  Hop: componentRef('HopTwo'),
  HopTwo: { allOf: [componentRef('HopThree')] },
  HopThree: S,
};

/** A schema of one recursive link or a string; a leaf of another type is invalid at every depth. */
function makeChain(random: Random): { components: Record<string, JsonValue>; wrap: (inner: unknown) => unknown } {
  const { link, wrap } = random.one(links);
  return { components: { S: { [random.one(['anyOf', 'oneOf'])]: [{ type: 'string' }, link] }, ...hops }, wrap };
}

const chain: Make = (random) => {
  const { components, wrap } = makeChain(random);
  const depths = Array.from({ length: 4 }, () => random.size(2, 20_000));
  return {
    schema: S,
    components,
    probes: () => [
      ...depths.flatMap((depth): ValueProbe[] => [
        { value: () => nested(depth, wrap, 7), truth: false },
        { value: () => nested(depth, wrap, 'leaf'), truth: depth <= 50 ? true : 'ends' },
      ]),
      { value: () => nested(398 + random.below(5), wrap, 7), truth: false },
    ],
  };
};

/** Valid leaves below words that turn a failure into acceptance: whatever limit is reached, these are never valid. */
const negated: Make = (random) => {
  const { components, wrap } = makeChain(random);
  const depths = Array.from({ length: 4 }, () => random.size(2, 100_000));
  const schema = random.one<JsonValue>([
    { not: S },
    { oneOf: [S, true] },
    { oneOf: [S, { not: { type: 'null' } }] },
    Object.fromEntries([
      ['if', S],
      ['then', false],
    ]),
    { allOf: [{ not: S }] },
    { anyOf: [{ not: S }, { type: 'null' }] },
    { not: { anyOf: [{ type: 'null' }, S] } },
    { not: { allOf: [S, { not: { type: 'null' } }] } },
    Object.fromEntries([
      ['if', { not: S }],
      ['then', true],
      ['else', false],
    ]),
    { not: { oneOf: [S, { type: 'null' }] } },
  ]);
  return {
    schema,
    components,
    probes: () => depths.map((depth) => ({ value: () => nested(depth, wrap, 'leaf'), truth: false })),
  };
};

const kinds: readonly (readonly [kind: string, share: number, make: Make])[] = [
  ['agreement', 42, agreeing],
  ['chain', 12, chain],
  ['negated', 10, negated],
  ['unique', 6, unique],
  ['listed', 4, listed],
  ['branches', 8, branches],
  ['cycle', 6, cycles],
  ['deep', 5, deep],
  ['pattern', 5, patterns],
  ['inherited', 4, inherited],
  ['foreign', 2, foreign],
];
const slots = kinds.flatMap(([kind, share, make]) => Array.from({ length: share }, () => ({ kind, make })));

export const valueModel = (index: number): string => `values-provider/case-${index}`;

/** A case by its number; the process that asks the validator makes it again. */
export function valueCase(run: { seed: number }, index: number): ValueCase {
  const random = seedRandom(run, 'values', index);
  const { kind, make } = random.one(slots);
  const { schema, components = {}, probes } = make(random);
  const document = makeDocument(valueModel(index), { output: schema, components });
  return { kind, schema, document, probes: probes(document) };
}
