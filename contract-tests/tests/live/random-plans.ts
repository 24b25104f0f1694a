import { listRules } from '../../src/index.ts';
import { type Broken, checkDeployed, ownModels } from './deployed-sandbox.ts';

type Exceeded = { readonly plan: string; readonly admitted: number };

/** Checks sandboxes, some of them broken, with random budgets, models and rules; returns those asked for too many runs. */
export async function checkRandomPlans(wanted: { count: number; seed: number }): Promise<readonly Exceeded[]> {
  const random = sequence(wanted.seed);
  const families = [...new Set(listRules().map(({ family }) => family))];
  const some = <T>(items: readonly T[], likely: number): readonly T[] => items.filter(() => random() < likely);
  const exceeded: Exceeded[] = [];
  for (let index = 0; index < wanted.count; index += 1) {
    const runs = Math.floor(random() * 24);
    const models = random() < 0.5 ? ownModels : some(ownModels, 0.4);
    const broken = some<Broken>(['validation', 'authentication'], 0.4);
    const chosen = some(families, 0.5).map((family) => `${family}.**`);
    const rules = random() < 0.4 || chosen.length === 0 ? undefined : chosen;
    const { admitted } = await checkDeployed({ runs, models, broken, ...(rules === undefined ? {} : { rules }) });
    const plan = JSON.stringify({ runs, models: models.map(({ id }) => id), broken, rules });
    if (admitted.length > runs) exceeded.push({ plan, admitted: admitted.length });
  }
  return exceeded;
}

/** Numbers from 0 to 1, the same for a seed. */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
