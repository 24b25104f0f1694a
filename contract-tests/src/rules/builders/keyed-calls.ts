import type { ProbeContext } from '../../contract/context.ts';
import { SetupFailure } from '../../contract/errors.ts';
import { readHeader } from '../../contract/evidence.ts';
import type { Evidence, ProbeRequest, Step } from '../../contract/probe.ts';
import { post, type RequestParts, type StepOptions, step } from '../../contract/steps.ts';
import { jsonBody, list } from './router-steps.ts';

/** A first free call; its request id makes `freshKey` differ from run to run without a random source. */
export const seed: Step = list('seed', '?limit=1');

function freshKey(earlier: Evidence, label: string): string {
  const [first] = earlier;
  if (first === undefined) throw new SetupFailure('no call was made from which a key could be made');
  const headers = first.result.kind === 'response' ? first.result.headers : [];
  const id = headers.find(([name]) => /-request-id$/i.test(name))?.[1] ?? '';
  return `${label}-at-${Math.trunc(first.timing.startedAtMs)}-${id.replace(/[^A-Za-z0-9-]/g, '')}`.slice(0, 200);
}

export type KeyedCall = {
  readonly label: string;
  readonly to: string;
  readonly value: unknown;
  readonly parts?: RequestParts;
};

/** The key of earlier calls with this label: one whose run is shared has the key of the call that started it. */
function findKey(earlier: Evidence, label: string): string {
  const known = earlier.map(({ request }) => readHeader(request, 'Idempotency-Key'));
  return known.find((key) => key?.startsWith(`${label}-at-`)) ?? freshKey(earlier, label);
}

/** A POST with an idempotency key; `seed` has to come before it. */
export function keyed(name: string, call: KeyedCall, options: StepOptions = {}, find = findKey): Step {
  const { label, to, value, parts } = call;
  const request = (earlier: Evidence): ProbeRequest =>
    post(to, { ...jsonBody(value), ...parts, headers: [['Idempotency-Key', find(earlier, label)]] });
  return step(name, request, options);
}

export type MakeKey = (key: string) => string;

/** A POST under what is made of a key that was never used before; `seed` has to come before it. */
export function underNewKey(name: string, call: KeyedCall, make: MakeKey, options: StepOptions = {}): Step {
  return keyed(name, call, options, (earlier, label) => make(freshKey(earlier, label)));
}

/** The most characters that a key may have (MR-RUN-04, MR-SUB-04). */
export const longestKey = 255;

/** So long after another call its signed links have another time, and what it has reserved is free again. */
export const settledMs = 1_100;

export function runUnderLongestKey(name: string, { authored }: ProbeContext): Step {
  const call = { label: 'longest-run', to: authored.path, value: authored.input };
  return underNewKey(name, call, (key) => key.padEnd(longestKey, '-'), {
    sharedRun: 'longest-key',
    afterMs: settledMs,
  });
}

export const rejected = { mustBeRejected: true } as const;
export const completed = { mustAnswer: [200] };
export const created = { mustAnswer: [201] };
