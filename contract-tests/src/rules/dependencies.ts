import type { ProbeContext } from '../contract/context.ts';
import { defineFamily, type Family, type Rule, type Shown } from '../contract/rule.ts';
import { get, step } from '../contract/steps.ts';
import { hook, job } from '../requires.ts';
import { asRead, type Expectation, onResponse } from './builders/checks.ts';
import * as expect from './builders/expectations.ts';
import { readJob } from './workflow/jobs.ts';
import { expectCode } from './workflow/refusals.ts';

/** A read whose own dependency fails. */
function failingRead(operation: string, locate: (context: ProbeContext) => string, expectStatus: Expectation): Shown {
  return {
    probe: (context) => [
      step('read', get('router', locate(context)), { script: { operation, error_type: 'internal_error' } }),
    ],
    check: onResponse('read', expectStatus, expect.category('internal_error')),
  };
}

/** One operation alone lists it. */
const readStatus = asRead('NS-18', expect.status(500));
const requirements = ['MR-STC-15', 'MR-CTG-15'];

/** No caller can cause such failures, so they are scripted (docs/test-hooks.md). */
const dependency: Family = { requires: hook('script') };

export const dependencyRules: readonly Rule[] = defineFamily(dependency, {
  'dependencies.list-models.internal-error': {
    sentence: 'A failure of the service while it lists models is answered as internal_error.',
    requirements,
    partReading: 'NS-18',
    ...failingRead('listModels', () => '/v2/models?limit=1', readStatus),
  },
  'dependencies.read-model.internal-error': {
    sentence: 'A failure of the service while it reads a model is answered as internal_error.',
    requirements,
    partReading: 'NS-18',
    ...failingRead('readModel', ({ authored }) => authored.path, readStatus),
  },
  'dependencies.read-schema-document.internal-error': {
    sentence: 'A failure of the service while it reads a schema document is answered as internal_error.',
    requirements,
    ...failingRead('readSchemaDocument', ({ authored }) => `${authored.path}/openapi.json`, expect.status(500)),
  },
  'dependencies.read-job-workflow.upstream-error': {
    sentence: 'A dependency that fails while a workflow is read is answered as upstream_error.',
    requirements: ['WX-COD-15'],
    api: 'workflow',
    requires: [...hook('script'), ...job('save')],
    probe: (context) => [
      { ...readJob('save', context), name: 'read', script: { operation: 'readJobWorkflow', code: 'upstream_error' } },
    ],
    check: onResponse('read', expectCode(500, 'upstream_error')),
  },
});
