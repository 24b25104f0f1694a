import { createHash } from 'node:crypto';
import { findRequirement } from '../../../specs/src/index.ts';
import { emptyDiscovery } from '../contract/discovery.ts';
import { HarnessError } from '../contract/errors.ts';
import { outcomeKinds } from '../contract/finding.ts';
import type { Rule } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import { isMissing, listReliedSettings, listShortfalls, measureCoverage } from '../report/coverage.ts';
import { groupFindings } from '../report/findings.ts';
import { createReportRedactor, cutTexts } from '../report/redact.ts';
import { type ConformanceReport, type RuleResult, reasonOf, type TransientRead } from '../report/report.ts';
import { ownerSettings } from '../requires.ts';
import type { ConformanceInput } from '../run/check.ts';
import { type PlannedRule, planConformance } from '../run/plan.ts';
import type { RunRecord } from '../wire/call.ts';
import { type CheckRecord, type DecidedRule, type Discovered, type RecordedExchange, select } from './record.ts';

/** Builds the report of a check. A rule without a decision in the record gets the reason why the check ended early. */
export function assembleReport(
  record: CheckRecord,
  rules: readonly Rule[],
  input: ConformanceInput,
): ConformanceReport {
  const [opened] = select(record, 'opened');
  if (opened === undefined) throw new HarnessError('the record of the check is empty');
  const [discovered] = select(record, 'discovered');
  const discoveryResult: Pick<Discovered, 'reachability' | 'discovery' | 'plan'> = discovered ?? {
    reachability: { kind: 'reachable' },
    discovery: { ...emptyDiscovery, listed: 0, models: {} },
  };
  const { listed, models, problems } = discoveryResult.discovery;
  const target: Target = { ...input.target, ...(discovered && { capabilities: discovered.capabilities }) };
  const { redact } = createReportRedactor(target);
  const stops = select(record, 'stopped');
  const stop = stops.at(-1);
  const lost = stops.find((one) => one.lost !== undefined)?.lost;
  const reachability =
    lost === undefined
      ? discoveryResult.reachability
      : ({ kind: 'unreachable', because: `stopped responding: ${lost}` } as const);
  const explainUndecided = ({ rule, skip }: PlannedRule): Decision => {
    const nothingSent = { rule, durationMs: 0, evidence: [] };
    if (skip !== undefined) {
      const { why, ...outcome } = skip;
      return { ...nothingSent, outcome, why };
    }
    const hung = stops.find(({ at }) => at === rule.id);
    if (hung?.because !== undefined) return { ...nothingSent, outcome: { kind: 'errored', message: hung.because } };
    let reason =
      stop?.at === undefined ? (stop?.because ?? 'not decided') : `not decided: the check was stopped at ${stop.at}`;
    if (discoveryResult.reachability.kind === 'unreachable')
      reason = `the target was not reached: ${discoveryResult.reachability.because}`;
    if (input.planOnly) reason = 'only the plan was requested';
    return { ...nothingSent, outcome: { kind: 'setup-failed', reason } };
  };
  const decisions = new Map(select(record, 'decided').map(({ kind: _, ruleId, ...decision }) => [ruleId, decision]));
  const decided = planConformance(rules, target, input.rules).map((planned): Decision => {
    const decision = decisions.get(planned.rule.id);
    return decision === undefined ? explainUndecided(planned) : { rule: planned.rule, ...decision };
  });
  const exchanges = select(record, 'exchange');
  // A later entry of a call replaces the earlier one.
  const calls = [...new Map(select(record, 'run').map(({ index, record: run }) => [index, run])).values()];
  const results = decided.map((decision) => describeResult(decision, exchanges, target));
  const counts = outcomeKinds.map((kind) => [kind, results.filter(({ outcome }) => outcome.kind === kind).length]);
  const hasAllRules = input.rules === undefined && reachability.kind === 'reachable';
  const cited = [...new Set(results.flatMap(({ requirements }) => requirements))].toSorted();
  return {
    format: 'switchyard-conformance-3',
    target: {
      kind: target.kind,
      ...(target.router && { routerUrl: redact(target.router.url) }),
      ...(target.workflow && { workflowUrl: redact(target.workflow.url) }),
    },
    reachability,
    specs: {
      brand: input.specs.settings.brand,
      modelRouter: digest(input.specs.modelRouter),
      workflowExecution: digest(input.specs.workflowExecution),
    },
    discovery: { listed, models, problems: [...problems, ...listUnexpectedSuccesses(calls)] },
    startedAtMs: Math.round(opened.startedAtMs),
    durationMs: Math.round(Math.max(0, ...stops.map(({ durationMs }) => durationMs))),
    transient: cutTexts(countTransient(exchanges)),
    ...(target.kind === 'live' ? { budget: summarizeBudget(calls, input, discoveryResult.plan) } : {}),
    // `Object.fromEntries` loses the type of the keys; `outcomeKinds` lists every kind.
    counts: Object.fromEntries(counts) as ConformanceReport['counts'],
    coverage: measureCoverage(decided, target),
    missingRequired: decided
      .filter((one) => isMissing(one, target))
      .map(({ rule, outcome }) => ({ ruleId: rule.id, outcome: outcome.kind, because: reasonOf(outcome) })),
    shortfalls: [
      ...(hasAllRules ? listShortfalls(decided, target, discoveryResult.discovery) : []),
      ...listBudgetShortfalls(calls),
      ...(stop?.because !== undefined && stop.at === undefined ? [stop.because] : []),
    ],
    results,
    groups: groupFindings(results),
    requirements: Object.fromEntries(
      cited.flatMap((id) => {
        const { section, statement } = findRequirement(id) ?? {};
        return section === undefined || statement === undefined ? [] : [[id, { section, statement }]];
      }),
    ),
  };
}

function digest(document: object): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(document)).digest('hex')}`;
}

type Decision = Omit<DecidedRule, 'kind' | 'ruleId'> & { readonly rule: Rule };

function describeResult(
  { rule, evidence, ...decision }: Decision,
  exchanges: readonly RecordedExchange[],
  target: Target,
): RuleResult {
  const statements = decision.outcome.kind === 'failed' ? listReliedSettings(rule, target) : [];
  const { id: ruleId, family, concern, sentence, observes, requirements, reading, partReading, cost } = rule;
  return {
    ruleId,
    family,
    concern,
    sentence,
    ...(observes && { observes }),
    requirements,
    ...(reading && { reading: [reading].flat() }),
    ...(partReading && { partReading: [partReading].flat() }),
    cost,
    ...(statements.length > 0 && { statements }),
    ...decision,
    evidence: evidence.flatMap(({ at, step }) => {
      const kept = exchanges[at];
      return kept === undefined ? [] : { ...kept.exchange, step };
    }),
  };
}

function countTransient(exchanges: readonly RecordedExchange[]): readonly TransientRead[] {
  const counted = new Map<string, TransientRead>();
  for (const { exchange, repeatedAfterMs } of exchanges) {
    const { request, response } = exchange;
    if (repeatedAfterMs === undefined || response.kind === 'no-response') continue;
    const read = { request: `${request.method} ${request.url}`, status: response.status };
    const key = `${read.status} ${read.request}`;
    counted.set(key, { ...read, times: (counted.get(key)?.times ?? 0) + 1 });
  }
  return [...counted.values()];
}

function summarizeBudget(
  calls: readonly RunRecord[],
  { target: { budget }, planOnly }: ConformanceInput,
  plan: readonly RunRecord[] | undefined,
): NonNullable<ConformanceReport['budget']> {
  const used = calls.filter(({ state }) => state !== 'returned');
  const prices = used.flatMap(({ model }) => budget?.models.find(({ id }) => id === model)?.maxCostCents ?? []);
  const atMostCents = prices.reduce((sum, price) => sum + price, 0);
  const returned = plan?.filter(({ state }) => state === 'returned').length ?? 0;
  return {
    runs: budget?.runs ?? 0,
    used: used.length,
    ...(used.length === 0 ? {} : { cost: { atMostCents, unpricedRuns: used.length - prices.length } }),
    calls,
    // A call that must be rejected reserves one run until it is rejected.
    ...(plan && { needed: plan.length - returned + Math.min(1, returned), ...(planOnly && { plan }) }),
  };
}

/** If an owner sets a budget but no run succeeds, the check is incomplete. */
function listBudgetShortfalls(calls: readonly RunRecord[]): readonly string[] {
  const mustSucceed = calls.filter(({ expectsRejection }) => !expectsRejection);
  if (mustSucceed.length === 0 || mustSucceed.some(({ status = 0 }) => status >= 200 && status < 300)) return [];
  const last = mustSucceed.at(-1)?.status ?? 'nothing';
  return [`none of the ${mustSucceed.length} runs that should have succeeded did; the last one returned ${last}`];
}

/** Lists the configured inputs that should fail but succeeded: without the failure, rules about it decide nothing. */
function listUnexpectedSuccesses(calls: readonly RunRecord[]): readonly string[] {
  return ownerSettings.inputs.flatMap(({ name, setting = name }) => {
    if (name !== 'rejectedInput' && name !== 'failingInput') return [];
    const runs = calls.filter(
      ({ states, route, status }) => states === name && route === 'run' && status !== undefined,
    );
    const served = runs.filter(({ status = 0 }) => status >= 200 && status < 300);
    const ids = [...new Set(served.map(({ model }) => model))].join(', ');
    const answer = `answered with ${served[0]?.status} instead of an error in ${served.length} of ${runs.length} runs`;
    return served.length === 0
      ? []
      : [`${setting} of ${ids} was ${answer}: correct the setting, or the service reports this failure as a success`];
  });
}
