import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeHttp } from '../src/adapters/node-http.ts';
import { type GenerateConfig, generate } from '../src/generate.ts';
import type { GenerationReport } from '../src/report/report.ts';
import { createFakeRouter, type FakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles } from './memory-files.ts';
import { configWith, instantClock, runGenerate } from './run-generate.ts';

const nodeHttp = createNodeHttp();

const id = 'p/hostile';

/** Runs the generator with an additional valid model, and measures the memory that the run takes. */
async function measured(router: FakeRouter): Promise<{ report: GenerationReport; megabytes: number }> {
  router.models.set('p/good', modelDocument('p/good'));
  const before = process.memoryUsage().rss;
  const report = await runGenerate(router, createMemoryFiles());
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
  return { report, megabytes };
}

function fillIn(document: object, hole: string, filling: string): string {
  return JSON.stringify(document).replace(JSON.stringify(hole), () => filling);
}

function nested(depth: number, open: string, inner: string, close: string): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

const text = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const members = (count: number, make: (index: number) => unknown, name = 'p') =>
  Object.fromEntries(many(count, (index) => [`${name}${index}`, make(index)] as const));

test.each<[string, Partial<GenerateConfig>]>([
  ['in its settings', { deadlineMs: 20_000 }],
  ['by default, ten minutes plus 50 ms for each model,', {}],
])('generate ends at the deadline %s and reports the models that were not read', async (_, config) => {
  const ids = Array.from({ length: 40 }, (__, index) => `p/m${index}`);
  const router = createFakeRouter(Object.fromEntries(ids.map((one) => [one, modelDocument(one)])));
  const { http } = router;
  let nowMs = 0;
  // Each response takes a fixed time. A request whose deadline is shorter ends without a response.
  router.http = async (request) => {
    const takesMs = config.deadlineMs === undefined ? 40_000 : 2_000;
    nowMs += Math.min(takesMs, request.deadlineMs);
    if (request.deadlineMs < takesMs) return { kind: 'no-response', because: 'deadline', detail: 'late' };
    return http(request);
  };
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const clock = { ...instantClock(), now: () => nowMs, sleep };
  const ports = { http: router.http, files: createMemoryFiles(), clock };
  const report = await generate(configWith({ ...config, concurrency: 1 }), ports);
  const { generated, failed } = report.models;
  expect([generated > 0, failed > 3, generated + failed]).toEqual([true, true, 40]);
  expect(nowMs).toBeLessThanOrEqual(config.deadlineMs ?? 10 * 60_000 + 40 * 50);
  expect(new Set(report.diagnostics.map(({ code }) => code))).toEqual(new Set(['document-not-read']));
  expect(report.diagnostics.some(({ message }) => message.includes('the deadline of the run'))).toBe(true);
});

describe('limits of documents', () => {
  let server: Server;
  beforeAll(async () => {
    const block = new TextEncoder().encode(' '.repeat(2 ** 20));
    server = createServer((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 50 * 2 ** 20);
      response.setHeader('content-type', 'application/json');
      response.on('error', () => {});
      for (let part = 0; part < 50; part++) response.write(block);
      response.end();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each(['announced', 'streamed'])(
    'a document of 50 MB (%s length) fails only its own model',
    { timeout: 60_000 },
    async (kind) => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const router = createFakeRouter({ [id]: modelDocument(id) });
      const { http } = router;
      router.http = async (request) =>
        request.url.includes(id) ? nodeHttp({ ...request, url: `http://127.0.0.1:${port}/${kind}` }) : http(request);
      const { report } = await measured(router);
      expect(report.models).toMatchObject({ generated: 1, failed: 1 });
      expect(report.diagnostics).toMatchObject([{ severity: 'error', code: 'document-too-large', model: id }]);
    },
  );

  const places: readonly ((id: string) => object)[] = [
    (id) => modelDocument(id, { input: 'HOLE' }),
    (id) => modelDocument(id, { input: object({ a: { type: 'object', default: 'HOLE' } }) }),
    (id) => modelDocument(id, { output: { type: 'object', example: 'HOLE' } }),
    (id) => modelDocument(id, { input: object({ a: { enum: ['HOLE'] } }) }),
    (id) => modelDocument(id, { root: { 'x-anything': 'HOLE' } }),
  ];
  const fillings: Record<string, (depth: number) => string> = {
    schemas: (depth) => nested(depth / 2, '{"type":"object","properties":{"a":', '{}', '}}'),
    allOf: (depth) => nested(depth / 2, '{"allOf":[', '{"type":"object"}', ']}'),
    items: (depth) => nested(depth, '{"type":"array","items":', '{}', '}'),
    not: (depth) => nested(depth, '{"not":', '{}', '}'),
    lists: (depth) => nested(depth, '[', '1', ']'),
  };
  test.each(Object.keys(fillings).flatMap((filling) => [280, 10_000].map((depth) => [filling, depth] as const)))(
    'documents with %s nested %i levels deep in different places fail at most their own models',
    { timeout: 60_000 },
    async (filling, depth) => {
      const documents = places.map((place, at) => {
        const text = fillIn(place(`p/deep-${at}`), 'HOLE', fillings[filling]?.(depth) ?? '');
        return [`p/deep-${at}`, text] as const;
      });
      const { report } = await measured(createFakeRouter(Object.fromEntries(documents)));
      expect(report.models.generated).toBeGreaterThanOrEqual(1);
      expect(report.models.generated + report.models.failed).toBe(6);
      expect(report.models.failed).toBe(report.diagnostics.filter(({ severity }) => severity === 'error').length);
    },
  );

  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const ladder = (rungs: number, make: (next: object) => object) =>
    Object.fromEntries(
      Array.from({ length: rungs }, (_, rung) => [
        `S${rung}`,
        rung === rungs - 1 ? { type: 'string' } : make(ref(`S${rung + 1}`)),
      ]),
    );
  test.each<[string, Record<string, object>]>([
    ['60 definitions, each an allOf of two references to the next', ladder(60, (next) => ({ allOf: [next, next] }))],
    [
      '60 definitions, each an anyOf of two references to the next',
      ladder(60, (next) => ({ anyOf: [next, { type: 'object', required: ['a'], allOf: [next] }] })),
    ],
    [
      '60 definitions, each a oneOf of two objects that refer to the next',
      ladder(60, (next) => ({ oneOf: [{ properties: { a: next } }, { properties: { b: next }, required: ['b'] }] })),
    ],
    [
      '60 definitions, each with two properties that refer to the next',
      ladder(60, (next) => ({ type: 'object', properties: { a: next, b: next } })),
    ],
    [
      'an allOf of twelve unions of four objects',
      {
        S0: {
          allOf: Array.from({ length: 12 }, (_, part) => ({
            oneOf: Array.from({ length: 4 }, (_one, choice) => ({
              type: 'object',
              properties: { [`p${part}`]: { const: choice } },
              required: [`p${part}`],
            })),
          })),
        },
      },
    ],
    ['a chain of 5,000 references', ladder(5_000, (next) => next)],
    ['references in a circle', { S0: { allOf: [ref('S1')] }, S1: { anyOf: [ref('S0'), ref('S1')] } }],
  ])('a document with %s does not affect other models', { timeout: 60_000 }, async (_name, components) => {
    const input = { type: 'object', properties: { a: ref('S0') } };
    const output = { allOf: [ref('S0'), { type: 'object' }] };
    const { report, megabytes } = await measured(
      createFakeRouter({ [id]: modelDocument(id, { input, output, components }) }),
    );
    expect(report.models.generated + report.models.failed).toBe(2);
    expect(report.models.generated).toBeGreaterThanOrEqual(1);
    expect(megabytes).toBeLessThan(1_000);
  });

  const values = (start: number) => ({ enum: many(20_000, (index) => `value ${start + index}`) });
  const closed = (index: number) => ({
    type: 'object',
    properties: { [`p${index}`]: text },
    additionalProperties: false,
  });
  test.each<[string, object, Record<string, object>?]>([
    ['an allOf of two enums with 20,000 values', { allOf: [values(0), values(5)] }],
    ['a oneOf of two enums with 20,000 values', { oneOf: [values(0), values(5)] }],
    ['an enum of 20,000 objects', { enum: many(20_000, (index) => ({ index })) }],
    ['a union of 3,000 closed objects', { anyOf: many(3_000, closed) }],
    [
      'an allOf of two unions of 2,000 objects',
      {
        allOf: ['p', 'q'].map((word) => ({
          anyOf: many(2_000, (at) => ({ type: 'object', required: [`${word}${at}`] })),
        })),
      },
    ],
    [
      'dependentRequired for forty members',
      { type: 'object', dependentRequired: members(40, (index) => [`q${index}`]) },
    ],
    [
      'forty conditions on different members',
      {
        type: 'object',
        // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
        allOf: many(40, (at) => ({ if: { required: [`p${at}`] }, then: { required: [`q${at}`] } })),
      },
    ],
    [
      '100,000 component names that become the same identifier',
      { $ref: '#/components/schemas/%D1%8F' },
      { я: text, ...Object.fromEntries(many(100_000, (index) => [String.fromCodePoint(0x10000 + index), text])) },
    ],
  ])('generates the model of a document with %s', { timeout: 30_000 }, async (_name, schema, components = {}) => {
    const input = { type: 'object', properties: { a: schema } };
    const { report, megabytes } = await measured(createFakeRouter({ [id]: modelDocument(id, { input, components }) }));
    expect(report.models).toMatchObject({ generated: 2, failed: 0 });
    expect(megabytes).toBeLessThan(1_000);
  });

  test.each<[string, object, string]>([
    ['100,000 properties', modelDocument(id, { input: object(members(100_000, () => text)) }), '50000 schemas'],
    [
      '400 levels',
      modelDocument(id, { input: object({ a: JSON.parse(`${'{"items":'.repeat(400)}{}${'}'.repeat(400)}`) }) }),
      '300 levels',
    ],
    [
      '400,000 values',
      modelDocument(id, { input: object({ a: { type: 'array', default: many(400_000, () => 1) } }) }),
      '300000 values',
    ],
  ])(
    'a document with %s fails only its own model, with an error that names the limit',
    { timeout: 60_000 },
    async (_name, document, bound) => {
      const { report } = await measured(createFakeRouter({ [id]: document }));
      expect(report.models).toMatchObject({ generated: 1, failed: 1 });
      const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors).toMatchObject([{ code: expect.stringMatching(/^document-too-(?:large|deep)$/), model: id }]);
      expect(errors[0]?.message).toContain(bound);
    },
  );

  const withPaths = (paths: object) => {
    const document = Object(modelDocument(id));
    return { ...document, paths: { ...document.paths, ...paths } };
  };
  const patternProperties = members(400, () => text, '^p');
  test.each<[string, object]>([
    ['10,000 properties', modelDocument(id, { input: object(members(10_000, () => text)) })],
    [
      '400 name patterns and 5,000 properties',
      modelDocument(id, {
        input: object(
          members(5_000, () => text),
          { patternProperties },
        ),
      }),
    ],
    ['50,000 paths', withPaths(members(50_000, () => ({ get: {} }), '/a/'))],
    [
      'a chain of 5,000 paths that refer to the next one',
      withPaths(members(5_000, (index) => ({ $ref: `#/paths/~1a~1${index + 1}` }), '/a/')),
    ],
    [
      'a description of 4 MB',
      modelDocument(id, { input: object({ a: { ...text, description: 'x*/'.repeat(1_300_000) } }) }),
    ],
    ['an example of 8 MB', modelDocument(id, { input: object({ a: { ...text, example: 'x'.repeat(8_000_000) } }) })],
    ['a property name of 4 MB', modelDocument(id, { input: object({ ['x'.repeat(4_000_000)]: text }) })],
  ])('generates the model of a document with %s without diagnostics', { timeout: 60_000 }, async (_name, document) => {
    const { report } = await measured(createFakeRouter({ [id]: document }));
    expect(report.models).toMatchObject({ generated: 2, failed: 0 });
    expect(report.diagnostics).toEqual([]);
  });

  test('lists 100 of 5,000 diagnostics of a document, counts the others, and shortens long pointers', {
    timeout: 60_000,
  }, async () => {
    const input = object({ ['n'.repeat(1_000_000)]: object(members(5_000, () => 7)) });
    const { report } = await measured(createFakeRouter({ [id]: modelDocument(id, { input }) }));
    expect(report.models).toMatchObject({ generated: 2, failed: 0 });
    expect(report.diagnostics).toHaveLength(101);
    expect(report.diagnostics.find(({ code }) => code === 'diagnostics-omitted')?.message).toContain('4900 more');
    expect(Math.max(...report.diagnostics.map((one) => JSON.stringify(one).length))).toBeLessThan(3_000);
  });
});
