import type { JsonObject } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';
import { dangerousPattern, hostileText, plainWord } from './hostile-texts.ts';
import { deepText, ladder, web, wide } from './large-documents.ts';
import { mutantText, oddValues } from './mutants.ts';
import { type Make, makeDocument, many, object, printed, type Schemas } from './schema-documents.ts';
import { componentRef, randomSchema, type SchemaWords } from './schemas.ts';

/** A model as a catalog lists it: `kind` names the attack. */
export type HostileModel = { readonly kind: string; readonly id: string; readonly text: string };

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

/** A good document with some of its bytes or some of its parts gone wrong. */
function brokenText(id: string, random: Random): string {
  const text = JSON.stringify(
    makeDocument(id, {
      input: object({ a: { type: 'string', enum: ['p', 'q'] }, b: componentRef('S') }),
      components: { S: object({ c: { type: 'integer' } }) },
    }),
  );
  const at = random.below(text.length);
  const odd = random.one(oddValues);
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
  ['mutant', 16, mutantText],
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
    return { kind: 'id', id, text: JSON.stringify(makeDocument(id, {})) };
  }
  const id = `hostile-provider/case-${index}`;
  return { kind, id, text: make(id, random) };
}
