import fc from 'fast-check';
import { listRules } from '../../src/index.ts';
import { type Broken, checkDeployed, ownModels } from './deployed-sandbox.ts';

type Exceeded = { readonly plan: string; readonly admitted: number };

const families = [...new Set(listRules().map(({ family }) => `${family}.**`))];
const plans = fc.record(
  {
    runs: fc.nat(23),
    models: fc.oneof(fc.constant([...ownModels]), fc.subarray([...ownModels])),
    broken: fc.subarray<Broken>(['validation', 'authentication']),
    rules: fc.subarray(families, { minLength: 1 }),
  },
  { requiredKeys: ['runs', 'models', 'broken'] },
);

/** Checks sandboxes, some of them broken, with random budgets, models and rules; returns those asked for too many runs. */
export async function checkRandomPlans(wanted: { count: number; seed: number }): Promise<readonly Exceeded[]> {
  const exceeded: Exceeded[] = [];
  for (const given of fc.sample(plans, { seed: wanted.seed, numRuns: wanted.count })) {
    const { admitted } = await checkDeployed(given);
    const models: readonly { readonly id: string }[] = given.models;
    const plan = JSON.stringify({ ...given, models: models.map(({ id }) => id) });
    if (admitted.length > given.runs) exceeded.push({ plan, admitted: admitted.length });
  }
  return exceeded;
}
