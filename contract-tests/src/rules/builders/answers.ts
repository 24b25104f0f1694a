import { readHeader, readMember, readResponse, type StepResponse, wasAnswered } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import type { Evidence } from '../../contract/probe.ts';
import type { Check } from '../../contract/rule.ts';
import { type Expectation, leftOpen, unless } from './checks.ts';
import type { where } from './expectations.ts';

export function answeredWith(step: string, ...statuses: readonly number[]) {
  return (evidence: Evidence): boolean => statuses.includes(readResponse(evidence, step).status);
}

export function notAllSucceeded(...steps: readonly string[]) {
  return (evidence: Evidence): boolean =>
    steps.some((step) => !wasAnswered(evidence, step) || readResponse(evidence, step).status !== 200);
}

/** The check where the request whose status is polled in the step `end` has succeeded. */
export function ifSucceeded(check: Check): Check {
  const failed = (evidence: Evidence) => readMember(readResponse(evidence, 'end'), '/error_type') !== undefined;
  return unless(failed, notApplicable('the request did not succeed'), check);
}

export function either(holds: Parameters<typeof where>[0], then: Expectation, otherwise: Expectation): Expectation {
  return (...given) => (holds(...given) ? then : otherwise)(...given);
}

/** Notes how a call is answered that the documents leave open; `readings`: what it bears on. */
export function noted(step: string, call: string, readings?: string): Check {
  return leftOpen(step, (evidence, { headers }) => {
    const response = readResponse(evidence, step);
    const word = readHeader(response, headers.errorType) ?? readMember(response, '/status');
    const answer = typeof word === 'string' ? `${response.status} ${word}` : String(response.status);
    return `${call} is answered with ${answer}${readings === undefined ? '' : ` (${readings})`}`;
  });
}

/** `NaN` where the header gives no whole number of cents. */
export function readCents(response: Pick<StepResponse, 'headers'>, header: string): number {
  const value = readHeader(response, header)?.trim() ?? '';
  return /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
}
