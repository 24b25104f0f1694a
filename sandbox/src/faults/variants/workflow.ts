import { sandboxCredentials } from '../../http/authentication.ts';
import { onRequest } from '../builders/changes.ts';
import { group, rowIn, type Variant, variant } from '../builders/fault.ts';
import { isRefusal } from '../builders/replies.ts';
import { lacksHeader, withHeaders } from '../builders/requests.ts';
import { changeError, changeWorkflow } from '../builders/workflow.ts';

const workflowVariant = rowIn(changeWorkflow);
const errorVariant = rowIn(changeError);

const asMainAccount = onRequest((request) =>
  withHeaders(request, { authorization: `Bearer ${sandboxCredentials.workflow.main}` }),
);
const secrets = { more: { data: 1 }, token_count: 7, 'extra-data': [] };

export const workflowVariants: readonly Variant[] = [
  ...group({ id: 'workflow.error', on: ['readJobWorkflow'], status: isRefusal, subject: 'Workflow errors' }, [
    errorVariant('details-null', 'WX-ERR-05', 'have details of null', (error) => ({ ...error, details: null })),
    errorVariant('details-by-node', 'WX-ERR-05', 'have details by node', (error) => ({
      ...error,
      details: { '12': [{ field: 'steps', reason: 'too many' }] },
    })),
    errorVariant('names-the-id', 'WX-ERR-04', 'repeat the requested id in their message', (error, id) => ({
      ...error,
      message: `Nothing to tell about ${id}.`,
    })),
    errorVariant('extra-members', 'WX-ERR-01', 'have further members', (error) => ({
      ...error,
      request_id: 'req-7',
      docs: 'about:blank',
    })),
  ]),
  ...group({ id: 'workflow.job', on: ['readJobWorkflow'], status: 200, subject: 'Workflows' }, [
    workflowVariant('further-members', 'WX-JWF-06', 'have members that look like secrets', (workflow) => ({
      ...workflow,
      ...secrets,
    })),
    workflowVariant('empty', 'WX-JWF-05', 'are empty objects', () => ({})),
  ]),
  ...group({ id: 'workflow.none', on: ['readJobWorkflow'] }, [
    variant('self-hosted', 'WX-AUT-04', 'Calls need no credential, as on a self-hosted deployment', asMainAccount, {
      when: lacksHeader('authorization'),
    }),
  ]),
];
