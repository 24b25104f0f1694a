import type { Outcome } from '../contract/finding.ts';
import { hookNames } from '../contract/hooks.ts';
import type { Rule, RuleId } from '../contract/rule.ts';
import { type Capability, capabilitiesOf, type Target } from '../contract/target.ts';
import { needsBudget, unnamedModel } from '../run/run-budget.ts';
import { hasVerdict } from './completeness.ts';

/** How many of the rules had a verdict, and what the others lack. */
export type Coverage = {
  readonly rules: number;
  readonly checked: number;
  /** By what is lacking, most rules first; several needs have to be met together. */
  readonly lacking: readonly { readonly needs: readonly string[]; readonly rules: readonly RuleId[] }[];
};

const budgetNeed = 'a budget';
const modelsNeed = 'models in conform.live.models';
const hooksNeed = 'test hooks';

/** What an owner can give: which flag or setting, and of what kind it is. */
export type Giving = {
  readonly kind: 'address' | 'hooks' | 'budget' | 'credential' | 'job';
  /** `--workflow-url`, `conform.jobs.save`. */
  readonly setting: string;
};
/** `without` takes it from a target that has everything. */
type Need = Giving & { readonly name: string; has(target: Target): boolean; without(full: Target): Target };

const credentials = {
  router: {
    main: 'a router credential',
    colleague: 'a second credential of the same workspace',
    neighbour: 'a credential of another workspace',
    solo: 'a credential without a workspace',
    noCredits: 'a credential without credits',
    noAccess: 'a credential without access',
    notEnabled: 'a credential of a workspace that is not enabled',
    rateLimited: 'a rate-limited credential',
    spendCapped: 'a spend-capped credential',
  },
  workflow: {
    main: 'a workflow token',
    other: 'a workflow token of another account',
    forbidden: 'a workflow token without access',
    rateLimited: 'a rate-limited workflow token',
  },
} as const;
/** What only a server that is made for tests has. */
const hooks: readonly Capability[] = hookNames;
const jobs = ['save', 'api', 'foreign', 'expired', 'unreadable', 'deleted'] as const;

const needs: readonly Need[] = [
  {
    name: 'the router API',
    kind: 'address',
    setting: '--router-url',
    has: ({ router }) => router !== undefined,
    without: ({ router: _, ...full }) => full,
  },
  {
    name: 'the workflow API',
    kind: 'address',
    setting: '--workflow-url',
    has: ({ workflow }) => workflow !== undefined,
    without: ({ workflow: _, ...full }) => full,
  },
  ...(['router', 'workflow'] as const).flatMap((api) =>
    Object.entries(credentials[api]).map(([who, name]): Need => {
      const held = (target: Target): Readonly<Record<string, string>> => target[api]?.credentials ?? {};
      return {
        name,
        kind: 'credential',
        setting: `conform.live.credentials.${api}.${who}`,
        has: (target) => held(target)[who] !== undefined,
        without: (full) => ({ ...full, [api]: { ...full[api], credentials: omit(held(full), who) } }),
      };
    }),
  ),
  ...jobs.map(
    (job): Need => ({
      name: `a job of kind "${job}"`,
      kind: 'job',
      setting: `conform.jobs.${job}`,
      has: ({ workflow }) => workflow?.jobs[job] !== undefined,
      without: (full) => withWorkflow(full, { jobs: omit(full.workflow?.jobs ?? {}, job) }),
    }),
  ),
  {
    name: 'the graphs of the jobs',
    kind: 'job',
    setting: 'conform.live.graphs',
    has: ({ workflow }) => workflow?.graphs !== undefined,
    without: ({ workflow, ...full }) =>
      workflow === undefined ? full : { ...full, workflow: omit(workflow, 'graphs') },
  },
  {
    name: hooksNeed,
    kind: 'hooks',
    setting: '--hooks',
    has: (target) => hooks.every((one) => capabilitiesOf(target).includes(one)),
    without: (full) => ({ ...full, capabilities: capabilitiesOf(full).filter((one) => !hooks.includes(one)) }),
  },
];

const givings: ReadonlyMap<string, Giving> = new Map<string, Giving>([
  [budgetNeed, { kind: 'budget', setting: '--budget' }],
  [modelsNeed, { kind: 'budget', setting: 'conform.live.models' }],
  ...needs.map((need) => [need.name, need] as const),
]);

/** What an owner gives to meet a need; undefined of other reasons. */
export function givingOf(need: string): Giving | undefined {
  return givings.get(need);
}

function omit<T extends object, K extends string>(record: T, name: K): Omit<T, K> {
  // `fromEntries` forgets the keys' type.
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name)) as Omit<T, K>;
}

function withWorkflow({ workflow, ...full }: Target, changes: Partial<NonNullable<Target['workflow']>>): Target {
  return workflow === undefined ? full : { ...full, workflow: { ...workflow, ...changes } };
}

/** The target with all that an owner could give. */
function fullTarget(target: Target): Target {
  const filled = (names: object): Record<string, string> =>
    Object.fromEntries(Object.keys(names).map((name) => [name, 'any']));
  const kinds = Object.fromEntries(jobs.map((job) => [job, 'any']));
  return {
    ...target,
    router: { url: 'http://router.invalid', ...target.router, credentials: filled(credentials.router) },
    workflow: {
      url: 'http://workflow.invalid',
      ...target.workflow,
      credentials: filled(credentials.workflow),
      jobs: kinds,
      graphs: target.workflow?.graphs ?? {},
    },
    capabilities: [...new Set([...capabilitiesOf(target), ...hooks])],
  };
}

function applies(rule: Rule, target: Target): boolean {
  return target[rule.api] !== undefined && rule.appliesTo(target).kind === 'applies';
}

type Undecided = { readonly rule: Rule; readonly outcome: Outcome | Omit<Outcome, 'evidence'> };

/** What a call needs that may be billed, where it was not sent. */
function spendingNeeds({ cost }: Rule, because: string, { kind, budget }: Target): readonly string[] {
  const { runs = 0, models = [] } = budget ?? {};
  const isRefused = because.includes(needsBudget) && !because.endsWith(unnamedModel);
  const isLeftOut = cost === 'billed' && kind === 'live' && runs === 0;
  if (!isRefused && !isLeftOut) return [];
  return models.length === 0 ? [budgetNeed, modelsNeed] : [budgetNeed];
}

/** What an owner can give so that the rule is checked; otherwise the reason in its own words. */
function lackingOf({ rule, outcome }: Undecided, target: Target): readonly string[] {
  const because = 'because' in outcome ? outcome.because : '';
  const full = fullTarget(target);
  const isOurs = outcome.kind === 'not-applicable' || outcome.kind === 'not-observable';
  if (!isOurs) return [outcome.kind];
  const structural =
    applies(rule, target) || !applies(rule, full)
      ? []
      : needs.filter((need) => !need.has(target) && !applies(rule, need.without(full)));
  const names = structural.map(({ name }) => name);
  // A hook scripts what would otherwise cost a run.
  const all = names.includes(hooksNeed) ? names : [...names, ...spendingNeeds(rule, because, target)];
  return all.length > 0 ? all : [because === '' ? 'no occasion' : because];
}

export function coverageOf(decided: readonly Undecided[], target: Target): Coverage {
  const unchecked = decided.filter(({ outcome }) => !hasVerdict(outcome));
  const groups = Map.groupBy(unchecked, (one) => lackingOf(one, target).join('\n'));
  const lacking = [...groups].map(([key, group]) => ({
    needs: key.split('\n'),
    rules: group.map(({ rule }) => rule.id),
  }));
  return {
    rules: decided.length,
    checked: decided.length - unchecked.length,
    lacking: lacking.toSorted((one, other) => other.rules.length - one.rules.length),
  };
}
