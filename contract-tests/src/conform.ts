import type { EffectiveSpecs } from '../../specs/src/index.ts';
import { openReportFolder } from './adapters/report-files.ts';
import { type Discovery, emptyDiscovery, outcomesModel } from './definitions/discovery.ts';
import { HarnessError } from './definitions/errors.ts';
import type { Ports } from './definitions/ports.ts';
import type { Rule } from './definitions/rule.ts';
import { type Capability, capabilitiesOf, type Target } from './definitions/target.ts';
import { discover } from './engine/discover.ts';
import type { Sender } from './engine/perform.ts';
import { type Planned, planConformance, unmatchedPatterns } from './engine/plan.ts';
import { checkReachability } from './engine/reachability.ts';
import { type Deadlines, type RuleOutcome, runSession } from './engine/session.ts';
import { passiveRules } from './passive/index.ts';
import { assembleReport } from './report/assemble-report.ts';
import { renderFiles } from './report/render-files.ts';
import type { ConformanceReport } from './report/report.ts';
import { rules as activeRules } from './rules/index.ts';
import { httpPorts } from './targets/http-ports.ts';

export type ConformanceInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  /** Globs over rule ids; what a chosen rule needs comes along. Default: all. */
  readonly rules?: readonly string[];
  readonly limits?: Partial<Deadlines>;
  /** Leaves the exchanges out of the results, for callers that read outcomes only. */
  readonly withoutEvidence?: true;
};

const defaultLimits: Deadlines = { requestMs: 10_000, ruleMs: 60_000, runMs: 600_000 };
/** Active rules, then rules over the whole run. */
export const allRules: readonly Rule[] = [...activeRules, ...passiveRules];

export type ListedRule = Pick<Rule, 'id' | 'family' | 'requirements' | 'cost' | 'api'>;

export function listRules(): readonly ListedRule[] {
  return allRules.map(({ id, family, requirements, cost, api }) => ({ id, family, requirements, cost, api }));
}

/** Patterns that match no rule: a typing error of the caller. */
export function unmatchedRulePatterns(patterns: readonly string[]): readonly string[] {
  return unmatchedPatterns(allRules, patterns);
}

/** Checks a target by every rule. Throws `HarnessError` when a pattern matches no rule. */
export function runConformance(input: ConformanceInput, ports: Ports): Promise<ConformanceReport> {
  return runRules(allRules, input, ports);
}

/**
 * Checks a target over HTTP and writes `result.json` and `junit.xml` into a folder. Throws `HarnessError` when it cannot be
 * written, or when a file would show a credential.
 */
export async function conformToFolder(input: ConformanceInput, folder: string): Promise<ConformanceReport> {
  const reports = await openReportFolder(folder);
  const report = await runConformance(input, httpPorts(input.target));
  await reports.write(renderFiles(report, input.target));
  return report;
}

/** The pipeline behind `runConformance`. Throws `HarnessError` when rules or patterns are unsound. */
export async function runRules(
  rules: readonly Rule[],
  input: ConformanceInput,
  ports: Ports,
): Promise<ConformanceReport> {
  const unmatched = unmatchedPatterns(rules, input.rules ?? []);
  if (unmatched.length > 0)
    throw new HarnessError(`no rule matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}`);
  const { specs } = input;
  const limits = { ...defaultLimits, ...input.limits };
  const startedAtMs = ports.clock.now();
  const log = { exchanges: [], bodyBytes: 0 };
  const sender: Sender = { target: input.target, ports, requestDeadlineMs: limits.requestMs, log };

  const reachability = await checkReachability(sender);
  const isReachable = reachability.kind === 'reachable';
  const discovery = isReachable ? await discover(sender, specs) : emptyDiscovery;
  const target = isReachable ? await withCapabilities(input.target, discovery, ports) : input.target;
  const plan = planConformance(rules, target, input.rules);
  const session = { specs, discovery, limits, endsAtMs: startedAtMs + limits.runMs };
  const { outcomes, lost } = isReachable
    ? await runSession(plan, session, { ...sender, target })
    : { outcomes: notReached(plan, reachability.because), lost: undefined };

  return assembleReport({
    input,
    discovery,
    reachability: lost === undefined ? reachability : { kind: 'unreachable', because: `stopped answering: ${lost}` },
    outcomes,
    durationMs: ports.clock.now() - startedAtMs,
  });
}

// Only a sandbox has a clock that can be moved, and a model whose input selects the outcome of a run.
async function withCapabilities(target: Target, { listed }: Discovery, { time }: Ports): Promise<Target> {
  if (target.kind !== 'sandbox') return target;
  const found: Capability[] = [];
  if (await time?.isMovable()) found.push('clock');
  if (listed.includes(outcomesModel)) found.push('outcomes');
  return { ...target, capabilities: [...capabilitiesOf(target), ...found] };
}

function notReached(plan: readonly Planned[], because: string): readonly RuleOutcome[] {
  const reason = `the target was not reached: ${because}`;
  return plan.map(({ rule, applicability }) => ({
    rule,
    outcome:
      applicability.kind === 'applies'
        ? { kind: 'setup-failed', reason, evidence: [] }
        : { ...applicability, evidence: [] },
    durationMs: 0,
  }));
}
