import { asObject, type JsonObject } from '../../../specs/src/index.ts';
import { droppedParams, fallbackProvider, type ServerRequest } from '../http/messages.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { bodyRow, changeHeader, drop, onRequest, refuse, replace, resend, set } from './builders/changes.ts';
import { type Fault, fault, group, rowIn } from './builders/fault.ts';
import { isRefusal, readObject, without } from './builders/replies.ts';
import { hasKey, hasQuery, isOfModel, readInput, type When, withBody, withQuery } from './builders/requests.ts';

const namesProvider = hasQuery('model_provider');
const isStrictMode = hasQuery('strict_mode', 'true');
const isConverted: When = (run) => namesProvider(run) && !isStrictMode(run);
const isStrict: When = (run) => namesProvider(run) && isStrictMode(run);
const isStrictOnly: When = (run) => isStrictMode(run) && !namesProvider(run);
const isPlain: When = (run) => !run.target.includes('?');

const atNative = (request: ServerRequest): ServerRequest =>
  withQuery(request, { model_provider: undefined, strict_mode: undefined });
const atAlternate = (request: ServerRequest, input: JsonObject): ServerRequest =>
  withBody(withQuery(request, { model_provider: 'sandbox-two' }), input);
const fallsBackAtOnce = onRequest((request) =>
  withQuery(request, { fallback_provider: undefined, model_provider: 'sandbox-two' }),
);

/** Rows that change the sentences on dropped fields where there are any. */
const droppedRow = rowIn((change: (sentences: readonly string[]) => string) =>
  changeHeader(droppedParams, (value) => (value === undefined ? undefined : change(JSON.parse(value)))),
);
const firstWord = (sentence: string): string => sentence.replace(/ .*$/s, '');
const toldOfNothing = '["seed was dropped: it is not known."]';

const droppedToldOfNothing = changeHeader(droppedParams, (told = toldOfNothing) => told);
const fallbackUnasked = resend((request) => withQuery(request, { fallback_provider: 'auto' }));
const strictOverlooked = onRequest((request) => withQuery(request, { strict_mode: undefined }));
const aloneAsksTheAlternate = onRequest((request) => atAlternate(request, { alternate_outcome: 'echo' }));
const falseMeansTrue = onRequest((request) => withQuery(request, { strict_mode: 'true' }));
const fallbackNever = onRequest((request) => withQuery(request, { fallback_provider: undefined }));
const fallbackForRefusals = resend((request) =>
  withBody(request, { ...readInput(request), outcome: 'provider_error' }),
);

export const providerFaults: readonly Fault[] = [
  ...group({ id: 'providers.alternate', on: 'runModel' }, [
    fault('overlooked', 'MR-RUN-06 also MR-RUN-18 MR-RUN-38 MR-IDM-26', onRequest(atNative), { when: namesProvider }),
    fault('unknown-name-taken', 'MR-RUN-38', resend(atNative), { status: 400, when: namesProvider }),
    fault(
      'serves-everything',
      'MR-RUN-06 MR-RUN-23 also MR-HDR-09 MR-RUN-17',
      resend((request) => atAlternate(request, { ...readInput(request), alternate_outcome: 'echo' })),
      {
        status: 200,
        when: (run) => isPlain(run) && isOfModel(outcomeModelIds.main)(run) && !hasKey(run),
        reply: (reply) => 'text' in asObject(readObject(reply)['received']),
      },
    ),
  ]),
  ...group({ id: 'providers.converted', on: 'runModel', status: 200, when: isConverted }, [
    bodyRow('unconverted', 'MR-RUN-20 MR-RUN-21', (body) => ({
      ...body,
      received: { ...asObject(body['received']), text: '{"alternate_outcome":"echo","note":"only here"}' },
    })),
    bodyRow('result-stays-foreign', 'MR-RUN-24', (body) => ({ ...body, engine: 'second' })),
    // A result that could not be converted has a member of the alternate's own.
    fault('odd-result-refused', 'MR-RUN-25', refuse(502, 'provider_error'), {
      reply: (reply) => 'engine' in readObject(reply),
    }),
  ]),
  ...group({ id: 'providers.dropped', on: 'runModel', when: isConverted, subject: 'Dropped fields' }, [
    fault('silently', 'MR-RUN-22 MR-HDR-09', drop.header(droppedParams)),
    droppedRow('first-only', 'MR-RUN-22 MR-HDR-08', (sentences) => JSON.stringify(sentences.slice(0, 1))),
    droppedRow('names-without-reason', 'MR-HDR-08', (sentences) => JSON.stringify(sentences.map(firstWord))),
    droppedRow('comma-separated', 'MR-HDR-06', (sentences) => sentences.join(', ')),
  ]),
  ...group({ id: 'providers', on: 'runModel' }, [
    fault('dropped.told-of-nothing', 'MR-HDR-09', droppedToldOfNothing, { status: 200 }),
    fault('fallback.unasked', 'MR-RUN-10 also MR-CTG-07', fallbackUnasked, {
      when: isPlain,
      category: 'provider_error',
    }),
  ]),
  ...group({ id: 'providers.strict', on: 'runModel', subject: 'Strict mode' }, [
    fault('overlooked', 'MR-RUN-18 MR-RUN-27', strictOverlooked, { when: isStrict }),
    bodyRow('result-converted', 'MR-RUN-27', (body) => without(body, 'engine'), { status: 200, when: isStrict }),
    fault('alone-asks-the-alternate', 'MR-RUN-08', aloneAsksTheAlternate, { when: isStrictOnly }),
    fault('false-means-true', 'MR-RUN-20 MR-RUN-24', falseMeansTrue, { when: hasQuery('strict_mode', 'false') }),
  ]),
  ...group({ id: 'providers.fallback', on: 'runModel', when: hasQuery('fallback_provider'), subject: 'A fallback' }, [
    fault('never', 'MR-RUN-10 MR-RUN-11 also MR-IDM-26', fallbackNever),
    fault('names-the-first', 'MR-HDR-11 MR-HDR-12', replace.header(fallbackProvider, 'sandbox')),
    fault('claimed-without-one', 'MR-HDR-11', set.header(fallbackProvider, 'sandbox-two'), { status: 200 }),
    fault('at-once', 'MR-HDR-11 MR-RUN-10', fallsBackAtOnce),
    fault('drops-silently', 'MR-HDR-10 MR-RUN-22', drop.header(droppedParams)),
    fault('for-refusals', 'MR-RUN-11 MR-RUN-12 MR-RUN-13', fallbackForRefusals, { status: [400, 422] }),
    fault('failure-relabelled', 'MR-RUN-13 also MR-IDM-26', refuse(500, 'internal_error'), { status: isRefusal }),
    // Only the rules that read every exchange of a check detect this fault.
    fault('without-a-name', 'MR-HDR-12', replace.header(fallbackProvider, ''), { status: 200 }),
  ]),
];
