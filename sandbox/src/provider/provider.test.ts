import { expect, test } from 'vitest';
import { defaultBrand, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { testModel } from '../../tests/test-sandbox.ts';
import { sha256 } from '../digest.ts';
import type { CatalogModel } from '../models/served-model.ts';
import { serveModel } from '../models/served-model.ts';
import { callProvider } from './provider.ts';
import type { ProviderChoice, ProviderResponse } from './provider-response.ts';

const objectSchema = (properties: JsonObject, required: string[], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const operation = (input: JsonObject, output: JsonObject, example: JsonValue): JsonObject => ({
  requestBody: { content: { 'application/json': { schema: input } } },
  responses: { '200': { description: '', content: { 'application/json': { schema: output, example } } } },
});
const text = { type: 'string' };
const serve = (model: CatalogModel) => serveModel(model, defaultBrand);

const one = serve(
  testModel(
    'one/draw',
    operation(objectSchema({ prompt: text, style: text }, ['prompt']), objectSchema({ by: text }, ['by'], closed()), {
      by: 'one',
    }),
  ),
);
const two = serve(
  testModel(
    'two/draw',
    operation(objectSchema({ prompt: text }, ['prompt']), {}, { by: 'two', engine: { version: 2 } }),
  ),
);
const odd = serve(testModel('odd/draw', operation(objectSchema({ prompt: text }, ['prompt']), {}, { maker: 'odd' })));
const picky = serve(testModel('picky/draw', operation(objectSchema({ words: text }, ['words']), {}, { by: 'picky' })));

function closed(): JsonObject {
  return { additionalProperties: false };
}

function call(choice: ProviderChoice, body: string): ProviderResponse {
  const input: unknown = JSON.parse(body);
  const run = { bytes: new TextEncoder().encode(body), input: isJsonObject(input) ? input : {} };
  return callProvider(one, run, {
    choice,
    context: { seed: 1, origin: 'http://sandbox.test', startsAt: 0, families: [] },
  });
}

function parseResult(answer: ProviderResponse): unknown {
  return answer.kind === 'result' ? JSON.parse(new TextDecoder().decode(answer.bytes)) : undefined;
}

const bodyWithSpaces = '{ "style": "y",  "prompt": "x" }';
const choose = (mode: ProviderChoice['mode'], servingModel: typeof one): ProviderChoice => ({
  servingModel,
  mode,
  fallbacks: [],
});

test.each([
  ['the model itself', choose('native', one), 'one'],
  ['an alternate in strict mode', choose('strict', two), 'two'],
])('%s receives the body of a run unchanged', (_, choice, provider) => {
  const answer = call(choice, bodyWithSpaces);
  expect(answer.received).toEqual([
    { provider, model: `${provider}/draw`, bytes: bodyWithSpaces.length, sha256: sha256(bodyWithSpaces) },
  ]);
  expect([answer.servedBy, answer.dropped, answer.isFallback]).toEqual([provider, [], false]);
});

test('an alternate only gets the fields that its document describes, and its result is converted', () => {
  const answer = call(choose('converted', two), bodyWithSpaces);
  expect(answer.received).toMatchObject([{ provider: 'two', sha256: sha256('{"prompt":"x"}') }]);
  expect(answer.dropped).toEqual([expect.stringMatching(/^style .*no such field/)]);
  expect(parseResult(answer)).toEqual({ by: 'two' });
  expect(answer.isRawOutput).toBe(false);
});

test('a result of an alternate that cannot be converted is marked as raw', () => {
  const answer = call(choose('converted', odd), bodyWithSpaces);
  expect(parseResult(answer)).toEqual({ maker: 'odd' });
  expect(answer.isRawOutput).toBe(true);
  expect(call(choose('strict', odd), bodyWithSpaces).isRawOutput).toBe(false);
});

test('an alternate rejects a run whose input lacks a field that the alternate requires', () => {
  const answer = call(choose('converted', picky), bodyWithSpaces);
  expect(answer).toMatchObject({ kind: 'refused_request', upstreamStatus: 422, isBilled: false });
});

test('a run of a model with an unreadable document ends with internal_error', () => {
  const broken = serve({ id: 'broken/draw', billing: 'no', bytes: new TextEncoder().encode('{') });
  const answer = callProvider(
    broken,
    { bytes: new Uint8Array(2), input: {} },
    {
      choice: choose('native', broken),
      context: { seed: 1, origin: '', startsAt: 0, families: [] },
    },
  );
  expect(answer).toMatchObject({ kind: 'internal_error' });
});
