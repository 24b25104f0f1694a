import type { Reply, ServerRequest } from '../../http/messages.ts';
import { changeMember, counted, serves } from './changes.ts';
import type { Around, Change } from './fault.ts';
import type { FaultOperation } from './operations.ts';
import { readObject, withJson, without } from './replies.ts';
import { isFrom, readModelId, readRequestId, withTarget } from './requests.ts';

export const unknownRequestId = '99999999-9999-4999-8999-999999999999';

/** The URLs of a status response. */
export const urlMembers = ['status_url', 'response_url', 'cancel_url'];

export const isCompleted = (reply: Reply): boolean => readObject(reply)['status'] === 'COMPLETED';
export const isCancelled = (reply: Reply): boolean => readObject(reply)['error_type'] === 'cancelled';
export const isSuccess = (reply: Reply): boolean => isCompleted(reply) && !('error_type' in readObject(reply));
export const isFailed = (reply: Reply): boolean => isCompleted(reply) && !isSuccess(reply) && !isCancelled(reply);

/** Serves another workspace as the main one. */
export const visibleToNeighbours: Change = serves(isFrom('neighbour'));

/** Changes a URL of a status response so that it leads nowhere. */
export const breakUrl = (member: string): Change =>
  changeMember(member, (url) => String(url).replace('/requests/', '/requests/00'));

/** Serves calls of `on` about requests whose submission it saw; the group also selects `submitRequest`. */
export function knowingSubmission(
  on: FaultOperation,
  serve: (submission: ServerRequest, around: Around) => Reply | Promise<Reply>,
): Change {
  return (app, context) => {
    const submissions = new Map<string, ServerRequest>();
    return async (request) => {
      const operation = context.findOperation(request);
      const submission = submissions.get(readRequestId(request));
      if (operation === on && submission !== undefined) return serve(submission, { request, app, context });
      const reply = await app(request);
      if (operation === 'submitRequest') submissions.set(String(readObject(reply)['request_id']), request);
      return reply;
    };
  };
}

/** Finds the id of a request below any model; the group also selects `submitRequest`. */
export const visibleUnderOtherModels = (on: FaultOperation): Change =>
  knowingSubmission(on, (submission, { request, app }) =>
    app(withTarget(request, (target) => target.replace(readModelId(request), readModelId(submission)))),
  );

/** Reports the request as running from the second time that a member of the status has this value, or only at the given time. */
export const runningAgain = (member: string, value: string, at?: number): Change =>
  counted(
    (reply, { request }) => (readObject(reply)[member] === value ? readRequestId(request) : undefined),
    (reply, times, { context }) => {
      const running = { ...without(readObject(reply), 'error_type'), status: context.specs.settings.queueStatuses[1] };
      return (at === undefined ? times > 1 : times === at) ? withJson(reply, running) : reply;
    },
  );
