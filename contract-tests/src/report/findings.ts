import { type EffectiveSpecs, headerName, type Operation } from '../../../specs/src/index.ts';
import { type Concern, rankConcern, usualCauses } from '../contract/concerns.ts';
import { headerValues, parseJson, readHeader, replayHeader } from '../contract/evidence.ts';
import { type Finding, type FindingCode, findingTexts } from '../contract/finding.ts';
import type { Rule } from '../contract/rule.ts';
import { findOperation, type Target } from '../contract/target.ts';
import { curlLine, curlNotes } from './curl-line.ts';
import {
  type CauseGroup,
  type ExchangeRecord,
  type FindingRecord,
  type RuleResult,
  type SeenRequest,
  shorten,
} from './report.ts';

/** A finding of a rule, with the exchange that shows it and the operation that was called. */
type FindingInContext = {
  readonly rule: Rule;
  readonly finding: Finding;
  readonly exchange: ExchangeRecord | undefined;
  readonly operation: Operation | undefined;
};

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
    const { statuses, isAbsent, ...described } = finding;
    return {
      ruleId: rule.id,
      ...described,
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
function findEffect({ finding, exchange, rule: { concern } }: FindingInContext): Concern {
  const { code, at } = finding;
  if (code === 'secret-echoed') return 'access';
  if (code === 'no-response') return 'served';
  if (exchange?.response.kind !== 'response') return concern;
  const { status } = exchange.response;
  const isServed = status < 400;
  const isAboutStatus = code.startsWith('status-');
  const expectedStatus = finding.statuses?.[0] ?? Number.NaN;
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
function describeSymptom(facts: FindingInContext): string {
  const { finding, exchange, operation } = facts;
  const { code, at, expected, actual } = finding;
  const where = operation === undefined ? 'a request' : `${operation.method} ${operation.path}`;
  const status = readStatus(exchange);
  if (code === 'no-response') return `no complete response: ${actual.split(':', 1)[0]}`;
  if (code === 'header-missing' && status !== undefined && status < 400 && isReplayHeader(at.header))
    return 'a repeated call with the same key is not marked as a replay: it may have run, and been billed, twice';
  if (at.header === undefined && code !== 'status-unexpected') {
    const envelopeCause = findEnvelopeCause(exchange);
    if (envelopeCause !== undefined) return envelopeCause;
  }
  const expectedText = shorten(expected, causeShown);
  if (code === 'status-unexpected' || code === 'status-undocumented') return describeStatusSymptom(facts, where);
  // Different secrets leak through different mistakes, so they get different causes.
  if (code === 'secret-echoed')
    return `a secret is in ${at.header === undefined ? 'a response' : `header ${at.header}`} (expected: ${expectedText})`;
  const mismatch = `is not ${expectedText}`;
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
function describeStatusSymptom({ finding, exchange }: FindingInContext, where: string): string {
  const { statuses = [], expected } = finding;
  const [expectedStatus] = statuses;
  const expectedText = shorten(expected, causeShown);
  const got = readStatus(exchange) ?? 0;
  const calls = isWorkflowCall(exchange) ? 'workflow API calls' : 'calls';
  if (got === 401 || got === 403 || got === 429) return `${calls} are rejected with ${got}`;
  if (expectedStatus === 401 || expectedStatus === 403) return `${calls} return ${got} instead of ${expectedText}`;
  return got >= 500 ? `${where} fails with ${got}` : `${where} returns ${got} instead of ${expectedText}`;
}

const headerSymptoms: Readonly<Partial<Record<FindingCode, string>>> = {
  'header-missing': 'is missing',
  'header-unexpected': 'is sent, but must not be',
  'header-repeated': 'is sent more than once',
  'bytes-differ': 'has a wrong value',
  'values-differ': 'has a wrong value',
};

const handle = 'the handle of a request';
const validationError = 'a validation error of the router API';
/** Bodies that servers usually build with the same code in several operations, by operation and status. */
const sharedBodies: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  runModel: { 422: validationError },
  submitRequest: { 201: handle, 422: validationError },
  readStatus: { 200: handle },
  collectRequest: { 202: handle, 422: validationError },
};

function describeMemberSymptom({ finding, exchange, operation }: FindingInContext, where: string): string {
  const { at, isAbsent } = finding;
  const status = readStatus(exchange);
  const shared = sharedBodies[operation?.operationId ?? '']?.[status ?? 0];
  // Leave out the model's path, because a mistake in the schema documents of all models is one cause.
  const pointer = at.pointer?.replace(/\/\d+(?=\/|$)/g, '/*').replace(/^\/paths\/~1[^/]*/, '/paths/*');
  const member = pointer ? shorten(pointer, causeShown) : 'body';
  return isAbsent && (status ?? 0) >= 400
    ? `errors of the ${isWorkflowCall(exchange) ? 'workflow' : 'router'} API have no ${member}`
    : `${shared === undefined ? `${where} returns ${status ?? ''} with` : `${shared} has`} an unexpected ${member}`;
}

function readStatus(exchange: ExchangeRecord | undefined): number | undefined {
  return exchange?.response.kind === 'response' ? exchange.response.status : undefined;
}

function isReplayHeader(name: string | undefined): boolean {
  return name?.toLowerCase() === replayHeader.toLowerCase();
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

/** Usual causes of a wrong header, and of a missing one if it differs. */
const headerCauses: readonly { readonly header: RegExp; readonly wrong: string; readonly missing?: string }[] = [
  {
    header: /request-id$/i,
    wrong: 'the request id is copied from the caller, or created once per process instead of once per response',
    missing:
      'the middleware that sets the request id runs after the handler, or does not run for this route, for errors or for 304',
  },
  {
    header: /error-type$/i,
    wrong: 'the mapping from failures to categories lacks this case, or uses the category of the provider',
    missing: 'errors from the framework, a gateway or a validator bypass the function that sets the category',
  },
  {
    header: /^retry-after$/i,
    wrong: 'Retry-After is only set for one kind of wait, or is a date or a fraction instead of whole seconds',
  },
  {
    header: /^(?:etag|cache-control)$/i,
    wrong: 'a proxy or a compression filter rewrites or weakens the header, or 304 responses lack it',
  },
  {
    header: /^idempotent-replayed$/i,
    wrong: 'the marker is set if the request has a key, instead of if the response comes from a record',
    missing:
      'a key is recorded when its run ends instead of when it begins, so that two calls run; or the replay is not marked',
  },
  {
    header: /spend|credits/i,
    wrong: 'amounts are only computed for one kind of response, or are not in whole cents',
  },
  {
    header: /^x-content-type-options$/i,
    wrong: 'the header is only set on JSON responses, not on results',
  },
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
const comparisonCodes: ReadonlySet<FindingCode> = new Set([
  'value-unexpected',
  'body-unexpected',
  'values-differ',
  'secret-echoed',
]);

/** Returns the mistake that usually causes a finding: that of the rule, of the header, or of the kind of finding. */
function findUsualCause({ rule, finding: { code, at, statuses }, exchange }: FindingInContext): string {
  const response = exchange?.response;
  if (response?.kind === 'no-response') return noResponseCauses[response.because] ?? codeCauses[code];
  const status = response?.status ?? 0;
  const isStatus = code === 'status-unexpected';
  if (at.header !== undefined) {
    // Keys that are stored under the wrong owner explain a replay that is missing or unexpected.
    const explainsReplay = code === 'header-unexpected' || rule.usualCause === usualCauses.keyOwners;
    if (rule.usualCause !== undefined && explainsReplay && isReplayHeader(at.header)) return rule.usualCause;
    const { header } = at;
    const found = headerCauses.find((one) => one.header.test(header));
    if (found === undefined) return codeCauses[code];
    return code === 'header-missing' ? (found.missing ?? found.wrong) : found.wrong;
  }
  const isFailure = status >= 500 || [401, 403, 429].includes(status);
  const isAboutRule = isStatus ? !isFailure : comparisonCodes.has(code) && status < 400;
  if (response !== undefined && rule.usualCause !== undefined && isAboutRule) return rule.usualCause;
  if (isStatus && status >= 500)
    return 'an uncaught exception: the input of this call is not validated before it is used';
  if (isStatus && status === 429)
    return 'the quota of the credential is used up: lower --max-rps, or use a separate credential for this check';
  if (isStatus && isFailure && !((statuses?.[0] ?? 0) >= 400))
    return 'the credential has no access to this route, or a gateway in front of the service expects a different header';
  if (codeCauses[code] === wrongMember && status >= 400)
    return 'errors from the framework, a validator or a gateway are passed through without being converted';
  return codeCauses[code];
}

const minFamiliesOfWideCause = 4;

/**
 * Groups all findings by cause, most severe first. The headline of a cause comes from the rule that describes it best:
 * the passive rule if many kinds of calls are affected, otherwise the rule with the most severe finding, and of those
 * the one with the fewest calls.
 */
export function groupFindings(results: readonly RuleResult[]): readonly CauseGroup[] {
  const found = results.flatMap((result) =>
    result.outcome.kind === 'failed' ? result.outcome.findings.map((finding) => ({ result, finding })) : [],
  );
  const groups = [...Map.groupBy(found, ({ finding }) => finding.cause)].map(([cause, own]): CauseGroup => {
    const isWide = new Set(own.map(({ result }) => result.family)).size >= minFamiliesOfWideCause;
    const key = ({ result, finding }: (typeof own)[number]): readonly number[] => [
      isWide && result.calls === undefined ? 0 : 1,
      result.observes ? 1 : 0,
      rankConcern(finding.concern),
      // The sentence of a rule with a different concern, which only failed as a side effect, would hide the defect.
      result.concern === finding.concern ? 0 : 1,
      result.calls ?? Number.MAX_SAFE_INTEGER,
      // A rule with few requirements is the more specific one.
      result.requirements.length,
    ];
    const sorted = own.toSorted((one, other) => compareKeys(key(one), key(other)));
    const lead = sorted[0] as (typeof own)[number]; // A group is never empty.
    return {
      headline: lead.result.observes ? cause : lead.result.sentence,
      concern: lead.finding.concern,
      cause,
      usually: lead.finding.usually,
      findings: own.length,
      rules: [...new Set(sorted.map(({ result }) => result.ruleId))],
    };
  });
  return groups.toSorted(
    (one, other) =>
      rankConcern(one.concern) - rankConcern(other.concern) ||
      other.rules.length - one.rules.length ||
      (one.cause < other.cause ? -1 : 1),
  );
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((part, place) => part !== other[place]);
  return (one[index] ?? 0) - (other[index] ?? 0);
}
