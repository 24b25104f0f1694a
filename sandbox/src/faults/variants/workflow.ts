import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import { counted, onMember, onRequest, set } from '../builders/changes.ts';
import { only, type Variant, variants } from '../builders/fault.ts';
import { isRefusal, readObject, withJson } from '../builders/replies.ts';
import { caller, isUuid, readJobId, withHeaders } from '../builders/requests.ts';
import { changeError, changeWorkflow } from '../workflow.ts';

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

export const workflowVariants: readonly Variant[] = [
  ...variants({ id: 'workflow.error', on: ['readJobWorkflow'], status: isRefusal })({
    'details-by-node': changeError((error, { request }) => ({
      ...error,
      message: `Nothing to tell about ${readJobId(request)}.`,
      details: { '12': [{ field: 'steps', reason: 'too many' }] },
    })),
    'names-a-class': only(
      { status: [401, 403, 404] },
      changeError(({ code }) => ({ code: code ?? '', message: 'LookupError: no such job', details: null })),
    ),
  }),
  ...variants({ id: 'workflow.job', on: ['readJobWorkflow'], status: 200 })({
    'further-members': onMember('workflow', { more: { data: 1 }, token_count: 7, 'extra-data': [] }),
    'members-in-another-order': counted(
      () => '',
      (reply, times) => (times % 2 === 0 ? withJson(reply, reversed(readObject(reply))) : reply),
    ),
    'saved-extra-data': changeWorkflow('save', (workflow) => ({ ...workflow, extra_data: { seed: 1 } })),
    empty: onMember('workflow', () => ({})),
  }),
  ...variants({ id: 'workflow.none', on: ['readJobWorkflow'] })({
    'self-hosted': only({ when: (request) => !caller.hasToken(request) }, asMainAccount),
  }),
  ...variants({ id: 'workflow.open', on: ['readJobWorkflow', 'lookUpJob'] })({ 'to-any-token': asMainAccount }),
  ...variants({ id: 'workflow.lookup', on: ['lookUpJob'], status: 200 })({ 'not-served': set.status(404) }),
  ...variants({ id: 'workflow.unknown', on: ['readJobWorkflow'], status: 404 })({
    'malformed-as-400': only({ when: (request) => !isUuid(readJobId(request)) }, asMalformed),
  }),
];
