import { type Answer, headerOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Probe, ProbeRequest } from '../../probe.ts';
import { finding, type Matcher, requireStatus } from '../../require.ts';
import { keyed, seed } from '../vocabulary/router-steps.ts';
import { requireCategory } from './refusals.ts';

export const completed = { mustAnswer: [200] };

type Call = { readonly to: string; readonly value: unknown; readonly parts?: Partial<ProbeRequest> };

/** Two calls under one key; the second may differ from the first in whatever `second` names. */
export function underOneKey(
  context: ProbeContext,
  label: string,
  second: { first?: Call; next?: Partial<Call> } = {},
): Probe {
  const model = context.model('authored');
  const first = { label, ...(second.first ?? { to: model.path, value: model.input }) };
  return {
    steps: [seed, keyed('first', context, first, completed), keyed('again', context, { ...first, ...second.next })],
  };
}

export function isReplay(answer: Answer): boolean {
  return headerOf(answer, 'Idempotent-Replayed')?.trim().toLowerCase() === 'true';
}

export const replayMark: Matcher<string> = {
  expected: 'true',
  is: (value) => value.trim().toLowerCase() === 'true',
};

/** Absent and `false` mean the same (C-23). */
export function requireNotReplayed(answer: Answer): readonly Draft[] {
  const at = { step: answer.step, header: 'Idempotent-Replayed' };
  return isReplay(answer) ? [finding('header-unexpected', at, { expected: 'absent or false', actual: 'true' })] : [];
}

export function requireConflict(answer: Answer, context: ProbeContext): readonly Draft[] {
  const status = requireStatus(answer, 409);
  return status.length > 0 ? status : requireCategory(answer, context, 'invalid_input');
}
