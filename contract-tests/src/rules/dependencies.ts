import type { ProbeContext } from '../contract/context.ts';
import { defineFamily, type Rule } from '../contract/rule.ts';
import { get, step } from '../contract/steps.ts';
import { hook, job } from '../requires.ts';
import { expectCategory, expectStatus, onResponse } from './builders/expectations.ts';
import { readJob } from './workflow/jobs.ts';
import { expectCode } from './workflow/refusals.ts';

const reads = [
  { operation: 'listModels', act: 'lists models', to: () => '/v2/models?limit=1' },
  { operation: 'readModel', act: 'reads a model', to: ({ authored }: ProbeContext) => authored.path },
  {
    operation: 'readSchemaDocument',
    act: 'reads a schema document',
    to: ({ authored }: ProbeContext) => `${authored.path}/openapi.json`,
  },
] as const;

/** Reads whose own dependencies fail: no caller can cause it, so it is scripted (docs/test-hooks.md). */
export const dependencyRules: readonly Rule[] = defineFamily(
  { family: 'dependencies', api: 'router', requires: hook('script') },
  [
    ...reads.map(({ operation, act, to }) => ({
      id: `dependencies.${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.internal-error`,
      sentence: `A failure of the service while it ${act} is answered as internal_error.`,
      requirements: ['MR-STC-15', 'MR-CTG-15'],
      probe: (context: ProbeContext) => [
        step('read', get('router', to(context)), { script: { operation, error_type: 'internal_error' } }),
      ],
      check: onResponse('read', expectStatus(500, expectCategory('internal_error'))),
    })),
    {
      id: 'dependencies.read-job-workflow.upstream-error',
      sentence: 'A dependency that fails while a workflow is read is answered as upstream_error.',
      requirements: ['WX-COD-15'],
      api: 'workflow',
      requires: [...hook('script'), ...job('save')],
      probe: (context) => [
        { ...readJob('save', context), name: 'read', script: { operation: 'readJobWorkflow', code: 'upstream_error' } },
      ],
      check: onResponse('read', expectCode(500, 'upstream_error')),
    },
  ],
);
