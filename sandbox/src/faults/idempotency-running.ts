import { type Reply, replyHeader, upstreamStatus } from '../http/messages.ts';
import {
  counted,
  drop,
  onReply,
  type ReplyChange,
  refuse,
  remembering,
  replace,
  set,
  whileRunning,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, rowIn } from './builders/fault.ts';
import { asStillRunning, withKey } from './builders/idempotency.ts';
import { posts } from './builders/operations.ts';
import {
  isReplay,
  readCategory,
  refusal,
  someDate,
  withHeader,
  withOtherText,
  withoutHeader,
} from './builders/replies.ts';
import { hasInput, hasKey, readKey, scripted, withoutKey } from './builders/requests.ts';

/** Changes the 409 of a key whose first call still runs. */
const runningFault = rowIn((change: ReplyChange) =>
  only(
    { status: 409 },
    onReply((reply, around) => {
      const category = readCategory(reply);
      return category === 'concurrency_limit_exceeded' ? change(reply, around) : reply;
    }),
  ),
);

/** A key names a call only while the call runs: retries meanwhile start another one. */
const twice = whileRunning(readKey, (_, { request, app }) => app(withKey(request, `${readKey(request)}-beside`)));

/** One call at a time, whatever their keys. */
const oneAtATime = whileRunning(
  () => '',
  async (_, { request, app }) => asStillRunning(await app(withoutKey(request))),
);

const forgottenAtTheEnd = remembering(
  readKey,
  ({ status }) => status === 200,
  (_, { request, app }) => app(withKey(request, `${readKey(request)}-anew`)),
);

/** A 504 forgets its key: the next call begins anew. */
const forgetsAccepted: Change = (app) => {
  const missed = new Map<string, number>();
  return async (request) => {
    const key = readKey(request);
    const times = missed.get(key) ?? 0;
    const reply = await app(times === 0 ? request : withKey(request, `${key}-${times}`));
    if (reply.status === 504) missed.set(key, times + 1);
    return reply;
  };
};

const refusesEarlyRetry: Change = counted(
  (_, { request }) => readKey(request),
  (reply, times) => {
    const refused = refusal(reply, 410, 'invalid_input');
    return times === 1 ? reply : withoutHeader(refused, 'Retry-After');
  },
);

const collectsAnew: Change = counted(
  (reply, { request }) => (isReplay(reply) ? readKey(request) : undefined),
  (reply, times) => (times === 1 ? reply : withOtherText(reply)),
);

const isCollectable = (reply: Reply): boolean => replyHeader(reply, 'retry-after') !== undefined;

const accepted = scripted(hasInput('note', 'accepted'));
const hint = 'MR-IDM-07 MR-RUN-60';
const asTimeout = refuse(504, 'provider_timeout', isCollectable);

export const idempotencyRunningFaults: readonly Fault[] = [
  ...group({ id: 'idempotency.running', on: posts }, [
    fault('dispatched-again', 'MR-IDM-04 MR-RUN-46', twice, { when: hasKey }),
    runningFault('as-429', 'MR-IDM-04 MR-STC-06', (reply) => ({ ...reply, status: 429 })),
    runningFault('as-conflict', 'MR-IDM-04', (reply) => refusal(reply, 409, 'invalid_input')),
    runningFault('no-retry-after', 'MR-IDM-05 MR-RUN-47', (reply) => withoutHeader(reply, 'Retry-After')),
    runningFault('retry-after-in-words', 'MR-HDR-15', (reply) => withHeader(reply, 'Retry-After', 'soon')),
    fault('other-body-as-400', 'MR-IDM-16 MR-IDM-27 MR-CTG-04', set.status(400), {
      on: ['runModel'],
      status: 409,
      when: scripted(hasInput('note', 'another')),
    }),
    fault('holds-up-everybody', 'MR-IDM-32', oneAtATime, { on: ['runModel'], when: hasKey }),
    fault('first-call-cut-off', 'MR-RUN-03 also MR-CAN-03', set.text('{}', 202), {
      on: ['runModel'],
      status: 200,
      when: scripted(hasInput('note', 'held')),
    }),
    fault('forgotten-at-the-end', 'MR-IDM-01 MR-HDR-14', forgottenAtTheEnd, {
      when: (request) => readKey(request).startsWith('key-running-'),
    }),
  ]),
  ...group({ id: 'idempotency.deadline', on: posts, status: 504, subject: 'The 504 of collectable work' }, [
    fault('no-hint', hint, drop.header('Retry-After')),
    fault('hint-is-a-date', hint, replace.header('Retry-After', someDate)),
    fault('called-provider-timeout', 'MR-IDM-07 MR-CTG-16 also MR-IDM-48', asTimeout),
    fault('upstream-is-an-error', 'MR-RUN-59 MR-HDR-05', replace.header(upstreamStatus, '504')),
  ]),
  ...group({ id: 'idempotency.deadline', on: ['runModel'], subject: 'Accepted work' }, [
    fault('key-forgotten', 'MR-IDM-01 MR-IDM-07 also MR-CTG-04 MR-CTG-05 MR-IDM-54', forgetsAccepted, { when: hasKey }),
    fault('early-retry-refused', 'MR-IDM-07 also MR-IDM-48', refusesEarlyRetry, { status: 504, when: hasKey }),
    fault('collected-unmarked', 'MR-IDM-01 MR-HDR-14', drop.header('Idempotent-Replayed'), { when: accepted }),
    fault('collected-anew', 'MR-IDM-01', collectsAnew, { when: accepted }),
  ]),
];
