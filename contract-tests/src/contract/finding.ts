import { findRequisite, type Requisite } from '../requires.ts';
import type { Evidence } from './exchange.ts';
import type { TargetKind } from './target.ts';

// Findings that explain the rest of a response come before their consequences.
export const findingTexts = {
  'secret-echoed': 'The response repeats a credential or another secret of the request.',
  'no-response': 'No complete response came: the connection failed or was cut, or the deadline passed.',
  'status-unexpected': 'The response has another status than the contract requires of this call.',
  'status-undocumented': 'The response has a status that the contract does not document for this operation.',
  'never-reached': 'A state that must come, such as COMPLETED, did not come within the deadline of the rule.',
  'bytes-differ': 'Two bodies that must be equal byte for byte differ.',
  'values-differ': 'Two values that must be equal, such as in a response and its replay, differ.',
  'value-unexpected': 'A value is well-formed, but differs from the one that the rule requires.',
  'body-malformed': 'The body does not match its Content-Type, for example invalid JSON.',
  'body-unexpected':
    'The response has a body although none is allowed, lacks a required body, or has a body of another kind.',
  'schema-violated': 'A value violates its JSON Schema in the contract or in the schema document of the model.',
  'media-type-unexpected': 'The Content-Type differs from the one that the contract documents for this response.',
  'header-unexpected': 'The response carries a header that it must not carry.',
  'header-missing': 'The response lacks a header that it must carry.',
  'header-malformed': 'The value of a header does not have the form that the contract documents.',
  'header-repeated': 'A header that may occur once occurs several times.',
} as const;

/** Id of a row of specs/open-points.yaml, or several ids if a finding needs all of them. */
export type Readings = string | readonly string[];

export type FindingCode = keyof typeof findingTexts;
export type FindingLocation = { readonly step: string; readonly header?: string; readonly pointer?: string };

export type Finding = {
  readonly code: FindingCode;
  readonly at: FindingLocation;
  readonly expected: string;
  readonly actual: string;
  /** Id of the reading that the finding relies on. Default: the readings of its rule. */
  readonly reading?: string;
};

export type NonEmpty<T> = readonly [T, ...T[]];

type Observed = {
  readonly kind: 'observed';
  readonly observation: string;
  /** Ids of our readings that the target does not share; absent if the documents allow the response. */
  readonly readings?: readonly string[];
};
type NotApplicable = { readonly kind: 'not-applicable'; readonly because: string };

/** `[]` means that the rule passed. `Observed` records behaviour that the documents leave open. */
export type CheckResult = readonly Finding[] | Observed | NotApplicable;

/** `Found`: type of the findings, either as checks return them or as reports describe them. */
export type OutcomeRecord<Found extends Finding = Finding> =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly findings: NonEmpty<Found> }
  | Observed
  /** The target can never show the behaviour; for example, a mock has no state. */
  | { readonly kind: 'not-observable'; readonly because: string }
  | NotApplicable
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'setup-failed'; readonly reason: string }
  | { readonly kind: 'errored'; readonly message: string };
/** `why`: machine-readable reason why a rule did not run. The rule's own findings are only text. */
export type Outcome = OutcomeRecord & {
  readonly evidence: Evidence;
  readonly why?: Reason;
  /** Steps with findings, including findings that depart from a reading and therefore don't fail the rule. */
  readonly foundAt?: readonly string[];
};
export type OutcomeKind = Outcome['kind'];

export function finding(code: FindingCode, at: FindingLocation, expected: string, actual: string): Finding {
  return { code, at, expected, actual };
}

export const observed = (observation: string): Observed => ({ kind: 'observed', observation });
export const notApplicable = (because: string): NotApplicable => ({ kind: 'not-applicable', because });

const quotedAtMost = 20_000;

/** Returns one line of a response for a finding. Longer than reports show, because they redact before they cut. */
export function excerpt(text: string): string {
  return text.slice(0, quotedAtMost).replace(/\s+/g, ' ').trim();
}

const ofRules: Readonly<Record<OutcomeKind, string>> = {
  passed: 'The target does what the rule requires.',
  failed: 'The target does something else; the findings say what.',
  observed:
    'The contract leaves this open. What the target does is noted and not judged: whether it suits your callers is for you to say.',
  'not-observable': 'A target of this kind cannot show it, as a mock cannot show what needs state.',
  'not-applicable':
    'The check gave no occasion: a setting is missing, or the target does not offer what the rule is about.',
  blocked: 'Not checked, because a rule that it needs failed or was not decided.',
  'setup-failed': 'Not decided, because the target refused or did not answer a call that prepares the check.',
  errored: 'Not decided, because the gate itself made a mistake or was stopped at this rule; this is not a finding.',
};
export const outcomeKinds = Object.keys(ofRules) as readonly OutcomeKind[]; // `Object.keys` loses the type of the keys.

/** Text for each outcome of a rule. `waived` and `unchecked` only occur in reports. */
export const outcomeTexts = {
  ...ofRules,
  waived: 'The rule failed, and a waiver in force accepts that.',
  unchecked: 'The rule neither passed nor failed nor was observed: the report gives the reason.',
};

/** Machine-readable reason why a rule did not run. */
export type Reason =
  /** Ids of requirements. The target meets no id of each inner list. */
  | { readonly code: 'lacks'; readonly of: readonly (readonly string[])[] }
  | { readonly code: 'no-budget'; readonly runs: number }
  | { readonly code: 'unnamed-model'; readonly model: string }
  /** The model accepted an input that it had to reject, or failed on it. No further input with this flaw is sent. */
  | {
      readonly code: 'distrusted';
      readonly flaw: string;
      readonly model: string;
      readonly step: string;
      readonly ruleId: string;
      /** The status, if the model failed with 5xx each time instead of accepting the input. */
      readonly failedWith?: number;
    }
  /** A valid call was rejected each time. It isn't sent again, because a server might bill it anyway. */
  | { readonly code: 'refused-again'; readonly model: string; readonly status: number }
  | { readonly code: 'other-reading'; readonly readings: readonly string[]; readonly ruleId: string };

/** Maximum number of rejections of a valid call before it isn't sent again. */
export const refusedAtMost = 2;

export function wordReason(reason: Reason, on: TargetKind): string {
  if (reason.code === 'no-budget')
    return `it may start a run, and the budget ${reason.runs === 0 ? 'is 0' : `of ${reason.runs} is used up`}`;
  if (reason.code === 'unnamed-model')
    return `it may start a run of ${reason.model}, which conform.live.models does not name`;
  if (reason.code === 'distrusted' && reason.failedWith !== undefined)
    return `${reason.model} failed with ${reason.failedWith} on step "${reason.step}" of ${reason.ruleId}, which it had to reject, and such a failure may be billed: no further ${reason.flaw} is sent`;
  if (reason.code === 'distrusted')
    return `${reason.model} accepted step "${reason.step}" of ${reason.ruleId}, which it had to reject: no further ${reason.flaw} is sent`;
  if (reason.code === 'refused-again')
    return `${reason.model} refused the same valid call ${refusedAtMost} times with ${reason.status}: it is not sent again`;
  if (reason.code === 'other-reading')
    return `it needs ${reason.ruleId}, where the target does not share our reading ${reason.readings.join(' and ')}`;
  const rows = (reason.of[0] ?? []).map(findRequisite);
  if (rows.some(({ kind }) => kind === 'budget')) return wordReason({ code: 'no-budget', runs: 0 }, on);
  return `the ${on === 'mock' ? on : 'target'} lacks ${rows.map(nameRow).join(', or ')}`;
}

function nameRow({ kind, need, name, setting = '' }: Requisite): string {
  if (kind === 'hook') return `the test hook ${name}`;
  return setting === '' || setting === need ? need : `${need} (${setting})`;
}
