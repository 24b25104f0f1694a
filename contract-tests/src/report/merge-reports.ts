import type { Discovery } from '../contract/discovery.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Rule } from '../contract/rule.ts';
import { capabilitiesOf, type Target } from '../contract/target.ts';
import { outweighs } from '../run/combine.ts';
import type { Shard } from '../run/shards.ts';
import { concluded } from './assemble-report.ts';
import type { ConformanceReport, RuleResult } from './report.ts';

/** What the parts of a run need of each other, without a credential. */
export type ShardNote = {
  readonly format: 'switchyard-shard-1';
  readonly shard: Shard;
  readonly isWhole: boolean;
  /** Names in place of values. */
  readonly target: Target;
  readonly isCatalogComplete: boolean;
  readonly report: ConformanceReport;
};

/** A target without its secrets: the names of credentials and jobs are all that a report needs. */
function outlineOf(target: Target): Target {
  const names = (values: object): Record<string, string> =>
    Object.fromEntries(Object.keys(values).map((name) => [name, 'given']));
  const plain = Object.fromEntries(Object.entries(target).filter(([name]) => name === 'kind' || name === 'budget'));
  const { router, workflow } = target;
  return {
    ...plain,
    kind: target.kind,
    capabilities: capabilitiesOf(target),
    ...(router === undefined
      ? {}
      : { router: { ...pick(router, 'url', 'scheme'), url: router.url, credentials: names(router.credentials) } }),
    ...(workflow === undefined
      ? {}
      : {
          workflow: {
            ...pick(workflow, 'authentication'),
            url: workflow.url,
            credentials: names(workflow.credentials),
            jobs: names(workflow.jobs),
            ...(workflow.graphs === undefined ? {} : { graphs: {} }),
          },
        }),
  };
}

/** A part of a run before its report is known. */
export function partOf(
  shard: Shard,
  { input, target, discovery }: { input: { readonly rules?: readonly string[] }; target: Target; discovery: Discovery },
): Omit<ShardNote, 'report'> {
  return {
    format: 'switchyard-shard-1',
    shard,
    isWhole: input.rules === undefined,
    target: outlineOf(target),
    isCatalogComplete: discovery.isComplete,
  };
}

function pick(from: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

/**
 * One report of all parts of a run, as one machine would have written it. Throws `HarnessError` when a part is missing, there twice,
 * or of another run.
 */
export function mergeReports(notes: readonly ShardNote[], rules: readonly Rule[]): ConformanceReport {
  const [first] = notes;
  if (first === undefined) throw new HarnessError('there is nothing to merge');
  requireAllParts(notes, first);
  const results = new Map<string, RuleResult>();
  for (const { report } of notes)
    for (const result of report.results) results.set(result.ruleId, merged(results.get(result.ruleId), result));
  const ordered = rules.filter(({ id }) => results.has(id));
  const reports = notes.map(({ report }) => report);
  const unreachable = reports.find(({ reachability }) => reachability.kind === 'unreachable');
  const { listed, models, problems } = first.report.discovery;
  return {
    ...first.report,
    reachability: unreachable?.reachability ?? first.report.reachability,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    transient: reports.flatMap(({ transient }) => transient),
    ...mergedBudget(reports),
    ...concluded(
      ordered.flatMap(({ id }) => results.get(id) ?? []),
      {
        rules: ordered,
        target: first.target,
        // Of the discovery only these matter once every rule has its outcome.
        discovery: {
          models: {},
          listed: Array.from({ length: listed }, String),
          problems,
          brandWords: [],
          isComplete: first.isCatalogComplete,
        },
        isWhole: first.isWhole && unreachable === undefined,
      },
    ),
    discovery: { listed, models, problems },
  };
}

function mergedBudget(reports: readonly ConformanceReport[]): Pick<ConformanceReport, 'budget'> {
  const budgets = reports.flatMap(({ budget }) => budget ?? []);
  const total = (part: 'runs' | 'used'): number => budgets.reduce((sum, budget) => sum + budget[part], 0);
  if (budgets.length === 0) return {};
  const costs = budgets.flatMap(({ cost }) => cost ?? []);
  const sum = (part: 'atMostCents' | 'unpricedRuns'): number => costs.reduce((all, cost) => all + cost[part], 0);
  const cost = { atMostCents: sum('atMostCents'), unpricedRuns: sum('unpricedRuns') };
  return {
    budget: {
      runs: total('runs'),
      used: total('used'),
      ...(costs.length === 0 ? {} : { cost }),
      calls: budgets.flatMap(({ calls }) => calls),
    },
  };
}

function requireAllParts(notes: readonly ShardNote[], first: ShardNote): void {
  const { of } = first.shard;
  const run = runOf(first);
  for (const note of notes) if (runOf(note) !== run) throw new HarnessError('the parts are of different runs');
  for (let index = 1; index <= of; index += 1) {
    const count = notes.filter(({ shard }) => shard.index === index).length;
    if (count !== 1) throw new HarnessError(`part ${index} of ${of} is ${count === 0 ? 'missing' : 'there twice'}`);
  }
}

function runOf({ shard, isWhole, report: { format, target, specs } }: ShardNote): string {
  // A sandbox or a mock that a machine starts for its part has a port of its own.
  return JSON.stringify([shard.of, isWhole, format, target.kind === 'live' ? target : target.kind, specs]);
}

const exchangesShown = 20;
const findingsShown = 100;

/** A rule over the whole run is in every part. */
function merged(one: RuleResult | undefined, other: RuleResult): RuleResult {
  if (one === undefined) return other;
  if (one.outcome.kind !== 'failed' || other.outcome.kind !== 'failed')
    return outweighs(one.outcome.kind, other.outcome.kind) ? other : one;
  if (one.evidence.length >= exchangesShown) return one;
  const [first, ...rest] = one.outcome.findings;
  const added = other.outcome.findings.map((finding) => moved(finding, one.evidence.length));
  const findings = [first, ...[...rest, ...added].slice(0, findingsShown - 1)] as const;
  return { ...one, outcome: { ...one.outcome, findings }, evidence: [...one.evidence, ...other.evidence] };
}

/** A finding may name its exchange by the place among those of its rule. */
function moved<T extends object>(finding: T, by: number): T {
  const seen: unknown = Reflect.get(finding, 'seen');
  if (typeof seen !== 'object' || seen === null) return finding;
  return { ...finding, seen: { ...seen, exchange: Number(Reflect.get(seen, 'exchange')) + by } };
}
