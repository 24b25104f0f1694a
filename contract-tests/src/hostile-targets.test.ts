import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  type JsonObject,
} from '../../specs/src/index.ts';
import type { Target } from './contract/target.ts';
import { conformToFolder } from './record/conform-to-folder.ts';
import { exitCodeOf } from './report/report.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const named = (count: number, schema: JsonObject): JsonObject =>
  Object.fromEntries(range(count).map((index) => [`m${index}`, schema]));
const fan = (word: string): JsonObject => ({
  ...Object.fromEntries(
    range(40).map((index) => [`S${index}`, { [word]: [to(`S${index + 1}`), to(`S${index + 1}`)] }]),
  ),
  S40: { type: 'object' },
});

/** Hostile schemas by model name. `S0` is the schema of the input. */
const models: Readonly<Record<string, JsonObject>> = {
  'forty-all-of': fan('allOf'),
  'forty-any-of': fan('anyOf'),
  'sixty-of-itself': { S0: { type: 'object', properties: named(60, to('S0')) } },
  'sixty-required-of-itself': {
    S0: { type: 'object', properties: named(60, to('S0')), required: Object.keys(named(60, text)) },
  },
  'all-of-itself': { S0: { allOf: [to('S0'), to('S0')] } },
  'a-pattern': {
    S0: {
      type: 'object',
      properties: { a: { ...text, pattern: '^(a+)+$', example: `${'a'.repeat(60)}!` } },
      required: ['a'],
    },
  },
  'many-members': { S0: { type: 'object', properties: named(50_000, text) } },
  'many-examples': { S0: { type: 'object', required: ['z'], examples: range(20_000).map((index) => ({ index })) } },
};

function createDocument(model: string): JsonObject {
  const content = { 'application/json': { schema: to('S0') } };
  const post = { requestBody: { content }, responses: { 200: { content } } };
  return {
    openapi: '3.1.0',
    info: { title: model, version: '1' },
    'x-service-input-schema-authored': true,
    paths: { [`/v2/models/p/${model}`]: { post } },
    components: { schemas: models[model] ?? {} },
  };
}

const listing = Object.keys(models).map((model) => ({ id: `p/${model}`, provider: 'p', model }));
const catalog = { data: listing, has_more: false, next_cursor: null, limit: 100 };
const zeros = gzipSync(new Uint8Array(200 * 1024 * 1024));
const manyValues = gzipSync(`{"data":[${'{},'.repeat(2_000_000)}{}]}`);

type Answer = { readonly body: string | Uint8Array; readonly coding?: string };
const answers: Readonly<Record<string, (path: string) => Answer>> = {
  'hostile documents': (path) => {
    const model = /^\/v2\/models\/p\/([a-z-]+)\/openapi\.json$/.exec(path)?.[1];
    return { body: JSON.stringify(model === undefined ? catalog : createDocument(model)) };
  },
  'compression bombs': () => ({ body: zeros, coding: 'gzip' }),
  'many values': () => ({ body: manyValues, coding: 'gzip' }),
  'long ids': () => ({
    body: JSON.stringify({
      data: range(40).map((index) => ({ id: `p/${index}${'x'.repeat(50_000)}` })),
      has_more: false,
    }),
  }),
  // JSON strings can contain a lone surrogate, but URLs cannot.
  'lone surrogates': () => ({
    body: JSON.stringify({ data: [{ id: 'p/\ud800' }], has_more: true, next_cursor: '\ud800', limit: 100 }),
  }),
  // Members may also have a wrong type, or a value that cannot be printed.
  'wrong types': () => ({
    body: JSON.stringify({
      data: [{ id: 'p/m', input_schema_url: odd, billing: { charges_on_policy_rejection: odd } }],
      ...{ has_more: false, limit: odd, status: odd, detail: odd, error_type: odd },
    }),
  }),
  'endless pages': () => ({
    body: JSON.stringify({
      data: range(70).map((index) => ({ id: `p/m${index}`, provider: 'p', model: `m${index}` })),
      ...{ has_more: true, next_cursor: crypto.randomUUID(), limit: 100 },
    }),
  }),
};

const odd = { toString: 1, valueOf: 1 };

const outDir = mkdtempSync(join(tmpdir(), 'conform-'));
let specs: EffectiveSpecs;
const asked: string[] = [];
const server = http.createServer((request, response) => {
  request.resume();
  asked.push(request.url ?? '');
  const [, kind = '', path = ''] = /^\/([a-z-]+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
  const { body, coding } = answers[kind.replace('-', ' ')]?.(path) ?? { body: '{}' };
  response.setHeader('Content-Type', 'application/json');
  if (coding !== undefined) response.setHeader('Content-Encoding', coding);
  response.end(body);
});
let origin = '';
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  server.close();
  rmSync(outDir, { recursive: true });
});

test.each(Object.keys(answers))(
  'a check ends and writes its findings if the target sends %s',
  async (kind) => {
    const url = `${origin}/${kind.replace(' ', '-')}`;
    const target: Target = { kind: 'sandbox', router: { url, credentials: { main: 'sk-main-secret' } } };
    asked.length = 0;
    const limits = { requestMs: 5_000, ruleMs: 10_000, runMs: 20_000 };
    const small = /lone|wrong/.test(kind) ? ['catalog.cursor.*', 'catalog.entry.*', 'passive.*'] : [];
    const rules = ['catalog.page.*', 'schema-document.*', 'model.*', ...small];
    const report = await conformToFolder({ target, specs, rules, limits }, outDir);
    expect([1, 3]).toContain(exitCodeOf(report));
    expect(report.results.filter(({ outcome }) => outcome.kind === 'errored')).toEqual([]);
    expect(report.discovery.problems.join()).not.toContain('crashed');
    if (kind === 'endless pages') {
      const [pages, documents] = [/limit=100&cursor=/, /json$/].map(
        (of) => new Set(asked.filter((url) => of.test(url))).size,
      );
      expect([pages, documents]).toEqual([39, 60]);
    }
    const written = readFileSync(join(outDir, 'result.json'), 'utf8');
    expect(JSON.parse(written).counts).toEqual(report.counts);
    expect(written.length).toBeLessThan(5_000_000);
    if (kind !== 'hostile documents') return;
    expect(report.discovery.models.authored).toBe('p/sixty-of-itself');
    expect(report.discovery.problems[0]).toMatch(/^p\/forty-all-of: schema cannot be compiled: more than 10000/);
  },
  40_000,
);
