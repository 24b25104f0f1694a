import type { ProbeContext } from '../contract/context.ts';
import { NoOccasion, SetupFailure } from '../contract/errors.ts';
import { mediaTypeOf, memberOf, textOf } from '../contract/evidence.ts';
import { type CheckResult, excerpt, finding, type Outcome, type RuleFinding } from '../contract/finding.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';
import type { Rule } from '../contract/rule.ts';
import type { ProbeRun, Stop } from './perform.ts';

/** A rule that throws is an error of ours (`errored`), never a failure of the target. */
export function decideOutcome(rule: Rule, { evidence, stop }: ProbeRun, context: ProbeContext): Outcome {
  const mockProblem = context.kind === 'mock' ? evidence.find(({ result }) => isMockProblem(result)) : undefined;
  if (mockProblem?.result.kind === 'response') {
    const because = `the mock answered step "${mockProblem.step}" for itself: ${excerpt(textOf(mockProblem.result))}`;
    return { kind: 'not-observable', because, evidence };
  }
  if (stop !== undefined) return outcomeOfStop(rule, stop, evidence);
  try {
    return outcomeOfCheck(rule, rule.check(evidence, context), evidence);
  } catch (error) {
    return outcomeOfThrown(error, evidence);
  }
}

export function outcomeOfThrown(error: unknown, evidence: Evidence): Outcome {
  if (error instanceof NoOccasion) return { kind: 'not-applicable', because: error.message, evidence };
  if (error instanceof SetupFailure) return { kind: 'setup-failed', reason: error.message, evidence };
  return {
    kind: 'errored',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    evidence,
  };
}

const maxFindings = 200; // a target can be wrong in a million places, and a report has to be readable

function outcomeOfCheck(rule: Rule, result: CheckResult, evidence: Evidence): Outcome {
  if ('kind' in result) return { ...result, evidence };
  const [first, ...rest] = result.slice(0, maxFindings).map((one): RuleFinding => ({ ruleId: rule.id, ...one }));
  return first === undefined ? { kind: 'passed', evidence } : { kind: 'failed', findings: [first, ...rest], evidence };
}

// A target that cannot be reached broke no rule; one that accepts a request and never responds did.
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

function outcomeOfStop(rule: Rule, stop: Stop, evidence: Evidence): Outcome {
  if (stop.kind === 'setup-failed') return { kind: 'setup-failed', reason: stop.reason, evidence };
  if (stop.kind === 'not-applicable') return { ...stop, evidence };
  const { because, detail } = stop.result;
  if (unreachable.has(because))
    return { kind: 'setup-failed', reason: `the target was not reached: ${detail}`, evidence };
  return outcomeOfCheck(
    rule,
    [finding('no-response', { step: stop.step }, 'an answer', `${because}: ${detail}`)],
    evidence,
  );
}

/** A problem document of the mock itself (unknown route, wrong method, undocumented code), which proves nothing about the contract. */
export function isMockProblem(result: Exchange['result']): boolean {
  if (result.kind === 'no-response' || mediaTypeOf(result) !== 'application/problem+json') return false;
  const type = memberOf(result, '/type');
  return typeof type === 'string' && type.includes('stoplight.io/prism/errors');
}
