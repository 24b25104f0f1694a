import type { JsonValue } from '../../../specs/src/index.ts';
import { type Direction, type RuleId, schemaRules, type Verdict, verdictOf } from './rules.ts';

/** One difference of two documents, judged. */
export type SchemaChange = {
  readonly rule: RuleId;
  readonly verdict: Verdict;
  readonly direction: Direction;
  /** JSON pointer into the newer document, or into the older one for what is no longer there. */
  readonly pointer: string;
  readonly message: string;
  /** The name or value that the message ends in: text of a document. */
  readonly subject?: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

export type ChangeFacts = {
  readonly pointer: string;
  /** What it is about where the pointer does not end in it. */
  readonly subject?: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
};

export function changeOf(rule: RuleId, direction: Direction, facts: ChangeFacts): SchemaChange {
  const { pointer, subject, before, after } = facts;
  return {
    rule,
    verdict: verdictOf(rule, direction),
    direction,
    pointer,
    message: subject === undefined ? schemaRules[rule].says : `${schemaRules[rule].says}: ${subject}`,
    ...(subject === undefined ? {} : { subject }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** Equal as JSON values, whatever the order of their members. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && canonicalText(left) === canonicalText(right));
}

export function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, (_, part: JsonValue) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
