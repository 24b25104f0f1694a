import type { ProbeContext } from '../contract/context.ts';
import { listResponses, readMember, readResponse } from '../contract/evidence.ts';
import type { Evidence, Probe } from '../contract/probe.ts';
import { type Check, defineFamily, type Family } from '../contract/rule.ts';
import { state } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { notFoundRules } from './builders/not-found-rules.ts';
import * as send from './builders/send.ts';

const cancel: Family = { cost: 'billed', requires: [state] };

/** Whatever it ends as, or does not, is checked. */
const ending = { ...send.untilCompleted, mayNeverHold: true } as const;

/** The first request is cancelled twice, the other one not at all. */
const cancelled = (context: ProbeContext): Probe => [
  send.submitted(context),
  { ...send.submitted(context, 'another', 'uncollected'), alongside: true },
  send.follow('cancel', 'cancel_url'),
  send.follow('second', 'cancel_url'),
  send.follow('end', 'status_url', { repeat: ending, mustAnswer: [200] }),
  send.follow('end-of-another', 'status_url', { of: 'another', repeat: ending }),
  send.follow('again', 'status_url', { afterMs: 600 }),
  send.follow('collect', 'response_url'),
];

/** MR-CAN-11: a live run may finish all the same; then its result can be collected. */
function finishedNonetheless(evidence: Evidence): boolean {
  const error = readMember(readResponse(evidence, 'end'), '/error_type');
  return error === undefined && readResponse(evidence, 'collect').status === 200;
}

/** A run that is live at the provider may go on for longer than the rule waits. */
function isStillPending(evidence: Evidence, { specs }: ProbeContext): boolean {
  const end = readResponse(evidence, 'end');
  const uncancelled = ['submit', 'another', 'end-of-another'].flatMap((step) => listResponses(evidence, step));
  const words = [...specs.settings.queueStatuses, ...uncancelled.map((response) => readMember(response, '/status'))];
  const status = readMember(end, '/status');
  return readMember(end, '/error_type') === undefined && status !== 'COMPLETED' && words.includes(status);
}

const tooLate = 'the run was over before the cancellation arrived';
const stillPending = 'the cancelled request had not ended by the deadline of the rule';
const ifEffective = (check: Check): Check =>
  expect.unless(finishedNonetheless, tooLate, expect.unless(isStillPending, stillPending, check));

const pendingRules = defineFamily({ ...cancel, probe: cancelled })({
  'cancel.pending.is-requested': {
    sentence: 'Cancelling a request that is not completed answers 202 CANCELLATION_REQUESTED.',
    requirements: ['MR-CAN-03', 'MR-QUE-26'],
    check: expect.unless(
      (evidence) => expect.answeredWith('cancel', 409)(evidence) && finishedNonetheless(evidence),
      tooLate,
      expect.on('cancel', expect.status(202, expect.member('/status', 'CANCELLATION_REQUESTED'))),
    ),
  },
  'cancel.pending.ends-with-an-error-type': {
    sentence: 'A cancelled request completes with an error_type in its status.',
    requirements: ['MR-STA-13'],
    needs: ['cancel.pending.is-requested'],
    check: ifEffective(expect.on('end', expect.members({ '/status': 'COMPLETED', '/error_type': expect.text }))),
  },
  'cancel.pending.is-called-cancelled': {
    sentence: 'The error_type of a cancelled request is cancelled.',
    requirements: ['MR-CTG-20'],
    needs: ['cancel.pending.ends-with-an-error-type'],
    check: ifEffective(expect.on('end', expect.member('/error_type', 'cancelled'))),
  },
  'cancel.cancelled.collected': {
    sentence: 'Collecting a cancelled request answers with the category of its end.',
    requirements: ['MR-COL-16', 'MR-COL-17'],
    needs: ['cancel.pending.ends-with-an-error-type'],
    check: expect.noted('collect', 'collecting it', 'OP-038, OP-040'),
  },
  'cancel.pending.concerns-no-other-request': {
    sentence: 'Cancelling a request leaves other requests alone.',
    requirements: ['MR-CAN-03', 'MR-QUE-26', 'MR-CTG-20'],
    needs: ['cancel.pending.is-requested'],
    // Other rules check what else it may end as.
    check: expect.on(
      'end-of-another',
      expect.member('/error_type', { expected: 'anything but cancelled', is: (value) => value !== 'cancelled' }),
    ),
  },
  'cancel.pending.second-time': {
    sentence: 'What cancelling a request twice gives is noted.',
    observes: true,
    requirements: ['MR-CAN-03'],
    check: expect.noted('second', 'a second cancel', 'OP-035'),
  },
});

const afterTheEnd = (context: ProbeContext): Probe => [
  send.submitted(context, 'submit', 'plain'),
  send.polled(),
  send.follow('collect', 'response_url'),
  send.follow('cancel', 'cancel_url'),
  send.follow('status-after', 'status_url'),
  send.follow('collect-after', 'response_url'),
];

const expectSameEnd: expect.Expectation = (response, _, evidence) => {
  const error = readMember(readResponse(evidence, 'end'), '/error_type');
  const same = { expected: JSON.stringify(error) ?? 'absent', is: (value: unknown) => value === error };
  return expect.members({ '/status': 'COMPLETED', '/error_type': same })(response);
};

/** Whether a result can be collected twice is open (OP-021): only another result is a change. */
const expectSameResult: expect.Expectation = (response, _, evidence) => {
  const before = readResponse(evidence, 'collect');
  return before.status === 200 && response.status === 200 ? expect.byteFindings(response, before) : [];
};

const completedRules = defineFamily({
  ...cancel,
  needs: ['cancel.completed.is-already-completed'],
  probe: afterTheEnd,
})({
  'cancel.completed.is-already-completed': {
    sentence: 'Cancelling a completed request answers 409 ALREADY_COMPLETED.',
    requirements: ['MR-CAN-04', 'MR-STC-08'],
    check: expect.on('cancel', expect.status(409)),
  },
  'cancel.completed.is-a-cancel-response': {
    sentence: 'The 409 of a completed request has the body of a cancel answer, not of an error.',
    requirements: ['MR-CAN-04', 'MR-CAN-05', 'MR-CAN-08', 'MR-CAN-09'],
    check: expect.on(
      'cancel',
      expect.sameMember('/request_id', 'submit'),
      expect.member('/status', 'ALREADY_COMPLETED'),
    ),
  },
  'cancel.completed.changes-nothing': {
    sentence: 'Cancelling a completed request does not change its status.',
    requirements: ['MR-CAN-13', 'MR-QUE-33'],
    check: expect.all(expect.on('status-after', expectSameEnd), expect.on('collect-after', expectSameResult)),
  },
  'cancel.completed.leaves-the-result': {
    sentence: 'The result of a completed request can be collected after it was cancelled.',
    requirements: ['MR-CAN-13'],
    // Collected for the first time after the cancellation.
    probe: (context) => [
      send.submitted(context, 'submit', 'uncollected'),
      send.polled(),
      send.follow('cancel', 'cancel_url'),
      send.follow('collect', 'response_url'),
    ],
    check: expect.ifSucceeded(expect.on('collect', expect.status(200))),
  },
});

const accessRules = defineFamily(cancel)(notFoundRules('cancel', 'MR-CAN-18'), {
  'cancel.malformed.request-id': {
    sentence: 'What cancelling a malformed request id gets is noted.',
    observes: true,
    requirements: ['MR-CAN-15'],
    cost: 'free',
    requiredOf: ['sandbox', 'live'],
    probe: ({ authored }) => [
      send.onRequest('malformed', authored.path, { call: 'cancel', requestId: () => 'NOT-A-UUID' }),
    ],
    check: expect.noted('malformed', 'an id that is no UUID', 'OP-037'),
  },
});

export const cancelRules = [...pendingRules, ...completedRules, ...accessRules];
