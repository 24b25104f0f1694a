import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { checkDerived, type StartSystem } from '../src/index.ts';
import { checkSystem, type DerivedFault, type DerivedReport, deriveFaults } from '../src/prove/check-derived.ts';
import { sandboxUnderTest } from './sandbox-under-test.ts';

/** Number of whole checks, each with a fault that the seed selects. `npm run test:long` makes 60. */
const checks = Number(process.env['SWITCHYARD_DERIVED_CHECKS'] ?? 1);
const seed = Number(process.env['SWITCHYARD_SEED'] ?? 1);

const specs = buildEffectiveSpecs();
const start: StartSystem = (deviation) => sandboxUnderTest(specs, deviation);
let report: DerivedReport;
beforeAll(async () => {
  report = await checkDerived({ specs, start });
}, 300_000);

test('for each statement of the API documents about a response, a rule detects a response that violates it', () => {
  expect(report.missed).toEqual([]);
  expect(new Set(report.runs.map(({ operation }) => operation)).size).toBe(9);
});

/** If a rule detects the fault in one response, a check in which all responses have the fault must detect it, too. */
test(`whole checks detect ${checks} violated statements (seed ${seed})`, async () => {
  const known = new Map(deriveFaults(specs).map((fault) => [fault.id, fault]));
  const detected = report.runs.filter((run) => run.lookedAt === 'response' && run.caughtBy.length > 0);
  const missed: string[] = [];
  for (const fault of takeSome(detected.flatMap(({ id }) => known.get(id) ?? [])))
    if ((await checkSystem({ specs, start }, { fault })).failed.length === 0) missed.push(fault.id);
  expect(missed).toEqual([]);
}, 3_600_000);

function takeSome(faults: readonly DerivedFault[]): readonly DerivedFault[] {
  const length = Math.min(checks, faults.length);
  const [some = []] = fc.sample(fc.shuffledSubarray([...faults], { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  });
  return some;
}
