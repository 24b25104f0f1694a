import { describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { runConformance } from '../conform.ts';
import { createContext } from '../contract/context.ts';
import { emptyDiscovery } from '../contract/discovery.ts';
import type { Exchange, Ports } from '../contract/exchange.ts';
import { finding, type Outcome } from '../contract/finding.ts';
import { get } from '../contract/requests.ts';
import { passiveRule, type Rule, rule as scenarioRule } from '../contract/rule.ts';
import { scenario } from '../contract/scenario.ts';
import type { RequiredReadings } from '../contract/target.ts';
import { reasonOf } from '../report/report.ts';
import { hook } from '../requires.ts';
import { addViolations, decidePassiveRule, listPassiveEvidence, type Violations } from './engine.ts';

const exchange = (step: string): Exchange => ({
  step,
  attempt: 1,
  api: 'router',
  request: { method: 'GET', url: 'http://target.test/', headers: [], body: undefined },
  result: { kind: 'response', status: 200, headers: [], body: new Uint8Array() },
  timing: { startedAtMs: 0, durationMs: 0 },
});
const createRule = (requirement: string, id = 'a.rule') =>
  passiveRule({ name: 'a', concern: 'form' }, id, { sentence: 'A.', requirements: [requirement], check: () => [] });

test('passive rules skip an exchange that a rule has already objected to, unless they check the same requirement', async () => {
  const log = [exchange('ask'), exchange('ask'), exchange('then')];
  const violations: Violations = new Map();
  const found = finding('bytes-differ', { step: 'ask' }, '', '');
  const failed: Outcome = { kind: 'failed', findings: [found], evidence: log.slice(1), foundAt: ['ask'] };
  addViolations(createRule('MR-ONE-01'), failed, violations);
  addViolations(createRule('MR-ONE-02'), { kind: 'passed', evidence: log }, violations);
  const departing: Outcome = { kind: 'observed', observation: '', evidence: log, foundAt: ['then'] };
  addViolations(createRule('MR-ONE-01'), departing, violations);
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const context = createContext({ kind: 'sandbox' }, specs, emptyDiscovery);
  const listStepsRead = (requirement: string, more: Partial<Rule> = {}): readonly string[] => {
    const steps: string[] = [];
    const check: Rule['check'] = (evidence) => {
      for (const { step } of evidence as readonly Exchange[]) steps.push(step);
      return [];
    };
    const rule = { ...createRule(requirement), ...more, check };
    decidePassiveRule(rule, listPassiveEvidence(log, context), violations, context);
    return steps;
  };
  expect(listStepsRead('MR-ONE-01')).toEqual(['1 ask', '2 ask', '3 then']);
  expect(listStepsRead('MR-ONE-02')).toEqual(['1 ask']);
  expect(listStepsRead('MR-ONE-02', { readsAttributed: true })).toEqual(['1 ask', '2 ask', '3 then']);
});

describe('a check that runs two scenarios in parallel', async () => {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);

  /** For each request of a rule, lists the rules whose requests are in progress. */
  async function check(rules: readonly Rule[]) {
    const underWay = new Set<string>();
    const seen: string[] = [];
    const ports: Ports = {
      exchange: async ({ url }) => {
        const id = url.split('/').at(-1) ?? '';
        underWay.add(id);
        if (id.startsWith('a.')) seen.push([...underWay].join(' '));
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        underWay.delete(id);
        return { kind: 'response', status: 200, headers: [], body: new TextEncoder().encode('{}') };
      },
      clock: { now: () => 0, sleep: async () => undefined },
      hooks: {
        offered: async () => ['clock'],
        pass: async () => undefined,
        script: async () => undefined,
        clearScript: async () => undefined,
      },
      concurrency: 2,
    };
    const router = { url: 'http://router.test', credentials: { main: 'sk-main' } };
    const report = await runConformance({ target: { kind: 'sandbox', router }, specs }, ports, rules);
    return { seen, outcomes: report.results.map(({ outcome }) => reasonOf(outcome) || outcome.kind) };
  }
  const asks = (id: string, passMs?: number, requires: Rule['requires'] = []) =>
    scenarioRule(
      id,
      scenario({ requires }, async ({ send, pass }) => {
        if (passMs !== undefined) await pass(passMs);
        return { asked: await send(get('router', `/${id}`)) };
      }),
      { sentence: 'A.', requirements: ['MR-ONE-01'], check: () => [] },
    );

  test("runs a scenario that advances the target's clock while no other scenario runs", async () => {
    const moves = asks('a.moves', 1_000, hook('clock'));
    const { seen, outcomes } = await check([asks('a.first'), moves, asks('a.second'), asks('a.third')]);
    expect(Math.max(...seen.map((ids) => ids.split(' ').length))).toBe(2);
    expect(seen.at(-1)).toBe('a.moves');
    expect(outcomes).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('runs a rule after the rule that it needs', async () => {
    const needs = { ...asks('a.needs'), needs: ['a.needed'] };
    const { seen } = await check([needs, asks('a.needed')]);
    expect(seen).toEqual(['a.needed', 'a.needs']);
  });

  test('reports a rule as errored if its scenario advances the clock without requiring the hook', async () => {
    const { outcomes } = await check([asks('a.moves', 1_000)]);
    expect(outcomes).toEqual([expect.stringContaining('does not require the hook for it')]);
  });
});

describe('a rule that is based on a reading', async () => {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const at = { step: 'ask' };
  const byReading = { ...finding('status-unexpected', at, '504', '410'), reading: 'OP-040' };
  const byText = finding('header-missing', at, 'a category', 'absent');

  async function check(rule: Partial<Rule>, readings: RequiredReadings = {}) {
    const asked = { ...createRule('MR-ONE-01'), ...rule };
    const needing = { ...createRule('MR-ONE-01', 'a.needing'), needs: ['a.rule'] };
    const ports: Ports = {
      exchange: async () => ({ kind: 'response', status: 200, headers: [], body: new TextEncoder().encode('{}') }),
      clock: { now: () => 0, sleep: async () => undefined },
    };
    const router = { url: 'http://router.test', credentials: { main: 'sk-main' } };
    const target = { kind: 'sandbox', router, readings } as const;
    const { results } = await runConformance({ target, specs }, ports, [asked, needing]);
    return results.map(({ outcome }) => outcome);
  }

  test('reports at most two hundred findings per rule', async () => {
    const all = Array.from({ length: 300 }, (_, place) =>
      finding('header-missing', { step: `${place}` }, 'one', 'none'),
    );
    const [outcome] = await check({ check: () => all });
    expect(outcome?.kind === 'failed' && outcome.findings).toHaveLength(200);
  });

  test.each<{ name: string; rule: Partial<Rule>; readings?: RequiredReadings; want: string; needing: RegExp }>([
    {
      name: 'is observed if the target differs from the reading',
      rule: { reading: 'OP-040', check: () => [finding('status-unexpected', at, '504', '410')] },
      want: 'observed the API text leaves this open. Our reading: 410 for `cancelled`',
      needing: /^not-applicable it depends on a\.rule, where the target does not follow our reading OP-040$/,
    },
    {
      name: 'fails if its owner requires the reading',
      rule: { reading: 'OP-040', check: () => [finding('status-unexpected', at, '504', '410')] },
      readings: { 'OP-040': 'required' },
      want: 'failed status-unexpected',
      needing: /^blocked needs a\.rule$/,
    },
    {
      name: 'is observed if not all of its readings are required',
      rule: { reading: ['OP-040', 'OP-018'], check: () => [finding('status-unexpected', at, '504', '410')] },
      readings: { 'OP-040': 'required' },
      want: 'observed the API text',
      needing: /OP-040 and OP-018$/,
    },
    {
      name: 'fails because of the part that is based on the API text, and only reports that part',
      rule: { partReading: 'OP-040', check: () => [byReading, byText] },
      want: 'failed header-missing at ask: expected a category, got absent',
      needing: /^blocked/,
    },
    {
      name: 'is observed if the target only differs in the part that is based on the reading',
      rule: { partReading: 'OP-040', check: () => [byReading] },
      want: 'observed the API text',
      needing: /^not-applicable/,
    },
    {
      name: 'passes if the target follows the reading',
      rule: { reading: 'OP-040' },
      want: 'passed',
      needing: /^passed/,
    },
    {
      name: 'is errored if a finding relies on a reading that the rule does not list',
      rule: { check: () => [byReading] },
      want: 'errored HarnessError: a finding of a.rule relies on OP-040, which the rule does not list',
      needing: /^blocked/,
    },
  ])('a rule that is based on a reading $name', async ({ rule, readings, want, needing }) => {
    const outcomes = await check(rule, readings);
    const [first = '', second = ''] = outcomes.map((outcome) => `${outcome.kind} ${reasonOf(outcome)}`);
    expect(first).toContain(want);
    expect(second).toMatch(needing);
  });

  test('rejects a check that requires a reading which does not exist', async () => {
    await expect(check({}, { 'OP-999': 'required' })).rejects.toThrow('unknown reading "OP-999"');
  });
});
