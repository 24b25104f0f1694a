import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';
import { type Make, makeDocument, many, object, printed, type Schemas } from './schema-documents.ts';
import { componentRef } from './schemas.ts';

/** Components that refer to each other at random, through words that stay at the value and words that descend into it. */
export function web(random: Random): Schemas {
  const names = Array.from({ length: random.size(1, 60) }, (_, index) => `S${index}`);
  const to = (): JsonObject => componentRef(random.one(names));
  const make = (): JsonValue =>
    random.one<() => JsonValue>([
      to,
      () => ({ allOf: [to(), to()] }),
      () => ({ anyOf: [to(), to()] }),
      () => ({ oneOf: [to(), { not: to() }] }),
      () => ({ not: to() }),
      () =>
        Object.fromEntries([
          ['if', to()],
          ['then', to()],
        ]),
      () => object({ a: to(), b: to() }),
      () => ({ type: 'array', items: to() }),
      () => ({ type: 'object', additionalProperties: to(), allOf: [to()] }),
      () => object({ c: { type: 'string' } }),
    ])();
  return {
    input: object({ a: to(), b: { allOf: [to(), to()] } }),
    output: to(),
    components: Object.fromEntries(names.map((name) => [name, make()])),
  };
}

/** Steps that each double what is below them. */
export function ladder(random: Random): Schemas {
  const rungs = random.size(10, 80);
  const step = random.one<(next: JsonObject, rung: number) => JsonValue>([
    (next) => ({ allOf: [next, next] }),
    (next) => ({ anyOf: [next, { type: 'object', required: ['a'], allOf: [next] }] }),
    (next, rung) => ({ oneOf: [object({ a: next }), { ...object({ b: next }), required: [`r${rung}`] }] }),
    (next) => object({ a: next, b: next }),
    (next, rung) => ({ ...object({ a: next }), anyOf: [{ required: [`a${rung}`] }, { required: [`b${rung}`] }] }),
    (next) => ({ type: 'array', prefixItems: [next, next] }),
    (next) => ({ not: { anyOf: [next, { not: next }] } }),
  ]);
  const fan = random.size(2, 60);
  const components = many(rungs + 1, (rung) => [
    `S${rung}`,
    rung === rungs ? { type: 'string' } : step(componentRef(`S${rung + 1}`), rung),
  ]);
  const choices = {
    allOf: Array.from({ length: fan }, (_, part) => ({
      oneOf: Array.from({ length: random.size(2, 6) }, (_one, choice) => ({
        ...object({ [`p${part}`]: { const: choice } }),
        required: [`p${part}`],
      })),
    })),
  };
  return {
    input: object({ a: componentRef('S0'), b: choices }),
    output: { allOf: [componentRef('S0'), choices] },
    components,
  };
}

/** One place nested beyond what any reader can follow by recursion. */
export function deepText(id: string, random: Random): string {
  const depth = random.size(50, 60_000);
  const [open, inner, close] = random.one([
    ['{"type":"object","properties":{"a":', '{}', '}}'],
    ['{"allOf":[', '{"type":"object"}', ']}'],
    ['{"type":"array","items":', '{}', '}'],
    ['{"not":', '{}', '}'],
    ['{"anyOf":[{"type":"null"},', '{}', ']}'],
    ['{"type":"object","additionalProperties":', '{}', '}'],
    ['[', '1', ']'],
    ['{"enum":[[', '1', ']]}'],
  ] as const);
  const hole = random.one<Schemas>([
    { input: 'HOLE' },
    { output: 'HOLE' },
    { input: object({ a: { default: 'HOLE' } }) },
    { input: object({ a: { enum: ['HOLE'] } }) },
    { components: { S: 'HOLE' }, input: componentRef('S') },
    { root: { 'x-anything': 'HOLE' } },
  ]);
  return JSON.stringify(makeDocument(id, hole)).replace(
    '"HOLE"',
    () => open.repeat(depth) + inner + close.repeat(depth),
  );
}

/** As many members, components, values or branches as a document of a few megabytes can hold. */
export const wide: Make = printed((_id, random) => {
  const count = random.size(2_000, 120_000);
  const values = Array.from({ length: count }, (_, index) => `value ${index}`);
  return random.one<() => Schemas>([
    () => ({ input: object(many(count, (index) => [`p${index}`, { type: 'string' }])) }),
    () => ({
      input: {
        ...object(many(count, (index) => [`p${index}`, { type: 'integer' }])),
        required: Array.from({ length: count }, (_, index) => `p${index}`),
      },
    }),
    () => ({
      input: object({ a: { enum: values } }),
      output: { allOf: [{ enum: values }, { enum: values.slice(7) }] },
    }),
    () => ({
      input: object(many(count / 2, (index) => [`p${index}`, componentRef(`S${index}`)])),
      components: many(count / 2, (index) => [`S${index}`, object({ [`q${index}`]: { type: 'string' } })]),
    }),
    () => ({
      input: componentRef('S0'),
      components: many(count / 2, (index) => [
        `S${index}`,
        object({ a: componentRef(`S${(index * 7 + 1) % Math.floor(count / 2)}`) }),
      ]),
    }),
    () => ({
      output: {
        anyOf: Array.from({ length: count / 20 }, (_, index) => ({
          ...object({ [`p${index}`]: {} }),
          additionalProperties: false,
        })),
      },
    }),
    () => ({ input: { description: 'long '.repeat(count), ...object({ a: { default: values } }) } }),
  ])();
});
