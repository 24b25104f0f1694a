import type { JsonObject } from '../../../specs/src/index.ts';
import type { ServerReply, ServerRequest } from '../http/messages.ts';
import { dropHeader, onJson, onReply, onRequest, refuse, setHeader } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import {
  droppedParams,
  fallbackProvider,
  headerNameOf,
  isRefusal,
  memberOf,
  replyHeader,
  withHeader,
  without,
} from './builders/replies.ts';
import { inputOf, withBody, withoutQuery, withQuery } from './builders/requests.ts';
import { hasInput, hasOutcome, type ScriptedRun, scripted } from './builders/scripted-runs.ts';

const namesProvider = ({ query }: ScriptedRun): boolean => query.has('model_provider');
const isStrict = ({ query }: ScriptedRun): boolean => query.get('strict_mode') === 'true';
const isConverted = (run: ScriptedRun): boolean => namesProvider(run) && !isStrict(run);
const mayFallBack = ({ query }: ScriptedRun): boolean => query.has('fallback_provider');
const hasNoQuery = ({ query }: ScriptedRun): boolean => query.size === 0;
const isOdd = scripted(hasInput('alternate_outcome', 'odd_output'));

const withoutParameters = (...names: readonly string[]): Change =>
  onRequest((request) => withoutQuery(request, ...names));

const withParameter = (request: ServerRequest, name: string, value: string): ServerRequest =>
  withQuery(request, (query) => query.set(name, value));

const atAlternate = (request: ServerRequest, input: JsonObject): ServerRequest =>
  withBody(withParameter(request, 'model_provider', 'sandbox-two'), input);

/** Changes the sentences on dropped fields where there are any. */
const changeDropped = (change: (sentences: readonly string[]) => string): Change =>
  onReply((reply, { context }) => {
    const name = headerNameOf(droppedParams, context);
    const value = replyHeader(reply, name);
    return value === undefined ? reply : withHeader(reply, name, change(JSON.parse(value)));
  });

/** Sets a header on replies that have it, or only on those that lack it. */
const setWhere = (ref: typeof droppedParams, value: string, isThere: boolean): Change =>
  onReply((reply: ServerReply, { context }) => {
    const name = headerNameOf(ref, context);
    return (replyHeader(reply, name) !== undefined) === isThere ? withHeader(reply, name, value) : reply;
  });

const alternateFaults = group({ id: 'providers.alternate', on: ['runModel'] }, [
  fault(
    'overlooked',
    'MR-RUN-06',
    'The default provider serves although another one was named',
    only({ when: scripted(namesProvider) }, withoutParameters('model_provider', 'strict_mode')),
    { alsoViolates: ['MR-RUN-18', 'MR-RUN-38', 'MR-IDM-26'] },
  ),
  fault(
    'unknown-name-taken',
    'MR-RUN-38',
    'An unknown provider is taken for the default one',
    only(
      { when: scripted(({ query }) => query.get('model_provider') === 'no-such-provider') },
      withoutParameters('model_provider'),
    ),
  ),
  fault(
    'serves-everything',
    ['MR-RUN-06', 'MR-RUN-23'],
    'The alternate provider serves although it was not named',
    only(
      { when: scripted(hasOutcome('echo'), hasNoQuery) },
      onRequest((request) => atAlternate(request, { ...inputOf(request), alternate_outcome: 'echo' })),
    ),
    { alsoViolates: ['MR-HDR-09', 'MR-RUN-17'] },
  ),
]);

const convertedFaults = group(
  { id: 'providers.converted', on: ['runModel'], status: 200, when: scripted(isConverted) },
  [
    fault(
      'unconverted',
      ['MR-RUN-20', 'MR-RUN-21'],
      'The alternate receives the native body',
      onJson((body) => ({
        ...body,
        received: { ...memberOf(body, 'received'), text: '{"alternate_outcome":"echo","note":"only here"}' },
      })),
    ),
    fault(
      'everything-dropped',
      'MR-RUN-20',
      'The conversion also drops what the alternate knows',
      onRequest((request) => withBody(request, { note: 'x', prompt: 'x'.repeat(201) })),
      { alsoViolates: ['MR-HDR-09', 'MR-RUN-24', 'MR-RUN-25'] },
    ),
    fault(
      'result-stays-foreign',
      'MR-RUN-24',
      'A result is not converted back',
      onJson((body) => ({ ...body, engine: 'second' })),
    ),
  ],
);

const oddFaults = group({ id: 'providers.converted', on: ['runModel'], when: isOdd }, [
  fault(
    'odd-result-refused',
    'MR-RUN-25',
    'A result that cannot be converted back is refused',
    refuse(502, 'provider_error'),
  ),
  fault(
    'odd-result-trimmed',
    'MR-RUN-25',
    'A result that cannot be converted back keeps its known members only',
    only(
      { status: 200 },
      onJson(({ served_by: servedBy = '' }) => ({ served_by: servedBy })),
    ),
  ),
]);

const droppedFaults = group(
  { id: 'providers.dropped', on: ['runModel'], when: scripted(isConverted), subject: 'Dropped fields' },
  [
    fault('silently', ['MR-RUN-22', 'MR-HDR-09'], 'are not disclosed', dropHeader(droppedParams)),
    fault(
      'first-only',
      ['MR-RUN-22', 'MR-HDR-08'],
      'are disclosed up to the first',
      changeDropped((sentences) => JSON.stringify(sentences.slice(0, 1))),
    ),
    fault(
      'in-one-sentence',
      'MR-HDR-08',
      'are disclosed in one sentence',
      changeDropped((sentences) => JSON.stringify([sentences.join(' ')])),
    ),
    fault(
      'names-without-reason',
      'MR-HDR-08',
      'are named without a reason',
      changeDropped((sentences) => JSON.stringify(sentences.map((one) => one.split(' ')[0] ?? ''))),
    ),
    fault(
      'comma-separated',
      'MR-HDR-06',
      'are a comma-separated list',
      changeDropped((sentences) => sentences.join(', ')),
    ),
    fault(
      'as-object',
      'MR-HDR-06',
      'are a JSON object',
      changeDropped((sentences) =>
        JSON.stringify(Object.fromEntries(sentences.map((one) => [one.split(' ')[0], one]))),
      ),
    ),
  ],
);

const claimedFaults = group({ id: 'providers.dropped', on: ['runModel'], status: 200 }, [
  fault(
    'told-of-nothing',
    'MR-HDR-09',
    'A run that drops nothing discloses a dropped field',
    setWhere(droppedParams, '["seed was dropped: it is not known."]', false),
  ),
]);

const strict = scripted(namesProvider, isStrict);
const strictAlone = scripted(isStrict, (run) => !namesProvider(run));

const strictFaults = group({ id: 'providers.strict', on: ['runModel'], subject: 'Strict mode' }, [
  fault(
    'body-normalised',
    'MR-RUN-18',
    'lets a body be serialised again before it reaches the alternate',
    only(
      { when: strict },
      onRequest((request) => withBody(request, inputOf(request))),
    ),
  ),
  fault(
    'overlooked',
    ['MR-RUN-18', 'MR-RUN-27'],
    'is overlooked, so that body and result are converted',
    only({ when: strict }, withoutParameters('strict_mode')),
  ),
  fault(
    'result-converted',
    'MR-RUN-27',
    'converts the result all the same',
    only(
      { status: 200, when: strict },
      onJson((body) => without(body, 'engine')),
    ),
  ),
  fault(
    'alone-asks-the-alternate',
    'MR-RUN-08',
    'without a provider asks the alternate',
    only(
      { when: strictAlone },
      onRequest((request) => atAlternate(request, { alternate_outcome: 'echo' })),
    ),
    { alsoViolates: 'MR-RUN-23' },
  ),
  fault(
    'alone-refused',
    'MR-RUN-08',
    'without a provider is refused',
    only({ status: 200, when: strictAlone }, refuse(400, 'invalid_input')),
  ),
  fault(
    'false-means-true',
    ['MR-RUN-20', 'MR-RUN-24'],
    'is also on with strict_mode=false',
    only(
      { when: scripted(({ query }) => query.get('strict_mode') === 'false') },
      onRequest((request) => withParameter(request, 'strict_mode', 'true')),
    ),
    { alsoViolates: 'MR-IDM-26' },
  ),
]);

const fallbackFaults = group(
  { id: 'providers.fallback', on: ['runModel'], when: scripted(mayFallBack), subject: 'A fallback' },
  [
    fault('never', ['MR-RUN-10', 'MR-RUN-11'], 'never takes place', withoutParameters('fallback_provider'), {
      alsoViolates: 'MR-IDM-26',
    }),
    fault(
      'unnamed',
      ['MR-HDR-11', 'MR-HDR-12'],
      'does not name the provider that served the call',
      dropHeader(fallbackProvider),
    ),
    fault(
      'names-the-first',
      'MR-HDR-12',
      'names the provider that failed',
      setWhere(fallbackProvider, 'sandbox', true),
    ),
    fault(
      'claimed-without-one',
      'MR-HDR-11',
      'is claimed by a call that its own provider served',
      only({ status: 200 }, setHeader(fallbackProvider, 'sandbox-two')),
    ),
    fault(
      'at-once',
      ['MR-HDR-11', 'MR-RUN-10'],
      'takes place before the first provider was asked',
      onRequest((request) =>
        withParameter(withoutQuery(request, 'fallback_provider'), 'model_provider', 'sandbox-two'),
      ),
    ),
    fault('drops-silently', ['MR-HDR-10', 'MR-RUN-22'], 'drops fields silently', dropHeader(droppedParams)),
    fault(
      'for-refusals',
      ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13'],
      'follows on a request at fault',
      only(
        { when: scripted(hasOutcome('content_policy_violation', 'refused_input', 'refused_request')) },
        onRequest((request) => withBody(request, { ...inputOf(request), outcome: 'provider_error' })),
      ),
    ),
    fault(
      'second-failure-told',
      'MR-RUN-13',
      'that fails too reports the failure of the second provider',
      only({ when: scripted(hasInput('alternate_outcome', 'provider_timeout')) }, refuse(504, 'provider_timeout')),
    ),
    fault(
      'failure-relabelled',
      'MR-RUN-13',
      'that is not tried has internal_error for the failure',
      only({ status: isRefusal }, refuse(500, 'internal_error')),
      { alsoViolates: 'MR-IDM-26' },
    ),
  ],
);

const unaskedFaults = group({ id: 'providers.fallback', on: ['runModel'] }, [
  fault(
    'unasked',
    'MR-RUN-10',
    'A failed attempt is retried with another provider although the call does not allow it',
    only(
      { when: scripted(hasOutcome('provider_error'), hasNoQuery) },
      onRequest((request) => withParameter(request, 'fallback_provider', 'auto')),
    ),
    { alsoViolates: 'MR-CTG-07' },
  ),
  // Only a check of every reply of a run finds this one: no rule looks for it.
  fault(
    'without-a-name',
    'MR-HDR-12',
    'The header that should name the provider of a fallback is empty',
    only({ status: 200 }, setWhere(fallbackProvider, '', true)),
  ),
]);

export const providerFaults: readonly Fault[] = [
  ...alternateFaults,
  ...convertedFaults,
  ...oddFaults,
  ...droppedFaults,
  ...claimedFaults,
  ...strictFaults,
  ...fallbackFaults,
  ...unaskedFaults,
];
