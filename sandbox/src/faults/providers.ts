import { asObject, type JsonObject } from '../../../specs/src/index.ts';
import { droppedParams, fallbackProvider, type Reply, type ServerRequest } from '../http/messages.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { bodyRow, changeHeader, drop, onJson, onRequest, refuse, replace, resend, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { isRefusal, readCategory, readObject, without } from './builders/replies.ts';
import { hasKey, hasQuery, isOfModel, readInput, withBody, withoutQuery, withQuery } from './builders/requests.ts';

const toldOfNothing = '["seed was dropped: it is not known."]';
const namesProvider = hasQuery('model_provider');
const isStrict = hasQuery('strict_mode', 'true');
const isConverted = (run: ServerRequest): boolean => namesProvider(run) && !isStrict(run);
const strict = (run: ServerRequest): boolean => namesProvider(run) && isStrict(run);
/** A result that could not be converted has a member of the alternate's own. */
const isRaw = (reply: Reply): boolean => 'engine' in readObject(reply);
const strictAlone = (run: ServerRequest): boolean => isStrict(run) && !namesProvider(run);
const isPlain = (run: ServerRequest): boolean => !run.target.includes('?');
const ofScripted = isOfModel(outcomeModelIds.main);

const withoutParameters = (...names: readonly string[]): Change =>
  onRequest((request) => withoutQuery(request, ...names));

const withParameter = (request: ServerRequest, name: string, value: string): ServerRequest =>
  withQuery(request, (query) => query.set(name, value));

const atAlternate = (request: ServerRequest, input: JsonObject): ServerRequest =>
  withBody(withParameter(request, 'model_provider', 'sandbox-two'), input);

/** Changes the sentences on dropped fields where there are any. */
const droppedFault = rowIn((change: (sentences: readonly string[]) => string) =>
  changeHeader(droppedParams, (value) => (value === undefined ? undefined : change(JSON.parse(value)))),
);

const meantStrict = onRequest((request) => withParameter(request, 'strict_mode', 'true'));
const echoAtAlternate = onRequest((request) => atAlternate(request, { alternate_outcome: 'echo' }));
const inputAtAlternate = (request: ServerRequest): ServerRequest =>
  atAlternate(request, { ...readInput(request), alternate_outcome: 'echo' });
const tooMuchDropped = onRequest((request) => withBody(request, { note: 'x', prompt: 'x'.repeat(201) }));
const knownMembers = onJson(({ served_by: servedBy = '' }) => ({ served_by: servedBy }));
const normalised = onRequest((request) => withBody(request, readInput(request)));
const asFailing = (request: ServerRequest): ServerRequest =>
  withBody(request, { ...readInput(request), outcome: 'provider_error' });
const toAlternate = onRequest((request) =>
  withParameter(withoutQuery(request, 'fallback_provider'), 'model_provider', 'sandbox-two'),
);
const atNative = (request: ServerRequest): ServerRequest => withoutQuery(request, 'model_provider', 'strict_mode');
const toNative = onRequest(atNative);
const asksFallback = (request: ServerRequest): ServerRequest => withParameter(request, 'fallback_provider', 'auto');
const isFailure = (reply: Reply): boolean => readCategory(reply) === 'provider_error';
/** A refusal of the input, by the router or by the provider. */
const isCallersFault = (reply: Reply): boolean => [400, 422].includes(reply.status);

export const providerFaults: readonly Fault[] = [
  ...group({ id: 'providers.alternate', on: ['runModel'] }, [
    fault('overlooked', 'MR-RUN-06 also MR-RUN-18 MR-RUN-38 MR-IDM-26', toNative, { when: namesProvider }),
    fault('unknown-name-taken', 'MR-RUN-38', resend(atNative), { status: 400, when: namesProvider }),
    fault('serves-everything', 'MR-RUN-06 MR-RUN-23 also MR-HDR-09 MR-RUN-17', resend(inputAtAlternate), {
      status: 200,
      when: (run) => isPlain(run) && ofScripted(run) && !hasKey(run),
      reply: (reply) => 'text' in asObject(readObject(reply)['received']),
    }),
  ]),
  ...group({ id: 'providers.converted', on: ['runModel'], status: 200, when: isConverted }, [
    bodyRow('unconverted', 'MR-RUN-20 MR-RUN-21', (body) => ({
      ...body,
      received: { ...asObject(body['received']), text: '{"alternate_outcome":"echo","note":"only here"}' },
    })),
    fault('everything-dropped', 'MR-RUN-20 also MR-HDR-09 MR-RUN-24 MR-RUN-25', tooMuchDropped),
    bodyRow('result-stays-foreign', 'MR-RUN-24', (body) => ({ ...body, engine: 'second' })),
  ]),
  ...group({ id: 'providers.converted', on: ['runModel'], status: 200, when: isConverted, reply: isRaw }, [
    fault('odd-result-refused', 'MR-RUN-25', refuse(502, 'provider_error')),
    fault('odd-result-trimmed', 'MR-RUN-25', knownMembers),
  ]),
  ...group({ id: 'providers.dropped', on: ['runModel'], when: isConverted, subject: 'Dropped fields' }, [
    fault('silently', 'MR-RUN-22 MR-HDR-09', drop.header(droppedParams)),
    droppedFault('first-only', 'MR-RUN-22 MR-HDR-08', (sentences) => JSON.stringify(sentences.slice(0, 1))),
    droppedFault('in-one-sentence', 'MR-HDR-08', (sentences) => JSON.stringify([sentences.join(' ')])),
    droppedFault('names-without-reason', 'MR-HDR-08', (sentences) =>
      JSON.stringify(sentences.map((one) => one.split(' ')[0] ?? '')),
    ),
    droppedFault('comma-separated', 'MR-HDR-06', (sentences) => sentences.join(', ')),
    droppedFault('as-object', 'MR-HDR-06', (sentences) =>
      JSON.stringify(Object.fromEntries(sentences.map((one) => [one.split(' ')[0], one]))),
    ),
  ]),
  ...group({ id: 'providers.dropped', on: ['runModel'], status: 200 }, [
    fault(
      'told-of-nothing',
      'MR-HDR-09',
      changeHeader(droppedParams, (told = toldOfNothing) => told),
    ),
  ]),
  ...group({ id: 'providers.strict', on: ['runModel'], subject: 'Strict mode' }, [
    fault('body-normalised', 'MR-RUN-18', normalised, { when: strict }),
    fault('overlooked', 'MR-RUN-18 MR-RUN-27', withoutParameters('strict_mode'), { when: strict }),
    bodyRow('result-converted', 'MR-RUN-27', (body) => without(body, 'engine'), { status: 200, when: strict }),
    fault('alone-asks-the-alternate', 'MR-RUN-08', echoAtAlternate, { when: strictAlone }),
    fault('alone-refused', 'MR-RUN-08', refuse(400, 'invalid_input'), { status: 200, when: strictAlone }),
    fault('false-means-true', 'MR-RUN-20 MR-RUN-24', meantStrict, {
      when: hasQuery('strict_mode', 'false'),
    }),
  ]),
  ...group({ id: 'providers.fallback', on: ['runModel'], when: hasQuery('fallback_provider'), subject: 'A fallback' }, [
    fault('never', 'MR-RUN-10 MR-RUN-11 also MR-IDM-26', withoutParameters('fallback_provider')),
    fault('unnamed', 'MR-HDR-11 MR-HDR-12', drop.header(fallbackProvider)),
    fault('names-the-first', 'MR-HDR-12', replace.header(fallbackProvider, 'sandbox')),
    fault('claimed-without-one', 'MR-HDR-11', set.header(fallbackProvider, 'sandbox-two'), { status: 200 }),
    fault('at-once', 'MR-HDR-11 MR-RUN-10', toAlternate),
    fault('drops-silently', 'MR-HDR-10 MR-RUN-22', drop.header(droppedParams)),
    fault('for-refusals', 'MR-RUN-11 MR-RUN-12 MR-RUN-13', resend(asFailing), { reply: isCallersFault }),
    fault('second-failure-told', 'MR-RUN-13', refuse(504, 'provider_timeout'), { reply: isFailure }),
    fault('failure-relabelled', 'MR-RUN-13 also MR-IDM-26', refuse(500, 'internal_error'), { status: isRefusal }),
  ]),
  ...group({ id: 'providers.fallback', on: ['runModel'] }, [
    fault('unasked', 'MR-RUN-10 also MR-CTG-07', resend(asksFallback), { when: isPlain, reply: isFailure }),
    // Only rules over every exchange of a check find this one: no other rule looks for it.
    fault('without-a-name', 'MR-HDR-12', replace.header(fallbackProvider, ''), { status: 200 }),
  ]),
];
