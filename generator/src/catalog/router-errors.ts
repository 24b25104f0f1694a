import { type Brand, headerName, isJsonObject } from '../../../specs/src/index.ts';
import { GeneratorError } from '../diagnostics.ts';
import { parseJsonBody } from '../json-body.ts';
import type { NoResponse } from '../ports.ts';
import type { RouterClient, RouterResponse } from './router-client.ts';

type Subject = { operation: string; model?: string };

/** The error of a response that cannot be used (MR-CAT-58: a 503 is not an empty catalog). */
export function routerError(response: RouterResponse, subject: Subject, router: RouterClient): GeneratorError {
  if (response.kind === 'no-response') {
    const { what, help } = unreachable[response.because];
    return new GeneratorError('source-unreachable', `${what} (${response.detail})`, {
      ...subject,
      help: help.replace('{address}', () => router.baseUrl),
    });
  }
  const facts = factsOf(response, router.brand);
  const { status, requestId } = facts;
  if (response.kind === 'response') {
    const { code, help } = meaningOf(status, subject.model);
    return new GeneratorError(code, describeFacts(facts), { ...subject, status, requestId, help });
  }
  return new GeneratorError('redirect-refused', `redirected to another origin, ${response.origin}`, {
    ...{ ...subject, status, requestId },
    help: 'The credential is sent to the configured origin only. Configure the final address if it is the right one.',
  });
}

const unreachable: Record<NoResponse, { what: string; help: string }> = {
  refused: { what: 'the source is not reachable', help: 'Is the router running at {address}?' },
  reset: {
    what: 'the connection was lost each time',
    help: 'The network, or something in front of {address}, closes connections; run again later.',
  },
  deadline: {
    what: 'the source took too long each time',
    help: 'The network, or the router at {address}, is slow for now; run again later.',
  },
  'too-large': {
    what: 'the response is too large',
    help: 'Nothing of this size is read; no document of a model needs it.',
  },
  failed: {
    what: 'the response cannot be read',
    help: 'Something between here and the router at {address} may be answering in its place; check the address.',
  },
};

type Meaning = { code: GeneratorError['code']; help: string };
const busy: Meaning = { code: 'source-unavailable', help: 'The source is busy or down for now; run again later.' };
const meanings = new Map<number, Meaning>([
  [
    401,
    { code: 'source-unauthorised', help: 'The credential is missing or was refused; the request was not repeated.' },
  ],
  [
    403,
    { code: 'source-forbidden', help: 'The credential is valid but may not read this; the request was not repeated.' },
  ],
  [429, busy],
  [503, busy],
]);

function meaningOf(status: number, model: string | undefined): Meaning {
  const known = meanings.get(status);
  if (known !== undefined) return known;
  let help = 'The source failed; run again later, and give its operators the request id if it keeps failing.';
  if (status < 500 && model === undefined) help = 'Does the configured address belong to a model router?';
  else if (status < 500) help = 'The catalog lists the model, but the router does not serve its document.';
  return { code: 'source-refused', help };
}

type Response = Exclude<RouterResponse, { kind: 'no-response' }>;

/** What a message may show of a response: nothing of its body, which may be anything. */
export type ResponseFacts = {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly requestId: string | undefined;
  readonly errorType: string | undefined;
};

export function factsOf(response: Response, brand: Brand): ResponseFacts {
  return {
    status: response.status,
    mediaType: printable(response.headers.get('content-type')),
    requestId: printable(response.headers.get(headerName(brand, 'Request-Id').toLowerCase())),
    errorType: errorTypeOf(response, brand),
  };
}

/** `status 503, error type service_unavailable, media type application/json`; the request id is a field of its own. */
export function describeFacts(facts: ResponseFacts): string {
  const errorType = facts.errorType === undefined ? '' : `, error type ${facts.errorType}`;
  return `status ${facts.status}${errorType}, media type ${facts.mediaType ?? 'not given'}`;
}

function errorTypeOf(response: Response, brand: Brand): string | undefined {
  let word: unknown = response.headers.get(headerName(brand, 'Error-Type').toLowerCase());
  if (word === undefined && response.kind === 'response' && response.status >= 400) {
    const body = parseJsonBody(response.bytes, undefined);
    word = body.kind === 'json' && isJsonObject(body.value) ? body.value['error_type'] : undefined;
  }
  return typeof word === 'string' && /^[a-z_]{1,64}$/.test(word) ? word : undefined;
}

function printable(value: string | undefined): string | undefined {
  return value === undefined ? undefined : value.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
