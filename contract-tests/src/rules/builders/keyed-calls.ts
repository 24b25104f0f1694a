import type { ProbeContext } from '../../definitions/context.ts';
import { SetupFailure } from '../../definitions/errors.ts';
import { headerOf, type StepResponse } from '../../definitions/evidence.ts';
import { finding } from '../../definitions/finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../definitions/probe.ts';
import { post, type RequestParts, type StepOptions, stepFrom } from '../../definitions/steps.ts';
import { type Expectation, expectError, expectHeader } from './expectations.ts';
import { jsonBody, list } from './router-steps.ts';

/** A first free call; its request id makes `freshKey` differ from run to run without a random source. */
export const seed: Step = list('seed', '?limit=1');

export function freshKey(earlier: Evidence, label: string): string {
  const [first] = earlier;
  if (first === undefined) throw new SetupFailure('no call was made from which a key could be made');
  const headers = first.result.kind === 'response' ? first.result.headers : [];
  const id = headers.find(([name]) => /-request-id$/i.test(name))?.[1] ?? '';
  return `${label}-${Math.trunc(first.timing.startedAtMs)}-${id.replace(/[^A-Za-z0-9-]/g, '')}`.slice(0, 200);
}

export type KeyedCall = {
  /** Calls with the same label share a key. */
  readonly label: string;
  readonly to: string;
  readonly value: unknown;
  readonly parts?: RequestParts;
};

/** A POST with an idempotency key; `seed` has to come before it. */
export function keyed(name: string, { label, to, value, parts }: KeyedCall, options: StepOptions = {}): Step {
  const request = (earlier: Evidence): ProbeRequest =>
    post('router', to, { ...jsonBody(value), ...parts, headers: [['Idempotency-Key', freshKey(earlier, label)]] });
  return stepFrom(name, request, options);
}

export const completed = { mustAnswer: [200] };
export const created = { mustAnswer: [201] };

/** A run of the authored model and a second call under the same key, which `next` may change. */
export function underOneKey(
  context: ProbeContext,
  label: string,
  { first = {}, next = {} }: { first?: Partial<KeyedCall>; next?: Partial<KeyedCall> } = {},
): Probe {
  const { path, input } = context.model('authored');
  const call = { label, to: path, value: input, ...first };
  return [seed, keyed('first', call, completed), keyed('again', { ...call, ...next })];
}

const replayHeader = 'Idempotent-Replayed';

export function isReplay(response: Pick<StepResponse, 'headers'>): boolean {
  return headerOf(response, replayHeader)?.trim().toLowerCase() === 'true';
}

export const expectReplay: Expectation = expectHeader(replayHeader, {
  expected: 'true',
  is: (value) => value.trim().toLowerCase() === 'true',
});

/** Absent and `false` mean the same (C-23). */
export const expectNoReplay: Expectation = (response) => {
  const at = { step: response.step, header: replayHeader };
  return isReplay(response) ? [finding('header-unexpected', at, 'absent or false', 'true')] : [];
};

export const expectConflict: Expectation = expectError(409, 'invalid_input');
