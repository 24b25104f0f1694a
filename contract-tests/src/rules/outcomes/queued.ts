import type { JsonObject } from '../../../../specs/src/index.ts';
import { responseOf } from '../../answer.ts';
import type { Probe, Step } from '../../probe.ts';
import { requireMember, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { exactly, list } from '../vocabulary/matchers.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { ask, tellQueue, toldRule, untilOver } from '../vocabulary/told-runs.ts';

const family = 'outcomes';

type Ending = {
  readonly name: string;
  readonly input: JsonObject;
  readonly category: string;
  /** On collect. */
  readonly status: number;
  readonly requirements: readonly string[];
};

/** How queued requests end that do not succeed: on collect as on the synchronous route, or 410 where no model was reached. */
const endings: readonly Ending[] = [
  {
    name: 'policy',
    input: { outcome: 'content_policy_violation' },
    category: 'content_policy_violation',
    status: 400,
    requirements: ['MR-CTG-06'],
  },
  {
    name: 'provider-error',
    input: { outcome: 'provider_error' },
    category: 'provider_error',
    status: 502,
    requirements: ['MR-CTG-07'],
  },
  {
    name: 'provider-timeout',
    input: { outcome: 'provider_timeout' },
    category: 'provider_timeout',
    status: 504,
    requirements: ['MR-CTG-08'],
  },
  {
    name: 'deadline',
    input: { outcome: 'deadline_exceeded', collectable: false },
    category: 'deadline_exceeded',
    status: 504,
    requirements: ['MR-COL-20', 'MR-CTG-16'],
  },
  {
    name: 'refused-input',
    input: { outcome: 'refused_input' },
    category: 'invalid_input',
    status: 422,
    requirements: ['MR-COL-18'],
  },
  {
    name: 'internal-error',
    input: { outcome: 'internal_error' },
    category: 'internal_error',
    status: 410,
    requirements: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-15'],
  },
  {
    name: 'unavailable',
    input: { outcome: 'service_unavailable' },
    category: 'service_unavailable',
    status: 410,
    requirements: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-18'],
  },
];

/** All are submitted before the first is waited for, so that they wait together. */
const endEach = (): Probe => ({
  steps: [
    ...endings.map(({ name, input }) => tellQueue(name, input)),
    ...endings.flatMap(({ name }): Step[] => [
      ask(`${name}-end`, 'status_url', { of: name, repeat: untilOver, mustAnswer: [200, 410] }),
      ask(`${name}-collect`, 'response_url', { of: name }),
      ask(`${name}-later`, 'status_url', { of: name }),
    ]),
  ],
});

export const outcomeQueuedRules: readonly Rule[] = endings.flatMap(({ name, category, status, requirements }) => [
  toldRule({
    id: `outcomes.queued.${name}.shows-in-the-status`,
    family,
    requirements: ['MR-QUE-11', 'MR-STA-09', 'MR-QUE-33'],
    probe: endEach,
    judge: (evidence, context) =>
      [`${name}-end`, `${name}-later`].flatMap((step) => {
        const answer = responseOf(evidence, step);
        // Which failures are told by 410 and which by the status alone is open (C-16).
        if (answer.status === 410) return requireCategory(answer, context, category);
        const unexpected = requireStatus(answer, 200);
        if (unexpected.length > 0) return unexpected;
        return [
          ...requireMember(answer, '/status', exactly('COMPLETED')),
          ...requireMember(answer, '/error_type', exactly(category)),
        ];
      }),
  }),
  toldRule({
    id: `outcomes.queued.${name}.is-collected`,
    family,
    requirements,
    probe: endEach,
    judge: (evidence, context) => {
      const answer = responseOf(evidence, `${name}-collect`);
      const unexpected = requireStatus(answer, status);
      if (unexpected.length > 0) return unexpected;
      const envelope =
        status === 422
          ? requireMember(answer, '/detail', list)
          : requireMember(answer, '/error_type', exactly(category));
      return [...requireCategory(answer, context, category), ...envelope];
    },
  }),
]);
