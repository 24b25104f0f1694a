import { creditsUsed, droppedParams, fallbackProvider, replyHeader, upstreamStatus } from '../http/messages.ts';
import {
  drop,
  failWith500,
  is,
  isErrorStatus,
  onEachCall,
  onReply,
  onRequest,
  readReply,
  replyWithError,
  set,
  withHeader,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { hasParameter, readRequest, withBody } from './builders/requests.ts';
import { changeEntries } from './errors.ts';

const resultRequirements = [
  ...['MR-AST-01', 'MR-AST-02', 'MR-AST-22', 'MR-AST-23', 'MR-AST-28', 'MR-COL-06', 'MR-RUN-06', 'MR-RUN-10'],
  ...['MR-RUN-17', 'MR-RUN-18'],
];
const oneDroppedField = JSON.stringify(['seed was dropped: the provider has no such field.']);

/** Prints the JSON of the body anew, so that its bytes change. */
const normaliseBody = onRequest((request) => withBody(request, readRequest.input(request)));
const copyStatusToUpstream = onReply((reply) => withHeader(reply, upstreamStatus, String(reply.status)));
const truncateBodies = onReply((reply) => ({ ...reply, body: readReply.bytes(reply).slice(0, 65_536) }));
const addEmptyCtx = changeEntries((entry) => ({ ctx: {}, ...entry }));
const addNullInput = changeEntries((entry) => ({ input: null, ...entry }));

const contentPolicyViolations = { category: 'content_policy_violation' };
const providerTimeouts = { category: 'provider_timeout' };
const exceededDeadlines = { category: 'deadline_exceeded' };
const internalErrors = { category: 'internal_error' };
const rejectAsUnavailable = replyWithError(503, 'service_unavailable');
const failAsProvider = replyWithError(502, 'provider_error');

type Spend = { limit: number; current: number; remaining: number };

/** Changes the three spend figures of a reply. */
function changeSpend(change: (spend: Spend) => Partial<Spend>): Change {
  return onReply((reply) => {
    const cents = (part: string): number => Number(replyHeader(reply, `X-Committed-Spend-${part}`) ?? Number.NaN);
    const spend = { limit: cents('limit'), current: cents('current'), remaining: cents('remaining') };
    if (Object.values(spend).some(Number.isNaN)) return reply;
    return Object.entries(change(spend)).reduce(
      (changed, [part, value]) => withHeader(changed, `X-Committed-Spend-${part}`, String(value)),
      reply,
    );
  });
}

const reportSpendInDollars = changeSpend(({ current }) => ({ current: Math.floor(current / 100) }));
const hideReservations = changeSpend(({ limit }) => ({ current: 0, remaining: limit }));
/** Never releases three cents of each call's reservation, so that the committed spend grows with each call. */
const keepPartOfReservations = onEachCall((count) =>
  changeSpend(({ limit, current }) => ({
    current: current + 3 * count,
    remaining: Math.max(0, limit - current - 3 * count),
  })),
);

const spendRequirements = ['MR-HDR-18', 'MR-HDR-19'];

export const outcomeFaults: readonly Fault[] = [
  ...group({ id: 'run', on: 'runModel', status: 200 }, [
    fault('result.empty', ['MR-RUN-02', 'MR-RUN-23'], set.text(''), { also: resultRequirements }),
    fault('result.media-type-lost', ['MR-SCH-29'], set.header('Content-Type', 'text/plain'), { also: ['MR-COL-05'] }),
    fault('plain.claims-a-fallback', ['MR-HDR-11'], set.header(fallbackProvider, 'image-provider-two')),
    fault('plain.claims-dropped-fields', ['MR-HDR-09'], set.header(droppedParams, oneDroppedField), {
      also: ['MR-HDR-08'],
    }),
    fault('retry.credits-repeated', ['MR-HDR-27', 'MR-IDM-02'], set.header(creditsUsed, '3'), { reply: is.replay }),
  ]),
  ...group({ id: 'outcomes', on: 'runModel' }, [
    fault('policy.as-provider-error', ['MR-CTG-06', 'MR-RUN-38'], failAsProvider, {
      ...contentPolicyViolations,
      also: ['MR-HDR-11'],
    }),
    fault('refused-request.as-provider-error', ['MR-RUN-38', 'MR-STC-01'], failAsProvider, {
      also: ['MR-HDR-11'],
      status: 400,
      category: 'invalid_input',
      reply: is.fromProvider,
    }),
    fault('provider-error.as-internal-error', ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'], failWith500, {
      also: ['MR-HDR-11'],
      category: 'provider_error',
    }),
    fault('provider-timeout.as-provider-error', ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'], failAsProvider, {
      ...providerTimeouts,
      also: ['MR-RUN-56'],
    }),
    fault(
      'deadline-exceeded.as-unavailable',
      ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
      rejectAsUnavailable,
      exceededDeadlines,
    ),
    fault('internal-error.as-unavailable', ['MR-CTG-15', 'MR-STC-15'], rejectAsUnavailable, internalErrors),
    fault('upstream-status.is-the-routers-own', ['MR-HDR-05'], copyStatusToUpstream, {
      status: [400, 502],
      reply: is.fromProvider,
    }),
    fault('refused-input.ctx-empty', ['MR-ERR-18'], addEmptyCtx, { status: 422 }),
    fault('refused-input.input-null', ['MR-ERR-20'], addNullInput, { status: 422 }),
    fault('invalid-input.charged', ['MR-STC-12'], set.header(creditsUsed, '1'), { also: ['MR-HDR-27'], status: 422 }),
    fault('deadline.hint-for-lost-work', ['MR-RUN-60', 'MR-IDM-07'], set.header('Retry-After', '2'), {
      ...exceededDeadlines,
      reply: (reply) => replyHeader(reply, 'retry-after') === undefined,
    }),
    fault('too-large.taken', ['MR-RUN-48', 'MR-STC-10'], set.text('{}', 200), { status: 413 }),
    fault('body.normalised', ['MR-RUN-17'], normaliseBody, {
      also: ['MR-RUN-38', 'MR-RUN-48'],
      when: (request) => request.body.length > 0 && !hasParameter('model_provider')(request),
    }),
  ]),
  ...group({ id: 'outcomes.collected', on: 'collectRequest', status: isErrorStatus }, [
    fault('long-ones-cut', ['MR-COL-06', 'MR-COL-04'], truncateBodies, { status: 200 }),
    fault('policy-as-400-invalid-input', ['MR-CTG-06'], replyWithError(400, 'invalid_input'), contentPolicyViolations),
    fault(
      'deadline-as-504-provider-timeout',
      ['MR-COL-20', 'MR-CTG-16'],
      replyWithError(504, 'provider_timeout'),
      exceededDeadlines,
    ),
    fault('internal-error-as-409', ['MR-COL-17', 'MR-STC-09'], replyWithError(409, 'internal_error'), internalErrors),
    fault('unavailable-as-409', ['MR-COL-17', 'MR-STC-09', 'MR-CTG-18'], replyWithError(409, 'service_unavailable'), {
      category: 'service_unavailable',
    }),
    fault('category-is-the-status-code', ['MR-CTG-08', 'MR-CTG-07'], set.category('502'), {
      also: ['MR-COL-20'],
      status: [502, 504],
    }),
    fault('entries-lost', ['MR-COL-18'], set.member('detail', 'Some fields were rejected.'), { status: 422 }),
  ]),
  ...group({ id: 'outcomes.status', on: 'readStatus', status: 200, reply: is.failed }, [
    fault('failure-looks-like-success', ['MR-QUE-11'], drop.member('error_type')),
    fault('one-error-for-all', ['MR-QUE-11'], set.member('error_type', 'provider_error')),
  ]),
  ...group({ id: 'quotas.spend', on: 'runModel' }, [
    fault('never-reserved', spendRequirements, hideReservations),
    fault('never-released', spendRequirements, keepPartOfReservations),
    fault('in-dollars', ['MR-HDR-19', 'MR-HDR-20'], reportSpendInDollars),
  ]),
  ...group({ id: 'quotas.submit', on: 'submitRequest', status: 429 }, [
    fault('rate-limit-as-503', ['MR-IDM-10', 'MR-STC-14'], replyWithError(503, 'service_unavailable')),
    fault('limits-confused', ['MR-IDM-13', 'MR-CTG-13'], set.category('rate_limited')),
  ]),
  ...group({ id: 'quotas.position', on: 'submitRequest', status: 201 }, [
    fault(
      'each-behind-the-other',
      ['MR-QUE-09'],
      set.member('queue_position', () => 1),
    ),
  ]),
];
