import { expect, test } from 'vitest';
import {
  compileSchema,
  defaultBrand,
  isJsonObject,
  type JsonObject,
  readOwnCatalog,
  resolvePointer,
  type Schema,
} from '../../../specs/src/index.ts';
import { sha256 } from '../digest.ts';
import { type ServedModel, serveModel } from '../models/served-model.ts';
import { callProvider } from './provider.ts';
import type { ProviderChoice, ProviderResponse } from './provider-response.ts';

const own = new Map(readOwnCatalog().map((model) => [model.id, model]));
const main = serveOwnModel('sandbox/outcomes');
const alternate = serveOwnModel('sandbox-two/outcomes');
const origin = 'http://sandbox.test';

function serveOwnModel(id: string): ServedModel {
  const model = own.get(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  const bytes = new TextEncoder().encode(JSON.stringify(model.document));
  return serveModel({ id, billing: model.charges_on_policy_rejection, bytes }, defaultBrand);
}

const nativeChoice: ProviderChoice = { servingModel: main, mode: 'native', fallbacks: [] };

function run(input: JsonObject, choice: ProviderChoice = nativeChoice): ProviderResponse {
  expect(main.document()?.input?.check(input), 'the document of the model allows the input').toEqual([]);
  const bytes = new TextEncoder().encode(JSON.stringify(input));
  return callProvider(main, { bytes, input }, { choice, context: { seed: 1, origin, startsAt: 1000, families: [] } });
}

function parseResult(answer: ProviderResponse): JsonObject {
  const value: unknown = answer.kind === 'result' ? JSON.parse(new TextDecoder().decode(answer.bytes)) : undefined;
  return isJsonObject(value) ? value : {};
}

function createOutputCheck(id: string): (value: unknown) => readonly unknown[] {
  const document = own.get(id)?.document ?? {};
  // Tests of the catalog ensure that this pointer refers to a schema.
  const schema = resolvePointer(document, '/components/schemas/OutcomeOutput') as Schema;
  return compileSchema(schema, { root: document });
}

test.each([
  [{}, { kind: 'result', upstreamStatus: 200, isBilled: true, durationMs: 0, replay: 'safe' }],
  [{ delay_ms: 1500 }, { kind: 'result', durationMs: 1500 }],
  [{ outcome: 'content_policy_violation' }, { kind: 'content_policy_violation', upstreamStatus: 400, isBilled: true }],
  [
    { outcome: 'content_policy_violation', upstream_status: 451 },
    { kind: 'content_policy_violation', upstreamStatus: 451 },
  ],
  [{ outcome: 'provider_error' }, { kind: 'provider_error', upstreamStatus: 500, isBilled: false }],
  [{ outcome: 'uninterpretable' }, { kind: 'uninterpretable', upstreamStatus: 200 }],
  [{ outcome: 'refused_request' }, { kind: 'refused_request', upstreamStatus: 400 }],
  [
    { outcome: 'deadline_exceeded', delay_ms: 50 },
    { kind: 'result', deadline: 'collectable', upstreamStatus: 202, durationMs: 50 },
  ],
  [{ outcome: 'deadline_exceeded', collectable: false }, { deadline: 'lost' }],
  [{ outcome: 'internal_error' }, { kind: 'internal_error' }],
  [{ outcome: 'service_unavailable' }, { kind: 'service_unavailable' }],
  [{ credits_used: 7 }, { creditsUsed: 7 }],
  [{ media_type: 'image/png' }, { mediaType: 'image/png', replay: 'safe' }],
  [{ media_type: 'text/plain' }, { mediaType: 'text/plain' }],
])('the outcome model has the documented outcome for %j', (input, answer) => {
  expect(run(input)).toMatchObject(answer);
});

test.each(['provider_timeout', 'internal_error'])('the outcome %s has no upstream status by default', (outcome) => {
  expect(run({ outcome }).upstreamStatus).toBe(undefined);
  expect(run({ outcome, upstream_status: 504 }).upstreamStatus).toBe(504);
});

test('the outcome refused_input returns its entries unchanged, including an empty list', () => {
  const entries = [{ loc: ['a', 0, 'b'], msg: 'm', type: 'too_small', ctx: { deep: { ge: 1 } }, input: null }];
  expect(run({ outcome: 'refused_input', entries })).toMatchObject({ kind: 'refused_input', entries });
  expect(run({ outcome: 'refused_input', entries: [] })).toMatchObject({ entries: [] });
  const usual = run({ outcome: 'refused_input' });
  expect(usual).toMatchObject({ upstreamStatus: 422, entries: [{ ctx: {}, input: {} }, { loc: ['prompt'] }] });
});

test('a run reports the request that its provider received, and the outcome echo returns it', () => {
  const input = { outcome: 'echo', prompt: 'straße \u2028 𝄞' };
  const text = JSON.stringify(input);
  const answer = run(input);
  const digest = { bytes: Buffer.byteLength(text), sha256: sha256(text) };
  expect(answer.received).toEqual([{ provider: 'sandbox', model: 'sandbox/outcomes', ...digest }]);
  expect(parseResult(answer)['received']).toEqual({ ...answer.received[0], text });
});

test('a result contains every documented kind of asset', () => {
  const hostings = ['hosted_24h', 'hosted_12h', 'failed_copy', 'provider', 'inline', 'direct_write', 'inline_video'];
  const answer = run({ assets: hostings.map((hosting) => ({ hosting })), delay_ms: 500 });
  expect(createOutputCheck('sandbox/outcomes')(parseResult(answer))).toEqual([]);
  expect(answer).toMatchObject({ kind: 'result', replay: 'unsafe-asset' });
  const assets = JSON.stringify(parseResult(answer)['assets']);
  const hourMs = 60 * 60 * 1000;
  const lifetimes = [...assets.matchAll(/expires=(\d+)/g)].map(([, expires]) => Number(expires) - 1500);
  expect(lifetimes).toEqual([24 * hourMs, 12 * hourMs, hourMs, hourMs]);
  expect(assets.match(/__assets\/(?:service|provider)/g)).toEqual([
    '__assets/service',
    '__assets/service',
    '__assets/provider',
    '__assets/provider',
  ]);
  const videos = resolvePointer(parseResult(answer), '/response/videos');
  expect(videos).toEqual([
    { gcsUri: expect.stringContaining(origin), mimeType: 'video/mp4' },
    { bytesBase64Encoded: expect.stringMatching(/^[\w+/]+=*$/), mimeType: 'video/mp4' },
  ]);
});

test('the catalog entry of the alternate decides if a policy rejection by the alternate is billed', () => {
  const choice: ProviderChoice = { servingModel: alternate, mode: 'converted', fallbacks: [] };
  expect(run({ alternate_outcome: 'content_policy_violation' }, choice)).toMatchObject({ isBilled: false });
});
