import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { checkDerived, type StartSystem } from '../src/index.ts';
import { checkWhole, type DerivedFault, type DerivedReport, deriveFaults } from '../src/prove/check-derived.ts';
import { sandboxUnderTest } from './sandbox-under-test.ts';

/** Number of whole checks; `npm run test:long` makes 60, each of a fault that the seed selects. */
const checks = Number(process.env['SWITCHYARD_DERIVED_CHECKS'] ?? 1);
const seed = Number(process.env['SWITCHYARD_SEED'] ?? 1);

const specs = buildEffectiveSpecs();
const start: StartSystem = (deviation) => sandboxUnderTest(specs, deviation);
let report: DerivedReport;
beforeAll(async () => {
  report = await checkDerived({ specs, start });
}, 300_000);

test('a rule detects each violated statement of the documents about a response', () => {
  expect(report.missed).toEqual([]);
  expect(report.operations.map(({ operation }) => operation)).toHaveLength(9);
});

/** What one response shows, a check in which every such response has the fault shows as well. */
test(`whole checks detect ${checks} violated statements (seed ${seed})`, async () => {
  const known = new Map(deriveFaults(specs).map((fault) => [fault.id, fault]));
  const shown = report.runs.filter((run) => run.lookedAt === 'response' && run.caughtBy.length > 0);
  const missed: string[] = [];
  for (const fault of takeSome(shown.flatMap(({ id }) => known.get(id) ?? [])))
    if ((await checkWhole(fault, { specs, start })).length === 0) missed.push(fault.id);
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
