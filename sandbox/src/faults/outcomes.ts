import { creditsUsed, errorType, type Reply, replyHeader, upstreamStatus } from '../http/messages.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { cutAfter, drop, onRequest, refuse, replace, set } from './builders/changes.ts';
import { type Fault, fault, group, rowIn } from './builders/fault.ts';
import { isFailed } from './builders/queue.ts';
import { isRefusal, isReplay, readCategory } from './builders/replies.ts';
import { hasQuery, isOfModel, readInput, withBody } from './builders/requests.ts';
import { entryRow, firstEntryOnly, locRow } from './errors.ts';

/** Runs that end so. A provider that refused names its own status. */
type End = { readonly name: string; readonly on: (reply: Reply) => boolean };

const isOf =
  (category: string) =>
  (reply: Reply): boolean =>
    readCategory(reply) === category;
const isRefusedBy =
  (status: number) =>
  (reply: Reply): boolean =>
    reply.status === status && isOf('invalid_input')(reply) && replyHeader(reply, upstreamStatus) !== undefined;

function outcome({ name, on: reply }: End) {
  return { id: `outcomes.${name}`, on: ['runModel'], reply, subject: `A run that should end in ${name}` } as const;
}
const byCategory = (category: string): End => ({ name: category.replaceAll('_', '-'), on: isOf(category) });

/** Ends a run in this status and category instead. */
const endsIn = rowIn(([status, category]: [status: number, category: string]) => refuse(status, category));

const isUninterpretable = (reply: Reply): boolean =>
  isOf('provider_error')(reply) && replyHeader(reply, upstreamStatus) === '200';

const limits = 'MR-IDM-11 MR-RUN-52 MR-RUN-53 MR-RUN-54';

const failureFaults = [
  ...group(outcome(byCategory('content_policy_violation')), [
    endsIn('as-invalid-input', 'MR-CTG-06 also MR-HDR-11', [400, 'invalid_input']),
    endsIn('as-provider-error', 'MR-CTG-06 MR-RUN-38 also MR-HDR-11', [502, 'provider_error']),
  ]),
  ...group(outcome({ name: 'refused-request', on: isRefusedBy(400) }), [
    endsIn('as-provider-error', 'MR-RUN-38 MR-STC-01 also MR-HDR-11', [502, 'provider_error']),
    fault('upstream-is-the-routers-own', 'MR-HDR-05', set.header(upstreamStatus, '400')),
  ]),
  ...group(outcome(byCategory('provider_error')), [
    endsIn('as-internal-error', 'MR-CTG-07 MR-RUN-55 MR-STC-16 also MR-HDR-11', [500, 'internal_error']),
    fault('upstream-is-the-routers-own', 'MR-HDR-05', set.header(upstreamStatus, '502')),
  ]),
  ...group(outcome({ name: 'uninterpretable', on: isUninterpretable }), [
    endsIn('as-empty-result', 'MR-CTG-07 MR-RUN-55', [200, 'none']),
  ]),
  ...group(outcome(byCategory('provider_timeout')), [
    endsIn('as-deadline', 'MR-CTG-08', [504, 'deadline_exceeded']),
    endsIn('as-provider-error', 'MR-CTG-08 MR-RUN-58 MR-STC-19 also MR-RUN-56', [502, 'provider_error']),
  ]),
  ...group(outcome(byCategory('deadline_exceeded')), [
    endsIn('as-provider-timeout', 'MR-CTG-16 also MR-IDM-48', [504, 'provider_timeout']),
    endsIn('as-unavailable', 'MR-CTG-16 MR-RUN-58 MR-STC-19', [503, 'service_unavailable']),
  ]),
  ...group(outcome(byCategory('internal_error')), [
    endsIn('as-unavailable', 'MR-CTG-15 MR-STC-15', [503, 'service_unavailable']),
  ]),
  ...group(outcome(byCategory('service_unavailable')), [
    endsIn('as-internal-error', 'MR-CTG-18 MR-RUN-57 MR-STC-17', [500, 'internal_error']),
    endsIn('as-rate-limit', `MR-CTG-18 MR-RUN-57 MR-STC-17 also ${limits}`, [429, 'rate_limited']),
  ]),
  ...group(outcome({ name: 'refused-input', on: isRefusedBy(422) }), [
    endsIn('as-request-level', 'MR-RUN-49 MR-STC-11 also MR-HDR-11', [400, 'invalid_input']),
    fault('as-provider-error', 'MR-CTG-03 also MR-HDR-11', set.header(errorType, 'provider_error')),
  ]),
];

const isAudio = (reply: Reply): boolean => replyHeader(reply, 'content-type')?.startsWith('audio/') === true;

const normalised = onRequest((request) => withBody(request, readInput(request)));
const withDefaults = onRequest((request) => withBody(request, { delay_ms: 0, ...readInput(request) }));

/** A request that ended in the category `from` is collected as `as`. */
const endings = [
  { name: 'policy', from: 'content_policy_violation', as: '400 invalid_input', requirements: 'MR-CTG-06' },
  { name: 'provider-error', from: 'provider_error', as: '410 internal_error', requirements: 'MR-CTG-07' },
  { name: 'provider-timeout', from: 'provider_timeout', as: '504 deadline_exceeded', requirements: 'MR-CTG-08' },
  { name: 'deadline', from: 'deadline_exceeded', as: '504 provider_timeout', requirements: 'MR-COL-20 MR-CTG-16' },
  { name: 'refused-input', from: 'invalid_input', as: '400 invalid_input', requirements: 'MR-COL-18' },
  { name: 'internal-error', from: 'internal_error', as: '409 internal_error', requirements: 'MR-COL-17 MR-STC-09' },
  {
    name: 'unavailable',
    from: 'service_unavailable',
    as: '409 service_unavailable',
    requirements: 'MR-COL-17 MR-STC-09 MR-CTG-18',
  },
];

const endingFaults = endings.map(({ name, from, as, requirements }) => {
  const [status = '', category = ''] = as.split(' ');
  const suffix = `${name}-as-${as.replaceAll(/[ _]/g, '-')}`;
  return fault(suffix, requirements, refuse(Number(status), category), {
    reply: (reply) => readCategory(reply) === from,
  });
});

export const outcomeFaults: readonly Fault[] = [
  ...failureFaults,
  ...group({ id: 'outcomes', on: ['runModel'], status: 422, subject: 'The 422 of a run' }, [
    entryRow('refused-input.ctx-empty', 'MR-ERR-18', (entry) => ({ ctx: {}, ...entry })),
    entryRow('refused-input.input-null', 'MR-ERR-20', (entry) => ({ input: null, ...entry })),
    locRow('refused-input.index-as-text', 'MR-ERR-14', (loc) => loc.map(String)),
    locRow('refused-input.path-reversed', 'MR-ERR-13 also MR-ERR-14', (loc) => loc.toReversed()),
    fault('refused-input.first-entry-only', 'MR-ERR-11 MR-ERR-10', firstEntryOnly),
    fault('invalid-input.charged', 'MR-STC-12 also MR-HDR-27', set.header(creditsUsed, '1')),
  ]),
  ...group({ id: 'outcomes', on: ['runModel', 'submitRequest'] }, [
    fault('deadline.hint-for-lost-work', 'MR-RUN-60 MR-IDM-07', set.header('Retry-After', '2'), {
      on: ['runModel'],
      status: 504,
      reply: (reply) => isOf('deadline_exceeded')(reply) && replyHeader(reply, 'retry-after') === undefined,
    }),
  ]),
  ...group({ id: 'outcomes.too-large', on: ['runModel'], status: 413, subject: 'A run with a body above the limit' }, [
    fault('taken', 'MR-RUN-48 MR-STC-10', set.text('{}', 200)),
  ]),
  ...group({ id: 'outcomes', on: ['runModel'] }, [
    fault('body.normalised', 'MR-RUN-17 also MR-RUN-38 MR-RUN-48', normalised, {
      when: (request) => request.body.length > 0 && !hasQuery('model_provider')(request),
    }),
    fault('body.defaults-filled-in', 'MR-RUN-17 also MR-COL-06', withDefaults, {
      when: (request) => isOfModel(outcomeModelIds.main)(request) && !hasQuery('model_provider')(request),
    }),
    fault('credits.replayed', 'MR-HDR-27 MR-IDM-02', set.header(creditsUsed, '7'), {
      status: 200,
      reply: isReplay,
    }),
  ]),
  ...group({ id: 'outcomes', on: ['collectRequest'], status: 200 }, [
    fault('file.collected-as-octet-stream', 'MR-COL-05', set.header('Content-Type', 'application/octet-stream'), {
      reply: isAudio,
    }),
    fault('file.collected-cut', 'MR-COL-06', cutAfter(-4), { reply: isAudio }),
    fault('result.collected-anew', 'MR-COL-06', replace.member('received', {})),
    fault('collected.long-ones-cut', 'MR-COL-06 MR-COL-04', cutAfter(65_536)),
  ]),
  ...group({ id: 'outcomes.collected', on: ['collectRequest'], status: isRefusal }, endingFaults),
  ...group({ id: 'outcomes.collected', on: ['collectRequest'], subject: 'A failed request' }, [
    fault('failure-as-result', 'MR-CTG-07', set.text('{}', 200), { status: 502 }),
    fault('category-is-the-status-code', 'MR-CTG-08 MR-CTG-07 also MR-COL-20', set.category('502'), {
      status: [502, 504],
    }),
    fault('entries-lost', 'MR-COL-18', set.member('detail', 'Some fields were refused.'), { status: 422 }),
  ]),
  ...group({ id: 'outcomes.status', on: ['readStatus'], status: 200, subject: 'The status of a failure' }, [
    fault('failure-looks-like-success', 'MR-QUE-11', drop.member('error_type'), { reply: isFailed }),
    fault('one-error-for-all', 'MR-QUE-11', set.member('error_type', 'provider_error'), { reply: isFailed }),
    fault('failed-is-a-fourth-word', 'MR-QUE-04 MR-QUE-33 also MR-QUE-11', set.member('status', 'FAILED'), {
      reply: isFailed,
    }),
  ]),
];
