import type { JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readHeader, type StepResponse } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';

export type Expectation = (response: StepResponse, context: ProbeContext) => readonly Finding[];
type Finds<Given extends readonly unknown[]> = (...given: Given) => readonly Finding[];

/** Returns the findings of all these expectations or checks. */
export function all<Given extends readonly unknown[]>(...checks: readonly Finds<Given>[]): Finds<Given> {
  return (...given) => checks.flatMap((check) => check(...given));
}

/** Returns the findings of the first check that has any. */
export function first<Given extends readonly unknown[]>(...checks: readonly Finds<Given>[]): Finds<Given> {
  return (...given) => {
    for (const check of checks) {
      const findings = check(...given);
      if (findings.length > 0) return findings;
    }
    return [];
  };
}

/** Marks findings that only rest on this reading; the rule names it as `partReading`. */
export function asRead<Given extends readonly unknown[]>(reading: string, check: Finds<Given>): Finds<Given> {
  return (...given) => check(...given).map((one) => ({ ...one, reading }));
}

/** The one finding that the value at a JSON pointer is another than expected. */
export function wrongAt(step: string, pointer: string, expected: string, actual: string): readonly Finding[] {
  return [finding('value-unexpected', { step, pointer }, expected, actual)];
}

export function jsonText(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : excerpt(JSON.stringify(value));
}

export function wrongMediaType(step: string, expected: string, actual = 'absent'): readonly Finding[] {
  return [finding('media-type-unexpected', { step, header: 'Content-Type' }, expected, actual)];
}

type Holds = (...given: Parameters<Expectation>) => boolean;

export function either(holds: Holds, then: Expectation, otherwise: Expectation): Expectation {
  return (...given) => (holds(...given) ? then : otherwise)(...given);
}

/** The expectations where this holds; any other response is right. */
export function where(holds: Holds, ...then: readonly Expectation[]): Expectation {
  return either(holds, all(...then), () => []);
}

/** `NaN` where the header gives no whole number of cents. */
export function readCents(response: Pick<StepResponse, 'headers'>, header: string): number {
  const value = readHeader(response, header)?.trim() ?? '';
  return /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
}
