import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileSchema, packageRoot } from '../../../specs/src/index.ts';
import { createFinding, createReport, createResult, exchange as example } from './fixtures/example-report.ts';
import { renderHtml } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderText } from './render-text.ts';
import {
  type ConformanceReport,
  type ExchangeRecord,
  type ResultOutcome,
  type RuleResult,
  renderJson,
} from './report.ts';
import { viewReport } from './view.ts';

const hostile = 'a\u0000b\u001b[31m]]><\ud800 & "q"\u2028';
const exchange: ExchangeRecord = {
  ...example,
  response: {
    kind: 'response',
    status: 200,
    headers: [['X-A', hostile]],
    body: { kind: 'text', text: hostile, sizeBytes: 9, isCut: false },
  },
};
const silence = { ...exchange, response: { kind: 'no-response', because: 'timeout', detail: 'x' } } as const;
const finding = {
  ...createFinding('catalog.failed', `wrong ${hostile}`),
  actual: hostile,
  seen: {
    exchange: 0,
    method: 'GET',
    url: 'http://h:1/v2/models',
    status: 200,
    requestId: 'r-1',
    curl: 'curl -sS -i http://h:1/v2/models',
    notes: ['this call may be billed'],
  },
};
const outcomes: readonly ResultOutcome[] = [
  { kind: 'passed' },
  { kind: 'failed', findings: [finding] },
  { kind: 'observed', observation: hostile },
  { kind: 'not-observable', because: 'the mock has no state' },
  { kind: 'not-applicable', because: 'no job' },
  { kind: 'blocked', by: 'catalog.failed' },
  { kind: 'setup-failed', reason: hostile },
  { kind: 'errored', message: 'a bug' },
];
const results = outcomes.map((outcome): RuleResult => {
  return { ...createResult(`catalog.${outcome.kind}`, outcome), calls: 2, evidence: [exchange, silence] };
});
const report = createReport(results, {
  discovery: { listed: 2, models: { authored: 'a/b' }, problems: ['no binary model'] },
  missingRequired: [{ ruleId: 'catalog.blocked', outcome: 'blocked', because: 'needs catalog.failed' }],
  shortfalls: ['the catalog lists no models'],
  coverage: { rules: 4, checked: 2, lacking: [] },
  transient: [{ request: 'GET http://h:1/v2/models', status: 503, times: 2 }],
});

test('result.json is valid against the published schema', () => {
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'contract-tests/result.schema.json'), 'utf8'));
  const check = compileSchema(schema, { root: schema });
  expect(check(JSON.parse(renderJson(report)))).toEqual([]);
  expect(check({ ...report, secret: 1 })).not.toEqual([]);
  expect(check({ ...report, results: [{ ...results[0], outcome: { kind: 'fine' } }] })).not.toEqual([]);
});

test('the console text contains failures, reasons and counts, but no control characters', () => {
  const text = renderText(report);
  expect(text.replaceAll(hostile.slice(1), '')).toMatchInlineSnapshot(`
    "conformance of http://h:1 (live)
    1. Rule violated: A page is a page.  (1 rule, 1 finding)
       seen: wrong a�b�[31m]]><� & "q"�
       for callers: Programs may fail to find a model, or build inputs from a wrong description of it.
       usually: a mistake
       failed catalog.failed: A page is a page.
       is based on the API text:
       MR-CAT-01 (section 4.1): GET /v2/models lists the catalog.
       GET http://h:1/v2/models returned 200, request id r-1
       at step list /a (value-unexpected)
       expected 1
       actual   a�b�[31m]]><� & "q"�
       # this call may be billed
       curl -sS -i http://h:1/v2/models
    errored catalog.errored  a bug
    setup-failed catalog.setup-failed  a�b�[31m]]><� & "q"
    blocked catalog.blocked  needs catalog.failed
    observed 1 rule: the contract leaves these open, so the behaviour of the target is recorded, but not judged
        catalog.observed  a�b�[31m]]><� & "q"
    transient: GET http://h:1/v2/models returned 503 and was retried (2 times)
    required rule not decided: catalog.blocked (blocked)
    incomplete: the catalog lists no models
    discovery: no binary model
    checked 2 of 4 rules (50 %)
    1 passed, 1 failed, 1 observed, 1 not-observable, 1 not-applicable, 1 blocked, 1 setup-failed, 1 errored in 1.2 s
    1 of 2 checked rules failed"
  `);
  for (const unwanted of ['\u0000', '\u001b', '\u2028']) expect(text).not.toContain(unwanted);
});

test('the console text shortens a long URL and leaves out a curl command that would fill a screen', () => {
  const url = `http://h:1/v2/models/${'a'.repeat(4_000)}`;
  const long = JSON.parse(JSON.stringify(report).replaceAll('http://h:1/v2/models', url));
  const text = renderText(long);
  expect(text).toContain('aaa… returned 200');
  expect(text).toContain('the curl command is in the report');
  expect(text.split('\n').filter((line) => line.startsWith('   ') && line.length > 300)).toEqual([]);
});

const passing = {
  ...report,
  counts: { ...report.counts, failed: 0, errored: 0 },
  results: results.filter(({ outcome }) => outcome.kind === 'passed' || outcome.kind === 'not-applicable'),
  groups: [],
  missingRequired: [],
  shortfalls: [],
};
const reachable = (checked: number): ConformanceReport => ({
  ...passing,
  coverage: { rules: 483, checked, lacking: [] },
});

test.each([
  { name: 'all rules', of: reachable(483), want: 'Conforms: 483 rules' },
  { name: 'some rules', of: reachable(96), want: 'Conforms in the 96 of 483 rules that were checked (19 %)' },
  {
    name: 'all rules, one of them waived',
    of: {
      ...reachable(483),
      results: report.results
        .filter(({ outcome }) => outcome.kind === 'failed')
        .map((result) => ({ ...result, waiver: { reason: 'r', owner: 'o', expires: '2030-01-31' } })),
    },
    want: 'Conforms: 483 rules, except for 1 rule with a waiver',
  },
  {
    name: 'too few rules',
    of: { ...reachable(9), shortfalls: ['few'] },
    want: 'Incomplete: few; checked 9 of 483 rules',
  },
  { name: 'a rule that failed', of: report, want: '1 of 2 checked rules failed' },
])('the headline of each report contains the share of checked rules: $name', ({ of, want }) => {
  expect(renderText(of).split('\n').at(-1)).toBe(want);
  expect(renderMarkdown(of)).toMatch(`## ${want}\n\nConformance of \`http://h:1\` (live)`);
  expect(renderHtml(of)).toContain(`<p class="verdict">${want}</p>`);
});

test.each([
  [{ runs: 0, used: 0, calls: [] }, undefined],
  [{ runs: 9, used: 0, calls: [] }, 'budget: 0 of 9 runs used'],
  [{ runs: 9, used: 5, cost: { atMostCents: 20, unpricedRuns: 0 } }, 'budget: 5 of 9 runs used, 20 cents at most'],
  [
    { runs: 9, used: 5, cost: { atMostCents: 12, unpricedRuns: 2 } },
    'budget: 5 of 9 runs used, 12 cents at most for 3 of them, 2 without a price (maxCostCents in conform.live.models)',
  ],
  [
    { runs: 1, used: 1, cost: { atMostCents: 0, unpricedRuns: 1 } },
    'budget: 1 of 1 run used, 1 without a price (maxCostCents in conform.live.models)',
  ],
])('summarises the budget %j in one line', (budget, want) => {
  const lines = renderText({ ...report, budget: { calls: [], ...budget } }).split('\n');
  expect(lines.find((line) => line.startsWith('budget:'))).toBe(want);
});

test('lists the first discovery problems, and counts the remaining ones', () => {
  const problems = Array.from({ length: 400 }, (_, index) => `no document of ${index}`);
  const { notices } = viewReport({ ...report, discovery: { ...report.discovery, problems } });
  const found = notices.filter((notice) => notice.startsWith('discovery: '));
  expect(found).toHaveLength(6);
  expect(found.at(-1)).toBe('discovery: 395 more problems, in result.json');
});
