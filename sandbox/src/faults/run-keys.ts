import type { ServerRequest } from '../http/messages.ts';
import { onJson, onReply, onRequest, onText, replyRow, set, withState } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { holdsKey, readLaterCalls, renameKey } from './builders/idempotency.ts';
import { readPath } from './builders/operations.ts';
import { isJson, isReplay, readText, withHeader, withText } from './builders/replies.ts';
import { asMain, hasKey, isFrom, readBodyText, readKey } from './builders/requests.ts';

const queryText = ({ target }: ServerRequest): string => /\?.*$/s.exec(target)?.[0] ?? '';

/** A new key is read as the one that the same call came under first. */
const firstKeyForEqualCalls: Change = withState(() => {
  const firstKeys = new Map<string, string>();
  return renameKey((key, request) => {
    const call = `${request.target} ${readBodyText(request)}`;
    const first = firstKeys.get(call) ?? key;
    firstKeys.set(call, first);
    return first;
  });
});

const heldAfterRejection = holdsKey(({ status }) => status === 400 || status === 422);
const keyInBody = onJson((body, { request }) => ({ ...body, idempotency_key: readKey(request) }));
const perCredential = renameKey((key, { headers }) => `${key}-${headers['x-api-key']?.slice(-9) ?? 'bearer'}`);
const firstBody = readLaterCalls((request, { body }) => ({ ...request, body }));
const firstQuery = readLaterCalls((request, first) => ({ ...request, target: readPath(request) + queryText(first) }));
const firstModel = readLaterCalls((request, first) => ({ ...request, target: readPath(first) + queryText(request) }));
/** To the second, as signatures are. */
const signedAnew = onReply((reply, { context }) => {
  const end = Math.floor(context.clock.now() / 1_000 + 86_400);
  return withText(reply, readText(reply).replace(/expires=\d+/g, `expires=${end}`));
});

/** The links of a replay expire a day later. */
const renewedLinks = onText((text) =>
  text.replace(/(?<=[?&]expires=)\d{13}/g, (time) => String(Number(time) + 24 * 3_600_000)),
);

export const runKeyFaults: readonly Fault[] = [
  ...group({ id: 'run.key', on: ['runModel'], when: hasKey }, [
    fault('another-one-replays', 'MR-IDM-32 also MR-HDR-14 MR-IDM-16 MR-IDM-33 MR-IDM-40', firstKeyForEqualCalls),
    fault('held-after-rejection', 'MR-IDM-33 also MR-IDM-01', heldAfterRejection),
    fault('echoed-in-body', 'MR-IDM-39 also MR-RUN-23', keyInBody),
    fault('links-signed-anew', 'MR-AST-17 also MR-IDM-01', signedAnew, {
      reply: (reply) => isReplay(reply) && isJson(reply),
    }),
    fault('links-renewed', 'MR-AST-17 also MR-IDM-01', renewedLinks, {
      reply: (reply) => isReplay(reply) && isJson(reply),
    }),
    fault('shared-between-workspaces', 'MR-IDM-40', onRequest(asMain), { when: isFrom('neighbour') }),
  ]),
  ...group({ id: 'run.key', on: ['runModel', 'submitRequest'], when: hasKey }, [
    replyRow('echoed-in-header', 'MR-IDM-39', (reply, { request }) =>
      withHeader(reply, 'Idempotency-Key', readKey(request)),
    ),
    fault('bound-to-the-credential', 'MR-IDM-40', perCredential),
  ]),
  ...group({ id: 'run.conflict', on: ['runModel', 'submitRequest'] }, [
    fault('body-overlooked', 'MR-IDM-27 MR-IDM-16 also MR-HDR-14 MR-IDM-33', firstBody),
    fault('query-overlooked', 'MR-IDM-26 MR-IDM-16', firstQuery),
    fault('model-overlooked', 'MR-IDM-25 MR-IDM-16 also MR-IDM-33', firstModel),
    fault(
      'wrong-category',
      'MR-IDM-16 MR-CTG-04 also MR-CTG-05 MR-IDM-05 MR-RUN-47',
      set.category('concurrency_limit_exceeded'),
      { status: 409 },
    ),
  ]),
];
