import type { Operation } from '../../../specs/src/index.ts';
import { usualCauses } from '../contract/concerns.ts';
import { replayHeader } from '../contract/evidence.ts';
import type { Finding, FindingCode } from '../contract/finding.ts';
import type { Rule } from '../contract/rule.ts';
import type { ExchangeRecord } from './report.ts';

/** A finding of a rule, with the exchange that shows it and the operation that was called. */
export type FindingFacts = {
  readonly rule: Rule;
  readonly finding: Finding;
  readonly exchange: ExchangeRecord | undefined;
  readonly operation: Operation | undefined;
};

export function isReplayHeader(name: string | undefined): boolean {
  return name?.toLowerCase() === replayHeader.toLowerCase();
}

const wrongAddress = "the server's address or certificate differs from the configured one";
const noResponseCauses: Readonly<Partial<Record<string, string>>> = {
  timeout: 'a handler never completes its response, or a gateway has a longer timeout than this check',
  malformed: 'a header value has control characters, or the stated length differs from the length of the body',
  reset: 'the process crashes during the call, or a body limit closes the connection',
  'too-large': 'a page or a result has no size limit',
  tls: wrongAddress,
  refused: wrongAddress,
  unresolved: wrongAddress,
};

/** Usual causes of a wrong header, and of a missing one. */
const headerCauses: readonly (readonly [header: RegExp, wrong: string, missing?: string])[] = [
  [
    /request-id$/i,
    'the request id is copied from the caller, or created once per process instead of once per response',
    'the middleware that sets the request id runs after the handler, or does not run for this route, for errors or for 304',
  ],
  [
    /error-type$/i,
    'the mapping from failures to categories lacks this case, or uses the category of the provider',
    'errors from the framework, a gateway or a validator bypass the function that sets the category',
  ],
  [
    /^retry-after$/i,
    'Retry-After is only set for one kind of wait, or is a date or a fraction instead of whole seconds',
  ],
  [
    /^(?:etag|cache-control)$/i,
    'a proxy or a compression filter rewrites or weakens the header, or 304 responses lack it',
  ],
  [
    /^idempotent-replayed$/i,
    'the marker is set if the request has a key, instead of if the response comes from a record',
    'a key is recorded when its run ends instead of when it begins, so that two calls run; or the replay is not marked',
  ],
  [/spend|credits/i, 'amounts are only computed for one kind of response, or are not in whole cents'],
  [/^x-content-type-options$/i, 'the header is only set on JSON responses, not on results'],
];

const wrongHeader = 'middleware and handler both set the header, or neither does for this response';
const wrongStatus = 'the handler maps this case to a different status';
const wrongMember = 'a member is renamed, omitted if it is null, or has a type other than the documented one';
const codeCauses: Readonly<Record<FindingCode, string>> = {
  'media-type-unexpected': 'a framework default applies to errors or bytes, or a proxy generates the response',
  'header-missing': wrongHeader,
  'header-unexpected': wrongHeader,
  'header-malformed': wrongHeader,
  'header-repeated': wrongHeader,
  'status-unexpected': wrongStatus,
  'status-undocumented': wrongStatus,
  'body-malformed': 'a proxy or an error page responds in place of the service',
  'schema-violated': wrongMember,
  'value-unexpected': wrongMember,
  'body-unexpected': wrongMember,
  'bytes-differ': 'a result is parsed and serialised again, or re-encoded, on its way to the caller',
  'values-differ': 'two routes read the same value from different sources',
  'secret-echoed': 'an error message quotes the request, or a debug header is still enabled',
  'never-reached': 'no worker picks up the request, or its state is not saved',
  'no-response': 'the behaviour differs from the documented one',
};

/** Finding codes about a value that the rule itself compares, so that the rule may know the mistake behind it. */
const codesOfRule: ReadonlySet<FindingCode> = new Set([
  'value-unexpected',
  'body-unexpected',
  'values-differ',
  'secret-echoed',
]);

/** Returns the mistake that usually causes a finding: that of the rule, of the header, or of the kind of finding. */
export function findUsualCause({ rule, finding: { code, at, expected }, exchange }: FindingFacts): string {
  const response = exchange?.response;
  if (response?.kind === 'no-response') return noResponseCauses[response.because] ?? codeCauses[code];
  const status = response?.status ?? 0;
  const isStatus = code === 'status-unexpected';
  if (at.header !== undefined) {
    // Keys that are stored under the wrong owner explain a replay that is missing or unexpected.
    const explainsReplay = code === 'header-unexpected' || rule.usualCause === usualCauses.keyOwners;
    if (rule.usualCause !== undefined && explainsReplay && isReplayHeader(at.header)) return rule.usualCause;
    const [, wrong, missing = wrong] = headerCauses.find(([header]) => header.test(at.header ?? '')) ?? [];
    return (code === 'header-missing' ? missing : wrong) ?? codeCauses[code];
  }
  const isFailure = status >= 500 || [401, 403, 429].includes(status);
  const isAboutRule = isStatus ? !isFailure : codesOfRule.has(code) && status < 400;
  if (response !== undefined && rule.usualCause !== undefined && isAboutRule) return rule.usualCause;
  if (isStatus && status >= 500)
    return 'an uncaught exception: the input of this call is not validated before it is used';
  if (isStatus && status === 429)
    return 'the quota of the credential is used up: lower --max-rps, or use a separate credential for this check';
  if (isStatus && isFailure && !(Number.parseInt(expected, 10) >= 400))
    return 'the credential has no access to this route, or a gateway in front of the service expects a different header';
  if (codeCauses[code] === wrongMember && status >= 400)
    return 'errors from the framework, a validator or a gateway are passed through without being converted';
  return codeCauses[code];
}
