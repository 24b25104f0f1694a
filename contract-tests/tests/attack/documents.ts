import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';
import { dangerousPattern, hostileText, plainWord } from './hostile-texts.ts';
import { componentRef, randomSchema, type SchemaWords } from './schemas.ts';

/** A model as a catalog lists it: `kind` names the attack. */
export type HostileModel = { readonly kind: string; readonly id: string; readonly text: string };

type Schemas = {
  input?: JsonValue;
  output?: JsonValue;
  components?: Record<string, JsonValue>;
  root?: JsonObject;
  media?: string;
};

/** A schema document around its schemas, as a router serves it. */
export function documentOf(
  id: string,
  { input, output = {}, components = {}, root = {}, media = 'application/json' }: Schemas,
  brand = 'service',
): JsonObject {
  return {
    openapi: '3.0.4',
    info: { title: id, version: '1' },
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          operationId: 'runModel',
          requestBody: { required: true, content: { 'application/json': { schema: input ?? { type: 'object' } } } },
          responses: { 200: { description: 'Result', content: { [media]: { schema: output } } } },
        },
      },
    },
    components: { schemas: components },
    [`x-${brand}-input-schema-authored`]: true,
    [`x-${brand}-output-schema-authored`]: true,
    ...root,
  };
}

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const many = (count: number, make: (index: number) => [string, JsonValue]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));

type Make = (id: string, random: Random) => string;
const printed =
  (make: (id: string, random: Random) => Schemas): Make =>
  (id, random) =>
    JSON.stringify(documentOf(id, make(id, random)));

/** The text in every place that a document offers. */
function everywhere(text: string, random: Random): Schemas {
  const part: JsonObject = {
    type: 'object', title: text, description: text, default: { [text]: text }, example: text, examples: [text], format: text, pattern: text, 'x-enum': [text], $comment: text, deprecated: true,
    properties: { [text]: { type: 'string', enum: [text, 'plain'], description: text, default: text, externalDocs: { url: text } } },
    required: [text],
  }; // biome-ignore format: a list of words
  const choice = {
    oneOf: [componentRef('Other'), componentRef(`${text}Part`)],
    discriminator: { propertyName: text, mapping: { [text]: '#/components/schemas/Other' } },
  };
  return {
    input: {
      ...object({
        part: componentRef(`${text}Part`),
        choice,
        lost: { $ref: text },
        map: { type: 'object', additionalProperties: { const: text } },
      }),
      description: text,
    },
    output: { const: { [text]: [text] } },
    media: random.chance(0.5) ? text : 'application/json',
    components: { [`${text}Part`]: part, Other: object({ kind: { type: 'string' } }) },
    root: {
      info: { title: text, version: text, description: text },
      servers: [{ url: text, variables: { [text]: { default: text } } }],
      tags: [{ name: text }],
      'x-service-router-alt-providers': [{ provider: text, model_id: text }],
    },
  };
}

/** Components that refer to each other at random, through words that stay at the value and words that descend into it. */
function web(random: Random): Schemas {
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
function ladder(random: Random): Schemas {
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

function deepText(id: string, random: Random): string {
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
  return JSON.stringify(documentOf(id, hole)).replace('"HOLE"', () => open.repeat(depth) + inner + close.repeat(depth));
}

/** A good document with some of its bytes or some of its parts gone wrong. */
function brokenText(id: string, random: Random): string {
  const text = JSON.stringify(
    documentOf(id, {
      input: object({ a: { type: 'string', enum: ['p', 'q'] }, b: componentRef('S') }),
      components: { S: object({ c: { type: 'integer' } }) },
    }),
  );
  const at = random.below(text.length);
  const odd = random.one([
    'null',
    '7',
    '[]',
    '{}',
    '"x"',
    'true',
    '1e999',
    '{"$ref":"#"}',
    '{"$ref":"file:///etc/passwd"}',
    '{"$ref":"http://127.0.0.1:9/x"}',
    '{"$ref":"#/components/schemas/__proto__"}',
    '{"$ref":{}}',
    '-0',
    '"\\ud800"',
    '[[[]]]',
  ]);
  return random.one<() => string>([
    () => text.slice(0, at),
    () => text.slice(0, at) + random.one(['\0', '}', ']', ',', '"', '\ud800', '\\']) + text.slice(at + 1),
    () => text.replace(/"(?:object|string|integer|p|S|1)"/g, (found) => (random.chance(0.3) ? odd : found)),
    () => text.replace(/\{"type":"[a-z]+"/g, (found) => (random.chance(0.5) ? `{"type":${odd}` : found)),
    () => text.replace(/:\{/g, (found) => (random.chance(0.15) ? `:${odd},"x":{` : found)),
    () => `\ufeff${text}`,
    () => text.replace('{', '{"__proto__":{"polluted":1},'),
    () => odd,
  ])();
}

const wide: Make = printed((_id, random) => {
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

const twins: Make = printed((_id, random) => {
  const base = plainWord(random, 3);
  const forms = [
    base,
    base.toUpperCase(),
    `${base}-`,
    `-${base}`,
    `${base}.`,
    `${base} `,
    `${base}\u200b`,
    `${base}é`,
    `${base}e\u0301`,
    `1${base}`,
    '',
    '$',
    '_',
    `${base}/x`,
    `${base}~x`,
    '__proto__',
    'constructor',
    'Input',
    'Output',
    'input',
    'model',
    'Models',
    'default',
    'undefined',
    'string',
    'ModelDescriptor',
  ];
  const names = [
    ...new Set([
      ...forms,
      ...Array.from({ length: random.size(1, 300) }, () => `${random.one(forms)}${random.one(forms)}`),
    ]),
  ];
  return {
    input: object(Object.fromEntries(names.map((name) => [name, componentRef(name)]))),
    components: Object.fromEntries(names.map((name) => [name, object({ [name]: { type: 'string' } })])),
  };
});

const randomly: Make = printed((_id, random) => {
  const keys = Array.from({ length: 6 }, () => (random.chance(0.5) ? hostileText(random) : plainWord(random, 2)));
  const words: SchemaWords = {
    keys,
    components: [...new Set(keys.map((key) => `${key}S`))],
    text: () => hostileText(random),
  };
  const components = Object.fromEntries(words.components.map((name) => [name, randomSchema(random, words, 2)]));
  return {
    input: object({ x: randomSchema(random, words, 3), y: randomSchema(random, words, 2) }),
    output: randomSchema(random, words, 4),
    components,
  };
});

const kinds: readonly (readonly [kind: string, share: number, make: Make])[] = [
  ['text', 22, printed((_id, random) => everywhere(hostileText(random), random))],
  ['random', 20, randomly],
  ['broken', 16, brokenText],
  ['web', 12, printed((_id, random) => web(random))],
  ['ladder', 6, printed((_id, random) => ladder(random))],
  ['deep', 6, deepText],
  ['twins', 6, twins],
  [
    'pattern',
    4,
    printed((_id, random) => ({
      input: object(
        many(random.size(1, 20), (index) => [
          `p${index}`,
          { type: 'string', pattern: dangerousPattern(random).pattern },
        ]),
      ),
    })),
  ],
  ['wide', 2, wide],
];
/** Kinds whose documents take long to read. */
export const heavyKinds: ReadonlySet<string> = new Set(['wide', 'ladder']);

const slots = kinds.flatMap(([kind, share, make]) => Array.from({ length: share }, () => ({ kind, make })));

/** The document of one case; some of them stand under an id that is an attack of its own. */
export function hostileModel(random: Random, index: number): HostileModel {
  const { kind, make } = random.one(slots);
  if (random.chance(0.06)) {
    const id = random.one([
      () => hostileText(random),
      () => `${plainWord(random)}/${hostileText(random)}`,
      () => `../../${plainWord(random)}/x`,
      () => `${plainWord(random)}/${'x'.repeat(random.size(100, 9_000))}`,
    ])();
    return { kind: 'id', id, text: JSON.stringify(documentOf(id, {})) };
  }
  const id = `hostile-provider/case-${index}`;
  return { kind, id, text: make(id, random) };
}
