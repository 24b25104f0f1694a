import { computeEnd, isReplay } from '../../contract/evidence.ts';
import { type CheckResult, notApplicable } from '../../contract/finding.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type ResponsesOf, type ScenarioContext, scenario } from '../../contract/scenario.ts';
import { hook } from '../../requires.ts';
import { scripted, scriptedOr, scriptedPath } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('idempotency');
/** Rules that protect the result of a call rather than its price. */
const resultRule = ruleIn('idempotency', { concern: 'results' });

const withOtherBody = ({ values }: ScenarioContext) => ({
  path: scriptedPath,
  input: { note: values.text('another') },
});

/** While the first call runs, sends the same call, a call with a different body, and a call with a different key. */
const whileRunning = scenario({ cost: 'hooked', requires: scriptedOr('input', 'slowInput') }, async (server) => {
  const { run, after, newKey, values } = server;
  const key = newKey('key-running');
  const otherKey = newKey('key-running-other');
  const slow = scripted({ delay_ms: values.ms(2_500), note: values.text('held') });
  const [held, again, otherBody, other] = await Promise.all([
    run(slow, { key }),
    after(150, () => run(slow, { key })),
    after(150, () => run(withOtherBody(server), { key })),
    after(150, () => run(withOtherBody(server), { key: otherKey })),
  ]);
  return { held, again, otherBody, other, afterwards: await run(slow, { key }) };
});

type Running = ResponsesOf<typeof whileRunning>;

/** True if, on a slow network, the retry arrived before the first call or after its end. */
const isOutOfOrder = ({ held, again }: Running): boolean =>
  again.status === 200 && (isReplay(again) || isReplay(held) || held.status === 409);
const outOfOrder = notApplicable('the calls did not arrive in the order in which they were sent');

/** Runs the check unless calls exceeded the undocumented limit of parallel calls per workspace (OP-008). */
const unlessLimited =
  (check: (responses: Running) => CheckResult) =>
  (responses: Running): CheckResult => {
    const { held, again, otherBody, other } = responses;
    // If the call with the other key ended after the first call, the order of the remaining calls is unknown.
    const isLate = computeEnd(other.exchange) >= computeEnd(held.exchange);
    const isLimited = other.status === 429 || (isLate && [again, otherBody].some(({ status }) => status === 429));
    return isLimited ? notApplicable('the workspace does not allow another call in flight') : check(responses);
  };

/** Two rows of the retry table apply: the body differs, and the first call is still running (OP-100). */
const expectOtherBodyRefused = expect.error(409, 'invalid_input', 'concurrency_limit_exceeded');

/** A call passes its deadline while the provider continues to work. Its key then returns the result. */
const collectable = scenario({ cost: 'hooked', requires: hook('outcomes') }, async (server) => {
  const { run, after, newKey, values } = server;
  const key = newKey('key-collect');
  const workMs = values.ms(1_000);
  const input = { outcome: 'deadline_exceeded', delay_ms: workMs, note: values.text('accepted') };
  const accepted = scripted(input);
  const missed = await run(accepted, { key });
  const early = await run(accepted, { key });
  const otherBody = await run(withOtherBody(server), { key });
  const collected = await after(workMs + 100, () => run(accepted, { key }));
  return { missed, early, otherBody, collected, again: await run(accepted, { key }) };
});

const expectHint = expect.header('Retry-After', expect.wholeSeconds);

/** Before the work ends, two rows of the retry table apply: still running (409), or result not yet available (504). */
const expectStillRunning = expect.either(
  ({ status }) => status === 200,
  expect.replay,
  expect.status([504, 409], expect.category('deadline_exceeded', 'concurrency_limit_exceeded'), expectHint),
);

const needs = ['idempotency.deadline.is-504-with-a-hint'];

export const runningCallRules = [
  rule('idempotency.running.is-409', whileRunning, {
    sentence: 'While a call runs, a second call with its key is refused with 409 concurrency_limit_exceeded.',
    requirements: ['MR-IDM-04', 'MR-STC-06', 'MR-RUN-46'],
    check: unlessLimited((responses) =>
      isOutOfOrder(responses)
        ? outOfOrder
        : expect.on(responses.again, expect.error(409, 'concurrency_limit_exceeded')),
    ),
  }),
  rule('idempotency.running.another-body-conflicts', whileRunning, {
    sentence: 'While a call runs, reusing its key with a different body is refused with 409.',
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    check: unlessLimited(({ otherBody }) => expect.on(otherBody, expectOtherBodyRefused)),
  }),
  resultRule('idempotency.running.another-key-runs', whileRunning, {
    sentence: 'While a call runs, a call with a different key succeeds.',
    requirements: ['MR-IDM-32'],
    check: unlessLimited(({ other }) => expect.on(other, expect.status(200), expect.noReplay)),
  }),
  resultRule('idempotency.running.first-call-is-served', whileRunning, {
    sentence: 'The first call succeeds even if a second call with the same key arrives while it runs.',
    requirements: ['MR-RUN-03', 'MR-IDM-04'],
    check: (responses) => (isOutOfOrder(responses) ? outOfOrder : expect.on(responses.held, expect.status(200))),
  }),
  rule('idempotency.running.replays-when-over', whileRunning, {
    sentence: 'After a call has ended, its key replays the result.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    needs: ['idempotency.running.first-call-is-served'],
    check: ({ held, afterwards }) => expect.on(afterwards, expect.status(200, expect.replay, expect.sameValue(held))),
  }),
  resultRule('idempotency.deadline.is-504-with-a-hint', collectable, {
    sentence: 'A call that takes longer than the deadline returns 504 deadline_exceeded with Retry-After.',
    requirements: ['MR-IDM-07', 'MR-RUN-60', 'MR-RUN-58', 'MR-CTG-16'],
    check: ({ missed }) => expect.on(missed, expect.status(504, expect.category('deadline_exceeded'), expectHint)),
  }),
  resultRule('idempotency.deadline.upstream-has-accepted', collectable, {
    sentence: 'A 504 for work that continues has a header with the 2xx status of the provider.',
    requirements: ['MR-RUN-59', 'MR-HDR-05'],
    reading: 'OP-033',
    needs,
    check: ({ missed }) => expect.on(missed, expect.header('upstreamStatus', expect.formed('a 2xx status', /^2\d\d$/))),
  }),
  rule('idempotency.deadline.is-still-running', collectable, {
    sentence: 'After a 504 deadline_exceeded, a repeated call gets the replayed result or an error with Retry-After.',
    requirements: ['MR-IDM-07', 'MR-IDM-34'],
    needs,
    check: ({ early }) => expect.on(early, expectStillRunning),
  }),
  rule('idempotency.deadline.another-body-conflicts', collectable, {
    sentence: 'After a 504 deadline_exceeded, reusing the key with a different body is refused with 409.',
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    needs,
    check: ({ otherBody }) => expect.on(otherBody, expectOtherBodyRefused),
  }),
  rule('idempotency.deadline.key-collects', collectable, {
    sentence: 'After a 504 deadline_exceeded, a later call with the same key returns the result.',
    requirements: ['MR-IDM-01', 'MR-IDM-07', 'MR-IDM-34', 'MR-HDR-14'],
    needs,
    check: ({ collected }) => expect.on(collected, expect.status(200, expect.replay)),
  }),
  resultRule('idempotency.deadline.is-collected-alike', collectable, {
    sentence: 'A result that was returned after a 504 is replayed unchanged.',
    requirements: ['MR-IDM-01'],
    needs: ['idempotency.deadline.key-collects'],
    check: ({ again, collected }) => expect.on(again, expect.sameValue(collected)),
  }),
];
