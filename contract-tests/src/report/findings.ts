import { type EffectiveSpecs, headerName } from '../../../specs/src/index.ts';
import { type Concern, rankConcern } from '../contract/concerns.ts';
import { headerValues, parseJson, readHeader, replayHeader } from '../contract/evidence.ts';
import { type Finding, type FindingCode, findingTexts } from '../contract/finding.ts';
import type { Rule } from '../contract/rule.ts';
import { findOperation, type Target } from '../contract/target.ts';
import { curlLine, curlNotes } from './curl-line.ts';
import { type ExchangeRecord, type FindingRecord, type SeenRequest, shorten } from './report.ts';
import { type FindingFacts, findUsualCause, isReplayHeader } from './usual-causes.ts';

/**
 * Adds the exchange, concern and likely cause to the findings of a rule, most severe first. All findings of a rule with
 * a scenario share one cause, because the later ones follow from the first. A passive rule can have several causes.
 */
export function recordFindings(
  findings: readonly Finding[],
  exchanges: readonly ExchangeRecord[],
  { rule, target, specs }: { readonly rule: Rule; readonly target: Target; readonly specs: EffectiveSpecs },
): readonly FindingRecord[] {
  const recorded = findings.map((finding): FindingRecord => {
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
      cause: describeSymptom(facts),
      usually: findUsualCause(facts),
      ...(exchange === undefined ? {} : { seen: seenRequest(exchange, index, specs) }),
    };
  });
  if (rule.scenario === undefined) return recorded;
  const sorted = recorded.toSorted((one, other) => rankFinding(one) - rankFinding(other));
  const [lead] = sorted;
  return sorted.map((one) => ({ ...one, ...(lead && { cause: lead.cause, usually: lead.usually }) }));
}

const codesBySeverity = Object.keys(findingTexts);

function rankFinding({ concern, code }: FindingRecord): number {
  return rankConcern(concern) * codesBySeverity.length + codesBySeverity.indexOf(code);
}

/** Returns the effect of a finding. It can be less severe than the rule's concern: a rejection with a wrong body is still a rejection. */
function findEffect({ finding, exchange, rule: { concern } }: FindingFacts): Concern {
  const { code, at, expected } = finding;
  if (code === 'secret-echoed') return 'access';
  if (code === 'no-response') return 'served';
  if (exchange?.response.kind !== 'response') return concern;
  const { status } = exchange.response;
  const isServed = status < 400;
  const isAboutStatus = code.startsWith('status-');
  const expectedStatus = Number.parseInt(expected, 10);
  if (isAboutStatus && !isServed) {
    if (expectedStatus < 400) return limitConcern('served', concern);
    // The call passed the access check and failed later.
    if (concern === 'access' && ![401, 403].includes(status) && status < 500) return concern;
    return expectedStatus >= 400 || status >= 500 ? 'errors' : 'served';
  }
  if (isAboutStatus && expectedStatus < 400) return concern === 'access' || concern === 'money' ? 'form' : concern;
  if (!isServed) return limitConcern('errors', concern);
  // A missing replay header doesn't show that callers share records; a marked replay doesn't show a second run.
  if (concern === 'access' && code === 'header-missing' && isReplayHeader(at.header)) return 'money';
  return concern === 'money' && isReplay(exchange) ? 'results' : concern;
}

function limitConcern(limit: Concern, concern: Concern): Concern {
  return rankConcern(concern) < rankConcern(limit) ? limit : concern;
}

function seenRequest(exchange: ExchangeRecord, index: number, { settings }: EffectiveSpecs): SeenRequest {
  const { request, response } = exchange;
  const seen = { exchange: index, method: request.method, url: request.url };
  const reproduction = { curl: curlLine(exchange), notes: curlNotes(exchange) };
  if (response.kind === 'no-response') return { ...seen, ...reproduction };
  const [requestId] = headerValues(response, headerName(settings.brand, 'Request-Id'));
  return { ...seen, status: response.status, ...(requestId === undefined ? {} : { requestId }), ...reproduction };
}

const causeShown = 80;

/** Returns one line for all findings of the same defect, so it contains no value that differs from call to call. */
function describeSymptom(facts: FindingFacts): string {
  const { finding, exchange, operation, rule } = facts;
  const { code, at, expected, actual } = finding;
  const where = operation === undefined ? 'a request' : `${operation.method} ${operation.path}`;
  const status = readStatus(exchange);
  if (code === 'no-response') return `no complete response: ${actual.split(':', 1)[0]}`;
  if (code === 'header-missing' && status !== undefined && status < 400 && isReplayHeader(at.header))
    return 'a repeated call with the same key is not marked as a replay: it may have run, and been billed, twice';
  if (code === 'values-differ' && rule.causeOfDifference !== undefined) return rule.causeOfDifference;
  if (at.header === undefined && code !== 'status-unexpected') {
    const envelopeCause = findEnvelopeCause(exchange);
    if (envelopeCause !== undefined) return envelopeCause;
  }
  const expectedText = shorten(expected, causeShown);
  if (code === 'status-unexpected' || code === 'status-undocumented') return describeStatusSymptom(facts, where);
  // Different secrets leak through different mistakes, so they get different causes.
  if (code === 'secret-echoed')
    return `a secret is in ${at.header === undefined ? 'a response' : `header ${at.header}`} (expected: ${expectedText})`;
  // Messages of the schema validator already begin with "must".
  const mismatch = expectedText.startsWith('must ') ? expectedText : `is not ${expectedText}`;
  if (code === 'media-type-unexpected') return `Content-Type ${mismatch}`;
  // The two APIs share Retry-After, but not the code that sets it.
  const ofApi = isWorkflowCall(exchange) ? ' of the workflow API' : '';
  if (at.header !== undefined) return `header ${at.header}${ofApi} ${headerSymptoms[code] ?? mismatch}`;
  if (code === 'never-reached') return `${where}: a state is never reached`;
  if (code === 'bytes-differ' || code === 'values-differ')
    return `${where}: ${isReplay(exchange) ? 'a replay differs from the original response' : 'responses differ that must be equal'}`;
  return describeMemberSymptom(facts, where);
}

/** A server that always fails, or ignores the credential, gets one cause for all calls. */
function describeStatusSymptom({ finding: { expected, actual }, exchange }: FindingFacts, where: string): string {
  const expectedText = shorten(expected, causeShown);
  const got = readStatus(exchange) ?? Number.parseInt(actual, 10);
  const calls = isWorkflowCall(exchange) ? 'workflow API calls' : 'calls';
  if (got === 401 || got === 403 || got === 429) return `${calls} are rejected with ${got}`;
  if (/^40[13]\b/.test(expected)) return `${calls} return ${got} instead of ${expectedText}`;
  return got >= 500 ? `${where} fails with ${got}` : `${where} returns ${got} instead of ${expectedText}`;
}

const headerSymptoms: Readonly<Partial<Record<FindingCode, string>>> = {
  'header-missing': 'is missing',
  'header-unexpected': 'is sent, but must not be',
  'header-repeated': 'is sent more than once',
  'bytes-differ': 'has a wrong value',
  'values-differ': 'has a wrong value',
};

/** Bodies that servers usually build with the same code in several operations, by operation and status. */
const sharedBodies: Readonly<Record<string, string>> = {
  'submitRequest 201': 'the handle of a request',
  'readStatus 200': 'the handle of a request',
  'collectRequest 202': 'the handle of a request',
  'runModel 422': 'a validation error of the router API',
  'submitRequest 422': 'a validation error of the router API',
  'collectRequest 422': 'a validation error of the router API',
};

function describeMemberSymptom({ finding: { at, actual }, exchange, operation }: FindingFacts, where: string): string {
  const status = readStatus(exchange);
  const shared = sharedBodies[`${operation?.operationId} ${status}`];
  // Leave out the model's path, because a mistake in the schema documents of all models is one cause.
  const pointer = at.pointer?.replace(/\/\d+(?=\/|$)/g, '/*').replace(/^\/paths\/~1[^/]*/, '/paths/*');
  const member = pointer ? shorten(pointer, causeShown) : 'body';
  // For an absent member, `actual` also quotes the response after `absent;`.
  const isLacking = at.pointer && /^absent(?:;|$)/.test(actual) && (status ?? 0) >= 400;
  return isLacking
    ? `errors of the ${isWorkflowCall(exchange) ? 'workflow' : 'router'} API have no ${member}`
    : `${shared === undefined ? `${where} returns ${status ?? ''} with` : `${shared} has`} an unexpected ${member}`;
}

function readStatus(exchange: ExchangeRecord | undefined): number | undefined {
  return exchange?.response.kind === 'response' ? exchange.response.status : undefined;
}

function isReplay(exchange: ExchangeRecord | undefined): boolean {
  return exchange?.response.kind === 'response' && readHeader(exchange.response, replayHeader) !== undefined;
}

const isWorkflowCall = (exchange: ExchangeRecord | undefined): boolean =>
  exchange !== undefined && /\/api\/v2\//.test(exchange.request.url);

/** If an error response has a different envelope, returns that as the cause, because it explains each wrong member. */
function findEnvelopeCause(exchange: ExchangeRecord | undefined): string | undefined {
  if (exchange === undefined) return undefined;
  const { response } = exchange;
  if (response.kind === 'no-response' || response.status < 400 || response.body.kind !== 'text') return undefined;
  if (response.body.isCut) return undefined;
  const isWorkflow = isWorkflowCall(exchange);
  const body = parseJson(response.body.text);
  const members: object = typeof body === 'object' && body !== null ? body : {};
  // The 409 response to a cancellation has a different body.
  if (isWorkflow ? 'error' in members : 'detail' in members || 'status' in members) return undefined;
  return `errors of the ${isWorkflow ? 'workflow' : 'router'} API have a different envelope`;
}
