import { type Brand, headerName } from '../../../specs/src/index.ts';
import { type JsonBody, parseJsonBody, parseJsonObject } from '../content.ts';
import { type DiagnosticCode, GeneratorError } from '../diagnostics.ts';
import type { HttpOutcome, NoResponse } from '../ports.ts';

/** The operation and model of a request, for messages. */
export type Subject = { readonly operation: string; readonly model?: string };
export type RouterResponse =
  | HttpOutcome
  | { kind: 'redirect-refused'; status: number; headers: ReadonlyMap<string, string>; origin: string };

/** The body of a response with status 200, or the reason why the request failed. */
export type RouterReply =
  | { kind: 'body'; bytes: Uint8Array; body: JsonBody; entityTag: string | undefined; facts: ResponseFacts }
  | { kind: 'failed'; because: NoResponse | 'redirected' | 'not-modified' | 'status'; error: GeneratorError };

/** Facts about a response that messages may show. Excludes the body, which may contain anything. */
export type ResponseFacts = {
  readonly status: number;
  /** Undefined if the response isn't an error. */
  readonly category: string | undefined;
  readonly requestId: string | undefined;
  /** `status 503, error type service_unavailable, media type application/json` */
  readonly description: string;
};

/** Reads a response. A 503 must not be read as an empty catalog (MR-CAT-58). */
export function readReply(
  response: RouterResponse,
  subject: Subject,
  { brand, baseUrl }: { brand: Brand; baseUrl: string },
): RouterReply {
  const failed =
    subject.model === undefined ? `the catalog of ${baseUrl} cannot be read` : 'the schema document cannot be read';
  if (response.kind === 'no-response') {
    const { what, help } = noResponseTexts[response.because];
    const message = `${failed}: ${what} (${response.detail})`;
    const error = new GeneratorError('source-unreachable', message, { ...subject, help });
    return { kind: 'failed', because: response.because, error };
  }
  const facts = readFacts(response, brand);
  const { status, category, requestId } = facts;
  if (response.kind === 'redirect-refused') {
    const message = `${failed}: redirected to a different origin, ${response.origin}`;
    const error = new GeneratorError('redirect-refused', message, { ...subject, status, requestId });
    return { kind: 'failed', because: 'redirected', error };
  }
  if (status === 200) {
    const { bytes, headers } = response;
    const body = parseJsonBody(bytes, headers.get('content-type'));
    return { kind: 'body', bytes, body, entityTag: headers.get('etag'), facts };
  }
  const code = diagnosticCodes.get(category) ?? diagnosticCodes.get(status) ?? 'source-refused';
  const isCatalog = subject.model === undefined;
  const help = isCatalog && code === 'source-refused' ? adviseOnBaseUrl(status, baseUrl) : undefined;
  const message = `${failed}: ${facts.description}`;
  const error = new GeneratorError(code, message, { ...subject, status, category, requestId, help });
  return { kind: 'failed', because: status === 304 ? 'not-modified' : 'status', error };
}

const noResponseTexts: Record<NoResponse, { what: string; help: string }> = {
  refused: {
    what: 'no connection',
    help: 'Check the URL, and that the router is running there; npx openapi-switchyard doctor checks the proxy too.',
  },
  untrusted: {
    what: 'the certificate is not trusted',
    help: 'If the URL is correct, set NODE_EXTRA_CA_CERTS, or http.ca in the configuration, to the PEM file of its certificate authority.',
  },
  reset: {
    what: 'the connection was lost each time',
    help: 'The network, or a proxy in front of the router, closed the connection. Run again later.',
  },
  deadline: {
    what: 'the router took too long each time',
    help: 'The network or the router is slow. Run again later.',
  },
  'too-large': {
    what: 'the response is too large',
    help: "The response is larger than the limit of 16 MiB. Ask the router's operators to make it smaller.",
  },
  'credential-repeated': {
    what: 'the response repeats the credential and is not read',
    help: "The response contains the credential or another secret. Tell the router's operators, and replace the secret.",
  },
  failed: {
    what: 'the response cannot be read',
    help: 'A proxy may be answering instead of the router. Check the URL.',
  },
};

/** Code by error category. For responses without a known category, such as those of a proxy, by status. */
const diagnosticCodes: ReadonlyMap<string | number | undefined, DiagnosticCode> = new Map<
  string | number,
  DiagnosticCode
>([
  ['unauthorized', 'source-unauthorised'],
  ['forbidden', 'source-forbidden'],
  ['not_enabled', 'source-not-enabled'],
  ['service_unavailable', 'source-unavailable'],
  ['rate_limited', 'source-unavailable'],
  ['concurrency_limit_exceeded', 'source-unavailable'],
  [401, 'source-unauthorised'],
  [403, 'source-forbidden'],
  [407, 'proxy-unauthorised'],
  [429, 'source-unavailable'],
  [503, 'source-unavailable'],
]);

/** Returns advice for a rejected catalog request, if the base URL may be wrong. */
function adviseOnBaseUrl(status: number, baseUrl: string): string | undefined {
  if (status === 404 && baseUrl.endsWith('/v2'))
    return `The base URL must not end with /v2, because /v2 is added to it: use ${baseUrl.slice(0, -'/v2'.length)}.`;
  if (status >= 500) return undefined;
  return 'Check that this is the base URL of a Model Router; /v2/models is added to it.';
}

function readFacts(response: Exclude<RouterResponse, { kind: 'no-response' }>, brand: Brand): ResponseFacts {
  const { status, headers } = response;
  const body = response.kind === 'response' ? response.bytes : new Uint8Array();
  const header = headers.get(headerName(brand, 'Error-Type').toLowerCase());
  // Only proxies send 407, and they don't send a category.
  const words = status >= 400 && status !== 407 ? readErrorWords(header, body) : undefined;
  return {
    status,
    category: words?.category,
    requestId: toPrintable(headers.get(headerName(brand, 'Request-Id').toLowerCase())),
    description: `status ${status}${words?.description ?? ''}, media type ${toPrintable(headers.get('content-type')) ?? 'not given'}`,
  };
}

function toPrintable(value: string | undefined): string | undefined {
  return value === undefined ? undefined : value.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}

/** Matches known and future error categories (MR-CTG-01 to MR-CTG-24, MR-ERR-27). */
const categoryForm = /^[a-z]{2,32}(?:_[a-z]{1,32}){0,4}$/;

/**
 * Reads the category of an error response from its header, or else from its body. Returns `internal_error` if neither has a
 * valid category (MR-ERR-28). `description` quotes the received word, as in `, error type rate_limited`, or is empty.
 */
function readErrorWords(header: string | undefined, body: Uint8Array): { category: string; description: string } {
  const words = [header, parseJsonObject(body)?.['error_type']].filter((word) => typeof word === 'string');
  const category = words.find((word) => categoryForm.test(word)) ?? 'internal_error';
  const [received = category] = words;
  if (words.length === 0) return { category, description: '' };
  return {
    category,
    description: `, error type ${category}${received === category ? '' : ` (${toPrintable(received)})`}`,
  };
}
