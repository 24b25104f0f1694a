import { computeEnd, readMember, type StepResponse } from '../contract/evidence.ts';
import { finding, notApplicable } from '../contract/finding.ts';
import { ruleIn } from '../contract/rule.ts';
import { type Answer, scenario } from '../contract/scenario.ts';
import { type CredentialName, credential, hook } from '../requires.ts';
import { alternatePath, outcomesModelOr, outcomesModelWith } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('quotas');

const currentHeader = 'X-Committed-Spend-Current';

const readCommittedSpend = (answer: StepResponse): number => expect.readCents(answer, currentHeader);

type Comparison = (current: number, before: number) => boolean;
const isReleased: Comparison = (current, before) => current <= before;
const isReserved: Comparison = (current, before) => current > before;

const failures = ['provider_error', 'content_policy_violation', 'provider_timeout', 'internal_error'];
const slowCallMs = 2_000;

/** All calls use the caller `solo`, so that its committed spend comes from these calls. */
const spending = scenario(
  { cost: 'hooked', requires: [...hook('outcomes'), ...credential('router', 'solo')] },
  async (server) => {
    const as = 'solo';
    const run = (input: object, key?: string) => server.run(outcomesModelWith(input), { as, key });
    const before = await server.must(run({}), 200);
    const repeatUntil = (isReached: Comparison, atMost: number, everyMs: number) =>
      server.repeat(() => run({}), {
        until: (answer) => isReached(readCommittedSpend(answer), readCommittedSpend(before)),
        atMost,
        everyMs,
        mayNeverHold: true,
      });
    // Other rules may reserve spend for a short time, so repeat the call. Spend that is never released is still reported.
    const runUntilFree = () => repeatUntil(isReleased, 8, 250);

    const [held, during, alsoDuring] = await Promise.all([
      run({ delay_ms: server.values.ms(slowCallMs) }),
      // The slow call may arrive late, so send other calls until one shows the spend of the slow call.
      server.after(150, () => repeatUntil(isReserved, 7, 1_000)),
      server.after(300, () => run({})), // In case the response to the other call is slow.
    ]);
    const after = await runUntilFree();

    // Long enough that the run hasn't ended when the cancellation arrives.
    const input = { delay_ms: server.values.ms(6_000) };
    const queued = await server.must(server.submit(outcomesModelWith(input), { as }), 201);
    await server.must(server.cancel(queued, { as }), 202);
    await server.ended(queued, { as });
    const afterCancellation = await runUntilFree();

    for (const outcome of failures) await run({ outcome });
    const afterFailures = await runUntilFree();

    const key = server.newKey('spend');
    // Only these calls have a header with the used credits, which passive rules check.
    await run({ credits_used: 7 }, key);
    await run({ credits_used: 7 }, key);
    await run({ outcome: server.values.text('none-of-them') });
    const afterUnserved = await runUntilFree();
    return { before, held, during, alsoDuring, after, afterCancellation, afterFailures, afterUnserved };
  },
);

function expectCommitted(before: Answer, isExpected: Comparison, words: string): expect.Expectation {
  return (response) => {
    const [current, earlier] = [readCommittedSpend(response), readCommittedSpend(before)];
    const at = { step: response.step, header: currentHeader };
    return isExpected(current, earlier) ? [] : [finding('values-differ', at, `${words} ${earlier}`, String(current))];
  };
}

/** We take the ambiguous text to mean that results report the committed spend (OP-081). Another rule checks that. */
const noSpendHeader = notApplicable('the result of a run does not report the committed spend');

const submitAs = (as: CredentialName<'router'>, purpose: { readonly rejected?: true } = { rejected: true }) =>
  scenario({ cost: 'hooked', requires: [...outcomesModelOr('input'), ...credential('router', as)] }, async (server) => {
    const submit = server.submit(outcomesModelWith({}), { as, ...purpose });
    return { submit: await server.must(submit, 200, 201, 400, 402, 403, 429, 500, 503) };
  });

const maxHandleMs = 400;

/** Submits two requests concurrently to a model that no other scenario uses. */
const concurrentSubmissions = scenario(
  { cost: 'hooked', requires: [...hook('outcomes', 'alternate'), ...credential('router', 'neighbour')] },
  async (server) => {
    const submit = () => server.submit({ path: alternatePath, input: {} }, { as: 'neighbour' });
    const [one, two] = await Promise.all([submit(), submit()]);
    return { one, two };
  },
);

export const quotaRules = [
  rule('quotas.spend.is-reserved-while-a-call-runs', spending, {
    sentence: 'The committed spend grows while a call runs.',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    // Queued requests may count as calls in flight (OP-210).
    check: ({ before, held, during, alsoDuring }) => {
      if (Number.isNaN(readCommittedSpend(before))) return noSpendHeader;
      const others = [...during.attempts, alsoDuring];
      if (others.some((answer) => readCommittedSpend(answer) > readCommittedSpend(before))) return [];
      const end = computeEnd(held.exchange);
      const inside = others.find(
        ({ exchange }) => computeEnd(exchange) <= end && computeEnd(exchange) >= end - slowCallMs,
      );
      if (inside === undefined)
        return notApplicable('no other call got its response while the slow call was certainly running');
      return expect.on(inside, expectCommitted(before, isReserved, 'more than'));
    },
  }),
  rule('quotas.spend.is-free-again-at-the-end', spending, {
    sentence: 'The committed spend of a call is released when the call ends.',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    partReading: 'OP-050',
    check: ({ before, after, afterFailures, afterUnserved, afterCancellation }) => {
      if (Number.isNaN(readCommittedSpend(before))) return noSpendHeader;
      const free = expectCommitted(before, isReleased, 'at most');
      return [
        ...expect.on([after, afterFailures, afterUnserved], free),
        // A cancelled run may continue at its provider.
        ...expect.on(afterCancellation, expect.withReading('OP-050', free)),
      ];
    },
  }),
  rule('quotas.submit.rate-limited', submitAs('rateLimited'), {
    sentence: 'A submission over the rate limit is rejected with 429 rate_limited.',
    requirements: ['MR-IDM-10', 'MR-STC-14', 'MR-CTG-19'],
    reading: 'OP-102',
    check: ({ submit }) =>
      expect.on(
        submit,
        expect.status(429, expect.category('rate_limited'), expect.header('Retry-After', expect.wholeSeconds)),
      ),
  }),
  rule('quotas.submit.concurrency-limit-exceeded', submitAs('spendCapped', {}), {
    sentence: 'A submission by a caller at its spend cap is rejected with 429 concurrency_limit_exceeded.',
    requirements: ['MR-IDM-13', 'MR-STC-14', 'MR-CTG-13'],
    reading: 'OP-071',
    // The request quota also applies to the queue. It is undefined whether the spend cap does (OP-210).
    check: ({ submit }) =>
      submit.status === 201
        ? notApplicable('queued requests do not count towards the spend cap')
        : expect.on(submit, expect.error(429, 'concurrency_limit_exceeded')),
  }),
  rule('quotas.queue.positions-count-those-ahead', concurrentSubmissions, {
    concern: 'results',
    sentence: 'The queue position of a request is the number of requests ahead of it.',
    requirements: ['MR-QUE-09', 'MR-QUE-10', 'MR-QUE-07'],
    check: ({ one, two }) => {
      const rejected = expect.on([one, two], expect.status(201));
      if (rejected.length > 0) return rejected;
      const positions = [one, two].map((answer) => readMember(answer, '/queue_position'));
      if (!positions.every((position) => typeof position === 'number'))
        return notApplicable('the handles have no queue position');
      if (new Set(positions).size === positions.length) return [];
      if (positions[0] === 0) return notApplicable('no request had to wait: both were at the front');
      // After a late response the queue may be empty again.
      if ([one, two].some(({ exchange }) => exchange.timing.durationMs > maxHandleMs))
        return notApplicable(`a handle took more than ${maxHandleMs} ms to arrive`);
      const actual = positions.join(' and ');
      return expect.wrongAt(two.step, '/queue_position', 'different positions: one is behind the other', actual);
    },
  }),
];
