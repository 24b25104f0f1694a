import { type EffectiveSpecs, recogniseBrand } from '../../specs/src/index.ts';
import { serviceHeaders } from './contract/context.ts';
import { type Discovery, emptyDiscovery } from './contract/discovery.ts';
import { HarnessError, SetupFailure, UsageError } from './contract/errors.ts';
import type { Ports } from './contract/ports.ts';
import type { Evidence } from './contract/probe.ts';
import type { Rule, RuleOutcome } from './contract/rule.ts';
import { capabilitiesOf, hasObeying, type Target } from './contract/target.ts';
import { assembleReport, type ReportParts } from './report/assemble-report.ts';
import type { ConformanceReport } from './report/report.ts';
import { type Capability, type Hook, listRows } from './requires.ts';
import { rules as activeRules } from './rules/index.ts';
import { passiveRules } from './rules/passive/index.ts';
import { cancelQueued } from './run/cancel-queued.ts';
import { discover } from './run/discover.ts';
import { openLog } from './run/exchange-log.ts';
import {
  earlierExchanges,
  earlierRuns,
  type Findings,
  type Journal,
  noJournal,
  type Work,
  whyHung,
} from './run/journal.ts';
import { add, checkModels, chosenModels, type ModelChoice, type PerModel } from './run/per-model.ts';
import type { Sender } from './run/perform.ts';
import { listConditions, type Planned, planConformance, unmatchedPatterns } from './run/plan.ts';
import { planRuns } from './run/plan-runs.ts';
import { checkReachability } from './run/reachability.ts';
import { openRunBudget, unlimitedRuns } from './run/run-budget.ts';
import { type Deadlines, runSession } from './run/session.ts';
import { rulesOfShard, type Shard } from './run/shards.ts';
import { standInsOf } from './run/stand-ins.ts';
import { transientReads } from './run/transient-reads.ts';

export type ConformanceInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  /** Globs over rule ids; what a chosen rule needs comes along. Default: all. */
  readonly rules?: readonly string[];
  readonly limits?: Partial<Deadlines>;
  /** Leaves the exchanges out of the results, for callers that read outcomes only. */
  readonly withoutEvidence?: true;
  /** The most requests per second; default: no limit. */
  readonly maxRps?: number;
  /** Sends what discovery needs and nothing else; the report holds the calls that could start a run. */
  readonly planOnly?: true;
  /** The part of a run that this machine does; the parts are merged afterwards. */
  readonly shard?: Shard;
  /** Applies the rules on single models to more of the catalog than a sample. */
  readonly models?: ModelChoice;
  /** Exchanges that took place already: nothing is sent, and only rules over the whole run have something to read. */
  readonly recorded?: Evidence;
};

/** Where the caller gives none. */
export const defaultLimits: Deadlines = { requestMs: 10_000, heldMs: 600_000, ruleMs: 60_000, runMs: 600_000 };
/** Active rules, then rules over the whole run. */
export const allRules: readonly Rule[] = [...activeRules, ...passiveRules];

/** `requires`: ids of what a target has to show; of each list one is enough. */
export type ListedRule = Pick<Rule, 'id' | 'family' | 'requirements' | 'cost' | 'api' | 'sentence'> & {
  readonly requires: readonly (readonly string[])[];
};

export function listRules(): readonly ListedRule[] {
  return allRules.map((rule) => {
    const { id, family, requirements, cost, api, sentence } = rule;
    const requires = listConditions(rule).map((condition) => listRows(condition).map((row) => row.id));
    return { id, family, requirements, cost, api, sentence, requires };
  });
}

/** Patterns that match no rule: a typing error of the caller. */
export function unmatchedRulePatterns(patterns: readonly string[]): readonly string[] {
  return unmatchedPatterns(allRules, patterns);
}

/** Checks a target by every rule. Throws `HarnessError` when a pattern matches no rule, or the target has no model that the input names. */
export function runConformance(input: ConformanceInput, ports: Ports): Promise<ConformanceReport> {
  return runRules(allRules, input, ports);
}

/** The pipeline behind `runConformance`. Throws `HarnessError` when rules or patterns are unsound. */
export async function runRules(
  rules: readonly Rule[],
  input: ConformanceInput,
  ports: Ports,
): Promise<ConformanceReport> {
  return assembleReport(await checkTarget(rules, input, ports));
}

/** `journal`: hears of every step, and of what an earlier process learned of the same run. Throws like `runRules`. */
export async function checkTarget(
  rules: readonly Rule[],
  input: ConformanceInput,
  ports: Ports,
  journal: Journal = noJournal,
): Promise<ReportParts> {
  const unmatched = unmatchedPatterns(rules, input.rules ?? []);
  if (unmatched.length > 0)
    throw new HarnessError(`no rule matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}`);
  const { specs } = input;
  const limits = { ...defaultLimits, ...input.limits };
  const startedAtMs = ports.clock.now();
  const { sender, learned } = openSender(input, ports, journal, { limits, startedAtMs });
  const { reachability, discovery, capabilities } = await (input.recorded === undefined
    ? findOut(sender, input, journal)
    : nothingToFind(sender, specs, journal));
  requireChosen(input.models, discovery);
  const target = withCapabilities(input.target, capabilities);
  learned({ target, listed: discovery.listed });
  const standIns = standInsOf(target, discovery);
  const further = { ...sender, target, ...(standIns === undefined ? {} : { standIns }) };
  const plan = planConformance(rulesOfShard(rules, input.shard), target, input.rules);
  const session = { specs, discovery, limits, endsAtMs: startedAtMs + limits.runMs, journal };
  const isReachable = reachability.kind === 'reachable';
  const { outcomes, lost } = input.planOnly
    ? { outcomes: notDecided(plan, 'only the plan was asked for'), lost: undefined }
    : isReachable
      ? await runSession(plan, session, further)
      : { outcomes: notDecided(plan, `the target was not reached: ${reachability.because}`), lost: undefined };
  if (!isReachable) outcomes.forEach(journal.decides);
  const perModel = { plan, session, sender: further, shard: input.shard };
  const isComplete = isReachable && lost === undefined && !input.planOnly;
  const decided = isComplete ? await withModels(outcomes, perModel, input.models) : outcomes;
  if (lost === undefined) await cancelQueued({ ...sender, target });

  const all = planConformance(rules, withAnyBudget(target), input.rules);
  const planned = isReachable && target.kind === 'live' ? await planRuns(all, session, further) : undefined;
  return {
    input: { ...input, target },
    discovery,
    reachability: lost === undefined ? reachability : { kind: 'unreachable', because: `stopped answering: ${lost}` },
    outcomes: decided,
    transient: transientReads(sender.log.exchanges),
    runs: sender.runs.records,
    ...(planned === undefined ? {} : { plan: planned }),
    durationMs: ports.clock.now() - startedAtMs,
  };
}

/** A glob that matches no model is a typing error, which the rules on single models would pass. */
function requireChosen(choice: ModelChoice | undefined, { listed }: Discovery): void {
  if (choice === undefined || listed.length === 0 || chosenModels(listed, choice).length > 0) return;
  throw new UsageError(`no model of the ${listed.length} listed matches --models ${JSON.stringify(choice)}`);
}

type Learned = { readonly target: Target; readonly listed: readonly string[] };
type Timing = { readonly limits: Deadlines; readonly startedAtMs: number };

/** What sends, with its budget; `learned` tells the budget what discovery has found. */
function openSender(
  { target, specs, recorded }: ConformanceInput,
  ports: Ports,
  journal: Journal,
  { limits, startedAtMs }: Timing,
): { readonly sender: Sender; readonly learned: (more: Learned) => void } {
  let known: Learned = { target, listed: [] };
  const runs = openRunBudget(target, {
    headers: serviceHeaders(specs),
    earlier: earlierRuns(journal.earlier),
    isHooked: (path) => hasObeying(known.target)(path),
    listed: () => known.listed,
    onRecord: (index, record) => {
      ports.notes?.(record);
      journal.learns({ kind: 'run', index, record });
    },
  });
  const log = openLog(recorded ?? earlierExchanges(journal.earlier), (exchange) =>
    journal.learns({ kind: 'exchange', exchange }),
  );
  const held = heldOf(target, limits, startedAtMs);
  const sender = { target, ports, requestDeadlineMs: limits.requestMs, log, runs, ...held };
  return {
    sender,
    learned: (more) => {
      known = more;
    },
  };
}

/** Cancels what an ended process of the run has left in the queue of a live target. */
export async function cancelLeftovers(input: ConformanceInput, ports: Ports, journal: Journal): Promise<void> {
  const log = openLog(earlierExchanges(journal.earlier));
  const { requestMs } = { ...defaultLimits, ...input.limits };
  await cancelQueued({ target: input.target, ports, requestDeadlineMs: requestMs, log, runs: unlimitedRuns });
}

function heldOf({ kind }: Target, { heldMs, runMs }: Deadlines, startedAtMs: number): Pick<Sender, 'held'> {
  return kind === 'live' ? { held: { ms: heldMs, endsAtMs: startedAtMs + runMs } } : {};
}

/** The outcomes of a run with those of single models added. */
async function withModels(
  outcomes: readonly RuleOutcome[],
  perModel: Omit<PerModel, 'choice'>,
  choice: ModelChoice | undefined,
): Promise<readonly RuleOutcome[]> {
  if (choice === undefined) return outcomes;
  const combined = new Map(outcomes.map((one) => [one.rule.id, one]));
  for (const one of await checkModels({ ...perModel, choice })) {
    add(combined, one);
    const outcome = combined.get(one.rule.id);
    if (outcome !== undefined) perModel.session.journal.decides(outcome);
  }
  return [...combined.values()];
}

async function findOut(sender: Sender, { specs, models }: ConformanceInput, journal: Journal): Promise<Findings> {
  const known = journal.earlier.find((fact) => fact.kind === 'findings');
  if (known !== undefined) return known;
  const reached = await checkReachability(sender);
  const offer = reached.kind === 'reachable' ? await askHooks(sender.ports, journal) : [];
  const capabilities = 'because' in offer ? [] : offer;
  const reachability = 'because' in offer ? { kind: 'unreachable' as const, because: offer.because } : reached;
  const isReachable = reachability.kind === 'reachable';
  const discovery = isReachable ? await discover(sender, specs, journal, models !== undefined) : emptyDiscovery;
  // A mock answers the examples of the specifications themselves, and shows no brand of its own.
  const headers = sender.target.kind === 'mock' ? [] : headersOf(sender.log.exchanges);
  const otherBrand = recogniseBrand({ documents: discovery.brandWords, headers }, specs.settings.brand);
  const findings: Findings = { reachability, discovery, capabilities, otherBrand };
  journal.learns({ kind: 'findings', ...findings });
  return findings;
}

/** Recorded traffic shows a brand; nobody is asked for more. */
async function nothingToFind({ log }: Sender, specs: EffectiveSpecs, journal: Journal): Promise<Findings> {
  const otherBrand = recogniseBrand({ documents: [], headers: headersOf(log.exchanges) }, specs.settings.brand);
  const reachability = { kind: 'reachable' } as const;
  const discovery = { ...emptyDiscovery, problems: [] };
  const findings: Findings = { reachability, discovery, capabilities: [], otherBrand };
  journal.learns({ kind: 'findings', ...findings });
  return findings;
}

function headersOf(exchanges: Evidence): string[] {
  return exchanges.flatMap(({ api, result }) =>
    api === 'router' && result.kind === 'response' ? result.headers.map(([name]) => name) : [],
  );
}

const stoppedClock =
  'the clock of the target is stopped, so nothing that takes time would ever end; a sandbox with --clock real can be moved on as well';

/** What the named hooks offer. Hooks that were named and cannot be used end the run: its rules would silently be fewer. */
async function askHooks({ hooks }: Ports, journal: Journal): Promise<readonly Hook[] | { readonly because: string }> {
  if (hooks === undefined) return [];
  const work: Work = { kind: 'answer', to: 'the test hooks' };
  const hung = whyHung(journal.earlier, work);
  if (hung !== undefined) return { because: `the test hooks ${hung}` };
  journal.startsOn(work);
  try {
    const offer = await hooks.offered();
    if ('because' in offer) return { because: `the test hooks cannot be used: ${offer.because}` };
    return offer.includes('clock') && (await hooks.isStopped?.()) ? { because: stoppedClock } : offer;
  } catch (error) {
    if (error instanceof SetupFailure) return { because: `the test hooks cannot be used: ${error.message}` };
    throw error;
  }
}

/** The rules that a budget would add are planned too. */
function withAnyBudget(target: Target): Target {
  const { runs = 1, models = [] } = target.budget ?? {};
  return target.kind === 'live' ? { ...target, budget: { runs: Math.max(1, runs), models } } : target;
}

export function withCapabilities(target: Target, further: readonly Capability[]): Target {
  return { ...target, capabilities: [...capabilitiesOf(target), ...further] };
}

/** Rules of a plan that could not be tried, and why. */
export function notDecided(plan: readonly Planned[], reason: string): readonly RuleOutcome[] {
  return plan.map(({ rule, applicability }) => ({
    rule,
    outcome:
      applicability.kind === 'applies'
        ? { kind: 'setup-failed', reason, evidence: [] }
        : { ...applicability, evidence: [] },
    durationMs: 0,
  }));
}
