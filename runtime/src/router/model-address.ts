import { isSegment } from '../http/base-url.ts';
import { type CallIdentity, refuse } from './failures.ts';
import type { QueuedAddresses } from './response-facts.ts';

/** Provider and model of an id; nothing for another text. */
export const splitId = (id: string): string[] => /^([^/]*)\/(.*)$/s.exec(id)?.slice(1) ?? [];

/** The address of the model of a call, from its id `{provider}/{model}` (MR-CAT-33). Throws a `local` error for anything else. */
export function modelUrl(baseUrl: string, call: CallIdentity & { readonly model: string }): string {
  const segments = splitId(call.model);
  if (segments.length === 0 || !segments.every(isSegment) || call.model.length > 193)
    throw refuse(call, 'a model id has the form provider/model');
  return `${baseUrl}/v2/models/${segments.map(encodeURIComponent).join('/')}`;
}

/** The addresses that the API documents give to a request id. */
export function buildAddresses(baseUrl: string, model: string, requestId: string): QueuedAddresses {
  const identity = { operation: 'status', model } as const;
  if (!isSegment(requestId)) throw refuse(identity, 'a request id is a UUID');
  const base = `${modelUrl(baseUrl, identity)}/requests/${encodeURIComponent(requestId)}`;
  return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}

/** With its question mark; empty when no value is given. */
export function formatQuery(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.append(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
