/** Harm to callers when a rule fails, most severe first. Each text must be true of every finding with the concern. */
export const concerns = {
  access: {
    name: 'Access',
    means: "Callers may see, use or cancel another caller's resources, or learn something that should stay secret.",
  },
  money: {
    name: 'Double billing',
    means: 'A repeated call may run, and be billed, twice.',
  },
  spending: {
    name: 'Spending',
    means: 'Credits or committed spend are counted wrong, so calls may exceed a limit or be rejected too early.',
  },
  results: {
    name: 'Results',
    means: 'Callers may lose the result of a run, get a wrong one, or wait for a result that never arrives.',
  },
  workflows: {
    name: 'Workflows',
    means: 'Programs may get the wrong workflow for a job, or no workflow.',
  },
  served: {
    name: 'Availability',
    means: 'Calls that should succeed are rejected, fail or get no response.',
  },
  inputs: {
    name: 'Inputs',
    means: 'Inputs are not validated as documented: invalid ones may run, or clients cannot tell which ones are valid.',
  },
  discovery: {
    name: 'Model discovery',
    means: 'Programs may fail to find a model, or build inputs from a wrong description of it.',
  },
  errors: {
    name: 'Errors',
    means: 'Clients cannot tell what went wrong, so they retry calls that cannot succeed, or give up too early.',
  },
  form: {
    name: 'Response format',
    means: 'Headers or bodies that every client relies on are missing or wrong.',
  },
} as const;

export type Concern = keyof typeof concerns;

const order = Object.keys(concerns);

export function rankConcern(concern: Concern): number {
  return order.indexOf(concern);
}

/** Usual causes of an unexpected status or value, for reports. */
export const usualCauses = {
  credentials: 'the route is not behind the authentication check, or the check uses the first credential it finds',
  lookup: 'the lookup ignores the owner or the model of a request, or an unknown id falls through to a different route',
  keys: 'the idempotency record ignores this part of the call, expires too early, or is stored per process',
  keyOwners: 'keys are stored without the workspace or user of their caller, or per user instead of per workspace',
  keyText: 'the stored key is cut off, or compared without regard to case',
  inputs: 'the input is validated after dispatch, against a schema other than the published one, or not at all',
  cancellation: 'the cancel operation does not check the state of the request',
  cursors: 'a cursor that cannot be decoded is treated as if none was sent',
  documents:
    'the entity tag is not compared with that of this document, or a cache returns the document of a different model or caller',
  precedence: 'Authorization is read before X-API-Key, or the two are checked one after the other',
  prices: 'the entry is copied from the price list, including the amounts',
  graphs: 'the graph is parsed and serialized again, or filtered, before it is returned',
  limits: 'the limit in the query is not applied, or not replaced by the default or the maximum where it must be',
  paging: 'paging uses offsets into a list that changes, or the cursor is not tied to its query',
} as const;

/** A group of rules about one subject. Their ids begin with its name and a dot, and reports show them together. */
export type Family = {
  readonly name: string;
  /** Concern of the family's rules, unless a rule sets its own. */
  readonly concern: Concern;
  /** Usual cause of the family's rules, unless a rule sets its own. */
  readonly usualCause?: string;
};

/** Families of the gate's own rules. Rules of an owner belong to families that are not listed here. */
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
