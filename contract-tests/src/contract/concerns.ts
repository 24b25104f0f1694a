/**
 * The harm to callers when a rule fails, gravest first. Reports order causes by it. The texts hold for every finding of
 * their concern.
 */
export const concerns = {
  access: {
    name: 'Access',
    means: 'A caller may see, start or end what belongs to another, or learn what should stay secret.',
  },
  money: {
    name: 'Paying once',
    means: 'A repeated call may run, and be billed, twice.',
  },
  spending: {
    name: 'Spending',
    means: 'Credits or committed spend are counted wrong: a limit may not hold, or may refuse calls too early.',
  },
  results: {
    name: 'Results',
    means: 'Callers may lose the result of a run, read a wrong one, or wait for one that never comes.',
  },
  workflows: {
    name: 'Workflows',
    means: 'Programs may read a wrong workflow for a job, or none.',
  },
  served: {
    name: 'Served calls',
    means: 'Calls that should be served are refused, fail or stay unanswered.',
  },
  inputs: {
    name: 'Inputs',
    means: 'Inputs are not validated as documented: invalid ones may run, or clients cannot tell which ones are valid.',
  },
  discovery: {
    name: 'Finding models',
    means: 'Programs may not find a model, or build inputs from a wrong description of it.',
  },
  errors: {
    name: 'Errors',
    means: 'Clients cannot tell what went wrong: they retry what cannot succeed, or give up too early.',
  },
  form: {
    name: 'Every answer',
    means: 'Headers and bodies on which every client relies are missing or wrong.',
  },
} as const;

export type Concern = keyof typeof concerns;

const order = Object.keys(concerns);

/** The gravest concern is 0. */
export function rankConcern(concern: Concern): number {
  return order.indexOf(concern);
}

const ofFamilies: Readonly<Record<string, Concern>> = {
  assets: 'results',
  authentication: 'access',
  bodies: 'inputs',
  cancel: 'results',
  catalog: 'discovery',
  collect: 'results',
  dependencies: 'errors',
  errors: 'errors',
  idempotency: 'money',
  limits: 'inputs',
  model: 'discovery',
  outcomes: 'errors',
  passive: 'form',
  providers: 'results',
  quotas: 'spending',
  retention: 'results',
  run: 'results',
  'schema-document': 'discovery',
  status: 'results',
  submit: 'results',
  trace: 'results',
  workflow: 'workflows',
};

/** The concern of the rules of a family that state no other one. */
export function usualConcern(family: string): Concern {
  return ofFamilies[family] ?? 'form';
}
