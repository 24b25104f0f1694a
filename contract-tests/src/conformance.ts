import type { EffectiveSpecs } from '../../specs/src/index.ts';
import { defaultLimits, type Limits } from './engine/limits.ts';
import { makeSurvey } from './engine/make-survey.ts';
import { surveyOfMock } from './engine/mock-survey.ts';
import type { Sender } from './engine/perform.ts';
import { type Planned, planConformance, unmatchedPatterns } from './engine/plan.ts';
import { reach } from './engine/reach.ts';
import { openSession } from './engine/session.ts';
import { HarnessError } from './errors.ts';
import type { Ports } from './ports.ts';
import type { Evidence, Exchange } from './probe.ts';
import { assembleReport } from './report/assemble-report.ts';
import { missingRequired } from './report/missing-rules.ts';
import { recordOf, withoutEvidence } from './report/record.ts';
import { createRedactor } from './report/redact.ts';
import type { ConformanceReport, Reachability, RuleResult } from './report/report.ts';
import type { Rule } from './rule.ts';
import { emptySurvey, outcomesModel, type Survey } from './survey.ts';
import { type Capability, capabilitiesOf, type Target } from './target.ts';

export type ConformanceInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  /** Globs over rule ids; what a chosen rule needs comes along. Default: all. */
  readonly rules?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Leaves the exchanges out of the results, for whoever only asks what rules came to. */
  readonly withoutEvidence?: true;
};
export type OnResult = (result: RuleResult) => void;

/** What is known before the first rule. */
export type Opening = {
  readonly plan: readonly Planned[];
  readonly survey: Survey;
  readonly reachability: Reachability;
  readonly limits: Limits;
  readonly startedAtMs: number;
  /** With what was found out of it: whether its clock can be moved. */
  readonly target: Target;
  /** What was exchanged so far. */
  readonly earlier: Evidence;
};

/** Judges a target in this process, rule after rule. Throws `HarnessError` when rules or patterns are unsound. */
export async function conform(rules: readonly Rule[], input: ConformanceInput, run: Run): Promise<ConformanceReport> {
  const { ports, onResult } = run;
  const opening = await openRun(rules, input, ports);
  if (opening.reachability.kind === 'unreachable')
    return closeRun(input, opening, { results: notReached(opening), endedAtMs: ports.clock.now() });
  const endsAtMs = opening.startedAtMs + opening.limits.runMs;
  const session = openSession({ ...opening, specs: input.specs, endsAtMs }, ports);
  const redact = createRedactor(input.target);
  const results: RuleResult[] = [];
  for (const planned of opening.plan) {
    const judged = await session.run(planned);
    const result = recordOf(input.withoutEvidence ? withoutEvidence(judged) : judged, redact);
    results.push(result);
    onResult?.(result);
  }
  return closeRun(input, opening, { results, lost: session.lost(), endedAtMs: ports.clock.now() });
}
export type Run = { readonly ports: Ports; readonly onResult?: OnResult | undefined };

/** Plans, greets each API and surveys the target. */
export async function openRun(rules: readonly Rule[], input: ConformanceInput, ports: Ports): Promise<Opening> {
  const unmatched = unmatchedPatterns(rules, input.rules ?? []);
  if (unmatched.length > 0)
    throw new HarnessError(`no rule matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}`);
  const limits = { ...defaultLimits, ...input.limits };
  const startedAtMs = ports.clock.now();
  const earlier: Exchange[] = [];
  const sender: Sender = { target: input.target, ports, requestDeadlineMs: limits.requestMs, journal: earlier };
  const reachability = await reachAll(sender);
  const { specs } = input;
  const isReached = reachability.kind === 'reachable';
  const survey = isReached ? await surveyOf(sender, specs) : emptySurvey;
  const target = isReached ? await withItsMeans(input.target, survey, ports) : input.target;
  const plan = planConformance(rules, target, input.rules);
  return { plan, survey, limits, startedAtMs, reachability, target, earlier };
}

async function surveyOf(sender: Sender, specs: EffectiveSpecs): Promise<Survey> {
  return sender.target.kind === 'mock' ? surveyOfMock(specs) : await makeSurvey(sender, specs.settings.brand);
}

// Only a sandbox has a clock that a caller could move, and a model that does as it is told.
async function withItsMeans(target: Target, { listed }: Survey, { time }: Ports): Promise<Target> {
  if (target.kind !== 'sandbox') return target;
  const found: Capability[] = [];
  if (await time?.isMovable()) found.push('clock');
  if (listed.includes(outcomesModel)) found.push('outcomes');
  return { ...target, capabilities: [...capabilitiesOf(target), ...found] };
}

const standsStill =
  'its clock stands still, so nothing that takes time would ever end; a sandbox with --clock real can be moved on as well';

async function reachAll(sender: Sender): Promise<Reachability> {
  const offered = (['router', 'workflow'] as const).filter((api) => sender.target[api] !== undefined);
  if (offered.length === 0) throw new HarnessError('the target offers neither API');
  for (const api of offered) {
    const because = await reach(api, sender);
    if (because !== undefined) return { kind: 'unreachable', because };
  }
  if (await sender.ports.time?.standsStill?.()) return { kind: 'unreachable', because: standsStill };
  return { kind: 'reachable' };
}

export type Closing = {
  readonly results: readonly RuleResult[];
  /** Why the target stopped answering during the run. */
  readonly lost?: string | undefined;
  readonly endedAtMs: number;
};

export function closeRun(input: ConformanceInput, opening: Opening, closing: Closing): ConformanceReport {
  const { target, specs } = input;
  const chosen = opening.plan.map(({ rule }) => rule);
  return assembleReport(
    {
      target,
      specs,
      survey: opening.survey,
      reachability:
        closing.lost === undefined
          ? opening.reachability
          : { kind: 'unreachable', because: `stopped answering: ${closing.lost}` },
      results: closing.results,
      missingRequired: missingRequired({ chosen, target, results: closing.results }),
      durationMs: closing.endedAtMs - opening.startedAtMs,
    },
    createRedactor(target),
  );
}

/** The results of a run whose target gave no answer at all. */
export function notReached({ plan, reachability }: Opening): readonly RuleResult[] {
  const reason = reachability.kind === 'unreachable' ? `the target was not reached: ${reachability.because}` : '';
  return plan.map(({ rule, applicability }) => ({
    ruleId: rule.id,
    family: rule.family,
    requirements: rule.requirements,
    cost: rule.cost,
    outcome: applicability.kind === 'applies' ? { kind: 'setup-failed', reason } : applicability,
    evidence: [],
    durationMs: 0,
  }));
}
