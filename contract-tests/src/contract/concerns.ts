/** Harm to callers when a rule fails, most severe first. Each text must be true for every finding with the concern. */
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

export function rankConcern(concern: Concern): number {
  return order.indexOf(concern);
}

/** Usual causes of an unexpected status or value, which reports print. */
export const usualCauses = {
  credentials: 'the route is not behind the check of credentials, or the check takes the first credential it finds',
  lookup: 'the lookup ignores the owner or the model of a request, or an unknown id falls through to another route',
  keys: 'the record of a key does not cover this part of the call, lives too short, or is kept for each process',
  keyOwners: 'keys are stored without the workspace, or the user, of their caller',
  keyText: 'the stored key is cut, or compared without regard to case',
  inputs: 'the input is checked after dispatch, by another schema than the published one, or not at all',
  cancellation: 'cancel does not look at the state of the request',
  cursors: 'a cursor that cannot be decoded counts as none',
  documents:
    'the entity tag is not compared with that of this document, or a cache answers for another document or caller',
  graphs: 'the graph is parsed and printed again, or filtered, on its way to the caller',
  limits: 'the limit of the query is not replaced by the default or the maximum, or is not applied',
  paging: 'paging counts by offset over a list that changes, or the cursor is not bound to its query',
} as const;

/** The rules of one subject. Their ids begin with its name and a dot, and reports show them together. */
export type Family = {
  readonly name: string;
  /** The concern of its rules that state no other one. */
  readonly concern: Concern;
  /** The usual cause of its rules that state no other one. */
  readonly usualCause?: string;
};

/** The families of the gate. Those of an owner's rules are not listed. */
export const families = {
  assets: { name: 'assets', concern: 'results' },
  authentication: { name: 'authentication', concern: 'access', usualCause: usualCauses.credentials },
  bodies: { name: 'bodies', concern: 'inputs', usualCause: usualCauses.inputs },
  cancel: { name: 'cancel', concern: 'results', usualCause: usualCauses.cancellation },
  catalog: { name: 'catalog', concern: 'discovery', usualCause: usualCauses.paging },
  collect: { name: 'collect', concern: 'results' },
  dependencies: { name: 'dependencies', concern: 'errors' },
  errors: { name: 'errors', concern: 'errors' },
  idempotency: { name: 'idempotency', concern: 'money', usualCause: usualCauses.keys },
  limits: { name: 'limits', concern: 'inputs', usualCause: usualCauses.inputs },
  model: { name: 'model', concern: 'discovery' },
  outcomes: { name: 'outcomes', concern: 'errors' },
  passive: { name: 'passive', concern: 'form' },
  providers: { name: 'providers', concern: 'results' },
  quotas: { name: 'quotas', concern: 'spending' },
  retention: { name: 'retention', concern: 'results', usualCause: usualCauses.keys },
  run: { name: 'run', concern: 'results' },
  'schema-document': { name: 'schema-document', concern: 'discovery', usualCause: usualCauses.documents },
  status: { name: 'status', concern: 'results' },
  submit: { name: 'submit', concern: 'results' },
  trace: { name: 'trace', concern: 'results' },
  workflow: { name: 'workflow', concern: 'workflows' },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof families;
