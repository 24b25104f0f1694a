import { HarnessError } from './contract/errors.ts';

// What rules require of a target, one row each: settings of its owner, its capabilities, and its test hooks. `contract/target.ts` checks
// whether a target meets a row. The plan, coverage, completeness, `explain`, settings and the pages are made from these rows.

/** `need`: label in reports. `rejection`: the error that the API must return, for credentials that it never accepts. */
const credentials = {
  router: {
    main: {
      need: 'a router credential',
      sentence: 'The caller in most rules (default: `SWITCHYARD_API_KEY` or `SWITCHYARD_TOKEN`).',
    },
    colleague: {
      need: 'a second credential of the same workspace',
      sentence: 'A second caller in the workspace of `main`.',
    },
    neighbour: { need: 'a credential of a different workspace', sentence: 'A caller in a different workspace.' },
    solo: { need: 'a credential without a workspace', sentence: 'A caller without a workspace.' },
    revoked: {
      need: 'a revoked credential',
      sentence: 'A credential that was valid and has been revoked.',
      rejection: [401, 'unauthorized'],
    },
    expiredToken: { need: 'an expired token', sentence: 'An expired bearer token.', rejection: [401, 'unauthorized'] },
    noCredits: {
      need: 'a credential without credits',
      sentence: 'A caller without credits.',
      rejection: [402, 'insufficient_credits'],
    },
    noAccess: {
      need: 'a credential without access',
      sentence: 'A caller who may not use the API.',
      rejection: [403, 'forbidden'],
    },
    barred: {
      need: 'a credential barred from one model',
      sentence: 'A caller who may use the API, but not the models marked as `barred`.',
      rejection: [403, 'forbidden'],
    },
    notEnabled: {
      need: 'a credential of a workspace that is not enabled',
      sentence: 'A caller whose workspace is not enabled.',
      rejection: [403, 'not_enabled'],
    },
    rateLimited: {
      need: 'a rate-limited credential',
      sentence: 'A caller who is always over the rate limit.',
      rejection: [429, 'rate_limited'],
    },
    spendCapped: {
      need: 'a spend-capped credential',
      sentence: 'A caller whose committed spend is always at its cap.',
      rejection: [429, 'concurrency_limit_exceeded'],
    },
  },
  workflow: {
    main: { need: 'a workflow token', sentence: 'The caller in most rules (default: `SWITCHYARD_WORKFLOW_TOKEN`).' },
    other: { need: 'a workflow token of a different account', sentence: 'A caller in a different account.' },
    forbidden: {
      need: 'a workflow token without access',
      sentence: 'An authenticated caller who may not read any job.',
    },
    rateLimited: { need: 'a rate-limited workflow token', sentence: 'A caller who is always over the rate limit.' },
  },
} as const;

const jobs = {
  save: 'A job pinned to a workflow version that `main` can read, such as a job created in the editor.',
  api: 'A job that was submitted through the API and is not pinned to a version.',
  foreign: 'A job of a different account.',
  expired: 'A job whose retention period has ended.',
  unreadable: 'A job pinned to a version that the caller can no longer read.',
  deleted: 'A job pinned to a workflow that the caller can no longer read.',
  failing: 'A job whose lookup fails with 500 upstream_error.',
} as const;

/** Members of `conform.live.models`. All inputs must be valid for the schema of the model. */
const inputs = {
  input: { need: 'a model in conform.live.models', sentence: 'An input that the model may be run with.' },
  rejectedInput: {
    need: 'a model with rejectedInput',
    sentence: 'An input that the content policy of the provider rejects.',
  },
  failingInput: { need: 'a model with failingInput', sentence: 'An input that makes the provider fail.' },
  slowInput: { need: 'a model with slowInput', sentence: 'An input for which a run takes at least ten seconds.' },
  strictInput: {
    need: 'a model with strictInput',
    sentence: 'An input in the format of the `alternate` provider. Strict mode forwards it unchanged.',
  },
  otherInput: {
    need: 'a model with otherInput',
    sentence: 'A second input that the model may be run with. By default, it is derived from the first.',
  },
} as const;

const modelFacts = {
  alternate: {
    need: 'a model with alternate',
    sentence:
      'An alternate provider of the model, an input that both accept, and the fields of that input that the conversion drops.',
  },
  fallback: {
    need: 'a model with fallback',
    sentence:
      'A value of `fallback_provider`, and an input that fails at the first provider and succeeds at the fallback provider.',
  },
  barred: { need: 'a model that is barred', sentence: 'The credential `barred` has no access to this model.' },
} as const;

const statements = {
  exclusive: 'No other caller uses the listed models, or any model in the workspace of `main`, during the check.',
  ceiling: 'The maximum size of a request body that the router accepts, in bytes.',
} as const;

const hooks = {
  clock: 'A route that advances the clock, so that keys, links and cursors expire.',
  script: 'A route that sets the next outcome of an operation, so that catalog, queue and workflow routes fail.',
  outcomes: 'A model whose input determines the outcome: failures, late and long results, files, limits, key records.',
  alternate: 'A second model that is the alternate provider of the first: conversion, strict mode, fallback.',
  assets: 'Assets in the results of the first model: hosting, failed copies, links.',
  families: 'Models in the documented table of assets: which assets are copied, and how long the copies are kept.',
} as const;

const capabilities = {
  state: 'Responses depend on earlier requests or on the catalog: paging, queue, replay, unknown ids.',
  validation: 'Request bodies are checked against the schema of the model.',
  authentication: 'Credentials are verified; it is not enough that the request contains one.',
} as const;

type Api = keyof typeof credentials;
type Row = {
  readonly need: string;
  readonly sentence: string;
  /** Status and category of the error, for credentials that the API never accepts. */
  readonly rejection?: readonly [status: number, category: string];
};
export type CredentialName<A extends Api = Api> = A extends Api ? keyof (typeof credentials)[A] : never;
export type JobName = keyof typeof jobs;
export type GivenInput = keyof typeof inputs;
export type InputName = GivenInput | keyof typeof modelFacts;
export type StatementName = keyof typeof statements;
/** Test hooks of a staging build (docs/how-to/offer-test-hooks.md). Each is a capability of the target. */
export type Hook = keyof typeof hooks;
export type Capability = keyof typeof capabilities | Hook;

/** The error expected for runs of callers that the router always rejects. */
export function findRefusal(who: string): Row['rejection'] {
  const rows: Readonly<Record<string, Row>> = credentials.router;
  return rows[who]?.rejection;
}

export const hookNames = Object.keys(hooks) as readonly Hook[]; // `Object.keys` loses the type of the keys.

/** Most important first: without a base URL, no other requirement can be met. */
export const kinds = [
  'address',
  'hook',
  'budget',
  'credential',
  'job',
  'statement',
  'input',
  'key',
  'capability',
] as const;
export type RequisiteKind = (typeof kinds)[number];

export type Requisite = {
  readonly kind: RequisiteKind;
  readonly id: string;
  /** Name in the target. Credentials of both APIs may have the same name. */
  readonly name: string;
  readonly api?: Api;
  /** Name in the coverage report; all hooks share one name. */
  readonly need: string;
  /** Flag or setting that provides it; absent for properties of the target itself. */
  readonly setting?: string;
  readonly sentence: string;
  /** True if a conforming target may lack it. */
  readonly isExcused?: true;
};

type Members = Partial<Omit<Requisite, 'kind' | 'name'>>;

function defineRow(kind: RequisiteKind, name: string, sentence: string, members: Members = {}): Requisite {
  return { kind, id: name, name, need: name, sentence, ...members };
}

/** Defines the rows of a table whose values are sentences, or objects with a need and a sentence. */
function defineRows(
  kind: RequisiteKind,
  table: Readonly<Record<string, string | Row>>,
  describe: (name: string) => Members = () => ({}),
): readonly Requisite[] {
  return Object.entries(table).map(([name, row]) => {
    if (typeof row === 'string') return defineRow(kind, name, row, describe(name));
    const { need, sentence } = row;
    return defineRow(kind, name, sentence, { need, ...describe(name) });
  });
}

const describeCredential =
  (api: Api) =>
  (name: string): Members => ({ id: `${api}.${name}`, api, setting: `conform.live.credentials.${api}.${name}` });
const describeInput = (name: string): Members => ({
  id: `models.${name}`,
  setting: `conform.live.models[].${name}`,
});
export const ownerSettings = {
  routerCredentials: defineRows('credential', credentials.router, describeCredential('router')),
  workflowCredentials: defineRows('credential', credentials.workflow, describeCredential('workflow')),
  jobs: defineRows('job', jobs, (name) => {
    return { id: `jobs.${name}`, need: `a job of kind "${name}"`, setting: `conform.jobs.${name}` };
  }),
  inputs: defineRows('input', inputs, describeInput),
  modelFacts: defineRows('input', modelFacts, describeInput),
  statements: defineRows('statement', statements, (name) => {
    return { need: `conform.live.${name}`, setting: `conform.live.${name}`, isExcused: true };
  }),
  graphs: ['save', 'api', 'unreadable', 'deleted'].map((name) => ({
    name,
    sentence: `The workflow graph of the job \`${name}\`.`,
  })),
};

export const graphs = defineRow(
  'job',
  'graphs',
  'Files with the graphs of jobs as JSON; responses must contain them verbatim.',
  { need: 'the graphs of the jobs', setting: 'conform.live.graphs', isExcused: true },
);
/** Required by rules that send the credential in `X-API-Key`: other tokens are only accepted as bearer (MR-AUT-03). */
export const apiKey = defineRow('key', 'api-key', 'The credential of the router is an API key.', { isExcused: true });
export const budget = defineRow('budget', 'budget', 'The maximum number of runs to start.', {
  need: 'a budget',
  setting: '--budget',
});
export const models = defineRow('budget', 'models', 'The models that may run, each with an input.', {
  need: 'models in conform.live.models',
  setting: 'conform.live.models',
});

/** All requirements, in the order of the coverage report. */
export const requisites: readonly Requisite[] = [
  ...['router', 'workflow'].map((api) =>
    defineRow('address', api, `The base URL of the ${api} API.`, { need: `the ${api} API`, setting: `--${api}-url` }),
  ),
  ...ownerSettings.routerCredentials,
  ...ownerSettings.workflowCredentials,
  ...ownerSettings.jobs,
  graphs,
  ...defineRows('hook', hooks, () => ({ need: 'test hooks', setting: '--hooks', isExcused: true })),
  budget,
  models,
  ...ownerSettings.inputs,
  ...ownerSettings.modelFacts,
  ...ownerSettings.statements,
  apiKey,
  ...defineRows('capability', capabilities),
];
const byId = new Map(requisites.map((row) => [row.id, row]));

export function findRequisite(id: string): Requisite {
  const row = byId.get(id);
  if (row === undefined) throw new HarnessError(`unknown requisite ${id}`);
  return row;
}

/** What a rule requires: one row, or alternatives. The first alternative is the one to recommend to an owner. */
export type Condition = Requisite | { readonly anyOf: readonly Requisite[] };

export function listRows(condition: Condition): readonly Requisite[] {
  return 'anyOf' in condition ? condition.anyOf : [condition];
}

const each = (ids: readonly string[]): readonly Requisite[] => ids.map(findRequisite);

export const credential = <A extends Api>(api: A, ...names: readonly CredentialName<A>[]): readonly Requisite[] =>
  each(names.map((name) => `${api}.${name}`));
export const job = (...names: readonly JobName[]): readonly Requisite[] => each(names.map((name) => `jobs.${name}`));
export const hook = (...names: readonly Hook[]): readonly Requisite[] => each(names);
export const input = (...names: readonly InputName[]): readonly Requisite[] =>
  each(names.map((name) => `models.${name}`));
export const statement = (...names: readonly StatementName[]): readonly Requisite[] => each(names);
export const anyOf = (...rows: readonly (readonly Requisite[])[]): Condition => ({ anyOf: rows.flat() });

export const state = findRequisite('state');
export const validation = findRequisite('validation');
export const authentication = findRequisite('authentication');
