import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { NotApplicable } from '../../contract/endings.ts';
import { readMember } from '../../contract/evidence.ts';
import type { Exchange, ProbeRequest, Repeat, Step } from '../../contract/probe.ts';
import { get, modelPath, type RequestParts, step } from '../../contract/steps.ts';

/** Well-formed, so that only its being unknown can be the reason of a refusal. */
export const unknownRequestId = '00000000-0000-4000-8000-000000000000';

export function list(name: string, query = '', parts: RequestParts = {}): Step {
  return step(name, get('router', `/v2/models${query}`, parts));
}

/** Another listed model; its schemas are not known. */
export function otherModelPath({ discovery }: ProbeContext, than: Pick<DiscoveredModel, 'id'>): string {
  return findOther(discovery.listed, than, 'the catalog lists no second model');
}

export function otherRunnablePath({ runnable }: ProbeContext, than: Pick<DiscoveredModel, 'id'>): string {
  return findOther(runnable, than, 'no second model may be run');
}

function findOther(ids: readonly string[], than: Pick<DiscoveredModel, 'id'>, because: string): string {
  const other = ids.find((id) => id.includes('/') && id !== than.id);
  if (other === undefined) throw new NotApplicable(because);
  return modelPath(other);
}

type Body = { readonly body: NonNullable<ProbeRequest['body']> };

export function jsonBody(value: unknown): Body {
  return { body: { kind: 'json', value } };
}

/** Bytes, or a text whose white space and escapes stay as they are. */
export function literalBody(content: string | Uint8Array, mediaType = 'application/json'): Body {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { body: { kind: 'bytes', bytes, mediaType } };
}

/** Cut off, so that no lenient parser takes it for an object. */
export const malformedBody = literalBody('{"prompt": "half a');

/** Input that the model's own schema refuses. Throws `NotApplicable` when the schema refuses nothing. */
export function requireInvalidInput(model: DiscoveredModel): unknown {
  if (model.invalidInput === undefined) throw new NotApplicable(`the schema of ${model.id} refuses no object`);
  return model.invalidInput;
}

/** The members of a handle with the URLs of its request. */
export const urlMembers = ['status_url', 'response_url', 'cancel_url'] as const;

/** Repeats for at most twenty seconds until the request is COMPLETED, or gone (MR-STA-09 allows 410 for a failed one). */
export const untilCompleted: Repeat = {
  until: ({ result }: Exchange) =>
    result.kind === 'response' && (result.status !== 200 || readMember(result, '/status') === 'COMPLETED'),
  atMost: 80,
  everyMs: 250,
  waitsForRun: true,
};
