import type { ProbeContext } from '../contract/context.ts';
import type { Probe } from '../contract/probe.ts';
import { defineFamily, type Rule } from '../contract/rule.ts';
import { get, step } from '../contract/steps.ts';
import { allOf, hasCapability, hasJob } from '../contract/target.ts';
import { expectCategory, expectMember, expectStatus, onResponse } from './builders/expectations.ts';
import { exactly } from './builders/matchers.ts';

const pathOf = {
  listModels: () => '/v2/models?limit=1',
  readModel: (context: ProbeContext) => context.model('authored').path,
  readSchemaDocument: (context: ProbeContext) => `${context.model('authored').path}/openapi.json`,
} as const;

/** Reads of the router whose own dependencies fail: no caller can cause it, so it is scripted (docs/test-hooks.md). */
const routerRules = defineFamily(
  { family: 'dependencies', api: 'router', appliesTo: hasCapability('script') },
  (Object.keys(pathOf) as (keyof typeof pathOf)[]).map((operation) => ({
    id: `dependencies.${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.internal-error`,
    requirements: ['MR-STC-15', 'MR-CTG-15'],
    probe: (context: ProbeContext): Probe => [
      step('read', get('router', pathOf[operation](context)), { script: { operation, error_type: 'internal_error' } }),
    ],
    check: onResponse('read', expectStatus(500, expectCategory('internal_error'))),
  })),
);

const workflowRules = defineFamily(
  { family: 'dependencies', api: 'workflow', appliesTo: allOf(hasCapability('script'), hasJob('save')) },
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
