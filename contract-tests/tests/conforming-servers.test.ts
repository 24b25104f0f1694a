import { expect, test } from 'vitest';
import { systemsUnderTest } from '../../scripts/cli/system-under-test.ts';
import { buildEffectiveSpecs, readFreedoms } from '../../specs/src/index.ts';
import { combine, reasonOf, runConformance } from '../src/index.ts';
import { limits } from './sandbox-under-test.ts';

const specs = buildEffectiveSpecs();
const start = systemsUnderTest(specs);

// `npm run test:long` tries 500 random servers.
test('no rule fails for a random conforming server', () => expectNoFailure(combine(readFreedoms(), 1, 1)));

test('no rule fails for a combination of variants that failed a rule in the past', () => {
  const variants = [
    'schema-document.request-body-referred',
    'schema-document.authored-by-body',
    'order.malformed-first',
  ];
  return expectNoFailure({ seed: combine(readFreedoms(), 1, 206).seed, variants });
});

async function expectNoFailure({ seed, variants }: Pick<ReturnType<typeof combine>, 'seed' | 'variants'>) {
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
}
