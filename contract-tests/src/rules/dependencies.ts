import type { ProbeContext } from '../contract/context.ts';
import { defineFamily, type NamedMember } from '../contract/rule.ts';
import { anyOf, hook, job, state } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { type RouterOperation, routerOperations } from './builders/operations.ts';
import * as send from './builders/send.ts';
import { readJob } from './workflow/jobs.ts';
import { expectCode } from './workflow/refusals.ts';

function failingRead(operation: string, locate: (context: ProbeContext) => string, expectStatus: expect.Expectation) {
  return {
    probe: (context: ProbeContext) => [
      send.step('read', send.get('router', locate(context)), { script: { operation, error_type: 'internal_error' } }),
    ],
    check: expect.on('read', expectStatus, expect.category('internal_error')),
    requirements: ['MR-STC-15', 'MR-CTG-15'],
  };
}

/** One operation alone lists it. */
const readStatus = expect.asRead('OP-018', expect.status(500));

/** A call that starts no run, for it fails before: with an input of the outcome model, on a request that nobody has. */
function unavailable({ name, words, operationId, method, tail, refusals }: RouterOperation): NamedMember {
  const body = method === 'POST' ? send.jsonBody({}) : {};
  const locate = ({ authored }: ProbeContext): string => {
    if (name === 'list') return '/v2/models?limit=1';
    return (method === 'POST' ? send.scriptedPath : authored.path) + tail;
  };
  const script = { operation: operationId, error_type: 'service_unavailable' } as const;
  return [
    `dependencies.${name}.unavailable`,
    {
      sentence: `While the service is unavailable the ${words} operation answers 503 service_unavailable.`,
      requirements: [refusals[503], 'MR-STC-17', 'MR-CTG-18', ...(name === 'list' ? ['MR-CAT-56'] : [])],
      partReading: 'OP-018',
      ...(method === 'POST' ? { cost: 'hooked', requires: hook('script', 'outcomes') } : {}),
      probe: (context) => [send.step('call', { api: 'router', method, to: locate(context), ...body }, { script })],
      check: expect.on('call', expect.status(503, expect.asRead('OP-018', expect.category('service_unavailable')))),
    },
  ];
}

/** No caller can cause such failures, so they are scripted (docs/reference/test-hooks.md). */
export const dependencyRules = defineFamily({ requires: hook('script') })(routerOperations.map(unavailable), {
  'dependencies.list-models.internal-error': {
    sentence: 'A failure of the service while it lists models is answered as internal_error.',
    partReading: 'OP-018',
    ...failingRead('listModels', () => '/v2/models?limit=1', readStatus),
  },
  'dependencies.read-model.internal-error': {
    sentence: 'A failure of the service while it reads a model is answered as internal_error.',
    partReading: 'OP-018',
    ...failingRead('readModel', ({ authored }) => authored.path, readStatus),
  },
  'dependencies.read-schema-document.internal-error': {
    sentence: 'A failure of the service while it reads a schema document is answered as internal_error.',
    ...failingRead('readSchemaDocument', ({ authored }) => `${authored.path}/openapi.json`, expect.status(500)),
  },
  'dependencies.read-job-workflow.upstream-error': {
    sentence: 'A dependency that fails while a workflow is read is answered as upstream_error.',
    requirements: ['WX-COD-15'],
    api: 'workflow',
    // A job of the owner whose lookup fails does as well.
    requires: [state, anyOf(hook('script'), job('failing')), anyOf(job('failing'), job('save'))],
    probe: (context) =>
      context.has('script')
        ? [
            {
              ...readJob('save', context),
              name: 'read',
              script: { operation: 'readJobWorkflow', code: 'upstream_error' },
            },
          ]
        : [{ ...readJob('failing', context), name: 'read' }],
    check: expect.on('read', expectCode(500, 'upstream_error')),
  },
});
