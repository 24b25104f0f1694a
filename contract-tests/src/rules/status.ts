import { isJsonObject } from '../../../specs/src/index.ts';
import { usualCauses } from '../contract/concerns.ts';
import { readMember } from '../contract/evidence.ts';
import { finding, notApplicable } from '../contract/finding.ts';
import { modelPath } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import { type Answer, type QueueCall, scenario } from '../contract/scenario.ts';
import { afterCompletion, billed, inTurn, otherModelPath, submitted } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('status');

const readOnce = scenario({ cost: 'billed' }, async (server) => {
  const submit = await submitted(server, 'plain request');
  return { submit, status: await server.status(submit) };
});

const notSucceeded = notApplicable('the request did not succeed');

/** Expects no result in a status, neither as a whole nor member by member (MR-STA-02). */
function expectNoResult(status: Answer, result: Answer) {
  const [body, output] = [readMember(status, ''), readMember(result, '')];
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const [shown, outputs] = [body, output].map((value) => (isJsonObject(value) ? value : {}));
  const members = Object.entries(outputs ?? {});
  const isSpread = members.length > 0 && members.every(([name, value]) => isSame(shown?.[name], value));
  // A member with one of these names counts as the result, even if its value differs.
  const named = ['result', 'results', 'output', 'outputs'].map((name) => shown?.[name] ?? '');
  const isNamed = named.some((value) => value !== '' && (typeof value === 'string' || typeof value === 'object'));
  const isMember = output !== undefined && [body, ...Object.values(shown ?? {})].some((one) => isSame(one, output));
  return isNamed || isSpread || isMember
    ? [finding('body-unexpected', { step: status.step }, 'only the status', 'the status and the result')]
    : [];
}

const requestRule = ruleIn('status', { needs: ['status.read.answers-with-200'] });

const urls = ['status_url', 'response_url', 'cancel_url'] as const;

/** Follows each URL of the status and of an early collect. Cancels last, because that ends the request. */
const eachUrl = scenario(billed, async (server) => {
  const submit = await submitted(server);
  const status = await server.status(submit);
  const early = await server.collect(submit);
  // A collect with 200 returns the result, whose members are defined by the model.
  const shown = [...(status.status === 200 ? [status] : []), ...(early.status === 202 ? [early] : [])];
  const followed: Partial<Record<(typeof urls)[number], readonly Answer[]>> = {};
  for (const url of urls) {
    const answers = await inTurn(shown, (from) => server.follow(from, `/${url}`));
    followed[url] = answers.filter((one) => one !== undefined);
  }
  return { submit, status, early, ...followed };
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

const queueCalls: readonly QueueCall[] = ['status', 'collect', 'cancel'];

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

const accessRule = ruleIn('status', { concern: 'access', partReading: 'OP-093', usualCause: usualCauses.lookup });

export const statusRules = [
  rule('status.read.answers-with-200', readOnce, {
    sentence: 'Reading the status of a request returns 200.',
    requirements: ['MR-STA-03', 'MR-QUE-20'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ status }) => expect.on(status, expect.status(200)),
  }),
  requestRule('status.success.has-no-error-type', afterCompletion, {
    sentence: 'The status of a successful request has no error_type.',
    requirements: ['MR-QUE-13', 'MR-QUE-14'],
    check: ({ collect, end }) =>
      expect.hasSucceeded(collect) ? expect.on(end, expect.member('/error_type', expect.absent)) : notSucceeded,
  }),
  requestRule('status.completed.never-holds-the-result', afterCompletion, {
    usualCause: 'the stored record of the request is returned as a whole, including its result',
    sentence: 'The status of a completed request does not contain its result.',
    requirements: ['MR-STA-02'],
    check: ({ end, again, collect, later, afterCancel }) =>
      expect.hasSucceeded(collect)
        ? [end, again, later, afterCancel].flatMap((status) => expectNoResult(status, collect))
        : notSucceeded,
  }),
  requestRule('status.links.of-later-answers', eachUrl, {
    sentence: 'The URLs in a status and in an early collect lead to the same request as those of its handle.',
    requirements: [
      ...['MR-QUE-19', 'MR-QUE-20', 'MR-QUE-22', 'MR-QUE-23', 'MR-QUE-25', 'MR-QUE-26', 'MR-COL-09', 'MR-COL-10'],
    ],
    needs: ['collect.pending.answers-with-202'],
    check: ({ submit, early, status_url: statuses = [], response_url: results = [], cancel_url: cancels = [] }) => {
      // It may be possible to collect a result only once (OP-021), so calls after the first success need not return it.
      const got = expect.hasSucceeded(early) ? 0 : results.findIndex(expect.hasSucceeded);
      const uncollected = got === -1 ? results : results.slice(0, got);
      return [
        ...expect.on(statuses, expectSameRequest(submit, 200)),
        ...uncollected.flatMap((one) => expect.on(one, expectSameRequest(submit, 200))),
        // Cancelling may fail with a conflict.
        ...cancels.flatMap((one) => expect.on(one, expectSameRequest(submit, 202, [409]))),
      ];
    },
  }),
  accessRule('status.other-model.is-not-found-on-any-route', underOtherModels, {
    sentence: 'Reading, collecting or cancelling a request below the path of a different model returns 404.',
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    check: ({ misplaced }) => expect.on(misplaced, expect.requestNotFound),
  }),
];
