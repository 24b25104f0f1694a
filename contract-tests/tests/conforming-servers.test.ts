import { expect, test } from 'vitest';
import { readFreedoms } from '../../specs/src/index.ts';
import { combine, reasonOf } from '../src/index.ts';
import { checkSandbox, targetAt } from './sandbox-under-test.ts';

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
  const target = () => ({ ...targetAt('http://sandbox.test', false), readings: {} });
  const { report } = await checkSandbox({ options: { variants, seed }, target, evidence: 'none' });
  const wrong = report.results.filter(({ outcome }) => ['failed', 'errored'].includes(outcome.kind));
  expect(
    wrong.map(({ ruleId, outcome }) => `${ruleId}: ${reasonOf(outcome)}`),
    variants.join(' '),
  ).toEqual([]);
}
