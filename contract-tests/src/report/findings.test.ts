import { beforeAll, describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Concern } from '../contract/concerns.ts';
import type { Finding } from '../contract/finding.ts';
import { passiveRule, type Rule } from '../contract/rule.ts';
import { scenario } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { groupFindings, recordFindings } from './findings.ts';
import { createResult, exchange } from './fixtures/example-report.ts';
import type { ExchangeRecord, RuleResult } from './report.ts';

const base = 'http://h:1';
const target: Target = {
  kind: 'live',
  router: { url: base, credentials: {} },
  workflow: { url: base, credentials: {}, jobs: {} },
};
const rule = passiveRule({ name: 'a', concern: 'form' }, 'a.one', {
  sentence: 'One is one.',
  requirements: ['MR-CAT-01'],
  check: () => [],
});
let specs: EffectiveSpecs;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
});

const requestId = '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a01';
type Given = Partial<Finding> & {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly body?: string;
  readonly headers?: readonly (readonly [string, string])[];
};

function recorded(
  { method = 'GET', path = '/v2/models', status = 200, body, headers = [], ...finding }: Given,
  of: Rule = rule,
) {
  const text =
    body === undefined
      ? ({ kind: 'none' } as const)
      : ({ kind: 'text', text: body, sizeBytes: 9, isCut: false } as const);
  const answered: ExchangeRecord = {
    ...exchange,
    request: { ...exchange.request, method, url: base + path },
    response: { kind: 'response', status, headers: [['X-SERVICE-Request-Id', 'r-1'], ...headers], body: text },
  };
  const one: Finding = {
    ...{ code: 'value-unexpected', at: { step: 'list' }, expected: '1', actual: '2' },
    ...finding,
  };
  const found = recordFindings([one], [{ ...exchange, step: 'other' }, answered], { rule: of, target, specs });
  return found[0] as (typeof found)[number]; // `recordFindings` returns every finding.
}

test('a finding contains its request, request id and curl command', () => {
  expect(recorded({}).seen).toEqual({
    ...{ exchange: 1, method: 'GET', url: 'http://h:1/v2/models', status: 200, requestId: 'r-1', notes: [] },
    curl: "curl -sS -i -H 'X-API-Key: [redacted]' 'http://h:1/v2/models'",
  });
});

describe('findings of the same defect have the same cause', () => {
  const header = (step: string) =>
    ({ code: 'header-missing', at: { step: 'list', header: 'X-Id' }, expected: step }) as const;
  const router = { status: 404, body: '{"message":"no"}' };
  test.each<[string, readonly Given[]]>([
    ['a missing header, on any route', [header('a'), { ...header('b'), path: '/v2/models/a/b' }]],
    [
      'a different envelope, regardless of the missing member',
      [
        { ...router, at: { step: 'list', pointer: '/detail' } },
        { ...router, path: '/v2/models/a/b', at: { step: 'list', pointer: '/error_type' } },
      ],
    ],
    [
      'an error without a member, on any route',
      ['/v2/models', '/v2/models/a/b'].map((path) => ({
        ...{ path, status: 400, body: '{"detail":"no"}', isAbsent: true },
        at: { step: 'list', pointer: '/error_type' },
      })),
    ],
    [
      'different elements of a list',
      [{ at: { step: 'list', pointer: '/data/1/id' } }, { at: { step: 'list', pointer: '/data/17/id' } }],
    ],
    [
      'a member of the handle of a request, on any route',
      [
        { method: 'POST', path: '/v2/models/a/b/requests', status: 201, at: { step: 'list', pointer: '/error_type' } },
        { path: `/v2/models/a/b/requests/${requestId}/status`, at: { step: 'list', pointer: '/error_type' } },
        { path: `/v2/models/a/b/requests/${requestId}`, status: 202, at: { step: 'list', pointer: '/error_type' } },
      ],
    ],
    [
      'a member of a validation error, of a run or a submission',
      [
        { method: 'POST', path: '/v2/models/a/b', status: 422, at: { step: 'list', pointer: '/detail' } },
        { method: 'POST', path: '/v2/models/a/b/requests', status: 422, at: { step: 'list', pointer: '/detail' } },
      ],
    ],
    [
      'a member of the documents of several models',
      [
        { path: '/v2/models/a/b/openapi.json', at: { step: 'list', pointer: '/paths/~1v2~1models~1a~1b/post/x' } },
        { path: '/v2/models/c/d/openapi.json', at: { step: 'list', pointer: '/paths/~1v2~1models~1c~1d/post/x' } },
      ],
    ],
    ['different models of an operation', [{ path: '/v2/models/a/b' }, { path: '/v2/models/c/d' }]],
    [
      'different operations that work without a credential',
      [
        { code: 'status-unexpected', expected: '401', statuses: [401], actual: '200' },
        { code: 'status-unexpected', expected: '401', statuses: [401], actual: '200 {}', path: '/v2/models/a/b' },
      ],
    ],
  ])('findings of the same defect have the same cause: %s', (_, given) => {
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
    'the two APIs that serve calls without a credential',
    { code: 'status-unexpected', expected: '401', statuses: [401], actual: '200' },
    { code: 'status-unexpected', expected: '401', statuses: [401], actual: '200', path: '/api/v2/jobs/j/workflow' },
  ],
  [
    'Retry-After in the two APIs',
    { code: 'header-missing', at: { step: 'list', header: 'Retry-After' }, status: 429 },
    {
      code: 'header-missing',
      at: { step: 'list', header: 'Retry-After' },
      path: '/api/v2/jobs/j/workflow',
      status: 429,
    },
  ],
  [
    'a header and a body that differ',
    { code: 'values-differ', at: { step: 'list', header: 'A' } },
    { code: 'values-differ' },
  ],
  [
    'a credential and extra_data in a response',
    { code: 'secret-echoed', expected: 'no credential in a response', actual: 'the body' },
    { code: 'secret-echoed', expected: 'no member extra_data', actual: 'extra_data' },
  ],
  [
    'an error with the right envelope and one with a wrong envelope',
    { status: 404, body: '{"detail":"no"}' },
    { status: 404, body: '{"no":"detail"}' },
  ],
  [
    'a failure of the server and a wrong rejection status',
    { code: 'status-unexpected', status: 500 },
    { code: 'status-unexpected', status: 404 },
  ],
])('different defects have different causes: %s', (_, one, other) => {
  expect(recorded(one).cause).not.toBe(recorded(other).cause);
});

test('a rejection with the wrong rejection status is not reported as missing access control', () => {
  const refused = { code: 'status-unexpected', status: 403, actual: '403' } as const;
  expect(recorded({ ...refused, statuses: [404] }).usually).toBe('the handler maps this case to a different status');
  expect(recorded({ ...refused, statuses: [200] }).usually).toContain('has no access');
});

test('reports a possible second run as the cause of a missing replay header', () => {
  expect(recorded({ code: 'header-missing', at: { step: 'list', header: 'Idempotent-Replayed' } }).cause).toMatch(
    /twice/,
  );
});

describe('a group of findings', () => {
  const failing = (ruleId: string, more: Partial<RuleResult>, concern: Concern = 'results') => {
    const one = { ...recorded({}), ruleId, concern };
    const outcome = { kind: 'failed' as const, findings: [one] };
    return { ...createResult(ruleId, outcome), sentence: `${ruleId} holds.`, ...more, outcome };
  };

  test('the first rule of a group has the most severe finding; of several such rules, it is the one with the fewest calls', () => {
    const rules = [
      failing('a.one', { calls: 5 }),
      failing('a.two', { calls: 3 }),
      failing('a.four', { calls: 9 }, 'access'),
    ];
    expect(groupFindings(rules)).toMatchObject([
      { headline: 'a.four holds.', concern: 'access', findings: 3, rules: ['a.four', 'a.two', 'a.one'] },
    ]);
  });

  test('the first rule of a group has the same concern as the findings', () => {
    const rules = [
      failing('a.one', { calls: 1, concern: 'access' }),
      failing('a.two', { calls: 5, concern: 'results' }),
    ];
    expect(groupFindings(rules)[0]?.headline).toBe('a.two holds.');
  });

  test('the first rule of a group has the fewest requirements if the rules are equal otherwise', () => {
    const rules = [failing('a.one', { requirements: ['MR-CAT-01', 'MR-CAT-02'] }), failing('a.two', {})];
    expect(groupFindings(rules)[0]?.headline).toBe('a.two holds.');
  });

  test('the first rule of a group is the passive one if many operations have the same defect', () => {
    const families = ['a', 'b', 'c', 'd'].map((family) => failing(`${family}.one`, { family, calls: 1 }));
    const { calls: _, ...overAll } = failing('passive.one', { family: 'passive' });
    expect(groupFindings([...families, overAll])[0]?.headline).toBe('passive.one holds.');
    expect(groupFindings([...families.slice(0, 2), overAll])[0]?.headline).toBe('a.one holds.');
  });

  test('the headline of a group is its cause if its first rule only observes', () => {
    const [group] = groupFindings([failing('a.one', { observes: true })]);
    expect(group?.headline).toBe(group?.cause);
  });

  test('groups are sorted by their harm to callers', () => {
    const other = failing('a.one', {}, 'form');
    const rules = [other, { ...other, ruleId: 'a.two' }, failing('b.one', {}, 'money')];
    const causes = rules.map(({ outcome, ...one }, index) => {
      const cause = index < 2 ? 'form' : 'money';
      return { ...one, outcome: { ...outcome, findings: outcome.findings.map((found) => ({ ...found, cause })) } };
    });
    expect(groupFindings(causes).map(({ cause }) => cause)).toEqual(['money', 'form']);
  });
});

const active = { ...rule, scenario: scenario({}, async () => ({})) };
const replayed = ['Idempotent-Replayed', 'true'] as const;
test.each<[string, Concern, Given, Concern]>([
  ['a second run', 'money', { code: 'values-differ' }, 'money'],
  ['a replay that differs', 'money', { code: 'values-differ', headers: [replayed] }, 'results'],
  [
    'a rejected repetition',
    'money',
    { code: 'status-unexpected', expected: '200', statuses: [200], status: 409 },
    'served',
  ],
  [
    'a call in conflict that is rejected with a different status',
    'money',
    { code: 'status-unexpected', expected: '409', statuses: [409], status: 422 },
    'errors',
  ],
  [
    'a call in conflict that runs',
    'money',
    { code: 'status-unexpected', expected: '409', statuses: [409], status: 200 },
    'money',
  ],
  [
    'a foreign request that is shown',
    'access',
    { code: 'status-unexpected', expected: '404', statuses: [404], status: 200 },
    'access',
  ],
  [
    'a rejection with a different status',
    'access',
    { code: 'status-unexpected', expected: '401', statuses: [401], status: 403 },
    'errors',
  ],
  [
    'a call that got past the check',
    'access',
    { code: 'status-unexpected', expected: '401', statuses: [401], status: 422 },
    'access',
  ],
  [
    'a rejection without its header',
    'access',
    { code: 'header-missing', status: 401, at: { step: 'list', header: 'A' } },
    'errors',
  ],
  [
    'a rejected valid credential',
    'access',
    { code: 'status-unexpected', expected: '200', statuses: [200], status: 401 },
    'served',
  ],
  [
    'a different success status',
    'access',
    { code: 'status-unexpected', expected: '200', statuses: [200], status: 203 },
    'form',
  ],
])('reports only the harm that was observed for %s', (_, concern, given, want) => {
  expect(recorded(given, { ...active, concern }).concern).toBe(want);
});

test('all findings of a rule get the cause of the most severe one', () => {
  const at = { step: 'list' };
  const found = recordFindings(
    [
      { code: 'header-missing', at: { ...at, header: 'A' }, expected: 'x', actual: 'absent' },
      { code: 'status-unexpected', at, expected: '404', statuses: [404], actual: '200' },
    ],
    [exchange],
    { rule: { ...active, concern: 'access' }, target, specs },
  );
  expect(found.map(({ code }) => code)).toEqual(['status-unexpected', 'header-missing']);
  expect(new Set(found.map(({ cause }) => cause))).toEqual(new Set(['GET /v2/models returns 200 instead of 404']));
});
