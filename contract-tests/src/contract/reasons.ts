import { findRequisite, type Requisite } from '../requires.ts';
import type { TargetKind } from './target.ts';

export type Reason =
  /** Ids of requisites; of each list the target shows none. */
  | { readonly code: 'lacks'; readonly of: readonly (readonly string[])[] }
  | { readonly code: 'no-budget'; readonly runs: number }
  | { readonly code: 'unnamed-model'; readonly model: string }
  /** The model accepted a step that it had to reject: nothing with this flaw is sent any more. */
  | {
      readonly code: 'distrusted';
      readonly flaw: string;
      readonly model: string;
      readonly step: string;
      readonly ruleId: string;
    }
  /** A call that may be accepted was refused each time: a server that bills it nevertheless would be paid again and again. */
  | { readonly code: 'refused-again'; readonly model: string; readonly status: number }
  | { readonly code: 'other-reading'; readonly readings: readonly string[]; readonly ruleId: string };

/** A valid call that was refused this many times is not sent again. */
export const refusedAtMost = 2;

export function wordReason(reason: Reason, on: TargetKind): string {
  if (reason.code === 'no-budget')
    return `it may start a run, and the budget ${reason.runs === 0 ? 'is 0' : `of ${reason.runs} is used up`}`;
  if (reason.code === 'unnamed-model')
    return `it may start a run of ${reason.model}, which conform.live.models does not name`;
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
