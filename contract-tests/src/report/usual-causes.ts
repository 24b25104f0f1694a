import type { FindingCode, RuleFinding } from '../contract/finding.ts';
import type { ExchangeRecord } from './report.ts';

export type FindingFacts = {
  readonly finding: RuleFinding;
  readonly exchange: ExchangeRecord | undefined;
  readonly operation: string | undefined;
};

/** A finding that is as every member of a row says. */
type Row = {
  readonly codes?: readonly FindingCode[];
  readonly header?: RegExp;
  /** Of the id of the rule. */
  readonly rule?: RegExp;
  readonly status?: (status: number) => boolean;
  readonly silent?: readonly string[];
  readonly usually: string;
};

/** The first row that applies speaks. From the most particular to the most general. */
const rows: readonly Row[] = [
  {
    silent: ['timeout'],
    usually: 'a handler that never ends its answer, or a gateway that waits longer than the deadline of the gate',
  },
  {
    silent: ['malformed'],
    usually: 'a header value with control characters, or a length that disagrees with the body',
  },
  { silent: ['reset'], usually: 'a process that dies within the call, or a body limit that closes the connection' },
  { silent: ['too-large'], usually: 'a page or a result without a limit' },
  { silent: ['tls', 'refused', 'unresolved'], usually: 'another address or certificate than the one configured' },
  {
    header: /request-id$/i,
    codes: ['header-missing'],
    usually: 'middleware that sets the request id runs after the handler, or not for this route, for errors or for 304',
  },
  {
    header: /request-id$/i,
    usually: 'the request id is taken from the caller, or made once for each process instead of each answer',
  },
  {
    header: /error-type$/i,
    codes: ['header-missing'],
    usually: 'errors made by the framework, a gateway or a validator skip the function that sets the category',
  },
  {
    header: /error-type$/i,
    usually: 'the mapping from the failure to its category lacks this case, or takes the category of the provider',
  },
  {
    header: /^retry-after$/i,
    usually: 'Retry-After is set for one kind of wait only, or as a date or a fraction instead of whole seconds',
  },
  {
    header: /^(?:etag|cache-control)$/i,
    usually: 'a proxy or a compression filter rewrites or weakens the header, or 304 is answered without it',
  },
  {
    header: /^idempotent-replayed$/i,
    codes: ['header-missing'],
    usually:
      'a key is recorded when its run ends and not when it begins, so that two calls run; or the replay is not marked',
  },
  { header: /^idempotent-replayed$/i, usually: 'the marker is set from the key alone and not from the record' },
  { header: /spend|credits/i, usually: 'amounts are computed for one kind of answer only, or not in whole cents' },
  { header: /^x-content-type-options$/i, usually: 'the header is set on JSON answers only, not on results' },
  {
    codes: ['media-type-unexpected'],
    usually: 'a framework default for errors or bytes, or a proxy that answers by itself',
  },
  {
    codes: ['header-missing', 'header-unexpected', 'header-malformed', 'header-repeated'],
    usually: 'middleware and handler both set the header, or neither does for this answer',
  },
  {
    codes: ['status-unexpected'],
    status: (is) => is >= 500,
    usually: 'an exception that nobody caught: the input of this call is not checked before it is used',
  },
  {
    codes: ['status-unexpected'],
    status: (is) => is === 401 || is === 403,
    usually: 'the credential lacks access to this route, or a gateway in front accepts another header',
  },
  {
    codes: ['status-unexpected'],
    status: (is) => is === 429,
    usually: 'the quota of the credential is used up: lower --max-rps or use a credential of its own',
  },
  {
    codes: ['status-unexpected'],
    rule: /^authentication|wrong-token|credential/,
    usually: 'the route is not behind the check of credentials, or the check takes the first credential it finds',
  },
  {
    codes: ['status-unexpected'],
    rule: /not-found|unknown|foreign|other-model/,
    usually: 'the lookup ignores the owner or the model of a request, or an unknown id falls through to another route',
  },
  {
    codes: ['status-unexpected'],
    rule: /^idempotency|retry|retention|replay/,
    usually: 'the record of a key does not cover this part of the call, lives too short, or is kept for each process',
  },
  {
    codes: ['status-unexpected'],
    rule: /invalid|malformed|refused|bodies|limits|schema-document/,
    usually: 'the input is checked after dispatch, by another schema than the published one, or not at all',
  },
  { codes: ['status-unexpected'], rule: /cancel/, usually: 'cancel does not look at the state of the request' },
  { codes: ['status-unexpected', 'status-undocumented'], usually: 'the handler maps this case to another status' },
  { codes: ['body-malformed'], usually: 'a proxy or an error page answers in place of the service' },
  {
    codes: ['schema-violated', 'value-unexpected', 'body-unexpected'],
    status: (is) => is >= 400,
    usually: 'errors made by the framework, a validator or a gateway are passed on in their own form',
  },
  {
    codes: ['value-unexpected', 'values-differ'],
    rule: /cursor|traversal|page|limit/,
    usually: 'paging counts by offset over a list that changes, or the cursor is not bound to its query',
  },
  {
    codes: ['bytes-differ'],
    usually: 'a result is parsed and printed again, or encoded anew, on its way to the caller',
  },
  { codes: ['values-differ'], usually: 'two routes read the same thing from two places' },
  { codes: ['secret-echoed'], usually: 'an error message quotes the request, or a debug header is left on' },
  { codes: ['never-reached'], usually: 'a worker does not take up the request, or its state is not written back' },
  {
    codes: ['schema-violated', 'value-unexpected', 'body-unexpected'],
    usually: 'a member is renamed, left out when it is null, or of another type than documented',
  },
];

function matches({ codes, header, rule, status, silent }: Row, { finding, exchange }: FindingFacts): boolean {
  const response = exchange?.response;
  return (
    codes?.includes(finding.code) !== false &&
    header?.test(finding.at.header ?? '') !== false &&
    rule?.test(finding.ruleId) !== false &&
    (status === undefined || (response?.kind === 'response' && status(response.status))) &&
    (silent === undefined || (response?.kind === 'no-response' && silent.includes(response.because)))
  );
}

export function findUsualCause(facts: FindingFacts): string {
  return rows.find((row) => matches(row, facts))?.usually ?? 'the behaviour differs from the documented one';
}
