import type { ProbeContext } from '../context.ts';
import { SetupFailure } from '../errors.ts';
import { mediaTypeOf, memberOf, textOf } from '../evidence.ts';
import { type CheckResult, excerpt, type Finding, type NonEmpty, type Outcome, type RuleFinding } from '../finding.ts';
import type { Evidence, Exchange, WireResponse } from '../probe.ts';
import type { Rule } from '../rule.ts';
import type { Performance, Stop } from './perform.ts';

/** Performance → outcome. A rule that throws is our fault (`errored`), never the target's. */
export function decideOutcome(rule: Rule, performance: Performance, context: ProbeContext): Outcome {
  const { evidence, stop } = performance;
  const artefact = context.kind === 'mock' ? artefactOfMock(evidence) : undefined;
  if (artefact !== undefined) return { kind: 'not-observable', because: artefact, evidence };
  if (stop !== undefined) return outcomeOfStop(rule, stop, evidence);
  try {
    return outcomeOfCheck(rule, rule.check(evidence, context), evidence);
  } catch (error) {
    return outcomeOfThrown(error, evidence);
  }
}

export function outcomeOfThrown(error: unknown, evidence: Evidence): Outcome {
  if (error instanceof SetupFailure) return { kind: 'setup-failed', reason: error.message, evidence };
  return {
    kind: 'errored',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    evidence,
  };
}

const findingsAtMost = 200; // a target can be wrong in a million places, and a report has to be read

function outcomeOfCheck(rule: Rule, result: CheckResult, evidence: Evidence): Outcome {
  if ('kind' in result) return { ...result, evidence };
  const [first, ...rest] = result.slice(0, findingsAtMost).map((one): RuleFinding => ({ ruleId: rule.id, ...one }));
  return first === undefined ? { kind: 'passed', evidence } : failed([first, ...rest], evidence);
}

function failed(findings: NonEmpty<RuleFinding>, evidence: Evidence): Outcome {
  return { kind: 'failed', findings, evidence };
}

// A target that cannot be reached broke no rule; one that accepts a request and stays silent did.
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

function outcomeOfStop(rule: Rule, stop: Stop, evidence: Evidence): Outcome {
  if (stop.kind === 'setup-failed') return { kind: 'setup-failed', reason: stop.reason, evidence };
  const { because, detail } = stop.result;
  if (unreachable.has(because))
    return { kind: 'setup-failed', reason: `the target was not reached: ${detail}`, evidence };
  const finding: Finding = {
    code: 'no-response',
    expected: 'an answer',
    actual: `${because}: ${detail}`,
    at: { step: stop.step },
  };
  return failed([{ ruleId: rule.id, ...finding }], evidence);
}

/** The mock's own problem documents (unknown route, wrong method, undocumented code) say nothing about the contract. */
function artefactOfMock(evidence: Evidence): string | undefined {
  for (const { result, step } of evidence) {
    if (result.kind === 'response' && isMockProblem(result)) {
      return `the mock answered step "${step}" for itself: ${excerpt(textOf(result))}`;
    }
  }
  return undefined;
}

export function isArtefactOfMock(result: Exchange['result']): boolean {
  return result.kind === 'response' && isMockProblem(result);
}

function isMockProblem(response: WireResponse): boolean {
  if (mediaTypeOf(response) !== 'application/problem+json') return false;
  const type = memberOf(response, '/type');
  return typeof type === 'string' && type.includes('stoplight.io/prism/errors');
}
