import { type Rule, ruleIn } from '../contract/rule.ts';
import { type FreeContext, scenario } from '../contract/scenario.ts';
import { anyOf, hook, job, state } from '../requires.ts';
import { json, scriptedPath, withUnknownId } from './calls.ts';
import * as expect from './expect.ts';
import { type RouterOperation, routerOperations } from './operations.ts';
import { expectCode } from './workflow/refusals.ts';

const rule = ruleIn('dependencies');

/** Its call cannot be billed: it fails first, uses the outcomes model, or has the id of no request. */
function unavailableRule({ name, words, operationId, method, tail, refusals }: RouterOperation): Rule {
  const isStart = method === 'POST';
  const locate = (server: FreeContext): string => {
    if (name === 'list') return '/v2/models?limit=1';
    return (isStart ? scriptedPath : server.authored.path) + withUnknownId(tail, server);
  };
  const unavailable = scenario(
    isStart ? { cost: 'hooked', requires: hook('script', 'outcomes') } : { requires: hook('script') },
    async (server) => {
      const to = locate(server);
      await server.script({ operation: operationId, error_type: 'service_unavailable' });
      const request = { api: 'router', method, to, ...(isStart ? json({}) : {}) } as const;
      return { call: await server.send(request, { expectedFailure: 'service_unavailable' }) };
    },
  );
  return rule(`dependencies.${name}.unavailable`, unavailable, {
    sentence: `While the service is unavailable, the ${words} operation returns 503 service_unavailable.`,
    requirements: [refusals[503], 'MR-STC-17', 'MR-CTG-18', ...(name === 'list' ? ['MR-CAT-56'] : [])],
    partReading: 'OP-018',
    check: ({ call }) =>
      expect.on(call, expect.status(503, expect.withReading('OP-018', expect.category('service_unavailable')))),
  });
}

/** Checks a read with a scripted internal error. `statusReading`: the reading that assigns a status to this error. */
function internalErrorRule(
  [name, operation]: readonly [name: string, operationId: string],
  action: string,
  locate: (server: FreeContext) => string,
  statusReading?: string,
): Rule {
  const failing = scenario({ requires: hook('script') }, async (server) => {
    const to = locate(server);
    await server.script({ operation, error_type: 'internal_error' });
    return { read: await server.send({ api: 'router', method: 'GET', to }, { expectedFailure: 'internal_error' }) };
  });
  return rule(`dependencies.${name}.internal-error`, failing, {
    sentence: `If the service fails while it ${action}, it returns 500 internal_error.`,
    requirements: ['MR-STC-15', 'MR-CTG-15'],
    ...(statusReading && { partReading: statusReading }),
    check: ({ read }) =>
      expect.on(read, expect.withReading(statusReading, expect.status(500)), expect.category('internal_error')),
  });
}

/** A configured job whose lookup fails can replace a scripted failure. */
const failingJob = scenario(
  {
    api: 'workflow',
    requires: [state, anyOf(hook('script'), job('failing')), anyOf(job('failing'), job('save'))],
  },
  async (server) => {
    const expectedFailure = 'upstream_error';
    if (!server.has('script')) return { read: await server.jobWorkflow(server.job('failing'), { expectedFailure }) };
    const id = server.job('save');
    await server.script({ operation: 'readJobWorkflow', code: 'upstream_error' });
    return { read: await server.jobWorkflow(id, { expectedFailure }) };
  },
);

export const dependencyRules = [
  ...routerOperations.map(unavailableRule),
  internalErrorRule(['list-models', 'listModels'], 'lists models', () => '/v2/models?limit=1', 'OP-018'),
  internalErrorRule(['read-model', 'readModel'], 'reads a model', ({ authored }) => authored.path, 'OP-018'),
  internalErrorRule(
    ['read-schema-document', 'readSchemaDocument'],
    'reads a schema document',
    ({ authored }) => `${authored.path}/openapi.json`,
  ),
  rule('dependencies.read-job-workflow.upstream-error', failingJob, {
    sentence: 'If a dependency fails while a workflow is read, the API returns 500 upstream_error.',
    requirements: ['WX-COD-15'],
    check: ({ read }) => expect.on(read, expectCode(500, 'upstream_error')),
  }),
];
