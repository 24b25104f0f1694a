import { type EffectiveSpecs, headerName, type Operation } from '../../../specs/src/index.ts';
import { type Concern, rankConcern } from '../contract/concerns.ts';
import { headerValues, parseJson, readHeader, replayHeader } from '../contract/evidence.ts';
import type { Finding, FindingCode, NonEmpty } from '../contract/finding.ts';
import type { Rule } from '../contract/rule.ts';
import { findOperation, type Target } from '../contract/target.ts';
import { curlLine, curlNotes } from './curl-line.ts';
import { type ExchangeRecord, type FindingRecord, type SeenRequest, shorten } from './report.ts';

/**
 * Adds the exchange, concern and likely cause to the findings of a rule, most severe first. All findings of a rule with
 * a scenario share one cause, because the later ones follow from the first. A passive rule can have several causes.
 */
export function recordFindings(
  findings: NonEmpty<Finding>,
  exchanges: readonly ExchangeRecord[],
  { rule, target, specs }: { readonly rule: Rule; readonly target: Target; readonly specs: EffectiveSpecs },
): NonEmpty<FindingRecord> {
  const record = (finding: Finding): FindingRecord => {
    // Rules read the last attempt of a repeated step.
    const index = exchanges.findLastIndex(({ step }) => step === finding.at.step);
    const exchange = exchanges[index];
    const bases = [target.router?.url, target.workflow?.url];
    const operation = exchange && findOperation(exchange.request, bases, specs)?.operation;
    const facts = { finding, exchange, operation, rule };
    return {
      ruleId: rule.id,
      ...finding,
      concern: findEffect(facts),
      cause: nameCause(facts),
      usually: findUsualCause(facts),
      ...(exchange === undefined ? {} : { seen: seenRequest(exchange, index, specs) }),
    };
  };
  const [first, ...rest] = findings;
  const recorded = [record(first), ...rest.map(record)] as const;
  if (rule.scenario === undefined) return recorded;
  const [lead = recorded[0], ...others] = recorded.toSorted((one, other) => rankFinding(one) - rankFinding(other));
  return [lead, ...others.map((one) => ({ ...one, cause: lead.cause, usually: lead.usually }))];
}

/** Codes in order: findings that explain the rest of a response come before their consequences. */
const byWeight: readonly FindingCode[] = [
  'secret-echoed',
  'no-response',
  'status-unexpected',
  'status-undocumented',
  'never-reached',
  'bytes-differ',
  'values-differ',
  'value-unexpected',
  'body-malformed',
  'body-unexpected',
  'schema-violated',
  'media-type-unexpected',
  'header-unexpected',
  'header-missing',
  'header-malformed',
  'header-repeated',
];

function rankFinding({ concern, code }: FindingRecord): number {
  return rankConcern(concern) * byWeight.length + byWeight.indexOf(code);
}

/** Can be less severe than the concern of the rule: a rejection with a wrong body is still a rejection. */
function findEffect({ finding, exchange, rule: { concern } }: FindingFacts): Concern {
  const { code, at, expected } = finding;
  if (code === 'secret-echoed') return 'access';
  if (code === 'no-response') return 'served';
  if (exchange?.response.kind !== 'response') return concern;
  const { status } = exchange.response;
  const isServed = status < 400;
  const isAboutStatus = code.startsWith('status-');
  const due = Number.parseInt(expected, 10);
  if (isAboutStatus && !isServed) return findEffectOfRejection(concern, status, due);
  if (isAboutStatus && due < 400) return concern === 'access' || concern === 'money' ? 'form' : concern;
  if (!isServed) return noGraverThan('errors', concern);
  // A missing replay header doesn't show that callers share records; a marked replay doesn't show a second run.
  if (concern === 'access' && code === 'header-missing' && isReplayHeader(at.header)) return 'money';
  return concern === 'money' && isReplay(exchange) ? 'results' : concern;
}

/** Returns the effect of a rejection with another status than the expected one. */
function findEffectOfRejection(concern: Concern, status: number, due: number): Concern {
  if (due < 400) return noGraverThan('served', concern);
  // The call passed the access check and failed later.
  if (concern === 'access' && ![401, 403].includes(status) && status < 500) return concern;
  return due >= 400 || status >= 500 ? 'errors' : 'served';
}

function noGraverThan(limit: Concern, concern: Concern): Concern {
  return rankConcern(concern) < rankConcern(limit) ? limit : concern;
}

const isReplayHeader = (name: string | undefined): boolean => name?.toLowerCase() === replayHeader.toLowerCase();

function seenRequest(exchange: ExchangeRecord, index: number, { settings }: EffectiveSpecs): SeenRequest {
  const { request, response } = exchange;
  const seen = { exchange: index, method: request.method, url: request.url };
  const repeated = { curl: curlLine(exchange), notes: curlNotes(exchange) };
  if (response.kind === 'no-response') return { ...seen, ...repeated };
  const [requestId] = headerValues(response, headerName(settings.brand, 'Request-Id'));
  return { ...seen, status: response.status, ...(requestId === undefined ? {} : { requestId }), ...repeated };
}

const causeShown = 80;

/** One line that all findings of the same defect share: it contains no value that differs from call to call. */
function nameCause(facts: FindingFacts): string {
  const { finding, exchange, operation, rule } = facts;
  const { code, at, expected, actual } = finding;
  const where = operation === undefined ? 'a request' : `${operation.method} ${operation.path}`;
  const status = readStatus(exchange);
  if (code === 'no-response') return `no complete answer: ${actual.split(':', 1)[0]}`;
  if (code === 'header-missing' && status !== undefined && status < 400 && isReplayHeader(at.header))
    return 'a repeat under the same key is not marked as a replay: it may have run, and been billed, twice';
  if (code === 'values-differ' && rule.causeOfDifference !== undefined) return rule.causeOfDifference;
  if (at.header === undefined && code !== 'status-unexpected') {
    const other = nameOtherEnvelope(exchange);
    if (other !== undefined) return other;
  }
  const due = shorten(expected, causeShown);
  // Messages of the schema validator already begin with "must".
  const isNotDue = due.startsWith('must ') ? due : `is not ${due}`;
  switch (code) {
    case 'status-unexpected':
    case 'status-undocumented':
      return nameStatusCause(status ?? Number.parseInt(actual, 10), { exchange, where, expected });
    case 'header-missing':
      return `header ${at.header} is missing`;
    case 'header-unexpected':
      return `header ${at.header} is sent where it must not be`;
    case 'header-repeated':
      return `header ${at.header} is sent more than once`;
    case 'header-malformed':
      return `header ${at.header} ${isNotDue}`;
    case 'media-type-unexpected':
      return `Content-Type ${isNotDue}`;
    case 'secret-echoed':
      return `an answer repeats a secret${at.header === undefined ? '' : ` in header ${at.header}`}`;
    case 'bytes-differ':
    case 'values-differ':
      return `${where}: ${isReplay(exchange) ? 'a replay differs from the first answer' : 'answers differ that must be equal'}`;
    case 'never-reached':
      return `${where}: a state is never reached`;
    case 'value-unexpected':
      return at.header === undefined ? nameMemberCause(facts, where) : `header ${at.header} ${isNotDue}`;
    default:
      return nameMemberCause(facts, where);
  }
}

/** Bodies that servers build in one place for several operations, by operation and status. */
const sharedBodies: Readonly<Record<string, string>> = {
  'submitRequest 201': 'the handle of a request',
  'readStatus 200': 'the handle of a request',
  'collectRequest 202': 'the handle of a request',
  'runModel 422': 'a validation error of the router API',
  'submitRequest 422': 'a validation error of the router API',
  'collectRequest 422': 'a validation error of the router API',
};

function nameMemberCause({ finding: { at, actual }, exchange, operation }: FindingFacts, where: string): string {
  const status = readStatus(exchange);
  const shared = sharedBodies[`${operation?.operationId} ${status}`];
  const member = at.pointer ? shorten(at.pointer.replace(/\/\d+(?=\/|$)/g, '/*'), causeShown) : 'body';
  const isLacking = at.pointer && actual === 'absent' && (status ?? 0) >= 400;
  return isLacking
    ? `errors of the ${isWorkflowCall(exchange) ? 'workflow' : 'router'} API have no ${member}`
    : `${shared === undefined ? `${where} answers ${status ?? ''} with` : `${shared} has`} an unexpected ${member}`;
}

function readStatus(exchange: ExchangeRecord | undefined): number | undefined {
  return exchange?.response.kind === 'response' ? exchange.response.status : undefined;
}

function isReplay(exchange: ExchangeRecord | undefined): boolean {
  return exchange?.response.kind === 'response' && readHeader(exchange.response, replayHeader) !== undefined;
}

// A server that always fails, or ignores the credential, gets one cause for all calls.
function nameStatusCause(
  status: number,
  { exchange, where, expected }: { exchange: ExchangeRecord | undefined; where: string; expected: string },
): string {
  const calls = isWorkflowCall(exchange) ? 'calls of the workflow API' : 'calls';
  if (status === 401 || status === 403 || status === 429) return `${calls} are refused with ${status}`;
  const due = shorten(expected, causeShown);
  if (/^40[13]\b/.test(expected)) return `${calls} are answered with ${status} instead of ${due}`;
  if (status >= 500) return `${where} fails with ${status}`;
  return `${where} answers ${status} instead of ${due}`;
}

const isWorkflowCall = (exchange: ExchangeRecord | undefined): boolean =>
  exchange !== undefined && /\/api\/v2\//.test(exchange.request.url);

/** Returns a cause if an error has another envelope, from which single wrong members follow. */
function nameOtherEnvelope(exchange: ExchangeRecord | undefined): string | undefined {
  if (exchange === undefined) return undefined;
  const { response } = exchange;
  if (response.kind === 'no-response' || response.status < 400 || response.body.kind !== 'text') return undefined;
  if (response.body.isCut) return undefined;
  const isWorkflow = isWorkflowCall(exchange);
  const body = parseJson(response.body.text);
  const members: object = typeof body === 'object' && body !== null ? body : {};
  // The 409 response to a cancellation has another body.
  if (isWorkflow ? 'error' in members : 'detail' in members || 'status' in members) return undefined;
  return `errors of the ${isWorkflow ? 'workflow' : 'router'} API have another envelope`;
}

type FindingFacts = {
  readonly rule: Rule;
  readonly finding: Finding;
  readonly exchange: ExchangeRecord | undefined;
  readonly operation: Operation | undefined;
};

/** A row matches a finding that meets all of its conditions. */
type Row = {
  readonly codes?: readonly FindingCode[];
  readonly header?: RegExp;
  readonly status?: (status: number) => boolean;
  /** Set if the call should have succeeded. */
  readonly mustSucceed?: true;
  readonly silent?: readonly string[];
  readonly usually: string;
};

/** The first matching row is used, so specific rows come before general ones. */
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
    usually: 'the mapping from failures to categories lacks this case, or uses the category of the provider',
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
  { header: /^idempotent-replayed$/i, usually: 'the marker is set by the key and not by the record of the call' },
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
    usually: 'an uncaught exception: the input of this call is not checked before it is used',
  },
  {
    codes: ['status-unexpected'],
    status: (is) => is === 401 || is === 403,
    mustSucceed: true,
    usually: 'the credential lacks access to this route, or a gateway in front accepts another header',
  },
  {
    codes: ['status-unexpected'],
    status: (is) => is === 429,
    usually: 'the quota of the credential is used up: lower --max-rps or use a credential of its own',
  },
  { codes: ['status-unexpected', 'status-undocumented'], usually: 'the handler maps this case to another status' },
  { codes: ['body-malformed'], usually: 'a proxy or an error page answers in place of the service' },
  {
    codes: ['schema-violated', 'value-unexpected', 'body-unexpected'],
    status: (is) => is >= 400,
    usually: 'errors made by the framework, a validator or a gateway are passed on in their own form',
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

function matches({ codes, header, status, silent, mustSucceed }: Row, { finding, exchange }: FindingFacts): boolean {
  const response = exchange?.response;
  return (
    codes?.includes(finding.code) !== false &&
    header?.test(finding.at.header ?? '') !== false &&
    (status === undefined || (response?.kind === 'response' && status(response.status))) &&
    !(mustSucceed && Number.parseInt(finding.expected, 10) >= 400) &&
    (silent === undefined || (response?.kind === 'no-response' && silent.includes(response.because)))
  );
}

/** Failed requests and wrong headers have usual causes of their own. */
function isAboutRule({ finding, exchange }: FindingFacts): boolean {
  if (finding.at.header !== undefined || exchange?.response.kind !== 'response') return false;
  const { status } = exchange.response;
  if (finding.code === 'status-unexpected') return status < 500 && ![401, 403, 429].includes(status);
  return ['value-unexpected', 'values-differ', 'secret-echoed'].includes(finding.code) && status < 400;
}

function findUsualCause(facts: FindingFacts): string {
  const { usualCause } = facts.rule;
  if (usualCause !== undefined && isAboutRule(facts)) return usualCause;
  return rows.find((row) => matches(row, facts))?.usually ?? 'the behaviour differs from the documented one';
}
