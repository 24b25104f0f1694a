import { type EffectiveSpecs, headerName } from '../../../specs/src/index.ts';
import { headerValues, parseJson, readHeader, replayHeader } from '../contract/evidence.ts';
import type { NonEmpty, RuleFinding } from '../contract/finding.ts';
import { nameOperation, type Target } from '../contract/target.ts';
import { curlLine, curlNotes } from './curl-line.ts';
import { type ExchangeRecord, type FindingRecord, type SeenRequest, shorten } from './report.ts';
import { type FindingFacts, findUsualCause } from './usual-causes.ts';

/** The findings of a rule with the request that each is about, its cause in one line, and what usually is behind it. */
export function recordFindings(
  findings: NonEmpty<RuleFinding>,
  exchanges: readonly ExchangeRecord[],
  input: { readonly target: Target; readonly specs: EffectiveSpecs },
): NonEmpty<FindingRecord> {
  const record = (finding: RuleFinding): FindingRecord => {
    // The last attempt of a repeated step is the one that rules read.
    const index = exchanges.findLastIndex(({ step }) => step === finding.at.step);
    const exchange = exchanges[index];
    const operation = exchange === undefined ? undefined : nameOperation(exchange, input);
    const facts = { finding, exchange, operation };
    return {
      ...finding,
      cause: nameBehaviour(finding) ?? nameCause(facts),
      usually: findUsualCause(facts),
      ...(exchange === undefined ? {} : { seen: seenRequest(exchange, index, input.specs) }),
    };
  };
  const [first, ...rest] = findings;
  return [record(first), ...rest.map(record)];
}

function seenRequest(exchange: ExchangeRecord, index: number, { settings }: EffectiveSpecs): SeenRequest {
  const { request, response } = exchange;
  const seen = { exchange: index, method: request.method, url: request.url };
  const repeated = { curl: curlLine(exchange), notes: curlNotes(exchange) };
  if (response.kind === 'no-response') return { ...seen, ...repeated };
  const [requestId] = headerValues(response, headerName(settings.brand, 'Request-Id'));
  return { ...seen, status: response.status, ...(requestId === undefined ? {} : { requestId }), ...repeated };
}

const causeShown = 80;

function nameBehaviour({ code, at: { header = '' }, ruleId }: RuleFinding): string | undefined {
  if (code === 'header-missing' && /^idempotent-replayed$/i.test(header))
    return 'a repeat under the same key is no replay: it may have run, and been billed, twice';
  if (code === 'values-differ' && ruleId === 'catalog.traversal.shows-each-model-once')
    return 'paging through the catalog misses or repeats a model';
  return undefined;
}

/** What is wrong, in one line that findings of the same defect share: it names no value that differs from call to call. */
function nameCause({ finding, exchange, operation }: FindingFacts): string {
  const { code, at, expected, actual } = finding;
  const where = operation ?? 'a request';
  const status = exchange?.response.kind === 'response' ? exchange.response.status : undefined;
  if (code === 'no-response') return `no complete answer: ${actual.split(':', 1)[0]}`;
  const envelope = at.header === undefined && code !== 'status-unexpected' ? nameOtherEnvelope(exchange) : undefined;
  if (envelope !== undefined) return envelope;
  switch (code) {
    case 'header-missing':
      return `header ${at.header} is missing`;
    case 'header-unexpected':
      return `header ${at.header} is sent where it must not be`;
    case 'header-repeated':
      return `header ${at.header} is sent more than once`;
    case 'header-malformed':
      return `header ${at.header} is not ${shorten(expected, causeShown)}`;
    case 'media-type-unexpected':
      return `Content-Type is not ${shorten(expected, causeShown)}`;
    case 'status-unexpected':
    case 'status-undocumented':
      return nameStatusCause(status ?? Number.parseInt(actual, 10), { where, expected });
    case 'secret-echoed':
      return `an answer repeats a secret${at.header === undefined ? '' : ` in header ${at.header}`}`;
    case 'schema-violated':
    case 'value-unexpected':
    case 'body-unexpected':
    case 'body-malformed':
      return `${where} answers ${status ?? ''} with an unexpected ${at.pointer ? generalise(at.pointer) : 'body'}`;
    case 'bytes-differ':
    case 'values-differ':
      return isReplay(exchange)
        ? `${where}: a replay differs from the first answer`
        : `${where}: answers differ that must be equal`;
    case 'never-reached':
      return `${where}: a state is never reached`;
  }
}

function isReplay(exchange: ExchangeRecord | undefined): boolean {
  return exchange?.response.kind === 'response' && readHeader(exchange.response, replayHeader) !== undefined;
}

// A server that fails, or does not look at the credential, does so whatever is asked.
function nameStatusCause(status: number, due: { where: string; expected: string }): string {
  if (status === 401 || status === 403) return `calls are refused with ${status}`;
  if (status === 429) return 'calls are refused with 429';
  if (/^40[13]\b/.test(due.expected))
    return `calls are answered ${status} where ${shorten(due.expected, causeShown)} is due`;
  if (status >= 500) return `${due.where} fails with ${status}`;
  return `${due.where} answers ${status} where ${shorten(due.expected, causeShown)} is due`;
}

/** Set for an error whose body is not of its API's envelope at all; which members are wrong then follows from that. */
function nameOtherEnvelope(exchange: ExchangeRecord | undefined): string | undefined {
  if (exchange === undefined) return undefined;
  const { request, response } = exchange;
  if (response.kind === 'no-response' || response.status < 400 || response.body.kind !== 'text') return undefined;
  if (response.body.isCut) return undefined;
  const isWorkflow = /\/api\/v2\//.test(request.url);
  const body = parseJson(response.body.text);
  const members: object = typeof body === 'object' && body !== null ? body : {};
  // Cancel's 409 has a body of its own.
  if (isWorkflow ? 'error' in members : 'detail' in members || 'status' in members) return undefined;
  return `errors of the ${isWorkflow ? 'workflow' : 'router'} API have another envelope`;
}

function generalise(pointer: string): string {
  return shorten(pointer.replace(/\/\d+(?=\/|$)/g, '/*'), causeShown);
}
