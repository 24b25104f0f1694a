import type { JsonValue } from '../../../../specs/src/index.ts';
import { computeEnd, isReplay, once, readHeader, readMember } from '../../contract/evidence.ts';
import { type Finding, finding } from '../../contract/finding.ts';
import type { RuleId } from '../../contract/rule.ts';
import { state, statement } from '../../requires.ts';
import * as expect from '../expect.ts';
import type { ObservedResponse, TraceCheck, TraceRuleDetails } from './passive-rule.ts';
import { isOperation, isResponseTo, isResult, isRouterError, traceRule } from './passive-rule.ts';

/** State of a queued request in one response: a handle, a status, or the 202 of collect. */
type RequestView = {
  readonly observed: ObservedResponse;
  readonly requestId: string;
  readonly status: JsonValue | undefined;
  readonly errorType: JsonValue | undefined;
};

const showsRequest = isResponseTo('submitRequest 201', 'readStatus 200', 'collectRequest 202');

function listViews(responses: readonly ObservedResponse[]): readonly RequestView[] {
  return responses.filter(showsRequest).flatMap((observed) => {
    const requestId = observed.parameters['request_id'] ?? readMember(observed, '/request_id');
    const status = readMember(observed, '/status');
    const errorType = readMember(observed, '/error_type');
    return typeof requestId === 'string' ? [{ observed, requestId, status, errorType }] : [];
  });
}

type ViewCheck = (views: readonly RequestView[], responses: readonly ObservedResponse[]) => readonly Finding[];

const onViews =
  (check: ViewCheck): TraceCheck =>
  (responses) => {
    const views = listViews(responses);
    return views.length === 0 ? undefined : check(views, responses);
  };

const onEachRequest = (check: (views: readonly RequestView[]) => readonly Finding[]): TraceCheck =>
  onViews((views) => [...Map.groupBy(views, ({ requestId }) => requestId).values()].flatMap(check));

const isComplete = ({ status }: RequestView): boolean => status === 'COMPLETED';

/** True for a view that was requested after another one. A replayed handle may show an earlier state (OP-222). */
function isLater({ observed }: RequestView, other: RequestView): boolean {
  if (isOperation(observed, 'submitRequest')) return false;
  return observed.exchange.timing.startedAtMs >= computeEnd(other.observed.exchange);
}

function createDifference({ observed }: RequestView, pointer: string, wanted: unknown, got: unknown): Finding {
  const [expected = 'absent', actual = 'absent'] = [wanted, got].map((value) => JSON.stringify(value));
  return finding('values-differ', { step: observed.step, pointer }, expected, actual);
}

const checkUrls: ViewCheck = (views, responses) => {
  const owners = new Map<string, string>();
  const purposes = new Map<string, string>();
  const shared = views.flatMap((view) =>
    ['status_url', 'response_url', 'cancel_url'].flatMap((member) => {
      const url = readMember(view.observed, `/${member}`);
      if (typeof url !== 'string') return [];
      // Only the cancel URL may equal another URL, because its method differs.
      const purpose = once(purposes, url, () => member);
      if (purpose !== member && member !== 'cancel_url' && purpose !== 'cancel_url')
        return [createDifference(view, `/${member}`, `a URL that is not the ${purpose}`, url)];
      const owner = once(owners, url, () => view.requestId);
      if (owner === view.requestId) return [];
      return [createDifference(view, `/${member}`, `a URL of ${view.requestId}`, `a URL of ${owner}`)];
    }),
  );
  const followedElsewhere = responses.flatMap((observed) => {
    const { exchange, step } = observed;
    const owner = owners.get(exchange.rebasedFrom ?? exchange.request.url);
    const shown = readMember(observed, '/request_id');
    // Ignore results, whose members are defined by the model, and errors, whose request_id may be the id of the call.
    if (isResult(observed) || isRouterError(observed)) return [];
    if (owner === undefined || typeof shown !== 'string' || shown === owner) return [];
    return [finding('values-differ', { step, pointer: '/request_id' }, owner, shown)];
  });
  return [...shared, ...followedElsewhere];
};

/** Requires state, because a mock returns the same examples for every request. */
const queueRule = (id: RuleId, statement: TraceRuleDetails) => traceRule(id, { requires: [state], ...statement });

export const queueRules = [
  queueRule('trace.status.at-most-three-values', {
    sentence: 'Requests have at most three different statuses.',
    requirements: ['MR-QUE-04', 'MR-QUE-05'],
    // The names of the other two statuses are undocumented (OP-001), but there are only two of them.
    check: onViews((views) => {
      const seen = new Set<string>();
      return views.flatMap(({ observed, status }) => {
        if (typeof status !== 'string' || status === 'COMPLETED' || seen.has(status)) return [];
        seen.add(status);
        if (seen.size <= 2) return [];
        const expected = `no more than COMPLETED, ${[...seen].slice(0, 2).join(', ')}`;
        return expect.wrongAt(observed.step, '/status', expected, status);
      });
    }),
  }),
  queueRule('trace.status.completed-is-never-left', {
    sentence: 'A completed request stays COMPLETED, with the same outcome.',
    requirements: ['MR-QUE-33', 'MR-CAN-13', 'MR-CTG-21'],
    check: onEachRequest((views) => {
      const complete = views.find(isComplete);
      if (complete === undefined) return [];
      // A handle has no field for the outcome (MR-QUE-28).
      const isHandle = isOperation(complete.observed, 'submitRequest') && complete.errorType === undefined;
      return views.flatMap((later) => {
        if (!isLater(later, complete)) return [];
        if (!isComplete(later)) return [createDifference(later, '/status', 'COMPLETED', later.status)];
        return isHandle || JSON.stringify(later.errorType) === JSON.stringify(complete.errorType)
          ? []
          : [createDifference(later, '/error_type', complete.errorType, later.errorType)];
      });
    }),
  }),
  queueRule('trace.handle.names-a-request-of-its-own', {
    sentence: 'Every submission gets its own request id.',
    requirements: ['MR-QUE-30', 'MR-QUE-01', 'MR-IDM-32'],
    // Without a key, a second submission creates a second request even if it is identical.
    check: onEachRequest((views) => {
      const admitted = views
        .filter(({ observed }) => isOperation(observed, 'submitRequest'))
        .filter(({ observed }) => readHeader(observed.exchange.request, 'Idempotency-Key') === undefined);
      return admitted.slice(1).map((view) => createDifference(view, '/request_id', 'a new request', view.requestId));
    }),
  }),
  queueRule('trace.status.front-is-kept', {
    sentence: 'A waiting request at queue position 0 does not move back.',
    reading: 'OP-122',
    requirements: ['MR-QUE-09', 'MR-QUE-10'],
    // Other requests may overtake a waiting request, unless it has reached the front of the queue (MR-QUE-10).
    check: (responses) => {
      const waiting = listViews(responses).flatMap((view) => {
        const position = readMember(view.observed, '/queue_position');
        return typeof position === 'number' && !isComplete(view) ? [{ ...view, position }] : [];
      });
      if (waiting.length === 0) return undefined;
      return waiting.flatMap((view) => {
        const { observed, requestId, position } = view;
        const wasInFront = waiting.some(
          (other) => other.requestId === requestId && other.position === 0 && isLater(view, other),
        );
        return wasInFront && position > 0
          ? expect.wrongAt(observed.step, '/queue_position', '0, as before', String(position))
          : [];
      });
    },
  }),
  queueRule('trace.status.front-is-position-0', {
    sentence: 'The first request of a check is at position 0 of the queue if the service has no other callers.',
    requirements: ['MR-QUE-09', 'MR-QUE-10'],
    readsAttributed: true,
    requires: [state, ...statement('exclusive')],
    check: onViews((views) => {
      const [first] = views;
      if (first === undefined || !isOperation(first.observed, 'submitRequest')) return [];
      const isOfFirst = ({ requestId }: RequestView): boolean => requestId === first.requestId;
      const next = views.find((view) => !isOfFirst(view))?.observed.exchange.timing.startedAtMs ?? Infinity;
      return views
        .filter((view) => isOfFirst(view) && !isComplete(view) && computeEnd(view.observed.exchange) <= next)
        .flatMap(({ observed }) => {
          const position = readMember(observed, '/queue_position');
          const isBehind = typeof position === 'number' && position > 0 && !isReplay(observed);
          return isBehind ? expect.wrongAt(observed.step, '/queue_position', '0', String(position)) : [];
        });
    }),
  }),
  queueRule('trace.handle.urls-lead-to-its-own-request', {
    sentence: 'The URLs in a handle or status are URLs of that request, and no other request has them.',
    requirements: ['MR-QUE-01', 'MR-QUE-20', 'MR-QUE-23', 'MR-QUE-26', 'MR-STA-03', 'MR-CAN-08'],
    check: onViews(checkUrls),
  }),
];
