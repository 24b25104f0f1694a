import type { ProbeContext } from '../contract/context.ts';
import type { Probe } from '../contract/probe.ts';
import { defineFamily, type Rule } from '../contract/rule.ts';
import { get, step } from '../contract/steps.ts';
import { hook, job } from '../requires.ts';
import { expectCategory, expectMember, expectStatus, onResponse } from './builders/expectations.ts';
import { exactly } from './builders/matchers.ts';

const reads = [
  { operation: 'listModels', act: 'lists models', to: () => '/v2/models?limit=1' },
  { operation: 'readModel', act: 'reads a model', to: ({ authored }: ProbeContext) => authored.path },
  {
    operation: 'readSchemaDocument',
    act: 'reads a schema document',
    to: ({ authored }: ProbeContext) => `${authored.path}/openapi.json`,
  },
] as const;

/** Reads of the router whose own dependencies fail: no caller can cause it, so it is scripted (docs/test-hooks.md). */
const routerRules = defineFamily(
  { family: 'dependencies', api: 'router', requires: hook('script') },
  reads.map(({ operation, act, to }) => ({
    id: `dependencies.${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.internal-error`,
    sentence: `A failure of the service while it ${act} is answered as internal_error.`,
    requirements: ['MR-STC-15', 'MR-CTG-15'],
    probe: (context: ProbeContext): Probe => [
      step('read', get('router', to(context)), { script: { operation, error_type: 'internal_error' } }),
    ],
    check: onResponse('read', expectStatus(500, expectCategory('internal_error'))),
  })),
);

const workflowRules = defineFamily(
  { family: 'dependencies', api: 'workflow', requires: [...hook('script'), ...job('save')] },
  [
    {
      id: 'dependencies.read-job-workflow.upstream-error',
      sentence: 'A dependency that fails while a workflow is read is answered as upstream_error.',
      requirements: ['WX-COD-15'],
      probe: (context) => [
        step('read', get('workflow', `/api/v2/jobs/${encodeURIComponent(context.job('save'))}/workflow`), {
          script: { operation: 'readJobWorkflow', code: 'upstream_error' },
        }),
      ],
      check: onResponse('read', expectStatus(500, expectMember('/error/code', exactly('upstream_error')))),
    },
  ],
);

export const dependencyRules: readonly Rule[] = [...routerRules, ...workflowRules];
