import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import { extraDataCanary } from '../../state/jobs.ts';
import type { Fault } from '../decorator.ts';
import { changeStatus, rewriteJson, setHeader, type Where } from '../making/answer-rewrite.ts';
import { dropMember, setMember, without } from '../making/json-change.ts';

const on = ['readJobWorkflow'] as const;
const found: Where = { on, status: 200 };
const leak: JsonObject = { credential: extraDataCanary };

export const workflowAnswerFaults: readonly Fault[] = [
  {
    id: 'workflow.job.as-text',
    requirements: ['WX-JWF-04'],
    description: 'A workflow is sent as plain text.',
    decorate: setHeader(found, 'Content-Type', 'text/plain'),
  },
  {
    id: 'workflow.job.answered-with-202',
    requirements: ['WX-JWF-04'],
    description: 'A workflow is answered with 202.',
    decorate: changeStatus(found, 202),
    trips: ['WX-AUT-01', 'WX-JWF-32', 'WX-RTN-05'],
  },
  {
    id: 'workflow.job.workflow-as-text',
    requirements: ['WX-JWF-05'],
    description: 'The workflow is a string that holds JSON.',
    decorate: rewriteJson(found, (body) => ({ ...body, workflow: JSON.stringify(body['workflow']) })),
  },
  {
    id: 'workflow.job.workflow-missing',
    requirements: ['WX-JWF-05'],
    description: 'The workflow stands at the top of the answer.',
    decorate: rewriteJson(found, (body) => {
      const workflow = body['workflow'];
      return isJsonObject(workflow) ? { ...workflow, ...without(body, 'workflow') } : body;
    }),
  },
  {
    id: 'workflow.job.format-missing',
    requirements: ['WX-JWF-09'],
    description: 'The answer does not name its format.',
    decorate: dropMember(found, 'format'),
    trips: ['WX-JWF-32'],
  },
  {
    id: 'workflow.job.third-format',
    requirements: ['WX-JWF-10'],
    description: 'The format is called litegraph.',
    decorate: setMember(found, 'format', 'litegraph'),
    trips: ['WX-JWF-32'],
  },
  {
    id: 'workflow.job.always-api',
    requirements: ['WX-JWF-25'],
    description: 'A pinned job answers with format api.',
    decorate: setMember(found, 'format', 'api'),
  },
  {
    id: 'workflow.job.always-save',
    requirements: ['WX-JWF-25', 'WX-JWF-27'],
    description: 'A submitted job answers with format save.',
    decorate: setMember(found, 'format', 'save'),
    trips: ['WX-JWF-32'],
  },
  {
    id: 'workflow.job.format-as-asked',
    requirements: ['WX-JWF-24'],
    description: 'A query parameter chooses the format.',
    decorate: rewriteJson(found, (body, { request }) => {
      const format = new URL(request.url).searchParams.get('format');
      return format === null ? body : { ...body, format };
    }),
  },
  {
    id: 'workflow.job.extra-data-on-top',
    requirements: ['WX-JWF-19'],
    description: 'The answer holds the extra_data of the submission.',
    decorate: setMember(found, 'extra_data', leak),
  },
  {
    id: 'workflow.job.extra-data-inside',
    requirements: ['WX-JWF-19'],
    description: 'The workflow holds the extra_data of the submission.',
    decorate: rewriteJson(found, (body) => {
      const workflow = isJsonObject(body['workflow']) ? body['workflow'] : {};
      return { ...body, workflow: { ...workflow, extra_data: leak } };
    }),
  },
  {
    id: 'workflow.job.extra-data-renamed',
    requirements: ['WX-JWF-19'],
    description: 'The workflow holds the extra_data of the submission under another name.',
    decorate: setMember(found, 'submission', { meta: leak }),
  },
];
