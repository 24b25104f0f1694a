import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Variant } from '../decorator.ts';
import { rewriteJson, type Where } from '../making/answer-rewrite.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';

const on = ['readJobWorkflow'] as const;
const refused: Where = { on, status: (status) => status >= 400 };

function changeErrors(change: (error: JsonObject, id: string) => JsonObject): Decorator {
  return rewriteJson(refused, (body, { request }) => {
    const id = new URL(request.url).pathname.split('/')[4] ?? '';
    return isJsonObject(body['error']) ? { ...body, error: change(body['error'], id) } : body;
  });
}

function changeWorkflow(change: (workflow: JsonObject) => JsonObject): Decorator {
  return rewriteJson({ on, status: 200 }, (body) => {
    const workflow = body['workflow'];
    return isJsonObject(workflow) ? { ...body, workflow: change(workflow) } : body;
  });
}

export const workflowVariants: readonly Variant[] = [
  {
    id: 'workflow.error.details-null',
    requirements: ['WX-ERR-05'],
    description: 'The details of errors are null.',
    decorate: changeErrors((error) => ({ ...error, details: null })),
  },
  {
    id: 'workflow.error.details-by-node',
    requirements: ['WX-ERR-05'],
    description: 'The details of errors tell what is wrong with which node.',
    decorate: changeErrors((error) => ({ ...error, details: { '12': [{ field: 'steps', reason: 'too many' }] } })),
  },
  {
    id: 'workflow.error.names-the-id',
    requirements: ['WX-ERR-04'],
    description: 'Messages repeat the id that was asked for.',
    decorate: changeErrors((error, id) => ({ ...error, message: `Nothing to tell about ${id}.` })),
  },
  {
    id: 'workflow.error.extra-members',
    requirements: ['WX-ERR-01'],
    description: 'Errors hold further members.',
    decorate: changeErrors((error) => ({ ...error, request_id: 'req-7', docs: 'about:blank' })),
  },
  {
    id: 'workflow.job.further-members',
    requirements: ['WX-JWF-06'],
    description: 'Workflows hold members of any name, some of which sound like secrets.',
    decorate: changeWorkflow((workflow) => ({ ...workflow, more: { data: 1 }, token_count: 7, 'extra-data': [] })),
  },
  {
    id: 'workflow.job.empty',
    requirements: ['WX-JWF-05'],
    description: 'Workflows are empty objects.',
    decorate: changeWorkflow(() => ({})),
  },
  {
    id: 'workflow.none.self-hosted',
    requirements: ['WX-AUT-04'],
    description: 'Calls without a credential are let in, as on a self-hosted deployment.',
    decorate: rewriteRequest(on, (request) =>
      request.headers.has('authorization') ? {} : { headers: { authorization: 'Bearer sk-sandbox-workflow-main' } },
    ),
  },
];
