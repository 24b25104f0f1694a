import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, readOwnCatalog, type Side } from '../../specs/src/index.ts';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, memoryRoot, writeToDisk } from './memory-files.ts';
import { createDice } from './random-documents/dice.ts';
import { randomDocument } from './random-documents/documents.ts';
import { mutate, sample } from './random-documents/values.ts';
import { compileRawSchema } from './raw-ajv-schema.ts';
import { runGenerate } from './run-generate.ts';

type Script = {
  isInput(value: unknown): boolean;
  validateInput(value: unknown): { valid: boolean; detail?: readonly { loc: unknown[]; msg: string; type: string }[] };
  isOutput?(value: unknown): boolean;
  model: JsonObject;
};

const seed = 20_261_121;
const dice = createDice(seed);
const random = Array.from({ length: 60 }, (_, index) => `random-provider/made-${index}`).map(
  (id) => [id, randomDocument(id, dice)] as const,
);
const own = readOwnCatalog().map(({ id, document }) => [id, document] as const);
const open = modelDocument('open-provider/open', { root: { 'x-service-input-schema-authored': false } });
const patterned = modelDocument('pattern-provider/patterns', {
  input: {
    type: 'object',
    properties: {
      twice: { type: 'string', pattern: '^(a+)-\\1$' },
    },
  },
});
const documents = new Map<string, JsonObject>([...own, ...random]);
/** Each pattern is small, but matching all of them would take 40,000 steps for each character of a text. */
const manyPatterns = modelDocument('pattern-provider/many', {
  input: {
    type: 'object',
    properties: {
      text: {
        type: 'string',
        allOf: Array.from({ length: 900 }, (_, at) => ({ pattern: `^[a-z]{38}(?:${at})?` })),
      },
    },
  },
});
let folder = '';
let paths: string[] = [];

beforeAll(async () => {
  const files = createMemoryFiles();
  const router = createFakeRouter({
    ...Object.fromEntries(documents),
    'open-provider/open': open,
    'pattern-provider/patterns': patterned,
    'pattern-provider/many': manyPatterns,
  });
  await runGenerate(router, files, { parts: 'all-validators' });
  folder = writeToDisk(files);
  paths = [...files.contents.keys()].filter((path) => path.startsWith(`${memoryRoot}/out/models/`));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(id: string): Promise<Script> {
  return import(/* @vite-ignore */ join(folder, 'models', `${id}.js`));
}

/** Returns the input and JSON output schemas of a model as they are in its document. */
function schemasIn(id: string, document: JsonObject): { input: JsonValue | undefined; output: JsonValue | undefined } {
  const at = (value: JsonValue | undefined, ...keys: string[]): JsonValue | undefined =>
    keys.reduce<JsonValue | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
  const post = at(document, 'paths', `/v2/models/${id}`, 'post');
  const json = ['content', 'application/json', 'schema'];
  return { input: at(post, 'requestBody', ...json), output: at(post, 'responses', '200', ...json) };
}

// The router only accepts JSON objects as inputs, even if the schema accepts other values.
function objectsOnly(schema: JsonValue): JsonValue {
  return { type: 'object', allOf: [schema] };
}

type Subject = { side: Side; schema: JsonValue; accepts: (value: JsonValue) => boolean };

function disagreements({ side, schema, accepts }: Subject, document: JsonObject): string[] {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) throw new Error('no schema');
  const isValid = compileRawSchema(schema, { root: { ...document, openapi: '3.0.3' }, side });
  const samples = Array.from({ length: 6 }, () => sample(schema, document, dice));
  const values = [...samples, ...samples.flatMap((sample) => mutate(sample, samples, dice))];
  return values
    .filter((value) => accepts(value) !== isValid(value))
    .map((value) => `${JSON.stringify(value)} against ${JSON.stringify(schema)}`);
}

describe(`validators of random documents (seed ${seed})`, () => {
  test.each([...documents.keys()])(
    'the generated validators of %s accept the same values as ajv with the raw document',
    async (id) => {
      const document = documents.get(id) ?? {};
      const { input, output } = schemasIn(id, document);
      const script = await load(id);
      const isAuthored = script.model['inputAuthored'] === true;
      if (input !== undefined && isAuthored)
        expect(disagreements({ side: 'input', schema: objectsOnly(input), accepts: script.isInput }, document)).toEqual(
          [],
        );
      const takesOutput = script.isOutput;
      if (output !== undefined && takesOutput !== undefined)
        expect(disagreements({ side: 'output', schema: output, accepts: takesOutput }, document)).toEqual([]);
    },
  );
});

test('the validator of an input without a schema accepts every object and nothing else (MR-SCH-14)', async () => {
  const { isInput } = await load('open-provider/open');
  expect([{}, { anything: [1] }, [], null, 'x'].map(isInput)).toEqual([true, true, false, false, false]);
});

test('a generated validator reports a missing field in the format of the router', async () => {
  const script = await load('text-provider/outline');
  const result = script.validateInput({});
  expect(result.valid).toBe(false);
  expect(result.detail?.[0]).toMatchObject({ loc: [expect.any(String)], type: 'missing' });
});

test('a generated validator does not check patterns that it cannot parse, and the model descriptor lists them', async () => {
  const { isInput, model } = await load('pattern-provider/patterns');
  expect([{ twice: 'aa-aa' }, { twice: 'aa-a' }, { twice: 1 }].map(isInput)).toEqual([true, true, false]);
  expect(model['uncheckedPatterns']).toEqual(['^(a+)-\\1$']);
});

test('a generated validator does not check patterns beyond the total size limit, and the model descriptor lists them', async () => {
  const { isInput, model } = await load('pattern-provider/many');
  const unchecked = model['uncheckedPatterns'];
  expect(Array.isArray(unchecked) && unchecked.length).toBeGreaterThan(700);
  // The first patterns are checked.
  expect([{ text: 'a'.repeat(50) }, { text: '!' }].map(isInput)).toEqual([true, false]);
});

test('models with the same schema share a validator', () => {
  const validators = paths.filter((path) => path.includes('/validators/'));
  expect(new Set(validators).size).toBe(validators.length);
  expect(validators.length).toBeLessThan(2 * (documents.size + 1));
});
