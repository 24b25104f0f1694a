import { type Requirement, readRequirements } from '../../../specs/src/index.ts';
import type { FindingCode, OutcomeKind } from '../contract/finding.ts';

/** What the code of a finding says, as a sentence. */
export const findingTexts: Readonly<Record<FindingCode, string>> = {
  'status-unexpected': 'The response has another status than the contract requires of this call.',
  'status-undocumented': 'The response has a status that the contract does not document for this operation.',
  'header-missing': 'The response lacks a header that it must carry.',
  'header-unexpected': 'The response carries a header that it must not carry.',
  'header-malformed': 'The value of a header has another form than the contract documents.',
  'header-repeated': 'A header that may occur once occurs several times.',
  'media-type-unexpected': 'The Content-Type is another one than the contract documents for this response.',
  'body-malformed': 'The body cannot be read as its Content-Type says, such as JSON that does not parse.',
  'body-unexpected': 'The response has a body where none is allowed, none where one is due, or one of another kind.',
  'schema-violated':
    'A value violates the JSON Schema that the contract, or the schema document of the model, gives for it.',
  'value-unexpected': 'A value is well-formed, and another one than the rule requires here.',
  'bytes-differ': 'Two bodies that must be equal byte for byte differ.',
  'values-differ': 'Two values that must be equal, such as in a response and its replay, differ.',
  'secret-echoed': 'The response repeats a credential or another secret of the request.',
  'never-reached': 'A state that must come, such as COMPLETED, did not come within the deadline of the rule.',
  'no-response': 'No complete response came: the connection failed or was cut, or the deadline passed.',
};

/** What an outcome of a rule says, as a sentence; `waived` and `unchecked` are words of the reports. */
export const outcomeTexts: Readonly<Record<OutcomeKind | 'waived' | 'unchecked', string>> = {
  passed: 'The target does what the rule requires.',
  failed: 'The target does something else; the findings say what.',
  observed: 'The contract leaves this open: what the target does is noted, and is right either way.',
  'not-observable': 'A target of this kind cannot show it, as a mock cannot show what needs state.',
  'not-applicable':
    'The run gave no occasion: a setting is missing, or the target does not offer what the rule is about.',
  blocked: 'Not checked, because a rule that it needs failed or was not decided.',
  'setup-failed': 'Not decided, because the target refused or did not answer a call that prepares the check.',
  errored: 'Not decided, because the gate itself made a mistake or was stopped at this rule; this is no finding.',
  waived: 'The rule failed, and a waiver in force accepts that.',
  unchecked: 'The rule neither passed nor failed nor was observed: the report gives the reason.',
};

let requirements: ReadonlyMap<string, Requirement> | undefined;

/** A requirement of the register, which is read once. */
export function requirementOf(id: string): Requirement | undefined {
  requirements ??= new Map(readRequirements().map((one) => [one.id, one]));
  return requirements.get(id);
}
