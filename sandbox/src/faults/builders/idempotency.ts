import type { Reply, ServerRequest } from '../../http/messages.ts';
import { onRequest, remembering, whileRunning } from './changes.ts';
import type { Change } from './fault.ts';
import { refusal, withHeader } from './replies.ts';
import { hasKey, readBodyText, readKey, withHeaders } from './requests.ts';

const longestKey = 255;

/** Sends another idempotency key on than the caller sent; calls without one, or with one that is refused, stay as they are. */
export function renameKey(rename: (key: string, request: ServerRequest) => string): Change {
  const isKey = (key: string): boolean => key.length > 0 && key.length <= longestKey;
  return onRequest((request) =>
    hasKey(request) && isKey(readKey(request))
      ? withKey(request, rename(readKey(request), request).slice(-longestKey))
      : request,
  );
}

export function withKey(request: ServerRequest, key: string | undefined): ServerRequest {
  return withHeaders(request, { 'idempotency-key': key });
}

const sentKey = ({ headers }: ServerRequest): string | undefined => headers['idempotency-key'];

/** The later calls under a key are read as `change` says, given the first one. */
export function readLaterCalls(change: (request: ServerRequest, first: ServerRequest) => ServerRequest): Change {
  return remembering(
    sentKey,
    () => true,
    (first, { request, app }) => app(change(request, first.request)),
  );
}

/** A call under a key that some reply has taken: what came of it, and the call that took the key. */
type Later = { request: ServerRequest; reply: Reply; taker: ServerRequest };

/** A key is taken by the first reply that `takes` it; later calls under it are refused where `refuses` says so. */
export function holdsKey(takes: (reply: Reply) => boolean, refuses: (later: Later) => boolean = () => true): Change {
  return remembering(sentKey, takes, async ({ request: taker }, { request, app }) => {
    const reply = await app(request);
    const isRefused = refuses({ request, reply, taker });
    return isRefused ? refusal(reply, 409, 'invalid_input') : reply;
  });
}

/** Changes the conflict of a call with another body that comes while the first one under its key runs. */
export const whereOtherBodyComes = (change: (reply: Reply) => Reply): Change =>
  whileRunning(readKey, async (first, { request, app }) => {
    const reply = await app(request);
    const isConflict = reply.status === 409 && readBodyText(first) !== readBodyText(request);
    return isConflict ? change(reply) : reply;
  });

/** A refusal as if the first call under the key still ran. */
export function asStillRunning(reply: Reply): Reply {
  const refused = refusal(reply, 409, 'concurrency_limit_exceeded');
  return withHeader(refused, 'Retry-After', '1');
}
