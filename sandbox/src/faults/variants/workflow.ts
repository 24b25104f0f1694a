import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import { counted, type JsonChange, onMember, onRequest, set } from '../builders/changes.ts';
import { group, rowIn, type Variant, fault as variant } from '../builders/fault.ts';
import { isRefusal, readObject, withJson } from '../builders/replies.ts';
import { lacksHeader, withHeaders } from '../builders/requests.ts';
import { changeError, changeWorkflow, readJobId } from '../builders/workflow.ts';

const workflowVariant = rowIn((change: JsonChange) => onMember('workflow', change));
const errorVariant = rowIn(changeError);

const asMainAccount = onRequest((request) =>
  withHeaders(request, { authorization: `Bearer ${sandboxCredentials.workflow.main}` }),
);
const asMalformed = set.text('{"error": {"code": "invalid_id", "message": "This is no id of a job."}}', 400);

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [name, reversed(member)]);
  return Object.fromEntries(members.toReversed());
}

const reordered = counted(
  () => '',
  (reply, times) => (times % 2 === 0 ? withJson(reply, reversed(readObject(reply))) : reply),
);
const savedExtraData = changeWorkflow('save', (workflow) => ({ ...workflow, extra_data: { seed: 1 } }));

export const workflowVariants: readonly Variant[] = [
  ...group({ id: 'workflow.error', on: ['readJobWorkflow'], status: isRefusal, subject: 'Workflow errors' }, [
    errorVariant('details-by-node', 'WX-ERR-04 WX-ERR-05', (error, { request }) => ({
      ...error,
      message: `Nothing to tell about ${readJobId(request)}.`,
      details: { '12': [{ field: 'steps', reason: 'too many' }] },
    })),
    errorVariant(
      'names-a-class',
      'WX-ERR-04 WX-ERR-05 WX-COD-22',
      ({ code }) => ({ code: code ?? '', message: 'LookupError: no such job', details: null }),
      { status: [401, 403, 404] },
    ),
  ]),
  ...group({ id: 'workflow.job', on: ['readJobWorkflow'], status: 200, subject: 'Workflows' }, [
    workflowVariant('further-members', 'WX-JWF-06', { more: { data: 1 }, token_count: 7, 'extra-data': [] }),
    variant('members-in-another-order', 'WX-JWF-07', reordered),
    variant('saved-extra-data', 'WX-JWF-19 WX-JWF-07', savedExtraData),
    workflowVariant('empty', 'WX-JWF-05', () => ({})),
  ]),
  ...group({ id: 'workflow.none', on: ['readJobWorkflow'] }, [
    variant('self-hosted', 'WX-AUT-04', asMainAccount, { when: lacksHeader('authorization') }),
  ]),
  ...group({ id: 'workflow.open', on: ['readJobWorkflow', 'lookUpJob'] }, [
    variant('to-any-token', 'WX-AUT-04 WX-AUT-07', asMainAccount),
  ]),
  ...group({ id: 'workflow.unknown', on: ['readJobWorkflow'], status: 404, subject: 'A job id' }, [
    variant('malformed-as-400', 'WX-RTN-02 WX-JWF-02', asMalformed, {
      when: (request) => !/^[0-9a-f-]{36}$/.test(readJobId(request)),
    }),
  ]),
];
