import { expect, test } from 'vitest';
import { systemsUnderTest } from '../../scripts/cli/system-under-test.ts';
import { buildEffectiveSpecs, readFreedoms } from '../../specs/src/index.ts';
import { combine, reasonOf, runConformance } from '../src/index.ts';
import { limits } from './sandbox-under-test.ts';

const specs = buildEffectiveSpecs();
const start = systemsUnderTest(specs);
/** `npm run test:long` tries 500. */
const numbers = [1, 2];

/** The smallest combination that raised an alarm on a server among 500. */
const formerAlarms = {
  206: ['schema-document.request-body-referred', 'schema-document.authored-by-body', 'order.malformed-first'],
};

test.each(numbers)('the random conforming server %i raises no alarm', (number) =>
  expectNoAlarm(combine(readFreedoms(), 1, number)),
);

test.each(Object.entries(formerAlarms))(
  'the variants of server %s, which used to raise an alarm, raise none',
  (number, variants) => expectNoAlarm({ seed: combine(readFreedoms(), 1, Number(number)).seed, variants }),
);

async function expectNoAlarm({ seed, variants }: Pick<ReturnType<typeof combine>, 'seed' | 'variants'>) {
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
