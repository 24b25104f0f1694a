import type { Fault } from '../decorator.ts';
import {
  changeStatus,
  dropHeader,
  headerOf,
  refusal,
  rewriteAnswer,
  setCategory,
  setHeader,
  type Where,
  withText,
} from '../making/answer-rewrite.ts';

const on = ['runModel'] as const;
const bad: Where = { on, status: 400 };
const invalid: Where = { on, status: 422 };
const missing: Where = { on, status: 404 };
const limited: Where = { on, status: 429 };

export const runRefusalFaults: readonly Fault[] = [
  {
    id: 'run.malformed.answered-with-500',
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    description: 'A body that is no JSON is answered with 500.',
    decorate: changeStatus(bad, 500),
    trips: ['MR-CTG-09', 'MR-HDR-11'],
  },
  {
    id: 'run.malformed.answered-with-422',
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    description: 'A body that is no JSON is answered with 422.',
    decorate: changeStatus(bad, 422),
    trips: ['MR-COL-18', 'MR-CTG-09', 'MR-HDR-11'],
  },
  {
    id: 'run.malformed.wrong-category',
    requirements: ['MR-CTG-01'],
    description: 'The 400 of a malformed body is called provider_error.',
    decorate: setCategory(bad, 'provider_error'),
    trips: ['MR-CTG-09', 'MR-HDR-11', 'MR-RUN-38'],
  },
  {
    id: 'run.malformed.category-missing',
    requirements: ['MR-RUN-39', 'MR-HDR-04'],
    description: 'The 400 of a run carries no category header.',
    decorate: dropHeader(bad, { branded: 'Error-Type' }),
    trips: ['MR-CTG-09', 'MR-HDR-11', 'MR-RUN-38'],
  },
  {
    id: 'run.malformed.request-id-missing',
    requirements: ['MR-RUN-40', 'MR-HDR-01'],
    description: 'The 400 of a run carries no request id.',
    decorate: dropHeader(bad, { branded: 'Request-Id' }),
  },
  {
    id: 'run.invalid.runs-anyway',
    requirements: ['MR-RUN-49', 'MR-SCH-27', 'MR-STC-11'],
    description: 'Input that the schema of the model refuses is run.',
    decorate: rewriteAnswer(invalid, (answer) => ({ ...withText(answer, '{"images": []}'), status: 200 })),
    trips: ['MR-COL-04', 'MR-COL-08', 'MR-HDR-11', 'MR-STC-12', 'MR-RUN-35', 'MR-RUN-36', 'MR-RUN-37'],
  },
  {
    id: 'run.invalid.answered-with-400',
    requirements: ['MR-RUN-49', 'MR-STC-11'],
    description: 'Input that the schema of the model refuses is answered with 400 and no entries.',
    decorate: rewriteAnswer(invalid, (answer, { context }) =>
      refusal(answer, context, { status: 400, category: 'invalid_input' }),
    ),
    trips: ['MR-HDR-11', 'MR-STC-12'],
  },
  {
    id: 'run.invalid.wrong-category',
    requirements: ['MR-CTG-03'],
    description: 'The 422 of a run is called validation_error.',
    decorate: setHeader(invalid, { branded: 'Error-Type' }, 'validation_error'),
    trips: ['MR-HDR-11'],
  },
  {
    id: 'run.unknown.answered-with-400',
    requirements: ['MR-RUN-45', 'MR-STC-05'],
    description: 'A run of an unknown model is answered with 400.',
    decorate: changeStatus(missing, 400),
  },
  {
    id: 'run.unknown.wrong-category',
    requirements: ['MR-CTG-10'],
    description: 'A run of an unknown model is called invalid_input.',
    decorate: setCategory(missing, 'invalid_input'),
  },
  {
    id: 'run.rate-limit.answered-with-503',
    requirements: ['MR-RUN-51', 'MR-IDM-10', 'MR-STC-14'],
    description: 'Used-up quotas are answered with 503.',
    decorate: changeStatus(limited, 503),
  },
  {
    id: 'run.rate-limit.wrong-category',
    requirements: ['MR-RUN-51', 'MR-IDM-10', 'MR-CTG-19'],
    description: 'The 429 of a run is called quota_exceeded.',
    decorate: setCategory(limited, 'quota_exceeded'),
  },
  {
    id: 'run.rate-limit.no-retry-after',
    requirements: ['MR-IDM-11'],
    description: 'The 429 of a used-up rate does not say when to retry.',
    decorate: dropHeader(limited, 'Retry-After'),
  },
  {
    id: 'run.rate-limit.retry-after-as-date',
    requirements: ['MR-HDR-15'],
    description: 'Retry-After of a 429 is a date.',
    decorate: setHeader(limited, 'Retry-After', 'Tue, 01 Jan 2030 00:01:00 GMT'),
  },
  {
    id: 'run.rate-limit.spend-missing',
    requirements: ['MR-RUN-52', 'MR-RUN-53', 'MR-RUN-54'],
    description: 'The 429 of a run does not state the committed spend.',
    decorate: rewriteAnswer(limited, (answer) => {
      const headers = new Headers(answer.headers);
      for (const part of ['Limit', 'Current', 'Remaining']) headers.delete(`X-Committed-Spend-${part}`);
      return { ...answer, headers };
    }),
    trips: ['MR-HDR-17'],
  },
  {
    id: 'run.spend-cap.let-through-as-rate',
    requirements: ['MR-IDM-13'],
    description: 'A call above the cap on committed spend is called rate_limited.',
    decorate: setCategory({ on, status: 429 }, 'rate_limited'),
    trips: ['MR-IDM-11'],
  },
  {
    id: 'run.credits.unnamed',
    requirements: ['MR-CTG-09'],
    description: 'A run without credits is called forbidden, with 403.',
    decorate: rewriteAnswer({ on, status: (status) => status === 400 || status === 402 }, (answer, { context }) => {
      const name = headerOf({ branded: 'Error-Type' }, context);
      if (answer.headers.get(name) !== 'insufficient_credits') return answer;
      return refusal(answer, context, { status: 403, category: 'forbidden' });
    }),
  },
];
