import { onRequest } from '../builders/changes.ts';
import { group, only, type Variant, variant } from '../builders/fault.ts';
import { isRefusal } from '../builders/replies.ts';
import { hasHeader, withHeaders } from '../builders/requests.ts';
import { changeError, changeWorkflow } from '../builders/workflow.ts';

export const workflowVariants: readonly Variant[] = [
  ...group({ id: 'workflow.error', on: ['readJobWorkflow'], status: isRefusal, subject: 'Workflow errors' }, [
    variant(
      'details-null',
      'WX-ERR-05',
      'have details of null',
      changeError((error) => ({ ...error, details: null })),
    ),
    variant(
      'details-by-node',
      'WX-ERR-05',
      'have details by node',
      changeError((error) => ({ ...error, details: { '12': [{ field: 'steps', reason: 'too many' }] } })),
    ),
    variant(
      'names-the-id',
      'WX-ERR-04',
      'repeat the requested id in their message',
      changeError((error, id) => ({ ...error, message: `Nothing to tell about ${id}.` })),
    ),
    variant(
      'extra-members',
      'WX-ERR-01',
      'have further members',
      changeError((error) => ({ ...error, request_id: 'req-7', docs: 'about:blank' })),
    ),
  ]),
  ...group({ id: 'workflow.job', on: ['readJobWorkflow'], status: 200, subject: 'Workflows' }, [
    variant(
      'further-members',
      'WX-JWF-06',
      'have members of any name, some of which look like secrets',
      changeWorkflow((workflow) => ({ ...workflow, more: { data: 1 }, token_count: 7, 'extra-data': [] })),
    ),
    variant(
      'empty',
      'WX-JWF-05',
      'are empty objects',
      changeWorkflow(() => ({})),
    ),
  ]),
  ...group({ id: 'workflow.none', on: ['readJobWorkflow'] }, [
    variant(
      'self-hosted',
      'WX-AUT-04',
      'Calls without a credential are accepted, as on a self-hosted deployment',
      only(
        { when: (request) => !hasHeader('authorization')(request) },
        onRequest((request) => withHeaders(request, { authorization: 'Bearer sk-sandbox-workflow-main' })),
      ),
    ),
  ]),
];
