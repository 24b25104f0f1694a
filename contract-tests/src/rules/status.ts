import { isJsonObject } from '../../../specs/src/index.ts';
import { usualCauses } from '../contract/concerns.ts';
import { computeEnd, readMember, readRetryAfter } from '../contract/evidence.ts';
import { finding, notApplicable, observed } from '../contract/finding.ts';
import { modelPath } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import type { Answer, CallOptions, QueueCall, ResponsesOf } from '../contract/scenario.ts';
import { scenario } from '../contract/scenario.ts';
import { credential, state } from '../requires.ts';
import { billed, inTurn, otherModelPath, scripted, scriptedOr, submitted, wholeLife } from './calls.ts';
import * as expect from './expect.ts';
import { notFoundRules } from './not-found.ts';

const rule = ruleIn('status');

const readOnce = scenario({ cost: 'billed' }, async (server) => {
  const submit = await submitted(server, 'plain request');
  return { submit, status: await server.status(submit) };
});

type Life = ResponsesOf<typeof wholeLife>;

/** Lists the responses that show the request's state, in order: the handle, the polls and an early collect. */
function listStates({ submit, collectEarly, statusEarly, end, collect }: Life): readonly Answer[] {
  const collects = [collectEarly, ...collect.attempts].filter(({ status }) => status === 202);
  const others = [submit, statusEarly, ...end.attempts].filter(({ status }) => status < 300);
  return [...others, ...collects].toSorted((one, other) => computeEnd(one.exchange) - computeEnd(other.exchange));
}

const notSucceeded = notApplicable('the request did not succeed');

/** True if the status response contains the result, either whole or member by member (MR-STA-02). */
function containsResult(status: Answer, result: Answer): boolean {
  const [body, output] = [readMember(status, ''), readMember(result, '')];
  if (body === undefined || output === undefined) return false;
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (!isJsonObject(body)) return isSame(body, output);
  const members = isJsonObject(output) ? Object.entries(output) : [];
  const isSpread = members.length > 0 && members.every(([name, value]) => isSame(body[name], value));
  return isSpread || Object.values(body).some((member) => isSame(member, output));
}

function expectNoResult(status: Answer, result: Answer) {
  // A member with one of these names counts as the result, even if its value differs.
  const named = ['result', 'results', 'output', 'outputs'].map((name) => readMember(status, `/${name}`));
  const isNamed = named.some(
    (value) => value !== '' && [expect.text, expect.object, expect.array].some(({ is }) => is(value)),
  );
  return isNamed || containsResult(status, result)
    ? [finding('body-unexpected', { step: status.step }, 'only the status', 'the status and the result')]
    : [];
}

/** Polls the status three more times after the first COMPLETED, like a caller who continues polling. */
const polledAfterEnd = scenario(billed, async (server) => {
  const submit = await submitted(server, 'plain request');
  const readAfter = (ms: number, before: Answer) =>
    server.after(Math.max(ms, Math.min(readRetryAfter(before), 10_000)), () => server.status(submit));
  const end = await server.completed(submit);
  const again = await readAfter(300, end);
  const collect = await server.collect(submit);
  const later = await readAfter(500, again);
  return { submit, end, again, collect, later, last: await readAfter(500, later) };
});

const requestRule = ruleIn('status', { needs: ['status.read.answers-with-200'] });

/** Follows each URL of the status and of an early collect. Cancels last, because that ends the request. */
const eachUrl = scenario(billed, async (server) => {
  const submit = await submitted(server);
  const status = await server.status(submit);
  const early = await server.collect(submit);
  // A collect with 200 returns the result, whose members are defined by the model.
  const shown = [...(status.status === 200 ? [status] : []), ...(early.status === 202 ? [early] : [])];
  const followEach = async (pointer: string) => {
    const followed = await inTurn(shown, (from) => server.follow(from, pointer));
    return followed.filter((one) => one !== undefined);
  };
  const statuses = await followEach('/status_url');
  const results = await followEach('/response_url');
  return { submit, status, early, statuses, results, cancels: await followEach('/cancel_url') };
});

const lowercaseUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/; // MR-QUE-02

/** Expects the status or an allowed error, and the id of the same request. Another rule checks malformed ids. */
function expectSameRequest(
  submit: Answer,
  expectedStatus: number,
  allowed: readonly number[] = [],
): expect.Expectation {
  return (response, context) => {
    if (response.status >= 400 && !allowed.includes(response.status))
      return expect.status(expectedStatus)(response, context);
    const ids = [submit, response].map((one) => String(readMember(one, '/request_id')));
    return ids.every((id) => lowercaseUuid.test(id)) ? expect.sameMember('/request_id', submit)(response, context) : [];
  };
}

const strangers: readonly CallOptions[] = [{ credentials: [{ as: 'bearer', who: 'neighbour' }] }, { as: 'solo' }];
const queueCalls: readonly QueueCall[] = ['status', 'collect', 'cancel'];

const strangerCalls = scenario(
  { ...billed, requires: [state, ...credential('router', 'neighbour', 'solo')] },
  async (server) => {
    const submit = await submitted(server, 'plain request');
    const meanwhile = [
      ...(await inTurn(strangers, (stranger) => server.status(submit, stranger))),
      ...(await inTurn(strangers, (stranger) => server.collect(submit, stranger))),
    ];
    const end = await server.completed(submit);
    const afterwards = await inTurn(queueCalls, (call) => server[call](submit, { as: 'neighbour' }));
    return { submit, meanwhile, end, afterwards };
  },
);

/** Looks for a request below another model of the same provider, if there is one, and below any other model. */
const underOtherModels = scenario(billed, async (server) => {
  const { id, provider } = server.authored;
  const sibling = server.discovery.listed.find((one) => one.startsWith(`${provider}/`) && one !== id);
  const paths = new Set([...(sibling === undefined ? [] : [modelPath(sibling)]), otherModelPath(server)]);
  const submit = await submitted(server, 'plain request');
  const requestId = server.text(submit, '/request_id');
  const misplaced = await inTurn(paths, (path) =>
    inTurn(queueCalls, (call) => server.onRequest(call, path, requestId)),
  );
  return { submit, misplaced: misplaced.flat() };
});

/** Tries to cancel a run as other callers, whose calls must be refused. */
const foreignCancellations = scenario(
  { cost: 'hooked', requires: [...scriptedOr('slowInput'), ...credential('router', 'neighbour')] },
  async ({ submit: submitTo, must, cancel, status: statusOf, after, values }) => {
    const submit = await must(submitTo(scripted({ delay_ms: values.ms(20_000) })), 201);
    await cancel(submit, { as: 'neighbour' });
    await cancel(submit, { as: 'wrong' });
    await cancel(submit, { credentials: [] });
    const status = await after(1_500, () => statusOf(submit));
    return { submit, status, cancelled: await cancel(submit) };
  },
);

const accessRule = ruleIn('status', { concern: 'access', partReading: 'OP-093', usualCause: usualCauses.lookup });

export const statusRules = [
  rule('status.read.answers-with-200', readOnce, {
    sentence: 'Reading the status of a request returns 200.',
    requirements: ['MR-STA-03', 'MR-QUE-20'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ status }) => expect.on(status, expect.status(200)),
  }),
  rule('status.read.is-of-the-request-submitted', readOnce, {
    // Repeats trace.handle.urls-lead-to-its-own-request, which does not apply to a mock.
    sentence: 'The status_url of a handle leads to the status of that request.',
    requirements: ['MR-QUE-20', 'MR-STA-03'],
    requiredOf: ['mock', 'sandbox'],
    needs: ['status.read.answers-with-200'],
    check: ({ submit, status }) =>
      readMember(submit, '/request_id') === undefined
        ? notApplicable('the handle has no request_id')
        : expect.on(status, expect.sameMember('/request_id', submit)),
  }),
  requestRule('status.life.words', wholeLife, {
    sentence: 'The statuses that a request passes through are recorded, not judged.',
    observes: true,
    requirements: ['MR-QUE-04'],
    check: (life, { specs }) => {
      const words = listStates(life).map((answer) => readMember(answer, '/status'));
      const seen = [...new Set(words.filter((word) => typeof word === 'string'))].join(', ');
      return observed(`statuses seen: ${seen}; the settings list ${specs.settings.queueStatuses.join(', ')} (OP-001)`);
    },
  }),
  requestRule('status.life.front-is-kept', wholeLife, {
    sentence: 'A waiting request at queue position 0 does not move back.',
    reading: 'OP-122',
    requirements: ['MR-QUE-09', 'MR-QUE-10'],
    // Other requests may overtake a waiting request, unless it has reached the front of the queue (MR-QUE-10).
    check: (life) => {
      const positions = listStates(life).flatMap((answer) => {
        const position = readMember(answer, '/queue_position');
        const isWaiting = typeof position === 'number' && readMember(answer, '/status') !== 'COMPLETED';
        return isWaiting ? [{ answer, position }] : [];
      });
      if (positions.length === 0) return notApplicable('no response has a queue position');
      const front = positions.findIndex(({ position }) => position === 0);
      const behind = front === -1 ? [] : positions.slice(front).filter(({ position }) => position > 0);
      return behind.flatMap(({ answer, position }) =>
        expect.wrongAt(answer.step, '/queue_position', '0, as before', String(position)),
      );
    },
  }),
  requestRule('status.success.has-no-error-type', wholeLife, {
    sentence: 'The status of a successful request has no error_type.',
    requirements: ['MR-QUE-13', 'MR-QUE-14'],
    check: ({ collect, end }) =>
      expect.hasSucceeded(collect) ? expect.on(end, expect.member('/error_type', expect.absent)) : notSucceeded,
  }),
  requestRule('status.completed.never-holds-the-result', polledAfterEnd, {
    usualCause: 'the stored record of the request is returned as a whole, including its result',
    sentence: 'The status of a completed request does not contain its result.',
    requirements: ['MR-STA-02'],
    check: ({ end, again, collect, later, last }) =>
      expect.hasSucceeded(collect)
        ? [end, again, later, last].flatMap((status) => expectNoResult(status, collect))
        : notSucceeded,
  }),
  requestRule('status.links.status-url-of-later-answers', eachUrl, {
    sentence: 'The status_url in a status and in an early collect leads to the status of the same request.',
    requirements: ['MR-QUE-19', 'MR-QUE-20', 'MR-COL-10'],
    check: ({ submit, statuses }) => expect.on(statuses, expectSameRequest(submit, 200)),
  }),
  requestRule('status.links.response-url-of-later-answers', eachUrl, {
    sentence:
      'The response_url in a status, or in a collect before the request has completed, leads to the result of the same request.',
    requirements: ['MR-QUE-22', 'MR-QUE-23', 'MR-COL-09', 'MR-COL-10'],
    check: ({ submit, early, results }) => {
      if (expect.hasSucceeded(early)) return notApplicable('the early collect already returned the result');
      // It may be possible to collect a result only once (OP-021), so calls after the first success need not return it.
      const got = results.findIndex(expect.hasSucceeded);
      return got === 0 ? [] : expect.on(got === -1 ? results : results.slice(0, got), expectSameRequest(submit, 200));
    },
  }),
  requestRule('status.links.cancel-url-of-later-answers', eachUrl, {
    sentence: 'The cancel_url in a status and in an early collect cancels the same request.',
    requirements: ['MR-QUE-25', 'MR-QUE-26', 'MR-COL-10'],
    // Cancelling may fail with a conflict.
    check: ({ submit, cancels }) => expect.on(cancels, expectSameRequest(submit, 202, [409])),
  }),
  ...notFoundRules('status', 'MR-STA-08'),
  accessRule('status.foreign.is-not-found-however-asked-for', strangerCalls, {
    sentence: "Another caller's request is not found on any route, whichever header contains the credential.",
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    needs: ['status.foreign.is-not-found'],
    // The rule doesn't apply to a caller whose credential is never accepted.
    check: ({ meanwhile, afterwards }) =>
      expect.on(
        [...meanwhile, ...afterwards].filter(({ status }) => status !== 401),
        expect.requestNotFound,
      ),
  }),
  accessRule('status.other-model.is-not-found-on-any-route', underOtherModels, {
    sentence: 'A request is not found below the path of a different model, on any route.',
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    check: ({ misplaced }) => expect.on(misplaced, expect.requestNotFound),
  }),
  rule('status.foreign.cannot-be-ended', foreignCancellations, {
    concern: 'access',
    usualCause: usualCauses.lookup,
    sentence: "A caller cannot cancel another caller's request.",
    requirements: ['MR-CTG-24', 'MR-AUT-06', 'MR-AUT-07', 'MR-CAN-16', 'MR-CAN-18'],
    check: ({ status }) =>
      readMember(status, '/status') === 'COMPLETED'
        ? expect.on(status, expect.member('/error_type', expect.absent))
        : [],
  }),
];
