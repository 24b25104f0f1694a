import type { Evidence } from './exchange.ts';

// A finding that explains other findings of the same response comes before them.
export const findingTexts = {
  'secret-echoed': 'The response contains a credential or another secret from the request.',
  'no-response': 'No complete response arrived: the connection failed or was closed early, or the deadline passed.',
  'status-unexpected': 'The status differs from the one that the contract requires for this call.',
  'status-undocumented': 'The response has a status that the contract does not document for this operation.',
  'never-reached': 'An expected state, such as COMPLETED, was not reached within the deadline of the rule.',
  'bytes-differ': 'Two bodies that must have the same bytes differ.',
  'values-differ': 'Two values that must be equal differ, for example in a response and its replay.',
  'value-unexpected': 'A value is well-formed, but differs from the one that the rule requires.',
  'body-malformed': 'The body does not match its Content-Type, for example invalid JSON.',
  'body-unexpected':
    'The response has a body although none is allowed, lacks a required body, or has the wrong kind of body.',
  'schema-violated': 'A value violates its JSON Schema in the contract or in the schema document of the model.',
  'media-type-unexpected': 'The Content-Type differs from the one that the contract documents for this response.',
  'header-unexpected': 'The response has a header that it must not have.',
  'header-missing': 'The response lacks a required header.',
  'header-malformed': 'The value of a header does not have the documented format.',
  'header-repeated': 'A header that may occur only once occurs several times.',
} as const;

/** Id of a row of specs/open-points.yaml, or several ids if a finding needs all of them. */
export type Readings = string | readonly string[];

export type FindingCode = keyof typeof findingTexts;
export type FindingLocation = { readonly step: string; readonly header?: string; readonly pointer?: string };

/** Details of a finding, for reports that group findings by their likely cause. */
type FindingFacts = {
  /** Statuses that the call should have had. */
  readonly statuses?: readonly number[];
  /** True if the member at `pointer` is absent. */
  readonly isAbsent?: boolean;
};

export type Finding = FindingFacts & {
  readonly code: FindingCode;
  readonly at: FindingLocation;
  readonly expected: string;
  readonly actual: string;
  /** Id of the reading (our interpretation of ambiguous API text) that the finding relies on. Default: the readings of its rule. */
  readonly reading?: string;
};

type Observed = {
  readonly kind: 'observed';
  readonly observation: string;
  /** Ids of our readings that the target does not follow; absent if the documents allow the response. */
  readonly readings?: readonly string[];
};
type NotApplicable = { readonly kind: 'not-applicable'; readonly because: string };

/** `[]` means that the rule passed. `Observed` records behaviour that the documents leave open. */
export type CheckResult = readonly Finding[] | Observed | NotApplicable;

/** `Found`: type of the findings, either as checks return them or as reports describe them. */
export type OutcomeRecord<Found extends Finding = Finding> =
  | { readonly kind: 'passed' }
  /** There is at least one finding. */
  | { readonly kind: 'failed'; readonly findings: readonly Found[] }
  | Observed
  /** The target can never show the behaviour; for example, a mock has no state. */
  | { readonly kind: 'not-observable'; readonly because: string }
  | NotApplicable
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'setup-failed'; readonly reason: string }
  | { readonly kind: 'errored'; readonly message: string };
/** `why`: machine-readable reason why a rule did not run; absent if no summary needs it. */
export type Outcome = OutcomeRecord & {
  readonly evidence: Evidence;
  readonly why?: Reason;
  /** Steps with findings, including those that only contradict our reading of ambiguous API text, and so don't fail the rule. */
  readonly foundAt?: readonly string[];
};
export type OutcomeKind = Outcome['kind'];

export function finding(
  code: FindingCode,
  at: FindingLocation,
  expected: string,
  actual: string,
  facts: FindingFacts = {},
): Finding {
  return { code, at, expected, actual, ...facts };
}

export const observed = (observation: string): Observed => ({ kind: 'observed', observation });
export const notApplicable = (because: string): NotApplicable => ({ kind: 'not-applicable', because });

const excerptLength = 20_000;

/** Returns a text as one line for a finding. Reports show less, but redact the whole text before they cut it. */
export function excerpt(text: string): string {
  return text.slice(0, excerptLength).replace(/\s+/g, ' ').trim();
}

const ruleOutcomeTexts: Readonly<Record<OutcomeKind, string>> = {
  passed: 'The target does what the rule requires.',
  failed: 'The target behaves differently; the findings show how.',
  observed:
    'The contract leaves this open. The report records what the target does and does not judge it: decide yourself whether it suits your callers.',
  'not-observable': 'A target of this kind cannot show the behaviour; for example, a mock has no state.',
  'not-applicable':
    'The rule could not be applied: a setting is missing, or the target does not offer the feature that the rule checks.',
  blocked: 'Not checked, because a rule that it depends on failed or was not decided.',
  'setup-failed': 'Not decided, because the target rejected or did not answer a call that prepares the check.',
  errored: 'Not decided, because the gate itself failed or was stopped at this rule. This is not a finding.',
};
export const outcomeKinds = Object.keys(ruleOutcomeTexts) as readonly OutcomeKind[]; // `Object.keys` loses the type of the keys.

/** Text for each outcome of a rule. `waived` and `unchecked` only occur in reports. */
export const outcomeTexts = {
  ...ruleOutcomeTexts,
  waived: 'The rule failed, and an active waiver accepts the failure.',
  unchecked: 'The rule was not decided; the report gives the reason.',
};

/** Machine-readable reason why a rule did not run, for summaries. The outcome has it as text. */
export type Reason =
  /** Ids of requisites. The target meets no requisite of any inner list. */
  | { readonly code: 'lacks'; readonly of: readonly (readonly string[])[] }
  | { readonly code: 'no-budget' }
  /** The target accepted a call that it had to reject, or failed on it. No further call with this flaw is sent. */
  | { readonly code: 'distrusted'; readonly because: string };
