import { usualCauses } from './usual-causes.ts';

/**
 * Harm to callers when a rule fails, most severe first. Reports sort causes in this order. Each text must be true for
 * every finding with the concern.
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

/** Returns the position of a concern in that order; 0 is the most severe. */
export function rankConcern(concern: Concern): number {
  return order.indexOf(concern);
}

type Family = { readonly concern: Concern; readonly usualCause?: string };

/** Default concern and usual cause for the rules of each family. */
const families: Readonly<Record<string, Family>> = {
  assets: { concern: 'results' },
  authentication: { concern: 'access', usualCause: usualCauses.credentials },
  bodies: { concern: 'inputs', usualCause: usualCauses.inputs },
  cancel: { concern: 'results', usualCause: usualCauses.cancellation },
  catalog: { concern: 'discovery', usualCause: usualCauses.paging },
  collect: { concern: 'results' },
  dependencies: { concern: 'errors' },
  errors: { concern: 'errors' },
  idempotency: { concern: 'money', usualCause: usualCauses.keys },
  limits: { concern: 'inputs', usualCause: usualCauses.inputs },
  model: { concern: 'discovery' },
  outcomes: { concern: 'errors' },
  passive: { concern: 'form' },
  providers: { concern: 'results' },
  quotas: { concern: 'spending' },
  retention: { concern: 'results', usualCause: usualCauses.keys },
  run: { concern: 'results' },
  'schema-document': { concern: 'discovery', usualCause: usualCauses.documents },
  status: { concern: 'results' },
  submit: { concern: 'results' },
  trace: { concern: 'results' },
  workflow: { concern: 'workflows' },
};

/** Returns the defaults for the rules of a family. Families of custom rules get the concern about response formats. */
export function findFamily(family: string): Family {
  return families[family] ?? { concern: 'form' };
}
