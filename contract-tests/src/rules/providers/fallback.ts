import { responseOf } from '../../answer.ts';
import type { Probe } from '../../probe.ts';
import { forbidHeader, requireHeader, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { alternate, requireReceived, tell, toldRule } from '../vocabulary/told-runs.ts';
import { requireDisclosed } from './alternate.ts';

const family = 'providers';
const query = '?fallback_provider=auto';
const happens = 'providers.fallback.serves';

/** Two failures for which nobody but the provider, or the router, is to blame. */
const blamed = ['provider_error', 'internal_error'] as const;

const fallenBack = (): Probe => ({
  steps: [
    ...blamed.map((outcome) => tell(outcome, { outcome, alternate_outcome: 'echo' }, { query })),
    tell('healthy', { outcome: 'succeed' }, { query }),
  ],
});

type NoFallback = {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly query: string;
  readonly status: number;
  readonly category: string;
  readonly requirements: readonly string[];
};
const withoutFallback: readonly NoFallback[] = [
  {
    name: 'policy',
    input: { outcome: 'content_policy_violation' },
    query,
    status: 400,
    category: 'content_policy_violation',
    requirements: ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13'],
  },
  {
    name: 'refused-input',
    input: { outcome: 'refused_input' },
    query,
    status: 422,
    category: 'invalid_input',
    requirements: ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13'],
  },
  {
    name: 'refused-request',
    input: { outcome: 'refused_request' },
    query,
    status: 400,
    category: 'invalid_input',
    requirements: ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13'],
  },
  {
    name: 'not-asked-for',
    input: { outcome: 'provider_error' },
    query: '',
    status: 502,
    category: 'provider_error',
    requirements: ['MR-RUN-10', 'MR-RUN-13'],
  },
  {
    name: 'failing-too',
    input: { outcome: 'provider_error', alternate_outcome: 'provider_timeout' },
    query,
    status: 502,
    category: 'provider_error',
    requirements: ['MR-RUN-13'],
  },
];

export const fallbackRules: readonly Rule[] = [
  toldRule({
    id: happens,
    family,
    requirements: ['MR-RUN-10', 'MR-RUN-11'],
    probe: fallenBack,
    judge: (evidence) =>
      blamed.flatMap((name) => {
        const status = requireStatus(responseOf(evidence, name), 200);
        return status.length > 0 ? status : requireReceived(evidence, name, { provider: alternate });
      }),
  }),
  toldRule({
    id: 'providers.fallback.is-named',
    family,
    requirements: ['MR-HDR-11', 'MR-HDR-12', 'MR-RUN-32'],
    needs: [happens],
    probe: fallenBack,
    judge: (evidence, { headers }) =>
      blamed.flatMap((name) =>
        requireHeader(responseOf(evidence, name), headers.fallbackProvider, {
          expected: alternate,
          is: (value) => value.trim() === alternate,
        }),
      ),
  }),
  toldRule({
    id: 'providers.fallback.drops-are-disclosed',
    family,
    requirements: ['MR-HDR-10', 'MR-RUN-22', 'MR-HDR-08'],
    needs: [happens],
    probe: fallenBack,
    judge: (evidence, context) =>
      blamed.flatMap((name) => requireDisclosed(responseOf(evidence, name), context, ['outcome'])),
  }),
  toldRule({
    id: 'providers.fallback.needs-a-failure',
    family,
    requirements: ['MR-HDR-11', 'MR-RUN-10'],
    probe: fallenBack,
    judge: (evidence, { headers }) => {
      const answer = responseOf(evidence, 'healthy');
      const status = requireStatus(answer, 200);
      if (status.length > 0) return status;
      return [
        ...requireReceived(evidence, 'healthy', { provider: 'sandbox' }),
        ...forbidHeader(answer, headers.fallbackProvider),
      ];
    },
  }),
  ...withoutFallback.map(({ name, input, status, category, requirements, ...rest }) =>
    toldRule({
      id: `providers.fallback.none.${name}`,
      family,
      requirements: [...requirements, 'MR-HDR-11'],
      probe: () => ({ steps: [tell('run', input, { query: rest.query })] }),
      judge: (evidence, context) => {
        const answer = responseOf(evidence, 'run');
        const unexpected = requireStatus(answer, status);
        if (unexpected.length > 0) return unexpected;
        return [
          ...requireCategory(answer, context, category),
          ...forbidHeader(answer, context.headers.fallbackProvider),
          ...forbidHeader(answer, context.headers.droppedParams),
        ];
      },
    }),
  ),
];
