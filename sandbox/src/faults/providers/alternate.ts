import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Fault } from '../decorator.ts';
import { type AnswerChange, headerOf, parseBody, refusal, withBody, withHeader } from '../making/answer-rewrite.ts';
import { rewriteRequest, withQuery } from '../making/request-rewrite.ts';
import { bytesOf, type Order, readAs, whenTold } from '../making/told-run.ts';

import { droppedParams } from './dropped-params.ts';

const isConverted = ({ query }: Order): boolean => query.has('model_provider') && query.get('strict_mode') !== 'true';
const isStrict = ({ query }: Order): boolean => query.has('model_provider') && query.get('strict_mode') === 'true';
const hasAlternate = ({ query }: Order): boolean => query.has('model_provider');

function inBody(change: (body: JsonObject) => JsonObject): AnswerChange {
  return (answer) => {
    const body = parseBody(answer);
    return isJsonObject(body) && answer.status === 200 ? withBody(answer, change(body)) : answer;
  };
}

const without = (request: Request, ...names: readonly string[]): string =>
  withQuery(request, (query) => {
    for (const name of names) query.delete(name);
  });

export const alternateFaults: readonly Fault[] = [
  {
    id: 'providers.alternate.overlooked',
    requirements: ['MR-RUN-06'],
    description: 'The default provider serves although another one was named.',
    decorate: readAs(hasAlternate, (_, request) => ({ url: without(request, 'model_provider', 'strict_mode') })),
    trips: ['MR-RUN-18', 'MR-RUN-38', 'MR-IDM-26'],
  },
  {
    id: 'providers.alternate.unknown-name-taken',
    requirements: ['MR-RUN-38'],
    description: 'A provider that nobody knows is taken for the default one.',
    decorate: readAs(
      ({ query }) => query.get('model_provider') === 'no-such-provider',
      (_, request) => ({ url: without(request, 'model_provider') }),
    ),
  },
  {
    id: 'providers.alternate.serves-everything',
    requirements: ['MR-RUN-06', 'MR-RUN-23'],
    description: 'The alternate serves although nobody named it.',
    decorate: readAs(
      ({ input, query }) => input['outcome'] === 'echo' && [...query.keys()].length === 0,
      ({ input }, request) => ({
        url: withQuery(request, (query) => query.set('model_provider', 'sandbox-two')),
        body: bytesOf({ ...input, alternate_outcome: 'echo' }),
      }),
    ),
    trips: ['MR-HDR-09', 'MR-RUN-17'],
  },
  {
    id: 'providers.converted.unconverted',
    requirements: ['MR-RUN-20', 'MR-RUN-21'],
    description: 'What the alternate is told to have received is the native body.',
    decorate: whenTold(
      isConverted,
      inBody((body) => ({
        ...body,
        received: { ...objectIn(body['received']), text: '{"alternate_outcome":"echo","note":"only here"}' },
      })),
    ),
  },
  {
    id: 'providers.converted.everything-dropped',
    requirements: ['MR-RUN-20'],
    description: 'The conversion drops also what the alternate knows.',
    decorate: readAs(isConverted, () => ({ body: bytesOf({ note: 'x', prompt: 'x'.repeat(201) }) })),
    trips: ['MR-HDR-09', 'MR-RUN-24', 'MR-RUN-25'],
  },
  {
    id: 'providers.dropped.silently',
    requirements: ['MR-RUN-22', 'MR-HDR-09'],
    description: 'Dropped fields are not disclosed.',
    decorate: whenTold(
      isConverted,
      droppedParams(() => undefined),
    ),
  },
  {
    id: 'providers.dropped.first-only',
    requirements: ['MR-RUN-22', 'MR-HDR-08'],
    description: 'Of several dropped fields one is disclosed.',
    decorate: whenTold(
      isConverted,
      droppedParams((all) => JSON.stringify(all.slice(0, 1))),
    ),
  },
  {
    id: 'providers.dropped.in-one-sentence',
    requirements: ['MR-HDR-08'],
    description: 'One sentence speaks of all dropped fields.',
    decorate: whenTold(
      isConverted,
      droppedParams((all) => JSON.stringify([all.join(' ')])),
    ),
  },
  {
    id: 'providers.dropped.names-without-reason',
    requirements: ['MR-HDR-08'],
    description: 'Dropped fields are named without a reason.',
    decorate: whenTold(
      isConverted,
      droppedParams((all) => JSON.stringify(all.map((one) => one.split(' ')[0] ?? ''))),
    ),
  },
  {
    id: 'providers.dropped.comma-separated',
    requirements: ['MR-HDR-06'],
    description: 'Dropped fields are told as a comma-separated list.',
    decorate: whenTold(
      isConverted,
      droppedParams((all) => all.join(', ')),
    ),
  },
  {
    id: 'providers.dropped.as-object',
    requirements: ['MR-HDR-06'],
    description: 'Dropped fields are told as a JSON object.',
    decorate: whenTold(
      isConverted,
      droppedParams((all) => JSON.stringify(Object.fromEntries(all.map((one) => [one.split(' ')[0], one])))),
    ),
  },
  {
    id: 'providers.dropped.told-of-nothing',
    requirements: ['MR-HDR-09'],
    description: 'A run that drops nothing discloses a field.',
    decorate: whenTold(
      () => true,
      (answer, { context }) => {
        const name = headerOf({ branded: 'Router-Dropped-Params' }, context);
        return answer.status !== 200 || answer.headers.has(name)
          ? answer
          : withHeader(answer, name, '["seed was dropped: it is not known."]');
      },
    ),
  },
  {
    id: 'providers.converted.result-stays-foreign',
    requirements: ['MR-RUN-24'],
    description: 'A result is not converted back.',
    decorate: whenTold(
      isConverted,
      inBody((body) => ({ ...body, engine: 'second' })),
    ),
  },
  {
    id: 'providers.converted.odd-result-refused',
    requirements: ['MR-RUN-25'],
    description: 'A result that cannot be converted back is refused.',
    decorate: whenTold(
      ({ input }) => input['alternate_outcome'] === 'odd_output',
      (answer, { context }) => refusal(answer, context, { status: 502, category: 'provider_error' }),
    ),
  },
  {
    id: 'providers.converted.odd-result-trimmed',
    requirements: ['MR-RUN-25'],
    description: 'Of a result that cannot be converted back only the known members are left.',
    decorate: whenTold(
      ({ input }) => input['alternate_outcome'] === 'odd_output',
      inBody(({ served_by: servedBy = '' }) => ({ served_by: servedBy })),
    ),
  },
  {
    id: 'providers.strict.body-normalised',
    requirements: ['MR-RUN-18'],
    description: 'Under strict mode a body is written anew before it reaches the alternate.',
    decorate: readAs(isStrict, ({ input }) => ({ body: bytesOf(input) })),
  },
  {
    id: 'providers.strict.overlooked',
    requirements: ['MR-RUN-18', 'MR-RUN-27'],
    description: 'Strict mode is overlooked: body and result are converted.',
    decorate: readAs(isStrict, (_, request) => ({ url: without(request, 'strict_mode') })),
  },
  {
    id: 'providers.strict.result-converted',
    requirements: ['MR-RUN-27'],
    description: 'Under strict mode the result is converted all the same.',
    decorate: whenTold(
      isStrict,
      inBody(({ engine: _, ...body }) => body),
    ),
  },
  {
    id: 'providers.strict.alone-asks-the-alternate',
    requirements: ['MR-RUN-08'],
    description: 'Strict mode without a provider asks the alternate.',
    decorate: readAs(
      ({ query }) => query.get('strict_mode') === 'true' && !query.has('model_provider'),
      (_, request) => ({
        url: withQuery(request, (query) => query.set('model_provider', 'sandbox-two')),
        body: bytesOf({ alternate_outcome: 'echo' }),
      }),
    ),
    trips: ['MR-RUN-23'],
  },
  {
    id: 'providers.strict.alone-refused',
    requirements: ['MR-RUN-08'],
    description: 'Strict mode without a provider is refused.',
    decorate: whenTold(
      ({ query }) => query.get('strict_mode') === 'true' && !query.has('model_provider'),
      (answer, { context }) =>
        answer.status === 200 ? refusal(answer, context, { status: 400, category: 'invalid_input' }) : answer,
    ),
  },
  {
    id: 'providers.strict.false-means-true',
    requirements: ['MR-RUN-20', 'MR-RUN-24'],
    description: 'strict_mode=false is taken for true.',
    decorate: rewriteRequest(['runModel'], (request) =>
      new URL(request.url).searchParams.get('strict_mode') === 'false'
        ? { url: withQuery(request, (query) => query.set('strict_mode', 'true')) }
        : {},
    ),
    trips: ['MR-IDM-26'],
  },
];

function objectIn(value: JsonObject[string] | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
