import type { JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readResponse, type StepResponse, wasAnswered } from '../../contract/evidence.ts';
import { type CheckResult, excerpt, type Finding, finding, observed } from '../../contract/finding.ts';
import type { Evidence } from '../../contract/probe.ts';
import type { Check } from '../../contract/rule.ts';

export type Expectation = (response: StepResponse, context: ProbeContext, evidence: Evidence) => readonly Finding[];
export type FindingsCheck = (evidence: Evidence, context: ProbeContext) => readonly Finding[];
type StepNames = string | readonly string[] | ((context: ProbeContext) => readonly string[]);

/** Every expectation on the (last) response to each of the steps. */
export function onResponse(steps: StepNames, ...expectations: readonly Expectation[]): FindingsCheck {
  const expectation = expectAll(...expectations);
  return (evidence, context) => {
    const names = listNames(steps, context);
    // After one that was accepted in place of a refusal no other is sent.
    const sent = names.filter((name, index) => index === 0 || wasAnswered(evidence, name));
    return sent.flatMap((name) => expectation(readResponse(evidence, name), context, evidence));
  };
}

export function onResponseIfSent(steps: StepNames, ...expectations: readonly Expectation[]): FindingsCheck {
  return (evidence, context) => {
    const sent = listNames(steps, context).filter((name) => wasAnswered(evidence, name));
    return onResponse(sent, ...expectations)(evidence, context);
  };
}

function listNames(steps: StepNames, context: ProbeContext): readonly string[] {
  return [typeof steps === 'function' ? steps(context) : steps].flat();
}

export function allChecks(...checks: readonly FindingsCheck[]): FindingsCheck {
  return (evidence, context) => checks.flatMap((check) => check(evidence, context));
}

export function firstFailing(...checks: readonly FindingsCheck[]): FindingsCheck {
  return (evidence, context) => {
    for (const check of checks) {
      const findings = check(evidence, context);
      if (findings.length > 0) return findings;
    }
    return [];
  };
}

type Observe = (evidence: Evidence, context: ProbeContext) => string;

/** What the documents leave open about these steps is noted, but a failure of the server is no answer to anything. */
export function leftOpen(steps: string | readonly string[], observe: Observe): Check {
  const answered = onResponseIfSent(steps, ({ status, step }) =>
    status < 500
      ? []
      : [finding('status-unexpected', { step }, 'an answer that is no failure of the server', String(status))],
  );
  return (evidence, context) => {
    const findings = answered(evidence, context);
    return findings.length > 0 ? findings : observed(observe(evidence, context));
  };
}

/** What the expectation, or the check, finds rests on this reading alone; its rule names it as `partReading`. */
export function asRead<Given extends readonly unknown[]>(
  reading: string,
  check: (...given: Given) => readonly Finding[],
): (...given: Given) => readonly Finding[] {
  return (...given) => check(...given).map((one) => ({ ...one, reading }));
}

/** `result` where the evidence does not allow the check. */
export function unless(
  prevents: (evidence: Evidence, context: ProbeContext) => boolean,
  result: CheckResult,
  check: Check,
): Check {
  return (evidence, context) => (prevents(evidence, context) ? result : check(evidence, context));
}

export function expectAll(...expectations: readonly Expectation[]): Expectation {
  return (response, context, evidence) =>
    expectations.flatMap((expectation) => expectation(response, context, evidence));
}

/** The one finding that the value at a JSON pointer is another than expected. */
export function wrongValue(step: string, pointer: string, expected: string, actual: string): readonly Finding[] {
  return [finding('value-unexpected', { step, pointer }, expected, actual)];
}

export function jsonText(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : excerpt(JSON.stringify(value));
}

export function wrongMediaType(step: string, expected: string, actual = 'absent'): readonly Finding[] {
  return [finding('media-type-unexpected', { step, header: 'Content-Type' }, expected, actual)];
}
