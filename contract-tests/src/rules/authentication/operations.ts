import type { ProbeContext } from '../../context.ts';
import type { CredentialUse, Probe, ProbeRequest } from '../../probe.ts';
import { step } from '../../steps.ts';
import { invalidInputOf } from '../vocabulary/refusals.ts';
import { unknownRequestId } from '../vocabulary/router-steps.ts';

type Call = { readonly name: string; readonly method: string; readonly tail: string; readonly requirement: string };
/** The eight operations, below the path of a model; the listing has a path of its own. */
export const calls: readonly Call[] = [
  { name: 'list', method: 'GET', tail: '', requirement: 'MR-CAT-53' },
  { name: 'read', method: 'GET', tail: '', requirement: 'MR-MOD-10' },
  { name: 'run', method: 'POST', tail: '', requirement: 'MR-RUN-43' },
  { name: 'schema-document', method: 'GET', tail: '/openapi.json', requirement: 'MR-SCH-18' },
  { name: 'submit', method: 'POST', tail: '/requests', requirement: 'MR-SUB-14' },
  { name: 'collect', method: 'GET', tail: `/requests/${unknownRequestId}`, requirement: 'MR-COL-13' },
  { name: 'status', method: 'GET', tail: `/requests/${unknownRequestId}/status`, requirement: 'MR-STA-06' },
  { name: 'cancel', method: 'PUT', tail: `/requests/${unknownRequestId}/cancel`, requirement: 'MR-CAN-16' },
];

/** A body that cannot run, should the credential be let through all the same. */
function harmlessBody(context: ProbeContext): NonNullable<ProbeRequest['body']> {
  const model = context.model('authored');
  return { kind: 'json', value: context.kind === 'mock' ? model.input : invalidInputOf(model) };
}

export function callOf(call: Call, context: ProbeContext, credentials: readonly CredentialUse[]): ProbeRequest {
  const to = call.name === 'list' ? '/v2/models' : context.model('authored').path + call.tail;
  const bare = { api: 'router', method: call.method, to, credentials } as const;
  return call.method === 'POST' ? { ...bare, body: harmlessBody(context) } : bare;
}

export const eachOperation =
  (credentials: readonly CredentialUse[]) =>
  (context: ProbeContext): Probe => ({
    steps: calls.map((call) => step(call.name, callOf(call, context, credentials))),
  });
