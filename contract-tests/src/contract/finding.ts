import type { Evidence } from './probe.ts';
import type { Reason } from './reasons.ts';

export type FindingCode =
  | 'status-unexpected'
  | 'status-undocumented'
  | 'header-missing'
  | 'header-unexpected'
  | 'header-malformed'
  | 'header-repeated'
  | 'media-type-unexpected'
  | 'body-malformed'
  | 'body-unexpected'
  | 'schema-violated'
  | 'value-unexpected'
  | 'bytes-differ'
  | 'values-differ'
  | 'secret-echoed'
  | 'never-reached'
  | 'no-response';

export type FindingLocation = { readonly step: string; readonly header?: string; readonly pointer?: string };

/** What a check finds wrong. */
export type Finding = {
  readonly code: FindingCode;
  readonly at: FindingLocation;
  readonly expected: string;
  readonly actual: string;
};
export type RuleFinding = Finding & { readonly ruleId: string };

export type NonEmpty<T> = readonly [T, ...T[]];

type Observed = { readonly kind: 'observed'; readonly observation: string };
/** The target cannot show the rule at all, as a mock cannot show what needs state. */
type NotObservable = { readonly kind: 'not-observable'; readonly because: string };
/** The target or its catalog gives no occasion for the rule. */
type NotApplicable = { readonly kind: 'not-applicable'; readonly because: string };

/** `[]` passes; an observation notes what the documents leave open. */
export type CheckResult = readonly Finding[] | Observed | NotApplicable;

/** The outcome of a rule as reports give it. */
export type OutcomeRecord =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly findings: NonEmpty<RuleFinding> }
  | Observed
  | NotObservable
  | NotApplicable
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'setup-failed'; readonly reason: string }
  | { readonly kind: 'errored'; readonly message: string };
/** `why`: of a rule that was not tried, as data; what a rule says itself has words alone. */
export type Outcome = OutcomeRecord & { readonly evidence: Evidence; readonly why?: Reason };
export type OutcomeKind = Outcome['kind'];

export const outcomeKinds = [
  'passed',
  'failed',
  'observed',
  'not-observable',
  'not-applicable',
  'blocked',
  'setup-failed',
  'errored',
] as const satisfies readonly OutcomeKind[];

export function finding(code: FindingCode, at: FindingLocation, expected: string, actual: string): Finding {
  return { code, at, expected, actual };
}

export const observed = (observation: string): Observed => ({ kind: 'observed', observation });
export const notApplicable = (because: string): NotApplicable => ({ kind: 'not-applicable', because });

const quotedAtMost = 2_000;

/** One line of a response for a finding. Longer than reports show: they cut after they have redacted. */
export function excerpt(text: string): string {
  return text.slice(0, quotedAtMost).replace(/\s+/g, ' ').trim();
}
