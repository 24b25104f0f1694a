import type { Fault } from './decorator.ts';
import { changeStatus, headerOf, rewriteAnswer, withHeader } from './making/answer-rewrite.ts';

/** Breaches that no rule looks for where they stand: only who reads every answer of a run comes across them. */
export const runWideFaults: readonly Fault[] = [
  {
    id: 'model.unknown.gone',
    requirements: ['MR-STC-09', 'MR-MOD-09', 'MR-STC-05'],
    description: 'Reading an unknown model is answered with 410, which is for queued requests.',
    decorate: changeStatus({ on: ['readModel'], status: 404 }, 410),
  },
  {
    id: 'providers.fallback.without-a-name',
    requirements: ['MR-HDR-12'],
    description: 'The header that should name the provider of a fallback stands there empty.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 200 }, (answer, { context }) => {
      const name = headerOf({ branded: 'Router-Fallback-Provider' }, context);
      return answer.headers.has(name) ? withHeader(answer, name, '') : answer;
    }),
  },
  {
    id: 'workflow.answer.tells-the-credential',
    requirements: ['WX-AUT-01'],
    description: 'Answers name the credential that they were asked with in a header.',
    decorate: rewriteAnswer({ on: ['readJobWorkflow'], status: 200 }, (answer, { request }) => {
      const credential = request.headers.get('authorization');
      return credential === null ? answer : withHeader(answer, 'X-Asked-With', credential);
    }),
  },
];
