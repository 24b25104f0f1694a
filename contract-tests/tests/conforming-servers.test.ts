import { expect, test } from 'vitest';
import { systemsUnderTest } from '../../scripts/cli/system-under-test.ts';
import { buildEffectiveSpecs, readFreedoms } from '../../specs/src/index.ts';
import { combine, reasonOf, runConformance } from '../src/index.ts';
import { limits } from './sandbox-under-test.ts';

const specs = buildEffectiveSpecs();
const start = systemsUnderTest(specs);
const numbers = Array.from({ length: 25 }, (_, index) => index + 1);

test.each(numbers)('server %i of 25 keeps the contract in its own way and raises no alarm', async (number) => {
  const { seed, variants } = combine(readFreedoms(), 1, number);
  const { target, ports, close } = await start({ faults: [], variants, seed });
  const { results } = await runConformance(
    { target: { ...target, readings: {} }, specs, limits, evidence: 'none' },
    ports,
  );
  await close();
  const wrong = results.filter(({ outcome }) => ['failed', 'errored'].includes(outcome.kind));
  expect(
    wrong.map(({ ruleId, outcome }) => `${ruleId}: ${reasonOf(outcome)}`),
    variants.join(' '),
  ).toEqual([]);
});
