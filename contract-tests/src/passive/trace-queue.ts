import type { Draft } from '../finding.ts';
import { excerpt, finding } from '../require.ts';
import type { Rule } from '../rule.ts';
import { hasCapability } from '../target.ts';
import { traceRule } from './passive-rule.ts';
import { isOf, memberOfBody, type Sighting, sentValue } from './sighting.ts';

/** A queued request as one answer shows it: a handle, a status, or the 202 of collect. */
type Glimpse = {
  readonly sighting: Sighting;
  readonly requestId: string;
  readonly status: unknown;
  readonly errorType: unknown;
};

const stateRule = (declaration: Omit<Parameters<typeof traceRule>[0], 'appliesTo'>): Rule =>
  // A mock answers with the same examples whatever is asked.
  traceRule({ ...declaration, appliesTo: hasCapability('state') });

function glimpsesOf(sightings: readonly Sighting[]): readonly Glimpse[] {
  return sightings.filter(showsRequest).flatMap((sighting) => {
    const requestId = memberOfBody(sighting, 'request_id');
    if (typeof requestId !== 'string') return [];
    const [status, errorType] = [memberOfBody(sighting, 'status'), memberOfBody(sighting, 'error_type')];
    return [{ sighting, requestId, status, errorType }];
  });
}

function showsRequest(sighting: Sighting): boolean {
  const { status } = sighting.answer;
  return (
    (isOf(sighting, 'submitRequest') && status === 201) ||
    (isOf(sighting, 'readStatus') && status === 200) ||
    (isOf(sighting, 'collectRequest') && status === 202)
  );
}

/** Judges each queued request by all that was seen of it, oldest first; undefined when none was seen. */
function forEachRequest(judge: (glimpses: readonly Glimpse[]) => readonly Draft[]) {
  return (sightings: readonly Sighting[]): readonly Draft[] | undefined => {
    const glimpses = glimpsesOf(sightings);
    if (glimpses.length === 0) return undefined;
    return [...Map.groupBy(glimpses, ({ requestId }) => requestId).values()].flatMap(judge);
  };
}

/** Pairs of what was seen complete and what was seen of the same request by a call begun after that. */
function laterThanComplete(glimpses: readonly Glimpse[]): readonly (readonly [Glimpse, Glimpse])[] {
  const complete = glimpses.find(({ status }) => status === 'COMPLETED');
  if (complete === undefined) return [];
  const { startedAtMs, durationMs } = complete.sighting.exchange.timing;
  return (
    glimpses
      .slice(glimpses.indexOf(complete) + 1)
      // A replayed handle may show the status of its first answer (C-22).
      .filter(({ sighting }) => !isOf(sighting, 'submitRequest'))
      .filter(({ sighting }) => sighting.exchange.timing.startedAtMs >= startedAtMs + durationMs)
      .map((later) => [complete, later] as const)
  );
}

function differs({ sighting }: Glimpse, pointer: string, values: { wanted: unknown; got: unknown }): Draft {
  const said = { expected: JSON.stringify(values.wanted) ?? 'absent', actual: JSON.stringify(values.got) ?? 'absent' };
  return finding('values-differ', { step: sighting.answer.step, pointer }, said);
}

function requireFinalStatus(glimpses: readonly Glimpse[]): readonly Draft[] {
  return laterThanComplete(glimpses)
    .filter(([, later]) => later.status !== 'COMPLETED')
    .map(([, later]) => differs(later, '/status', { wanted: 'COMPLETED', got: later.status }));
}

function requireFinalOutcome(glimpses: readonly Glimpse[]): readonly Draft[] {
  return laterThanComplete(glimpses)
    .filter(([complete, later]) => later.status === 'COMPLETED' && !isSame(later.errorType, complete.errorType))
    .map(([complete, later]) => differs(later, '/error_type', { wanted: complete.errorType, got: later.errorType }));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function requireErrorTypeAtTheEnd({ sighting, status, errorType }: Glimpse): readonly Draft[] {
  const at = { step: sighting.answer.step, pointer: '/error_type' };
  if (errorType === null) return [finding('value-unexpected', at, { expected: 'absent', actual: 'null' })];
  if (errorType === undefined || status === 'COMPLETED') return [];
  const said = { expected: `absent while ${JSON.stringify(status)}`, actual: excerpt(JSON.stringify(errorType)) };
  return [finding('value-unexpected', at, said)];
}

/** NS-01: the two other names are not known, their number is. */
function requireThreeStatuses(sightings: readonly Sighting[]): readonly Draft[] | undefined {
  const glimpses = glimpsesOf(sightings);
  if (glimpses.length === 0) return undefined;
  const seen = new Set<string>();
  return glimpses.flatMap(({ sighting, status }) => {
    if (typeof status !== 'string' || status === 'COMPLETED' || seen.has(status)) return [];
    seen.add(status);
    if (seen.size <= 2) return [];
    const said = { expected: `no more than COMPLETED, ${[...seen].slice(0, 2).join(', ')}`, actual: status };
    return [finding('value-unexpected', { step: sighting.answer.step, pointer: '/status' }, said)];
  });
}

function requireNoNegativePosition({ sighting }: Glimpse): readonly Draft[] {
  const position = memberOfBody(sighting, 'queue_position');
  if (typeof position !== 'number' || position >= 0) return [];
  const at = { step: sighting.answer.step, pointer: '/queue_position' };
  return [finding('value-unexpected', at, { expected: 'at least 0', actual: String(position) })];
}

const urlMembers = ['status_url', 'response_url', 'cancel_url'] as const;

/** A URL that was given out for one request and shows another one. */
function requireOwnUrls(sightings: readonly Sighting[]): readonly Draft[] | undefined {
  const glimpses = glimpsesOf(sightings);
  if (glimpses.length === 0) return undefined;
  const owners = new Map<string, string>();
  const purposes = new Map<string, string>();
  const shared = glimpses.flatMap((glimpse) =>
    urlMembers.flatMap((member) => {
      const url = memberOfBody(glimpse.sighting, member);
      if (typeof url !== 'string') return [];
      // Status, result and cancellation may share one address only where the method tells them apart: the cancellation.
      const purpose = purposes.get(url) ?? member;
      purposes.set(url, purpose);
      if (purpose !== member && member !== 'cancel_url' && purpose !== 'cancel_url')
        return [differs(glimpse, `/${member}`, { wanted: `an address that is no ${purpose}`, got: url })];
      const owner = owners.get(url) ?? glimpse.requestId;
      owners.set(url, owner);
      if (owner === glimpse.requestId) return [];
      return [differs(glimpse, `/${member}`, { wanted: `a URL of ${glimpse.requestId}`, got: `that of ${owner}` })];
    }),
  );
  return [...shared, ...sightings.flatMap((sighting) => followedElsewhere(sighting, owners))];
}

function followedElsewhere(sighting: Sighting, owners: ReadonlyMap<string, string>): readonly Draft[] {
  const { exchange, answer } = sighting;
  const owner = owners.get(exchange.rebasedFrom ?? exchange.request.url);
  const shown = memberOfBody(sighting, 'request_id');
  // Collect's 200 is the model's result, whose members are its own.
  if (owner === undefined || typeof shown !== 'string' || shown === owner || isResult(sighting)) return [];
  return [finding('values-differ', { step: answer.step, pointer: '/request_id' }, { expected: owner, actual: shown })];
}

function isResult(sighting: Sighting): boolean {
  return isOf(sighting, 'collectRequest') && sighting.answer.status === 200;
}

/** Without a key a second submission is a second request, however alike the two are. */
function requireRequestOfItsOwn(glimpses: readonly Glimpse[]): readonly Draft[] {
  const admitted = glimpses
    .filter(({ sighting }) => isOf(sighting, 'submitRequest'))
    .filter(({ sighting }) => sentValue(sighting.exchange, 'Idempotency-Key') === undefined);
  return admitted
    .slice(1)
    .map((glimpse) => differs(glimpse, '/request_id', { wanted: 'a request of its own', got: glimpse.requestId }));
}

/** What cancelling told of a request against what the status told of it by then, or afterwards. */
function requireCancelToAgree(sightings: readonly Sighting[]): readonly Draft[] | undefined {
  const cancels = sightings.filter((one) => isOf(one, 'cancelRequest') && [202, 409].includes(one.answer.status));
  if (cancels.length === 0) return undefined;
  const glimpses = glimpsesOf(sightings).filter(({ sighting }) => !isOf(sighting, 'submitRequest'));
  return cancels.flatMap((cancel) => {
    const isOfIt = ({ requestId }: Glimpse): boolean => requestId === cancel.parameters['request_id'];
    const isComplete = ({ status }: Glimpse): boolean => status === 'COMPLETED';
    const own = glimpses.filter(isOfIt);
    const at = { step: cancel.answer.step };
    const cameBefore = (one: Sighting, other: Sighting): boolean =>
      sightings.indexOf(one) < sightings.indexOf(other) && endOf(one) <= other.exchange.timing.startedAtMs;
    if (cancel.answer.status === 202 && own.some((one) => isComplete(one) && cameBefore(one.sighting, cancel)))
      return [finding('status-unexpected', at, { expected: '409 for what was seen COMPLETED', actual: '202' })];
    const later = own.find((one) => !isComplete(one) && cameBefore(cancel, one.sighting));
    if (cancel.answer.status === 202 || later === undefined) return [];
    const actual = `${JSON.stringify(later.status)} at ${later.sighting.answer.step}`;
    return [finding('values-differ', at, { expected: 'COMPLETED ever after ALREADY_COMPLETED', actual })];
  });
}

function endOf({ exchange }: Sighting): number {
  return exchange.timing.startedAtMs + exchange.timing.durationMs;
}

export const queueTraceRules: readonly Rule[] = [
  stateRule({
    id: 'status.at-most-three-values',
    requirements: ['MR-QUE-04', 'MR-QUE-05'],
    judge: requireThreeStatuses,
  }),
  stateRule({
    id: 'status.completed-is-never-left',
    requirements: ['MR-QUE-33', 'MR-CTG-21'],
    judge: forEachRequest(requireFinalStatus),
  }),
  stateRule({
    id: 'status.outcome-stays',
    requirements: ['MR-QUE-33', 'MR-CAN-13', 'MR-CTG-21'],
    judge: forEachRequest(requireFinalOutcome),
  }),
  stateRule({
    id: 'status.error-type-only-at-the-end',
    requirements: ['MR-QUE-11', 'MR-QUE-12', 'MR-QUE-14', 'MR-QUE-28'],
    judge: forEachRequest((glimpses) => glimpses.flatMap(requireErrorTypeAtTheEnd)),
  }),
  stateRule({
    id: 'status.position-is-never-negative',
    requirements: ['MR-QUE-08'],
    judge: forEachRequest((glimpses) => glimpses.flatMap(requireNoNegativePosition)),
  }),
  stateRule({
    id: 'handle.names-a-request-of-its-own',
    requirements: ['MR-QUE-30', 'MR-QUE-01', 'MR-IDM-32'],
    judge: forEachRequest(requireRequestOfItsOwn),
  }),
  stateRule({
    id: 'cancel.agrees-with-the-status',
    requirements: ['MR-CAN-03', 'MR-CAN-04', 'MR-STC-08'],
    judge: requireCancelToAgree,
  }),
  stateRule({
    id: 'handle.urls-lead-to-its-own-request',
    requirements: ['MR-QUE-20', 'MR-QUE-23', 'MR-QUE-26', 'MR-QUE-01', 'MR-CAN-08'],
    judge: requireOwnUrls,
  }),
];
