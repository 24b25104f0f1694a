import { isSegment } from '../http/base-url.ts';
import { type CallIdentity, refuse } from './failures.ts';
import type { AnyModel } from './router-types.ts';

/** The facts of a model that a caller named by them or by its id. */
export const toModel = (target: string | AnyModel): AnyModel => (typeof target === 'string' ? { id: target } : target);

/** Provider and model of an id; nothing for another text. */
export const splitId = (id: string): string[] => /^([^/]*)\/(.*)$/s.exec(id)?.slice(1) ?? [];

/** The address of the model of a call, from its id `{provider}/{model}` (MR-CAT-33). Throws a `local` error for anything else. */
export function modelUrl(baseUrl: string, call: CallIdentity & { readonly model: string }): string {
  const segments = splitId(call.model);
  if (segments.length === 0 || !segments.every(isSegment) || call.model.length > 193)
    throw refuse(call, 'a model id has the form provider/model');
  return `${baseUrl}/v2/models/${segments.map(encodeURIComponent).join('/')}`;
}

/** With its question mark; empty when no value is given. */
export function formatQuery(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.append(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
