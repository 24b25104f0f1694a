import type { ProbeContext } from '../contract/context.ts';
import { NoOccasion, SetupFailure } from '../contract/errors.ts';
import { decodeBody, readMediaType, readMember } from '../contract/evidence.ts';
import { type CheckResult, excerpt, finding, type Outcome, type RuleFinding } from '../contract/finding.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';
import type { Rule } from '../contract/rule.ts';
import { findOriginal, type ProbeRun, renameStep, type Stop } from './perform.ts';

/** A rule that throws is an error of ours (`errored`), never a failure of the target. */
export function decideOutcome(rule: Rule, { evidence, stop }: ProbeRun, context: ProbeContext): Outcome {
  const mockProblem = context.kind === 'mock' ? evidence.find(({ result }) => isMockProblem(result)) : undefined;
  if (mockProblem?.result.kind === 'response') {
    const because = `the mock answered step "${mockProblem.step}" for itself: ${excerpt(decodeBody(mockProblem.result))}`;
    return { kind: 'not-observable', because, evidence };
  }
  if (stop !== undefined) return explainStop(rule, stop, evidence);
  try {
    return concludeCheck(rule, rule.check(evidence, context), evidence);
  } catch (error) {
    return explainThrown(error, evidence);
  }
}

export function explainThrown(error: unknown, evidence: Evidence): Outcome {
  if (error instanceof NoOccasion) return { kind: 'not-applicable', because: error.message, evidence };
  if (error instanceof SetupFailure) return { kind: 'setup-failed', reason: error.message, evidence };
  return {
    kind: 'errored',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    evidence,
  };
}

const maxFindings = 200; // a target can be wrong in a million places, and a report has to be readable

function concludeCheck(rule: Rule, result: CheckResult, evidence: Evidence): Outcome {
  if ('kind' in result) return { ...result, evidence };
  const [first, ...rest] = result.slice(0, maxFindings).map((one): RuleFinding => ({ ruleId: rule.id, ...one }));
  return first === undefined ? { kind: 'passed', evidence } : { kind: 'failed', findings: [first, ...rest], evidence };
}

// A target that cannot be reached broke no rule; one that accepts a request and never responds did.
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

function explainStop(rule: Rule, stop: Stop, evidence: Evidence): Outcome {
  if (stop.kind !== 'unanswered') return { ...stop, evidence };
  const { because, detail } = stop.result;
  if (unreachable.has(because))
    return { kind: 'setup-failed', reason: `the target was not reached: ${detail}`, evidence };
  return concludeCheck(
    rule,
    [finding('no-response', { step: stop.step }, 'an answer', `${because}: ${detail}`)],
    evidence,
  );
}

/** A problem document of the mock itself (unknown route, wrong method, undocumented code), which proves nothing about the contract. */
function isMockProblem(result: Exchange['result']): boolean {
  if (result.kind === 'no-response' || readMediaType(result) !== 'application/problem+json') return false;
  const type = readMember(result, '/type');
  return typeof type === 'string' && type.includes('stoplight.io/prism/errors');
}

/** Exchanges with a finding, and the requirements of the rules that found it: the findings are attributed to those. */
export type Attributions = Map<Exchange, Set<string>>;

export function attribute(rule: Rule, outcome: Outcome, attributions: Attributions): void {
  if (outcome.kind !== 'failed') return;
  for (const exchange of selectWithFindings(outcome.findings, outcome.evidence)) {
    const sent = findOriginal(exchange);
    attributions.set(sent, new Set([...(attributions.get(sent) ?? []), ...rule.requirements]));
  }
}

function selectWithFindings(findings: readonly RuleFinding[], evidence: Evidence): Evidence {
  const steps = new Set(findings.map(({ at }) => at.step));
  return evidence.filter(({ step }) => steps.has(step));
}

/** The exchanges of a check under distinct step names: a probe's own are unique within the probe only. */
export function numbered(log: Evidence): Evidence {
  return log.map((exchange, index) => renameStep(exchange, `${index + 1} ${exchange.step}`));
}

/**
 * What a rule over the whole check reads. An exchange with a finding for another requirement is left out: what else is
 * odd about it may follow from that.
 */
export function selectEvidence(rule: Rule, all: Evidence, attributions: Attributions): Evidence {
  // The same list for most rules: what is read from it is read once.
  if (rule.readsAttributed || attributions.size === 0) return all;
  return all.filter((exchange) => {
    const attributed = attributions.get(findOriginal(exchange));
    return attributed === undefined || rule.requirements.some((one) => attributed.has(one));
  });
}

/** Like the outcome of any rule; of the evidence only exchanges with findings are kept, or each rule would repeat the whole check. */
export function decideWholeCheck(rule: Rule, all: Evidence, context: ProbeContext): Outcome {
  const evidence = context.kind === 'mock' ? all.filter(({ result }) => !isMockProblem(result)) : all;
  const outcome = decideOutcome(rule, { evidence, stop: undefined }, context);
  return { ...outcome, evidence: outcome.kind === 'failed' ? selectWithFindings(outcome.findings, evidence) : [] };
}
