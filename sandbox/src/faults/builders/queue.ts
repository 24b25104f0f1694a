import type { JsonObject, JsonValue } from '../../../../specs/src/index.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { type Around, all, changeMember, onJson, onRequest } from './changes.ts';
import { type Change, only } from './fault.ts';
import type { OperationId } from './operations.ts';
import { objectOf } from './replies.ts';
import { asMain, isFrom, modelIdOf, requestIdOf, withTarget } from './requests.ts';

export const unknownRequestId = '99999999-9999-4999-8999-999999999999';

/** The URLs of a status response, with the requirement of each on the handle and on the status. */
export const urlMembers = [
  { member: 'status_url', name: 'status-url', inHandle: 'MR-QUE-18', inStatus: 'MR-QUE-19' },
  { member: 'response_url', name: 'response-url', inHandle: 'MR-QUE-21', inStatus: 'MR-QUE-22' },
  { member: 'cancel_url', name: 'cancel-url', inHandle: 'MR-QUE-24', inStatus: 'MR-QUE-25' },
] as const;

export const relativeUrls: Change = all(
  ...urlMembers.map(({ member }) => changeMember(member, (url) => new URL(String(url)).pathname)),
);

type StatusChange = (status: JsonObject, around: Around) => JsonValue | Promise<JsonValue>;

export const whenCompleted = (change: StatusChange): Change =>
  onJson((status, around) => (status['status'] === 'COMPLETED' ? change(status, around) : status));

export const whilePending = (change: StatusChange): Change =>
  onJson((status, around) => (status['status'] === 'COMPLETED' ? status : change(status, around)));

/** Serves another workspace as the main one. */
export const visibleToNeighbours: Change = only({ when: isFrom('neighbour') }, onRequest(asMain));

/** Finds the id of a request below any model; the group also selects `submitRequest`. */
export function visibleUnderOtherModels(on: OperationId): Change {
  return (app, context) => {
    const models = new Map<string, string>();
    return async (request) => {
      const target = context.targetOf(request);
      const model = models.get(requestIdOf(request));
      if (target === on && model !== undefined) return app(underModel(request, model));
      const reply = await app(request);
      if (target === 'submitRequest') models.set(String(objectOf(reply)['request_id']), modelIdOf(request));
      return reply;
    };
  };
}

function underModel(request: ServerRequest, model: string): ServerRequest {
  return withTarget(request, (target) => target.replace(`/v2/models/${modelIdOf(request)}`, `/v2/models/${model}`));
}
