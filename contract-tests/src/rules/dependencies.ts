import { type Rule, ruleIn } from '../contract/rule.ts';
import { scenario } from '../contract/scenario.ts';
import { anyOf, hook, job, state } from '../requires.ts';
import { json, outcomesModelPath, withUnknownId } from './calls.ts';
import * as expect from './expect.ts';
import { type RouterOperation, routerOperations } from './operations.ts';
import { expectCode } from './workflow/refusals.ts';

const rule = ruleIn('dependencies');

/** Scripts a failure of an operation. The call is never billed: it fails or is scripted. */
function callWithScriptedFailure(
  { name, operationId, method, tail }: RouterOperation,
  failure: 'service_unavailable' | 'internal_error',
) {
  const isStart = method === 'POST';
  const requires = isStart ? hook('script', 'outcomes') : hook('script');
  return scenario({ cost: isStart ? 'hooked' : 'free', requires }, async (server) => {
    const path = () => (isStart ? outcomesModelPath : server.authored.path) + withUnknownId(tail, server);
    const to = name === 'list' ? '/v2/models?limit=1' : path();
    await server.script({ operation: operationId, error_type: failure });
    const request = { api: 'router', method, to, ...(isStart ? json({}) : {}) } as const;
    return { call: await server.send(request, { expectedFailure: failure }) };
  });
}

function unavailableRule(operation: RouterOperation): Rule {
  const { name, words, refusals } = operation;
  return rule(`dependencies.${name}.unavailable`, callWithScriptedFailure(operation, 'service_unavailable'), {
    sentence: `While the service is unavailable, the ${words} operation returns 503 service_unavailable.`,
    requirements: [refusals[503], 'MR-STC-17', 'MR-CTG-18', ...(name === 'list' ? ['MR-CAT-56'] : [])],
    partReading: 'OP-018',
    check: ({ call }) =>
      expect.on(call, expect.status(503, expect.withReading('OP-018', expect.category('service_unavailable')))),
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
  rule('dependencies.read-job-workflow.upstream-error', failingJob, {
    sentence: 'If a dependency fails while a workflow is read, the API returns 500 upstream_error.',
    requirements: ['WX-COD-15'],
    check: ({ read }) => expect.on(read, expectCode(500, 'upstream_error')),
  }),
];
