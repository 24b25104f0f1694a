import {
  creditsUsed,
  droppedParams,
  errorType,
  fallbackProvider,
  replyHeader,
  upstreamStatus,
} from '../http/messages.ts';
import { cutAfter, drop, onJson, onRequest, refuse, replace, set } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { is, isRefusal } from './builders/replies.ts';
import { hasQuery, readInput, withBody } from './builders/requests.ts';
import { entryRow } from './errors.ts';

const refused = { status: 400, category: 'invalid_input', reply: is.fromProvider };
const refusedInput = { ...refused, status: 422 };
const failed = { category: 'provider_error' };

const withoutResult =
  'MR-AST-01 MR-AST-02 MR-AST-22 MR-AST-23 MR-AST-28 MR-COL-06 MR-RUN-06 MR-RUN-10 MR-RUN-17 MR-RUN-18';
const oneDropped = JSON.stringify(['seed was dropped: the provider has no such field.']);

const resultWrapped = onJson((output) => ({ result: output }));
const bodyNormalised = onRequest((request) => withBody(request, readInput(request)));

/** Faults of results and of the other ends of a run. */
export const outcomeFaults: readonly Fault[] = [
  ...group({ id: 'run', on: 'runModel', status: 200 }, [
    fault('result.empty', `MR-RUN-02 MR-RUN-23 also ${withoutResult}`, set.text('')),
    fault('result.wrapped', `MR-RUN-23 also ${withoutResult}`, resultWrapped),
    fault('result.media-type-lost', 'MR-SCH-29 also MR-COL-05', set.header('Content-Type', 'text/plain')),
    fault('result.long-ones-cut', 'MR-RUN-23 also MR-COL-06', cutAfter(65_536)),
    fault('plain.claims-a-fallback', 'MR-HDR-11', set.header(fallbackProvider, 'image-provider-two')),
    fault('plain.claims-dropped-fields', 'MR-HDR-09 also MR-HDR-08', set.header(droppedParams, oneDropped)),
    fault('retry.credits-repeated', 'MR-HDR-27 MR-IDM-02', set.header(creditsUsed, '3'), { reply: is.replay }),
  ]),
  ...group({ id: 'outcomes', on: 'runModel', subject: 'A run that should end otherwise' }, [
    fault(
      'content-policy-violation.as-provider-error',
      'MR-CTG-06 MR-RUN-38 also MR-HDR-11',
      refuse(502, 'provider_error'),
      { category: 'content_policy_violation' },
    ),
    fault(
      'refused-request.as-provider-error',
      'MR-RUN-38 MR-STC-01 also MR-HDR-11',
      refuse(502, 'provider_error'),
      refused,
    ),
    fault(
      'provider-error.as-internal-error',
      'MR-CTG-07 MR-RUN-55 MR-STC-16 also MR-HDR-11',
      refuse(500, 'internal_error'),
      failed,
    ),
    fault('uninterpretable.as-empty-result', 'MR-CTG-07 MR-RUN-55', refuse(200, 'none'), {
      category: 'provider_error',
      reply: (reply) => replyHeader(reply, upstreamStatus) === '200',
    }),
    fault(
      'provider-timeout.as-provider-error',
      'MR-CTG-08 MR-RUN-58 MR-STC-19 also MR-RUN-56',
      refuse(502, 'provider_error'),
      { category: 'provider_timeout' },
    ),
    fault('deadline-exceeded.as-unavailable', 'MR-CTG-16 MR-RUN-58 MR-STC-19', refuse(503, 'service_unavailable'), {
      category: 'deadline_exceeded',
    }),
    fault('internal-error.as-unavailable', 'MR-CTG-15 MR-STC-15', refuse(503, 'service_unavailable'), {
      category: 'internal_error',
    }),
    fault('service-unavailable.as-internal-error', 'MR-CTG-18 MR-RUN-57 MR-STC-17', refuse(500, 'internal_error'), {
      category: 'service_unavailable',
    }),
    fault(
      'refused-input.as-request-level',
      'MR-RUN-49 MR-STC-11 also MR-HDR-11',
      refuse(400, 'invalid_input'),
      refusedInput,
    ),
    fault('refused-request.upstream-is-the-routers-own', 'MR-HDR-05', set.header(upstreamStatus, '400'), refused),
    fault('provider-error.upstream-is-the-routers-own', 'MR-HDR-05', set.header(upstreamStatus, '502'), failed),
    fault(
      'refused-input.as-provider-error',
      'MR-CTG-03 also MR-HDR-11',
      set.header(errorType, 'provider_error'),
      refusedInput,
    ),
    entryRow('refused-input.ctx-empty', 'MR-ERR-18', (entry) => ({ ctx: {}, ...entry }), { status: 422 }),
    entryRow('refused-input.input-null', 'MR-ERR-20', (entry) => ({ input: null, ...entry }), { status: 422 }),
    fault('invalid-input.charged', 'MR-STC-12 also MR-HDR-27', set.header(creditsUsed, '1'), { status: 422 }),
    fault('deadline.hint-for-lost-work', 'MR-RUN-60 MR-IDM-07', set.header('Retry-After', '2'), {
      status: 504,
      category: 'deadline_exceeded',
      reply: (reply) => replyHeader(reply, 'retry-after') === undefined,
    }),
    fault('too-large.taken', 'MR-RUN-48 MR-STC-10', set.text('{}', 200), { status: 413 }),
    fault('body.normalised', 'MR-RUN-17 also MR-RUN-38 MR-RUN-48', bodyNormalised, {
      when: (request) => request.body.length > 0 && !hasQuery('model_provider')(request),
    }),
  ]),
  ...group({ id: 'outcomes', on: 'collectRequest', status: 200 }, [
    fault('result.collected-anew', 'MR-COL-06', replace.member('received', {})),
    fault('collected.long-ones-cut', 'MR-COL-06 MR-COL-04', cutAfter(65_536)),
  ]),
  ...group({ id: 'outcomes.collected', on: 'collectRequest', status: isRefusal, subject: 'A failed request' }, [
    fault('policy-as-400-invalid-input', 'MR-CTG-06', refuse(400, 'invalid_input'), {
      category: 'content_policy_violation',
    }),
    fault('deadline-as-504-provider-timeout', 'MR-COL-20 MR-CTG-16', refuse(504, 'provider_timeout'), {
      category: 'deadline_exceeded',
    }),
    fault('refused-input-as-400-invalid-input', 'MR-COL-18', refuse(400, 'invalid_input'), {
      category: 'invalid_input',
    }),
    fault('internal-error-as-409-internal-error', 'MR-COL-17 MR-STC-09', refuse(409, 'internal_error'), {
      category: 'internal_error',
    }),
    fault(
      'unavailable-as-409-service-unavailable',
      'MR-COL-17 MR-STC-09 MR-CTG-18',
      refuse(409, 'service_unavailable'),
      { category: 'service_unavailable' },
    ),
    fault('failure-as-result', 'MR-CTG-07', set.text('{}', 200), { status: 502 }),
    fault('category-is-the-status-code', 'MR-CTG-08 MR-CTG-07 also MR-COL-20', set.category('502'), {
      status: [502, 504],
    }),
    fault('entries-lost', 'MR-COL-18', set.member('detail', 'Some fields were refused.'), { status: 422 }),
  ]),
  ...group({ id: 'outcomes.status', on: 'readStatus', status: 200, reply: is.failed, subject: 'A failed request' }, [
    fault('failure-looks-like-success', 'MR-QUE-11', drop.member('error_type')),
    fault('one-error-for-all', 'MR-QUE-11', set.member('error_type', 'provider_error')),
    fault('failed-is-a-fourth-word', 'MR-QUE-04 MR-QUE-33 also MR-QUE-11', set.member('status', 'FAILED')),
  ]),
];
