import type { Evidence } from './probe.ts';

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

export type Place = { readonly step: string; readonly header?: string; readonly pointer?: string };

/** What a judge returns; the engine adds the rule's id. */
export type Draft = {
  readonly code: FindingCode;
  readonly expected: string;
  readonly actual: string;
  readonly at: Place;
};
export type Finding = Draft & { readonly ruleId: string };

export type NonEmpty<T> = readonly [T, ...T[]];

/** What a judge may come to: `[]` is fine; an observation notes what the documents leave open. */
export type Verdict =
  | readonly Draft[]
  | { readonly kind: 'observed'; readonly observation: string }
  | { readonly kind: 'not-observable' | 'not-applicable'; readonly because: string };

export type Outcome =
  | { readonly kind: 'passed'; readonly evidence: Evidence }
  | { readonly kind: 'failed'; readonly findings: NonEmpty<Finding>; readonly evidence: Evidence }
  | { readonly kind: 'observed'; readonly observation: string; readonly evidence: Evidence }
  | { readonly kind: 'not-observable'; readonly because: string; readonly evidence: Evidence }
  | { readonly kind: 'not-applicable'; readonly because: string; readonly evidence: Evidence }
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'setup-failed'; readonly reason: string; readonly evidence: Evidence }
  | { readonly kind: 'errored'; readonly message: string; readonly evidence: Evidence };
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
