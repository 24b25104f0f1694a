import { newId } from '../digest.ts';
import { requestId, type ServerRequest } from '../http/messages.ts';
import { later, onRequest, remembering, set, whileRunning } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, rowIn } from './builders/fault.ts';
import { asStillRunning, holdsKey, readLaterCalls, renameKey, withKey } from './builders/idempotency.ts';
import { posts, readPath } from './builders/operations.ts';
import { asReplay, readObject, withHeader } from './builders/replies.ts';
import {
  asMain,
  hasKey,
  isFrom,
  lacksHeader,
  readBodyText,
  readKey,
  readModelId,
  readQuery,
  withoutKey,
} from './builders/requests.ts';

const keyFault = rowIn(renameKey);

const queryNames = (request: ServerRequest): string => [...new Set(readQuery(request).keys())].join();

/** Keeps the keys of such calls apart from all others. */
const apart = (when: (request: ServerRequest) => boolean): Change =>
  only(
    { when },
    renameKey((key) => `${key}-apart`),
  );

const apartFault = rowIn(apart);

/** Repeats the first result of a key where a later call of this caller gets such a status. */
const repeatsResult = (status: number, caller: string): Change =>
  remembering(
    readKey,
    (reply) => reply.status === 200,
    async (first, { request, app }) => {
      const reply = await app(request);
      const isRepeated = reply.status === status && isFrom(caller)(request);
      return isRepeated ? withHeader(asReplay(first.reply), requestId, newId()) : reply;
    },
  );

/** The second of two different calls conflicts, the third is run. */
const conflictsOnce = later(readKey, (reply, { request, app }) =>
  readObject(reply)['error_type'] === 'invalid_input' ? app(withoutKey(request)) : reply,
);

/** After a conflict the application sees another key. */
const forgottenAfterConflict = remembering(
  readKey,
  ({ status }) => status === 409,
  (_, { request, app }) => app(withKey(request, `${readKey(request)}-lost`)),
);

const isNeighbour = isFrom('neighbour');
const areOfOneWorkspace = (one: ServerRequest, other: ServerRequest): boolean =>
  isNeighbour(one) === isNeighbour(other);

const stopsNeighbours = whileRunning(readKey, async (first, { request, app }) => {
  const reply = await app(request);
  return areOfOneWorkspace(first, request) ? reply : asStillRunning(reply);
});

const neighboursConflict = holdsKey(
  () => true,
  ({ request, taker }) => !areOfOneWorkspace(request, taker) && readBodyText(request) !== readBodyText(taker),
);

const equalLength = readLaterCalls((request, { body }) =>
  request.body.length === body.length ? { ...request, body } : request,
);
const sameNames = readLaterCalls((request, first) =>
  queryNames(request) === queryNames(first)
    ? { ...request, target: first.target.replace(readPath(first), readPath(request)) }
    : request,
);
const firstQueue = readLaterCalls((request, first) =>
  readModelId(request) === readModelId(first) ? request : { ...request, target: first.target, body: first.body },
);

export const idempotencyKeyFaults: readonly Fault[] = [
  ...group({ id: 'idempotency.key', on: posts }, [
    keyFault('cut-at-64-characters', 'MR-IDM-32 also MR-HDR-14', (key) => key.slice(0, 64)),
    keyFault('letter-case-ignored', 'MR-IDM-32 also MR-HDR-14', (key) => key.toLowerCase()),
  ]),
  ...group({ id: 'idempotency.path', on: ['submitRequest'] }, [
    keyFault('shared-by-both-routes', 'MR-IDM-25 MR-SUB-18', (key) => `queue-${key}`, {
      sentence: 'A key that a run used is free to submit.',
    }),
  ]),
  ...group({ id: 'idempotency.conflict', on: posts, when: hasKey }, [
    fault('by-length', 'MR-IDM-27 MR-IDM-16', equalLength, { on: ['runModel'] }),
    fault('values-of-the-query-ignored', 'MR-IDM-26 MR-IDM-16', sameNames, { on: ['runModel'] }),
    fault('other-queue-overlooked', 'MR-IDM-25 MR-IDM-16 MR-SUB-18', firstQueue, { on: ['submitRequest'] }),
    fault('marked-as-replay', 'MR-HDR-14', set.header('Idempotent-Replayed', 'true'), { status: 409 }),
    apartFault('fallback-not-compared', 'MR-IDM-26', (request) => readQuery(request).has('fallback_provider')),
    apartFault('provider-not-compared', 'MR-IDM-26', (request) => readQuery(request).has('model_provider')),
    fault('seen-once', 'MR-IDM-16 also MR-IDM-01', conflictsOnce, {
      sentence: 'Only the first call that differs is refused.',
      on: ['runModel'],
      status: 409,
    }),
    fault('forgets-the-submission', 'MR-IDM-01', forgottenAfterConflict, { on: ['submitRequest'] }),
  ]),
  ...group({ id: 'idempotency.scope', on: ['runModel'], when: hasKey }, [
    fault('running-call-stops-neighbours', 'MR-IDM-40', stopsNeighbours),
    fault('neighbours-conflict', 'MR-IDM-40', neighboursConflict),
    fault('user-as-main', 'MR-IDM-41', onRequest(asMain), { when: isFrom('solo') }),
    fault('user-has-none', 'MR-IDM-41', onRequest(withoutKey), { when: isFrom('solo') }),
  ]),
  ...group({ id: 'idempotency.scope', on: ['submitRequest'], when: hasKey }, [
    fault('submissions-shared', 'MR-IDM-40', onRequest(asMain), { when: isNeighbour }),
  ]),
  ...group({ id: 'idempotency.caller', on: posts, when: hasKey }, [
    apartFault('token-has-keys-of-its-own', 'MR-IDM-40', lacksHeader('x-api-key')),
    fault('body-of-a-colleague-not-compared', 'MR-IDM-27 MR-IDM-40', repeatsResult(409, 'colleague'), {
      on: ['runModel'],
    }),
    fault('colleague-queues-again', 'MR-IDM-40', apart(isFrom('colleague')), { on: ['submitRequest'] }),
    fault('record-given-to-a-user-outside', 'MR-IDM-41 also MR-HDR-14', repeatsResult(200, 'solo'), {
      on: ['runModel'],
    }),
  ]),
];
