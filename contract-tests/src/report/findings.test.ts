import { beforeAll, describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../../specs/src/index.ts';
import type { RuleFinding } from '../contract/finding.ts';
import type { Target } from '../contract/target.ts';
import { groupFindings } from '../record/assemble-report.ts';
import { recordFindings } from './findings.ts';
import { createResult, exchange } from './fixtures/example-report.ts';
import type { ExchangeRecord } from './report.ts';

const base = 'http://h:1';
const target: Target = {
  kind: 'live',
  router: { url: base, credentials: {} },
  workflow: { url: base, credentials: {}, jobs: {} },
};
let specs: EffectiveSpecs;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
});

type Given = Partial<RuleFinding> & { readonly path?: string; readonly status?: number; readonly body?: string };

function recorded({ path = '/v2/models', status = 200, body, ...finding }: Given) {
  const text =
    body === undefined
      ? ({ kind: 'none' } as const)
      : ({ kind: 'text', text: body, sizeBytes: 9, isCut: false } as const);
  const answered: ExchangeRecord = {
    ...exchange,
    request: { ...exchange.request, url: base + path },
    response: { kind: 'response', status, headers: [['X-SERVICE-Request-Id', 'r-1']], body: text },
  };
  const one: RuleFinding = {
    ...{ ruleId: 'a.one', code: 'value-unexpected', at: { step: 'list' }, expected: '1', actual: '2' },
    ...finding,
  };
  return recordFindings([one], [{ ...exchange, step: 'other' }, answered], { target, specs })[0];
}

test('a finding names its request, request id and curl line', () => {
  expect(recorded({}).seen).toEqual({
    ...{ exchange: 1, method: 'GET', url: 'http://h:1/v2/models', status: 200, requestId: 'r-1', notes: [] },
    curl: "curl -sS -i -H 'X-API-Key: [redacted]' 'http://h:1/v2/models'",
  });
});

describe('findings of one defect have one cause:', () => {
  const header = (step: string) =>
    ({ code: 'header-missing', at: { step: 'list', header: 'X-Id' }, expected: step }) as const;
  const router = { status: 404, body: '{"message":"no"}' };
  test.each<[string, readonly Given[]]>([
    ['a missing header, on any route', [header('a'), { ...header('b'), path: '/v2/models/a/b' }]],
    [
      'another envelope, whatever member is missed',
      [
        { ...router, at: { step: 'list', pointer: '/detail' } },
        { ...router, path: '/v2/models/a/b', at: { step: 'list', pointer: '/error_type' } },
      ],
    ],
    [
      'elements of a list',
      [{ at: { step: 'list', pointer: '/data/1/id' } }, { at: { step: 'list', pointer: '/data/17/id' } }],
    ],
    ['models of one operation', [{ path: '/v2/models/a/b' }, { path: '/v2/models/c/d' }]],
    [
      'served without a credential',
      [
        { code: 'status-unexpected', expected: '401', actual: '200' },
        { code: 'status-unexpected', expected: '401', actual: '200 {}', path: '/v2/models/a/b' },
      ],
    ],
  ])('%s', (_, given) => {
    expect(new Set(given.map((one) => recorded(one).cause)).size).toBe(1);
  });
});

test.each<[string, Given, Given]>([
  [
    'two headers',
    { code: 'header-missing', at: { step: 'list', header: 'A' } },
    { code: 'header-missing', at: { step: 'list', header: 'B' } },
  ],
  ['two members', { at: { step: 'list', pointer: '/a' } }, { at: { step: 'list', pointer: '/b' } }],
  ['two operations', {}, { path: '/v2/models/a/b' }],
  [
    'an error of the right envelope',
    { status: 404, body: '{"detail":"no"}' },
    { status: 404, body: '{"no":"detail"}' },
  ],
  ['a failure of the server', { code: 'status-unexpected', status: 500 }, { code: 'status-unexpected', status: 404 }],
])('%s are two causes', (_, one, other) => {
  expect(recorded(one).cause).not.toBe(recorded(other).cause);
});

test.each<[string, Given, RegExp]>([
  [
    'a second run under one key',
    { code: 'header-missing', at: { step: 'list', header: 'Idempotent-Replayed' } },
    /twice/,
  ],
  [
    'a model on no page',
    { code: 'values-differ', ruleId: 'catalog.traversal.shows-each-model-once' },
    /^paging through the catalog misses or repeats a model$/,
  ],
])('the cause of %s is named, not its sign', (_, given, cause) => {
  expect(recorded(given).cause).toMatch(cause);
});

test('groups count findings and rules, and the rule with most findings stands for them', () => {
  const failing = (ruleId: string, count: number) => {
    const one = { ...recorded({}), ruleId };
    return createResult(ruleId, { kind: 'failed', findings: [one, ...Array.from({ length: count - 1 }, () => one)] });
  };
  const [group] = groupFindings([failing('a.one', 1), failing('a.two', 3)]);
  expect(group).toMatchObject({ findings: 4, rules: ['a.two', 'a.one'] });
});
