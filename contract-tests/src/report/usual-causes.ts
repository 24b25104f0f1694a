import type { RuleFinding } from '../contract/finding.ts';
import type { ExchangeRecord } from './report.ts';

/** A finding with the exchange and the operation that it is about, where they are known. */
export type FindingFacts = {
  readonly finding: RuleFinding;
  readonly exchange: ExchangeRecord | undefined;
  readonly operation: string | undefined;
};

type Row = { readonly when: (facts: FindingFacts) => boolean; readonly usually: string };

const code =
  (...codes: readonly string[]) =>
  ({ finding }: FindingFacts): boolean =>
    codes.includes(finding.code);
const header =
  (name: RegExp, ...codes: readonly string[]) =>
  ({ finding }: FindingFacts): boolean =>
    name.test(finding.at.header ?? '') && (codes.length === 0 || codes.includes(finding.code));
const family =
  (name: RegExp) =>
  ({ finding }: FindingFacts): boolean =>
    name.test(finding.ruleId);
const status =
  (is: (status: number) => boolean) =>
  ({ exchange }: FindingFacts): boolean =>
    exchange?.response.kind === 'response' && is(exchange.response.status);
const silent =
  (...reasons: readonly string[]) =>
  ({ exchange }: FindingFacts): boolean =>
    exchange?.response.kind === 'no-response' && reasons.includes(exchange.response.because);
const both =
  (...parts: readonly Row['when'][]): Row['when'] =>
  (facts) =>
    parts.every((part) => part(facts));

/** The first row that applies speaks. From the most particular to the most general. */
const rows: readonly Row[] = [
  {
    when: silent('timeout'),
    usually: 'a handler that never ends its answer, or a gateway that waits longer than the deadline of the gate',
  },
  {
    when: silent('malformed'),
    usually: 'a header value with control characters, or a length that disagrees with the body',
  },
  { when: silent('reset'), usually: 'a process that dies within the call, or a body limit that closes the connection' },
  { when: silent('too-large'), usually: 'a page or a result without a limit' },
  { when: silent('tls', 'refused', 'unresolved'), usually: 'another address or certificate than the one configured' },
  {
    when: header(/request-id$/i, 'header-missing'),
    usually: 'middleware that sets the request id runs after the handler, or not for this route, for errors or for 304',
  },
  {
    when: header(/request-id$/i),
    usually: 'the request id is taken from the caller, or made once for each process instead of each answer',
  },
  {
    when: header(/error-type$/i, 'header-missing'),
    usually: 'errors made by the framework, a gateway or a validator skip the function that sets the category',
  },
  {
    when: header(/error-type$/i),
    usually: 'the mapping from the failure to its category lacks this case, or takes the category of the provider',
  },
  {
    when: header(/^retry-after$/i),
    usually: 'Retry-After is set for one kind of wait only, or as a date or a fraction instead of whole seconds',
  },
  {
    when: header(/^(?:etag|cache-control)$/i),
    usually: 'a proxy or a compression filter rewrites or weakens the header, or 304 is answered without it',
  },
  { when: header(/^idempotent-replayed$/i), usually: 'the marker is set from the key alone and not from the record' },
  {
    when: header(/spend|credits/i),
    usually: 'amounts are computed for one kind of answer only, or not in whole cents',
  },
  { when: header(/^x-content-type-options$/i), usually: 'the header is set on JSON answers only, not on results' },
  {
    when: code('media-type-unexpected'),
    usually: 'a framework default for errors or bytes, or a proxy that answers by itself',
  },
  {
    when: code('header-missing', 'header-unexpected', 'header-malformed', 'header-repeated'),
    usually: 'middleware and handler both set the header, or neither does for this answer',
  },
  {
    when: both(
      code('status-unexpected'),
      status((is) => is >= 500),
    ),
    usually: 'an exception that nobody caught: the input of this call is not checked before it is used',
  },
  {
    when: both(
      code('status-unexpected'),
      status((is) => is === 401 || is === 403),
    ),
    usually: 'the credential lacks access to this route, or a gateway in front accepts another header',
  },
  {
    when: both(
      code('status-unexpected'),
      status((is) => is === 429),
    ),
    usually: 'the quota of the credential is used up: lower --max-rps or use a credential of its own',
  },
  {
    when: both(code('status-unexpected'), family(/^authentication|wrong-token|credential/)),
    usually: 'the route is not behind the check of credentials, or the check takes the first credential it finds',
  },
  {
    when: both(code('status-unexpected'), family(/not-found|unknown|foreign|other-model/)),
    usually: 'the lookup ignores the owner or the model of a request, or an unknown id falls through to another route',
  },
  {
    when: both(code('status-unexpected'), family(/^idempotency|retry|retention|replay/)),
    usually: 'the record of a key does not cover this part of the call, lives too short, or is kept for each process',
  },
  {
    when: both(code('status-unexpected'), family(/invalid|malformed|refused|bodies|limits|schema-document/)),
    usually: 'the input is checked after dispatch, by another schema than the published one, or not at all',
  },
  {
    when: both(code('status-unexpected'), family(/cancel/)),
    usually: 'cancel does not look at the state of the request',
  },
  { when: code('status-unexpected', 'status-undocumented'), usually: 'the handler maps this case to another status' },
  { when: code('body-malformed'), usually: 'a proxy or an error page answers in place of the service' },
  {
    when: both(
      code('schema-violated', 'value-unexpected', 'body-unexpected'),
      status((is) => is >= 400),
    ),
    usually: 'errors made by the framework, a validator or a gateway are passed on in their own form',
  },
  {
    when: both(code('value-unexpected', 'values-differ'), family(/cursor|traversal|page|limit/)),
    usually: 'paging counts by offset over a list that changes, or the cursor is not bound to its query',
  },
  {
    when: code('bytes-differ'),
    usually: 'a result is parsed and printed again, or encoded anew, on its way to the caller',
  },
  { when: code('values-differ'), usually: 'two routes read the same thing from two places' },
  { when: code('secret-echoed'), usually: 'an error message quotes the request, or a debug header is left on' },
  { when: code('never-reached'), usually: 'a worker does not take up the request, or its state is not written back' },
  {
    when: code('schema-violated', 'value-unexpected', 'body-unexpected'),
    usually: 'a member is renamed, left out when it is null, or of another type than documented',
  },
];

/** What usually is behind a finding: a place to look first, not a proof. */
export function usualCause(facts: FindingFacts): string {
  return rows.find(({ when }) => when(facts))?.usually ?? 'the behaviour differs from the documented one';
}
