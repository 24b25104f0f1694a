import type { Decorator, Fault } from '../decorator.ts';
import {
  changeStatus,
  dropHeader,
  headerOf,
  rewriteAnswer,
  rewriteJson,
  setHeader,
  type Where,
  withHeader,
} from '../making/answer-rewrite.ts';

const ran: Where = { on: ['runModel'], status: 200 };

function changeSpend(part: 'Limit' | 'Current' | 'Remaining', change: (cents: number) => string): Decorator {
  const name = `X-Committed-Spend-${part}`;
  return rewriteAnswer(ran, (answer) => withHeader(answer, name, change(Number(answer.headers.get(name)))));
}

function addBranded(suffix: string, value: string): Decorator {
  return rewriteAnswer(ran, (answer, { context }) => withHeader(answer, headerOf({ branded: suffix }, context), value));
}

export const runResultFaults: readonly Fault[] = [
  {
    id: 'run.result.accepted-status',
    requirements: ['MR-RUN-02', 'MR-RUN-23'],
    description: 'A finished run is answered with 202.',
    decorate: changeStatus(ran, 202),
    trips: ['MR-AST-01', 'MR-HDR-14', 'MR-IDM-04', 'MR-IDM-32', 'MR-IDM-33', 'MR-RUN-10', 'MR-RUN-17', 'MR-RUN-18'],
  },
  {
    id: 'run.result.empty',
    requirements: ['MR-RUN-02', 'MR-RUN-23'],
    description: 'A finished run is answered without its result.',
    decorate: rewriteAnswer(ran, (answer) => ({ ...answer, body: new Uint8Array() })),
    trips: [
      'MR-AST-01',
      'MR-AST-02',
      'MR-AST-22',
      'MR-AST-23',
      'MR-AST-28',
      'MR-COL-06',
      'MR-RUN-06',
      'MR-RUN-10',
      'MR-RUN-17',
      'MR-RUN-18',
    ],
  },
  {
    id: 'run.result.wrapped',
    requirements: ['MR-RUN-23'],
    description: 'The result of a run is wrapped in a generic object.',
    decorate: rewriteJson(ran, (output) => ({ result: output })),
    trips: [
      'MR-AST-01',
      'MR-AST-02',
      'MR-AST-22',
      'MR-AST-23',
      'MR-AST-28',
      'MR-COL-06',
      'MR-RUN-06',
      'MR-RUN-10',
      'MR-RUN-17',
      'MR-RUN-18',
    ],
  },
  {
    id: 'run.result.media-type-lost',
    requirements: ['MR-SCH-29'],
    description: 'The result of a run is labelled as plain text.',
    decorate: setHeader(ran, 'Content-Type', 'text/plain'),
    trips: ['MR-COL-05'],
  },
  {
    id: 'run.result.request-id-missing',
    requirements: ['MR-RUN-30', 'MR-HDR-01'],
    description: 'The result of a run carries no request id.',
    decorate: dropHeader(ran, { branded: 'Request-Id' }),
  },
  {
    id: 'run.result.nosniff-missing',
    requirements: ['MR-RUN-31', 'MR-HDR-22'],
    description: 'The result of a run lacks X-Content-Type-Options.',
    decorate: dropHeader(ran, 'X-Content-Type-Options'),
  },
  {
    id: 'run.result.nosniff-misspelt',
    requirements: ['MR-HDR-22'],
    description: 'X-Content-Type-Options of a run is no-sniff.',
    decorate: setHeader(ran, 'X-Content-Type-Options', 'no-sniff'),
  },
  {
    id: 'run.spend.limit-missing',
    requirements: ['MR-RUN-35'],
    description: 'The result of a run does not state the limit of committed spend.',
    decorate: dropHeader(ran, 'X-Committed-Spend-Limit'),
    trips: ['MR-HDR-17'],
  },
  {
    id: 'run.spend.current-missing',
    requirements: ['MR-RUN-36'],
    description: 'The result of a run does not state the current committed spend.',
    decorate: dropHeader(ran, 'X-Committed-Spend-Current'),
    trips: ['MR-HDR-17', 'MR-HDR-18'],
  },
  {
    id: 'run.spend.remaining-missing',
    requirements: ['MR-RUN-37'],
    description: 'The result of a run does not state the remaining committed spend.',
    decorate: dropHeader(ran, 'X-Committed-Spend-Remaining'),
    trips: ['MR-HDR-17'],
  },
  {
    id: 'run.spend.in-dollars',
    requirements: ['MR-HDR-17'],
    description: 'The limit of committed spend is stated in dollars with a point.',
    decorate: changeSpend('Limit', (cents) => (cents / 100).toFixed(2)),
  },
  {
    id: 'run.spend.current-with-unit',
    requirements: ['MR-HDR-19'],
    description: 'The current committed spend is stated with its unit.',
    decorate: changeSpend('Current', (cents) => `${cents} cents`),
    trips: ['MR-HDR-17'],
  },
  {
    id: 'run.spend.remaining-negative',
    requirements: ['MR-HDR-21'],
    description: 'The remaining committed spend is below zero.',
    decorate: changeSpend('Remaining', () => '-5'),
  },
  {
    id: 'run.spend.does-not-add-up',
    requirements: ['MR-HDR-20'],
    description: 'The remaining committed spend is seven cents more than what is left under the limit.',
    decorate: changeSpend('Remaining', (cents) => String(cents + 7)),
  },
  {
    id: 'run.plain.claims-a-fallback',
    requirements: ['MR-HDR-11'],
    description: 'A run without any fallback names a fallback provider.',
    decorate: addBranded('Router-Fallback-Provider', 'image-provider-two'),
  },
  {
    id: 'run.plain.claims-dropped-fields',
    requirements: ['MR-HDR-09'],
    description: 'A run without any conversion discloses dropped fields.',
    decorate: addBranded(
      'Router-Dropped-Params',
      JSON.stringify(['seed was dropped: the provider has no such field.']),
    ),
    trips: ['MR-HDR-08'],
  },
  {
    id: 'run.dropped-fields.no-json',
    requirements: ['MR-HDR-06'],
    description: 'Dropped fields are disclosed as a list with commas.',
    decorate: addBranded('Router-Dropped-Params', 'seed, style'),
    trips: ['MR-HDR-08', 'MR-HDR-09'],
  },
  {
    id: 'run.upstream-status.as-words',
    requirements: ['MR-HDR-05'],
    description: 'The upstream status is a phrase.',
    decorate: addBranded('Upstream-Status', '200 OK'),
  },
  {
    id: 'run.credits-used.fraction',
    requirements: ['MR-HDR-25'],
    description: 'The credits used are a fraction.',
    decorate: addBranded('Credits-Used', '1.5'),
    trips: ['MR-HDR-27'],
  },
  {
    id: 'run.replayed.as-number',
    requirements: ['MR-HDR-13'],
    description: 'Idempotent-Replayed of a fresh run is 0.',
    decorate: rewriteAnswer(ran, (answer) =>
      answer.headers.has('idempotent-replayed') ? answer : withHeader(answer, 'Idempotent-Replayed', '0'),
    ),
  },
];
