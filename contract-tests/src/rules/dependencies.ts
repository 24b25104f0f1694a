import type { ProbeContext } from '../contract/context.ts';
import type { Step } from '../contract/probe.ts';
import { defineFamily, type Family, type NamedMember, type Rule, type Shown } from '../contract/rule.ts';
import { get, step } from '../contract/steps.ts';
import { hook, job } from '../requires.ts';
import { onResponse } from './builders/checks.ts';
import * as expect from './builders/expectations.ts';
import { follow, list, submit } from './builders/router-steps.ts';
import { scriptedPath, scriptedSubmit } from './builders/scripted-runs.ts';
import { readJob } from './workflow/jobs.ts';
import { expectCode } from './workflow/refusals.ts';

/** A read whose own dependency fails. */
function failingRead(operation: string, locate: (context: ProbeContext) => string): Shown {
  return {
    probe: (context) => [
      step('read', get('router', locate(context)), { script: { operation, error_type: 'internal_error' } }),
    ],
    check: onResponse('read', expect.status(500, expect.category('internal_error'))),
  };
}

const requirements = ['MR-STC-15', 'MR-CTG-15'];

type Call = {
  readonly operation: string;
  readonly requirements: readonly string[];
  readonly send: (context: ProbeContext) => Step;
};

/** The operations that list a 503, by the last part of their rules' ids; the run is among the outcomes. */
const interrupted: Readonly<Record<string, Call>> = {
  'list-models': {
    operation: 'listModels',
    requirements: ['MR-CAT-55', 'MR-CAT-56'],
    send: () => list('call', '?limit=1'),
  },
  'read-model': {
    operation: 'readModel',
    requirements: ['MR-MOD-12'],
    send: ({ authored }) => step('call', get('router', authored.path)),
  },
  'read-schema-document': {
    operation: 'readSchemaDocument',
    requirements: ['MR-SCH-22'],
    send: ({ authored }) => step('call', get('router', `${authored.path}/openapi.json`)),
  },
  submit: {
    operation: 'submitRequest',
    requirements: ['MR-SUB-20'],
    send: () => submit('call', { path: scriptedPath, input: {} }),
  },
  collect: { operation: 'collectRequest', requirements: ['MR-COL-19'], send: () => follow('call', 'response_url') },
  status: { operation: 'readStatus', requirements: ['MR-STA-10'], send: () => follow('call', 'status_url') },
  cancel: { operation: 'cancelRequest', requirements: ['MR-CAN-19'], send: () => follow('call', 'cancel_url') },
};
const ofRequests = ['collect', 'status', 'cancel'];

function unavailable([name, { operation, requirements, send }]: [string, Call]): NamedMember {
  const ofRequest = ofRequests.includes(name);
  return [
    `dependencies.${name}.unavailable`,
    {
      sentence: `While the service is unavailable the call ${name.replaceAll('-', ' ')} is answered with 503 service_unavailable.`,
      requirements: [...requirements, 'MR-STC-17', 'MR-CTG-18'],
      ...(ofRequest || name === 'submit' ? { cost: 'hooked', requires: hook('script', 'outcomes') } : {}),
      probe: (context) => [
        ...(ofRequest ? [scriptedSubmit('submit', {})] : []),
        { ...send(context), script: { operation, error_type: 'service_unavailable' } },
      ],
      check: onResponse('call', expect.status(503, expect.category('service_unavailable'))),
    },
  ];
}

/** No caller can cause such failures, so they are scripted (docs/test-hooks.md). */
const dependency: Family = { requires: hook('script') };

export const dependencyRules: readonly Rule[] = defineFamily(dependency, Object.entries(interrupted).map(unavailable), {
  'dependencies.list-models.internal-error': {
    sentence: 'A failure of the service while it lists models is answered as internal_error.',
    requirements,
    ...failingRead('listModels', () => '/v2/models?limit=1'),
  },
  'dependencies.read-model.internal-error': {
    sentence: 'A failure of the service while it reads a model is answered as internal_error.',
    requirements,
    ...failingRead('readModel', ({ authored }) => authored.path),
  },
  'dependencies.read-schema-document.internal-error': {
    sentence: 'A failure of the service while it reads a schema document is answered as internal_error.',
    requirements,
    ...failingRead('readSchemaDocument', ({ authored }) => `${authored.path}/openapi.json`),
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
