import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import { changeByCount, isRefusal, onJson, onRequest, read, set, withJson } from '../builders/changes.ts';
import { group, type Variant, variant } from '../builders/fault.ts';
import { caller, isUuid, sent, withHeaders } from '../builders/requests.ts';
import { changeError, changeWorkflow } from '../workflow.ts';

const asMainAccount = onRequest((request) =>
  withHeaders(request, { authorization: `Bearer ${sandboxCredentials.workflow.main}` }),
);
const asMalformed = set.text('{"error": {"code": "invalid_id", "message": "This is not a job id."}}', 400);

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [name, reversed(member)]);
  return Object.fromEntries(members.toReversed());
}

const detailsByNode = changeError((error, { request }) => ({
  ...error,
  message: `Nothing to tell about ${sent.jobId(request)}.`,
  details: { '12': [{ field: 'steps', reason: 'too many' }] },
}));
const namesClass = changeError({ message: 'LookupError: no such job', details: null });
const savedExtraData = changeWorkflow('save', (workflow) => ({ ...workflow, extra_data: { seed: 1 } }));
const reversedNowAndThen = changeByCount(
  () => '',
  (reply, times) => (times % 2 === 0 ? withJson(reply, reversed(read.object(reply))) : reply),
);

export const workflowVariants: readonly Variant[] = [
  ...group({ id: 'workflow', on: 'readJobWorkflow' }, [
    variant('error.details-by-node', detailsByNode, { status: isRefusal }),
    variant('error.names-a-class', namesClass, { status: [401, 403, 404] }),
    variant('none.self-hosted', asMainAccount, { when: (request) => !caller.hasToken(request) }),
    variant('open.to-any-token', asMainAccount, { on: ['readJobWorkflow', 'lookUpJob'] }),
    variant('lookup.not-served', set.status(404), { on: 'lookUpJob', status: 200 }),
    variant('unknown.malformed-as-400', asMalformed, { status: 404, when: (request) => !isUuid(sent.jobId(request)) }),
  ]),
  ...group({ id: 'workflow.job', on: 'readJobWorkflow', status: 200 }, [
    variant('further-members', onJson({ more: { data: 1 }, token_count: 7, 'extra-data': [] }, 'workflow')),
    variant('members-in-another-order', reversedNowAndThen),
    variant('saved-extra-data', savedExtraData),
    variant('empty', set.member('workflow', {})),
  ]),
];
