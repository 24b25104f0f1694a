import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { NotApplicable } from '../../contract/endings.ts';
import { readMember, readResponse } from '../../contract/evidence.ts';
import type { CredentialUse, Evidence, Exchange, ProbeRequest, Repeat, Step } from '../../contract/probe.ts';
import { get, modelPath, post, type RequestParts, type StepOptions, step, urlFrom } from '../../contract/steps.ts';

type Credentials = Required<Pick<ProbeRequest, 'credentials'>>;

/** Well-formed, so that only its being unknown can be the reason of a refusal. */
export const unknownRequestId = '00000000-0000-4000-8000-000000000000';

export function asCaller(who: CredentialUse['who']): Credentials {
  return { credentials: [{ as: 'usual', who }] };
}

export function withToken(who: CredentialUse['who']): Credentials {
  return { credentials: [{ as: 'bearer', who }] };
}

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

type Runnable = Pick<DiscoveredModel, 'path' | 'input'>;
type Further = readonly [parts?: RequestParts, options?: StepOptions];

export function run(name: string, { path, input }: Runnable, ...[parts = {}, options = {}]: Further): Step {
  return step(name, post(path, { ...jsonBody(input), ...parts }), options);
}

export function submit(name: string, { path, input }: Runnable, ...further: Further): Step {
  return run(name, { path: `${path}/requests`, input }, ...further);
}

/** The calls on a queued request, and the members of a handle with their URLs. */
export const callUrls = { status: 'status_url', collect: 'response_url', cancel: 'cancel_url' } as const;
export type QueueCall = keyof typeof callUrls;
export type UrlMember = (typeof callUrls)[QueueCall];
export const urlMembers = Object.values(callUrls);

type Followed = StepOptions & Pick<ProbeRequest, 'credentials'> & { readonly of?: string };

/** Calls a URL of the handle that the step `of` gave (default: `submit`). */
export function follow(
  name: string,
  member: UrlMember,
  { of = 'submit', credentials, ...options }: Followed = {},
): Step {
  const asked = { api: 'router', method: findMethod(member), ...(credentials && { credentials }) } as const;
  return step(name, (earlier) => ({ ...asked, to: urlFrom(earlier, of, `/${member}`) }), options);
}

const findMethod = (member: string) => (member === 'cancel_url' ? 'PUT' : 'GET');

type Link = StepOptions &
  Pick<ProbeRequest, 'credentials'> & {
    readonly of: string;
    readonly at: string;
    /** An address on the one host that is called. */
    readonly only?: string;
  };

/** Calls the URL at the pointer `at` of an earlier response; left out when that gives none. */
export function followIfGiven(name: string, { of, at, only, credentials, ...options }: Link): Step {
  const whose = credentials && { credentials };
  const request = (earlier: Evidence): ProbeRequest | undefined => {
    const url = readMember(readResponse(earlier, of), at);
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
    if (only !== undefined && new URL(url).host !== URL.parse(only)?.host) return undefined;
    return { api: 'router', method: findMethod(at.slice(1)), to: url, ...whose };
  };
  return step(name, request, options);
}

/** Repeats for at most twenty seconds until the request is COMPLETED, or gone (MR-STA-09 allows 410 for a failed one). */
export const untilCompleted: Repeat = {
  until: ({ result }: Exchange) =>
    result.kind === 'response' && (result.status !== 200 || readMember(result, '/status') === 'COMPLETED'),
  atMost: 80,
  everyMs: 250,
  waitsForRun: true,
};

export function polled(name = 'end', of = 'submit'): Step {
  return follow(name, 'status_url', { of, repeat: untilCompleted, mustAnswer: [200] });
}
