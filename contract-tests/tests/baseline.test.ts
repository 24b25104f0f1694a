import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import {
  applyWaivers,
  type ConformanceReport,
  exitCodeOf,
  listRules,
  parseWaivers,
  renderBaseline,
  renderText,
} from '../src/index.ts';
import { checkSandbox, targetAt } from './sandbox-under-test.ts';

const accepted = { reason: 'known at the first check', owner: 'team-router', expires: '2999-01-01' };
const known = { today: '2030-01-01', ruleIds: new Set(listRules().map(({ id }) => id)) };

async function check(faults: readonly string[]): Promise<ConformanceReport> {
  const target = () => targetAt('http://sandbox.test', true);
  return (await checkSandbox({ options: { faults }, target, evidence: 'none' })).report;
}

const faultIds = listFaults().map(({ id }) => id);

// `npm run test:long` tries 40 seeds, each with a different set of faults.
const seeds = Array.from({ length: Number(process.env['BASELINES'] ?? 1) }, (_, index) => index + 1);

test.each(seeds)(
  'a check passes with a baseline, and fails for one additional fault that a rule detects (seed %i)',
  async (seed) => {
    const sets = fc.uniqueArray(fc.constantFrom(...faultIds), { minLength: 2, maxLength: 7 });
    const [[additional = '', ...faults] = []] = fc.sample(sets, { seed, numRuns: 1 });
    const first = await check(faults);
    const waivers = parseWaivers(renderBaseline(first, accepted), 'conform-waivers.yaml');
    const second = applyWaivers(await check(faults), waivers, known);
    // A baseline cannot waive that a check is incomplete.
    const isComplete = first.shortfalls.length === 0;
    expect([faults, exitCodeOf(first), exitCodeOf(second)]).toEqual([faults, 1, isComplete ? 0 : 4]);

    const blocked = second.results.filter(({ waivedBy }) => waivedBy !== undefined).length;
    const headline = renderText(second).split('\n').at(-1);
    if (isComplete)
      expect(headline).toContain(`${waivers.length} ${waivers.length === 1 ? 'rule' : 'rules'} with a waiver`);
    if (isComplete) expect(headline?.includes(`${blocked} other`)).toBe(blocked > 0);
    const { checked, rules } = second.coverage;
    expect(exitCodeOf(second, 100)).toBe(checked === rules && isComplete ? 0 : 4);

    const passed = new Set(
      second.results.filter(({ outcome }) => outcome.kind === 'passed').map(({ ruleId }) => ruleId),
    );
    const third = applyWaivers(await check([...faults, additional]), waivers, known);
    const found = third.results.filter(({ ruleId, outcome }) => outcome.kind === 'failed' && passed.has(ruleId));
    if (found.length > 0) expect([faults, additional, exitCodeOf(third)]).toEqual([faults, additional, 1]);
  },
  120_000,
);
