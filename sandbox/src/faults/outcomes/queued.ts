import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { headerOf, parseBody, refusal, rewriteAnswer, setCategory, withBody } from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { whenCompleted } from '../status/phases.ts';

const collected = ['collectRequest'] as const;

/** What is collected of a request that failed in that way is answered otherwise. */
function collectedAs(from: string, as: { status: number; category: string }): Decorator {
  return rewriteAnswer({ on: collected, status: (status) => status >= 400 }, (answer, { context }) =>
    answer.headers.get(headerOf({ branded: 'Error-Type' }, context)) === from ? refusal(answer, context, as) : answer,
  );
}

type Ending = {
  name: string;
  category: string;
  as: { status: number; category: string };
  requirements: readonly string[];
  trips: readonly string[];
};
const endings: readonly Ending[] = [
  {
    name: 'policy',
    category: 'content_policy_violation',
    as: { status: 400, category: 'invalid_input' },
    requirements: ['MR-CTG-06'],
    trips: [],
  },
  {
    name: 'provider-error',
    category: 'provider_error',
    as: { status: 410, category: 'internal_error' },
    requirements: ['MR-CTG-07'],
    trips: [],
  },
  {
    name: 'provider-timeout',
    category: 'provider_timeout',
    as: { status: 504, category: 'deadline_exceeded' },
    requirements: ['MR-CTG-08'],
    trips: [],
  },
  {
    name: 'deadline',
    category: 'deadline_exceeded',
    as: { status: 410, category: 'deadline_exceeded' },
    requirements: ['MR-COL-20', 'MR-CTG-16'],
    trips: [],
  },
  {
    name: 'refused-input',
    category: 'invalid_input',
    as: { status: 400, category: 'invalid_input' },
    requirements: ['MR-COL-18'],
    trips: [],
  },
  {
    name: 'internal-error',
    category: 'internal_error',
    as: { status: 500, category: 'internal_error' },
    requirements: ['MR-COL-17', 'MR-STC-09'],
    trips: [],
  },
  {
    name: 'unavailable',
    category: 'service_unavailable',
    as: { status: 503, category: 'service_unavailable' },
    requirements: ['MR-COL-17', 'MR-STC-09'],
    trips: [],
  },
];

export const outcomeQueuedFaults: readonly Fault[] = [
  ...endings.map(({ name, category, as, requirements, trips }) => ({
    id: `outcomes.collected.${name}-as-${as.status}-${as.category.replaceAll('_', '-')}`,
    requirements,
    description: `A request that ended in ${category} is collected as ${as.status} ${as.category}.`,
    decorate: collectedAs(category, as),
    trips,
  })),
  {
    id: 'outcomes.collected.failure-as-result',
    requirements: ['MR-CTG-07'],
    description: 'A request that failed is collected with 200 and an empty object.',
    decorate: rewriteAnswer({ on: collected, status: 502 }, (answer) => ({ ...withBody(answer, {}), status: 200 })),
  },
  {
    id: 'outcomes.collected.always-410',
    requirements: ['MR-CTG-07', 'MR-COL-18', 'MR-COL-20'],
    description: 'Whatever failed is collected with 410.',
    decorate: rewriteAnswer({ on: collected, status: (status) => [400, 422, 502, 504].includes(status) }, (answer) => ({
      ...answer,
      status: 410,
    })),
    trips: ['MR-CTG-06', 'MR-CTG-08'],
  },
  {
    id: 'outcomes.status.failure-looks-like-success',
    requirements: ['MR-QUE-11'],
    description: 'The status of a failed request has no error_type.',
    decorate: whenCompleted((status) =>
      status['error_type'] === 'cancelled' ? status : without(status, 'error_type'),
    ),
  },
  {
    id: 'outcomes.status.one-error-for-all',
    requirements: ['MR-QUE-11'],
    description: 'The status calls every failure provider_error.',
    decorate: whenCompleted((status) =>
      'error_type' in status && status['error_type'] !== 'cancelled'
        ? { ...status, error_type: 'provider_error' }
        : status,
    ),
  },
  {
    id: 'outcomes.status.failed-is-a-fourth-word',
    requirements: ['MR-QUE-04', 'MR-QUE-33'],
    description: 'The status of a failed request is FAILED.',
    decorate: whenCompleted((status) =>
      'error_type' in status && status['error_type'] !== 'cancelled' ? { ...status, status: 'FAILED' } : status,
    ),
    trips: ['MR-QUE-11'],
  },
  {
    id: 'outcomes.status.error-type-is-an-object',
    requirements: ['MR-QUE-11'],
    description: 'The error_type of a status is an object that holds its name.',
    decorate: whenCompleted((status) =>
      'error_type' in status ? { ...status, error_type: { name: status['error_type'] ?? '' } } : status,
    ),
    trips: ['MR-STA-13'],
  },
  {
    id: 'outcomes.collected.category-is-the-status-code',
    requirements: ['MR-CTG-08', 'MR-CTG-07'],
    description: 'The category of what is collected is a number.',
    decorate: setCategory({ on: collected, status: (status) => status === 502 || status === 504 }, '502'),
    trips: ['MR-COL-20'],
  },
  {
    id: 'outcomes.collected.entries-lost',
    requirements: ['MR-COL-18'],
    description: 'A collected 422 has a sentence where its entries should be.',
    decorate: rewriteAnswer({ on: collected, status: 422 }, (answer) => {
      const body = parseBody(answer);
      return isJsonObject(body) ? withBody(answer, { ...body, detail: 'Some fields were refused.' }) : answer;
    }),
  },
];
