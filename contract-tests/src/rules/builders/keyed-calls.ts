import { SetupFailure } from '../../contract/errors.ts';
import { readHeader } from '../../contract/evidence.ts';
import type { Evidence, ProbeRequest, Step } from '../../contract/probe.ts';
import { post, type RequestParts, type StepOptions, step } from '../../contract/steps.ts';
import { jsonBody, list } from './router-steps.ts';

/** A first free call. Its request id makes keys differ from run to run without a random source. */
export const seed: Step = list('seed', '?limit=1');

function freshKey(earlier: Evidence, label: string): string {
  const [first] = earlier;
  if (first === undefined) throw new SetupFailure('no call was made from which a key could be made');
  const headers = first.result.kind === 'response' ? first.result.headers : [];
  const id = headers.find(([name]) => /-request-id$/i.test(name))?.[1] ?? '';
  return `${label}-at-${Math.trunc(first.timing.startedAtMs)}-${id.replace(/[^A-Za-z0-9-]/g, '')}`.slice(0, 200);
}

type KeyedCall = {
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
export function keyed(name: string, { label, to, value, parts }: KeyedCall, options: StepOptions = {}): Step {
  const request = (earlier: Evidence): ProbeRequest =>
    post(to, { ...jsonBody(value), ...parts, headers: [['Idempotency-Key', findKey(earlier, label)]] });
  return step(name, request, options);
}

export const rejected = { mustBeRejected: true } as const;
export const completed = { mustAnswer: [200] };
