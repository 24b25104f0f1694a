import { readMember } from '../contract/evidence.ts';
import { notApplicable } from '../contract/finding.ts';
import { ruleIn } from '../contract/rule.ts';
import { type ResponsesOf, scenario, type TargetContext } from '../contract/scenario.ts';
import { afterCompletion, billed, submitted } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('cancel');

/** Cancels one of two requests twice. The scenario also works if neither of them ends. */
const cancelled = scenario(billed, async (server) => {
  const [submit, another] = await Promise.all([submitted(server), submitted(server, 'uncollected request')]);
  const cancel = await server.cancel(submit);
  const second = await server.cancel(submit);
  const end = await server.completed(submit, { mayNeverHold: true });
  const endOfAnother = await server.ended(another, { mayNeverHold: true });
  const again = await server.after(600, () => server.status(submit));
  const collect = await server.collect(submit);
  return { submit, another, cancel, second, end, endOfAnother, again, collect };
});

type Cancelled = ResponsesOf<typeof cancelled>;

/** MR-CAN-11: a cancelled run may still finish; its result can then be collected. */
const hasFinished = ({ end, collect }: Cancelled): boolean =>
  readMember(end, '/error_type') === undefined && collect.status === 200;

/** True if a live run takes longer than the rule waits. */
function isStillPending({ submit, another, end, endOfAnother }: Cancelled, { specs }: TargetContext): boolean {
  const uncancelled = [submit, another, ...endOfAnother.attempts];
  const words = [...specs.settings.queueStatuses, ...uncancelled.map((answer) => readMember(answer, '/status'))];
  const status = readMember(end, '/status');
  return readMember(end, '/error_type') === undefined && status !== 'COMPLETED' && words.includes(status);
}

const tooLate = notApplicable('the run was over before the cancellation arrived');

const notCancelled = expect.matching('any value other than cancelled', (value) => value !== 'cancelled');

/** Collects the result for the first time after the cancellation. */
const collectAfterCancel = scenario(billed, async (server) => {
  const submit = await submitted(server, 'uncollected request');
  const end = await server.completed(submit);
  const cancel = await server.cancel(submit);
  return { submit, end, cancel, collect: await server.collect(submit) };
});

const completedRule = ruleIn('cancel', { needs: ['cancel.completed.is-already-completed'] });

export const cancelRules = [
  rule('cancel.pending.is-requested', cancelled, {
    sentence: 'Cancelling a request that is not completed returns 202 CANCELLATION_REQUESTED.',
    requirements: ['MR-CAN-03', 'MR-QUE-26'],
    check: (responses) =>
      responses.cancel.status === 409 && hasFinished(responses)
        ? tooLate
        : expect.on(responses.cancel, expect.status(202, expect.member('/status', 'CANCELLATION_REQUESTED'))),
  }),
  rule('cancel.pending.is-called-cancelled', cancelled, {
    sentence: 'A cancelled request completes with the error_type cancelled in its status.',
    requirements: ['MR-STA-13', 'MR-CTG-20'],
    needs: ['cancel.pending.is-requested'],
    check: (responses, context) => {
      if (hasFinished(responses)) return tooLate;
      return isStillPending(responses, context)
        ? notApplicable('the cancelled request had not ended by the deadline of the rule')
        : expect.on(responses.end, expect.members({ '/status': 'COMPLETED', '/error_type': 'cancelled' }));
    },
  }),
  rule('cancel.cancelled.collected', cancelled, {
    sentence: 'The response to collecting a cancelled request is recorded, not judged.',
    requirements: ['MR-COL-16', 'MR-COL-17'],
    needs: ['cancel.pending.is-called-cancelled'],
    check: ({ collect }) => expect.recordAnswer(collect, 'collecting a cancelled request', 'OP-038, OP-040'),
  }),
  rule('cancel.pending.concerns-no-other-request', cancelled, {
    sentence: 'Cancelling a request does not affect other requests.',
    requirements: ['MR-CAN-03', 'MR-QUE-26', 'MR-CTG-20'],
    needs: ['cancel.pending.is-requested'],
    // Other rules check how the other request ended.
    check: ({ endOfAnother }) =>
      endOfAnother.status === 200 && readMember(endOfAnother, '/status') !== 'COMPLETED'
        ? notApplicable('the other request had not ended by the deadline of the rule')
        : expect.on(endOfAnother, expect.member('/error_type', notCancelled)),
  }),
  rule('cancel.pending.second-time', cancelled, {
    sentence: 'The response to cancelling a request twice is recorded, not judged.',
    observes: true,
    requirements: ['MR-CAN-03'],
    check: ({ second }) => expect.recordAnswer(second, 'a second cancel', 'OP-035'),
  }),
  rule('cancel.completed.is-already-completed', afterCompletion, {
    sentence: 'Cancelling a completed request returns 409 with a cancel response: ALREADY_COMPLETED, not an error.',
    requirements: ['MR-CAN-04', 'MR-CAN-05', 'MR-CAN-08', 'MR-CAN-09', 'MR-STC-08'],
    check: ({ cancel, submit }) =>
      expect.on(
        cancel,
        expect.status(409, expect.sameMember('/request_id', submit), expect.member('/status', 'ALREADY_COMPLETED')),
      ),
  }),
  completedRule('cancel.completed.changes-nothing', afterCompletion, {
    sentence: 'Cancelling a completed request does not change its status.',
    requirements: ['MR-CAN-13', 'MR-QUE-33'],
    check: ({ end, afterCancel, collectAgain, last }) => [
      ...expect.on(
        afterCancel,
        expect.member('/status', 'COMPLETED'),
        expect.member('/error_type', expect.equal(readMember(end, '/error_type'))),
      ),
      // It may be possible to collect a result only once (OP-021), so report only a result that differs.
      ...([collectAgain, last].every(expect.hasSucceeded) ? expect.on(last, expect.sameBytes(collectAgain)) : []),
    ],
  }),
  completedRule('cancel.completed.leaves-the-result', collectAfterCancel, {
    sentence: 'Cancelling a completed request does not prevent its result from being collected.',
    requirements: ['MR-CAN-13'],
    check: ({ end, collect }) => expect.ifRequestSucceeded(end, () => expect.on(collect, expect.status(200))),
  }),
];
