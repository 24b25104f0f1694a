import { newId } from '../digest.ts';
import { type Reply, requestId } from '../http/messages.ts';
import {
  asReplay,
  type FirstCall,
  is,
  onReply,
  read,
  refusal,
  withFirstCalls,
  withHeader,
  withState,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, posts } from './builders/fault.ts';
import { hasKey, hasQuery, sent, withoutKey } from './builders/requests.ts';
import { firstPage } from './catalog.ts';
import { renameKey } from './idempotency.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Forgets keys that are older than an hour. */
const keptForAnHour = withState(({ clock }) => {
  const firsts = new Map<string, number>();
  return renameKey((key) => {
    const first = firsts.get(key) ?? clock.now();
    firsts.set(key, first);
    return clock.now() - first > hourMs ? `${key}-later` : key;
  });
});

/** Handles later calls with a key that has a result. `serve` gets the first call and the application's current reply. */
const onLaterCalls = (serve: (first: FirstCall, reply: Reply, isSame: boolean, now: number) => Reply): Change =>
  withFirstCalls(
    (request) => `${sent.key(request)} ${request.target} ${request.headers['x-api-key']}`,
    ({ status }) => status < 300,
    async (first, { request, app, context }) => {
      const isSame = sent.text(first.request) === sent.text(request);
      return serve(first, await app(request), isSame, context.clock.now());
    },
  );
const isFresh = (reply: Reply): boolean => !is.replay(reply) && reply.status !== 409;
const repeat = (first: Reply): Reply => withHeader(asReplay(first), requestId, newId());
const repeatedForEver = onLaterCalls((first, reply, isSame) =>
  isSame && isFresh(reply) ? repeat(first.reply) : reply,
);
const conflictsForEver = onLaterCalls((_, reply, isSame) => (isSame ? reply : refusal(reply, 409, 'invalid_input')));
const renewedByRetry = onLaterCalls((first, reply, isSame, now) => {
  if (!isSame || now - first.at >= dayMs) return reply;
  first.at = now;
  return isFresh(reply) ? repeat(first.reply) : reply;
});

const opens = onReply(() => ({ status: 200, headers: { 'Content-Type': 'image/png' }, body: 'bytes' }));
const once = withFirstCalls(
  sent.path,
  ({ status }) => status === 200,
  () => ({ status: 410, headers: { 'Content-Type': 'text/plain' }, body: 'expired' }),
);

/** Returns when the first link in a result expires, in milliseconds; 0 if there are no links. */
const readExpiry = (reply: Reply): number => Number(/[?&]expires=(\d+)/.exec(read.text(reply))?.[1] ?? 0);

const signedAnew = onReply(async (reply, { request, app }) => {
  const fresh = await app(withoutKey(request));
  // A replay within the same minute is unchanged, because rules for other requirements compare its bytes.
  return readExpiry(fresh) - readExpiry(reply) > 60_000 ? asReplay(fresh) : reply;
});

export const retentionFaults: readonly Fault[] = [
  ...group({ id: 'retention.key', on: 'runModel', when: hasKey }, [
    fault('kept-for-an-hour', ['MR-IDM-46', 'MR-IDM-54'], keptForAnHour, { also: ['MR-IDM-48'], on: posts }),
    fault('kept-for-ever', ['MR-IDM-48', 'MR-IDM-49'], repeatedForEver, { on: posts }),
    fault('renewed-by-each-retry', ['MR-IDM-47'], renewedByRetry, { also: ['MR-IDM-48'] }),
    fault('conflicts-for-ever', ['MR-IDM-49'], conflictsForEver),
  ]),
  ...group({ id: 'retention.link', on: 'openAsset' }, [
    fault('lives-for-ever', ['MR-AST-06', 'MR-AST-09', 'MR-AST-11', 'MR-AST-14', 'MR-AST-15', 'MR-AST-17'], opens, {
      status: 410,
      when: (request) => sent.path(request).includes('/service/'),
    }),
    fault('opens-once', ['MR-AST-02', 'MR-AST-24'], once),
    fault('renewed-by-replay', ['MR-AST-17'], signedAnew, { on: 'runModel', reply: is.replay }),
  ]),
  ...group({ id: 'retention.cursor', on: 'listModels', status: 400 }, [
    fault('restarts-when-expired', ['MR-CAT-51', 'MR-CAT-52'], firstPage, {
      also: ['MR-CAT-50'],
      when: hasQuery('cursor'),
    }),
  ]),
];
