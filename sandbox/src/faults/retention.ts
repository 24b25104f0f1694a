import { newId } from '../digest.ts';
import { type Reply, requestId } from '../http/messages.ts';
import {
  asReplay,
  type FirstCall,
  is,
  onReply,
  readText,
  refusal,
  remembering,
  withHeader,
  withState,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, posts, readPath } from './builders/fault.ts';
import { hasKey, hasQuery, readBodyText, readKey, withoutKey } from './builders/requests.ts';
import { firstPage } from './catalog.ts';
import { renameKey } from './idempotency.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Takes keys that are older than an hour for new ones. */
const keptForAnHour = withState(({ clock }) => {
  const firsts = new Map<string, number>();
  return renameKey((key) => {
    const first = firsts.get(key) ?? clock.now();
    firsts.set(key, first);
    return clock.now() - first > hourMs ? `${key}-later` : key;
  });
});

/** A call under a key that has a result, `ageMs` after the first use of that key, which may not have had a result yet. */
type Later = { first: FirstCall; reply: Reply; ageMs: number; isSame: boolean };

/** Changes the reply to such a call; if `change` returns undefined, the reply stays as it is. */
function afterTheFirst(change: (later: Later) => Reply | undefined): Change {
  return withState(({ clock }) => {
    const used = new Map<string, number>();
    const firsts = new Map<string, FirstCall>();
    return onReply((reply, { request }) => {
      const slot = `${readKey(request)} ${request.target} ${request.headers['x-api-key']}`;
      const [first, now] = [firsts.get(slot), clock.now()];
      const at = used.get(slot) ?? now;
      used.set(slot, at);
      if (first === undefined && reply.status < 300) firsts.set(slot, { request, reply, at });
      if (first === undefined) return reply;
      const isSame = readBodyText(first.request) === readBodyText(request);
      return change({ first, reply, ageMs: now - first.at, isSame }) ?? reply;
    });
  });
}

const repeatedForEver = afterTheFirst(({ first, ageMs, isSame }) =>
  isSame && ageMs > dayMs ? withHeader(asReplay(first.reply), requestId, newId()) : undefined,
);

const conflictsForEver = afterTheFirst(({ reply, ageMs, isSame }) =>
  !isSame && ageMs > dayMs ? refusal(reply, 409, 'invalid_input') : undefined,
);

const renewedByRetry = afterTheFirst(({ first, reply, ageMs, isSame }) => {
  if (!isSame || reply.status !== 200 || ageMs >= dayMs) return undefined;
  first.at += ageMs;
  return asReplay(first.reply);
});

const opens = onReply(() => ({ status: 200, headers: { 'Content-Type': 'image/png' }, body: 'bytes' }));
const gone: Reply = { status: 410, headers: { 'Content-Type': 'text/plain' }, body: 'expired' };

const forADay = remembering(
  readPath,
  ({ status }) => status === 200,
  async (first, { request, app, context }) => {
    const reply = await app(request);
    return reply.status === 410 && context.clock.now() - first.at < dayMs ? first.reply : reply;
  },
);
const once = remembering(
  readPath,
  ({ status }) => status === 200,
  () => gone,
);

/** Reads when the first link of a result expires, in milliseconds; 0 without any. */
const readExpiry = (reply: Reply): number => Number(/[?&]expires=(\d+)/.exec(readText(reply))?.[1] ?? 0);

const signedAnew = onReply(async (reply, { request, app }) => {
  const fresh = await app(withoutKey(request));
  // A replay of the next second stays as it is: rules of other requirements compare its bytes.
  return readExpiry(fresh) - readExpiry(reply) > 60_000 ? asReplay(fresh) : reply;
});

export const retentionFaults: readonly Fault[] = [
  ...group({ id: 'retention.key', on: 'runModel', when: hasKey }, [
    fault('kept-for-an-hour', 'MR-IDM-46 MR-IDM-54 also MR-IDM-48', keptForAnHour, { on: posts }),
    fault('kept-for-ever', 'MR-IDM-48 MR-IDM-49', repeatedForEver, { on: posts }),
    fault('renewed-by-each-retry', 'MR-IDM-47 also MR-HDR-03 MR-HDR-25 MR-HDR-27', renewedByRetry),
    fault('conflicts-for-ever', 'MR-IDM-49', conflictsForEver),
  ]),
  ...group({ id: 'retention.link', on: 'openAsset', subject: 'A link' }, [
    fault('lives-for-ever', 'MR-AST-06 MR-AST-09 MR-AST-14 MR-AST-15 also MR-AST-11 MR-AST-17', opens, {
      status: 410,
      when: (request) => readPath(request).includes('/service/'),
    }),
    fault('half-day-lives-a-day', 'MR-AST-11 also MR-AST-06 MR-AST-17', forADay),
    fault('opens-once', 'MR-AST-02 MR-AST-24', once),
    fault('renewed-by-replay', 'MR-AST-17', signedAnew, { on: 'runModel', reply: is.replay }),
  ]),
  ...group({ id: 'retention.cursor', on: 'listModels', status: 400 }, [
    fault('restarts-when-expired', 'MR-CAT-51 MR-CAT-52 also MR-CAT-50', firstPage, { when: hasQuery('cursor') }),
  ]),
];
