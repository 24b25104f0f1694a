import { droppedParams, fallbackProvider, type ServerRequest } from '../http/messages.ts';
import {
  drop,
  isErrorStatus,
  omitMembers,
  onJson,
  onRequest,
  readReply,
  replyWithError,
  resend,
  set,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { hasParameter, type RequestCondition, readRequest, withBody, withQuery } from './builders/requests.ts';

const namesProvider = hasParameter('model_provider');
const usesStrictMode = hasParameter('strict_mode', 'true');
const isConverted: RequestCondition = (run) => namesProvider(run) && !usesStrictMode(run);
const isStrict: RequestCondition = (run) => namesProvider(run) && usesStrictMode(run);
const isStrictOnly: RequestCondition = (run) => usesStrictMode(run) && !namesProvider(run);
const hasNoQuery: RequestCondition = (run) => !run.target.includes('?');

const selectNativeProvider = (request: ServerRequest): ServerRequest =>
  withQuery(request, { model_provider: undefined, strict_mode: undefined });
/** Reports in the result of the outcome model that the alternate received the unconverted body. */
const reportUnconvertedBody = onJson(
  (received, { request }) => ({ ...received, text: readRequest.text(request) }),
  'received',
);
const ignoreStrictMode = onRequest((request) => withQuery(request, { strict_mode: undefined }));
const selectAlternateIfStrict = onRequest((request) => withQuery(request, { model_provider: 'sandbox-two' }));
const addMemberOfAlternate = onJson({ engine: 'second' });
const removeMemberOfAlternate = onJson((body) => omitMembers(body, 'engine'));

/** Changes the sentences about dropped fields, if there are any. */
const changeDropped = (change: (sentences: readonly string[]) => string): Change =>
  set.header(droppedParams, (value) => change(JSON.parse(value)));
const reportFirstDroppedField = changeDropped((sentences) => JSON.stringify(sentences.slice(0, 1)));
const separateByCommas = changeDropped((sentences) => sentences.join(', '));

const useFallbackUnasked = resend((request) => withQuery(request, { fallback_provider: 'auto' }));
const ignoreFallback = onRequest((request) => withQuery(request, { fallback_provider: undefined }));
/** Sends a rejected call again with an outcome after which the router tries the fallback. */
const useFallbackForRejections = resend((request) =>
  withBody(request, { ...readRequest.input(request), outcome: 'provider_error' }),
);

export const providerFaults: readonly Fault[] = [
  ...group({ id: 'providers.alternate', on: 'runModel', when: namesProvider }, [
    fault('overlooked', ['MR-RUN-06'], onRequest(selectNativeProvider), {
      also: ['MR-RUN-18', 'MR-RUN-38', 'MR-IDM-26'],
    }),
    fault('unknown-name-taken', ['MR-RUN-38'], resend(selectNativeProvider), { status: 400 }),
  ]),
  ...group({ id: 'providers.converted', on: 'runModel', when: isConverted }, [
    fault('unconverted', ['MR-RUN-20', 'MR-RUN-21'], reportUnconvertedBody, { status: 200 }),
    fault('result-stays-foreign', ['MR-RUN-24'], addMemberOfAlternate, { status: 200 }),
    // Selects results that could not be converted: they have a member that only the alternate defines.
    fault('odd-result-refused', ['MR-RUN-25'], replyWithError(502, 'provider_error'), {
      status: 200,
      reply: (reply) => 'engine' in readReply.object(reply),
    }),
  ]),
  ...group({ id: 'providers.dropped', on: 'runModel', when: isConverted }, [
    fault('silently', ['MR-RUN-22', 'MR-HDR-09'], drop.header(droppedParams)),
    fault('first-only', ['MR-RUN-22', 'MR-HDR-08'], reportFirstDroppedField),
    fault('comma-separated', ['MR-HDR-06'], separateByCommas),
  ]),
  ...group({ id: 'providers.strict', on: 'runModel' }, [
    fault('overlooked', ['MR-RUN-18', 'MR-RUN-27'], ignoreStrictMode, { when: isStrict }),
    fault('result-converted', ['MR-RUN-27'], removeMemberOfAlternate, { status: 200, when: isStrict }),
    fault('alone-asks-the-alternate', ['MR-RUN-08'], selectAlternateIfStrict, { when: isStrictOnly }),
  ]),
  ...group({ id: 'providers.fallback', on: 'runModel' }, [
    fault('unasked', ['MR-RUN-10'], useFallbackUnasked, {
      also: ['MR-CTG-07'],
      when: hasNoQuery,
      category: 'provider_error',
    }),
  ]),
  ...group({ id: 'providers.fallback', on: 'runModel', when: hasParameter('fallback_provider') }, [
    fault('never', ['MR-RUN-10', 'MR-RUN-11'], ignoreFallback),
    fault(
      'names-the-first',
      ['MR-HDR-11', 'MR-HDR-12'],
      set.header(fallbackProvider, () => 'sandbox'),
    ),
    fault('drops-silently', ['MR-HDR-10', 'MR-RUN-22'], drop.header(droppedParams)),
    fault('for-refusals', ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13'], useFallbackForRejections, { status: [400, 422] }),
    fault('failure-relabelled', ['MR-RUN-13'], replyWithError(500, 'internal_error'), {
      status: isErrorStatus,
    }),
    fault(
      'without-a-name',
      ['MR-HDR-12'],
      set.header(fallbackProvider, () => ''),
      { status: 200 },
    ),
  ]),
];
