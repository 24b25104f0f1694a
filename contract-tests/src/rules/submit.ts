import { computeEnd, readMember, readResponse, selectStep } from '../contract/evidence.ts';
import { finding, notApplicable } from '../contract/finding.ts';
import type { Evidence } from '../contract/probe.ts';
import { defineFamily, type Family } from '../contract/rule.ts';
import { credential, state, validation } from '../requires.ts';
import { findOtherInput } from '../run/discovered-model.ts';
import * as expect from './builders/expect.ts';
import { unknownModel } from './builders/not-found-rules.ts';
import * as send from './builders/send.ts';

const submissions: Family = { cost: 'billed' };

const handleRules = defineFamily(submissions)({
  'submit.handle.is-created': {
    sentence: 'A submission answers 201 with a handle of its request.',
    requirements: ['MR-SUB-10', 'MR-QUE-30'],
    requiredOf: ['mock', 'sandbox'],
    probe: (context) => [send.submit('submit', context.authored, {}, { sharedRun: 'plain request' })],
    check: expect.on('submit', expect.status(201)),
  },
  'submit.credits.are-lacking': {
    concern: 'spending',
    sentence: 'A submission of a caller without credits is refused with 402 insufficient_credits.',
    requirements: ['MR-SUB-15', 'MR-STC-03', 'MR-CTG-09'],
    requires: credential('router', 'noCredits'),
    probe: (context) => [send.submit('submit', context.authored, send.asCaller('noCredits'), send.rejected)],
    check: expect.on('submit', expect.error(402, 'insufficient_credits')),
  },
  'submit.binary.byte-returning-model': {
    sentence: 'A model that answers with bytes can be submitted.',
    requirements: ['MR-SUB-10'],
    requires: [state, ...credential('router', 'main')],
    probe: ({ discovery }) =>
      [discovery.models.binary ?? []]
        .flat()
        .map((model) => send.submit('submit', model, {}, { sharedRun: 'plain request' })),
    check: expect.unless(
      (evidence) => evidence.length === 0,
      'no model that returns bytes was found',
      // The documents are silent; live services were seen to refuse models that return bytes.
      expect.noted('submit', 'its submission'),
    ),
  },
});

const refusalRules = defineFamily({ ...submissions, cost: 'free', requires: [state], requiredOf: ['sandbox', 'live'] })(
  {
    'submit.invalid.is-refused-at-once': {
      concern: 'inputs',
      sentence: 'A submission with an invalid input is refused at once with 422 invalid_input, and nothing is queued.',
      requirements: ['MR-SUB-07', 'MR-SUB-08', 'MR-SUB-09', 'MR-CTG-03'],
      requires: [validation],
      probe: ({ authored }) => [send.submit('invalid', authored, send.jsonBody(send.requireInvalidInput(authored)))],
      check: expect.on('invalid', expect.error(422, 'invalid_input')),
    },
    'submit.malformed.is-refused': {
      concern: 'inputs',
      sentence: 'A submission whose body is no JSON is refused with 400 invalid_input.',
      requirements: ['MR-SUB-13', 'MR-CTG-01', 'MR-STC-01'],
      probe: (context) => [send.submit('malformed', context.authored, send.malformedBody)],
      check: expect.on('malformed', expect.error(400, 'invalid_input')),
    },
    'submit.unknown.is-not-found': {
      sentence: 'A submission to an unknown model answers 404 model_not_found.',
      requirements: ['MR-SUB-17', 'MR-CTG-10', 'MR-STC-05'],
      ...unknownModel('POST', '/requests'),
    },
  },
);

const retryRules = defineFamily({
  ...submissions,
  requires: [state],
  needs: ['submit.handle.is-created'],
  // Two submissions under one key.
  probe: (context) => send.underOneKey(context, { route: 'submit' }),
})({
  'submit.retry.gives-the-same-handle': {
    concern: 'money',
    sentence: 'The same submission under the same idempotency key gives the same handle.',
    requirements: ['MR-SUB-12', 'MR-IDM-01'],
    // The retry table says 200, the operation 201 (OP-079).
    check: expect.on('again', expect.status([200, 201], expect.sameMember('/request_id', 'first'))),
  },
  'submit.retry.is-marked-replayed': {
    concern: 'money',
    sentence: 'A repeated handle is marked with Idempotent-Replayed.',
    requirements: ['MR-SUB-12', 'MR-HDR-14'],
    needs: ['submit.retry.gives-the-same-handle'],
    check: expect.all(expect.on('first', expect.noReplay), expect.on('again', expect.replay)),
  },
  'submit.retry.with-another-body-conflicts': {
    concern: 'money',
    sentence: 'Another submission under a used idempotency key is refused with 409 invalid_input.',
    requirements: ['MR-SUB-18', 'MR-IDM-16', 'MR-IDM-27', 'MR-STC-06', 'MR-CTG-04'],
    probe: (context) => {
      const next = { value: findOtherInput(context) };
      return send.underOneKey(context, { route: 'submit', next, options: send.rejected });
    },
    check: expect.on('again', expect.conflict),
  },
});

const runMs = 8_000;
/** A run that was not cancelled is not waited for. */
const { waitsForRun: _, ...briefly } = send.untilCompleted;

/** A run of some seconds, cancelled while its provider works on it. */
const longRun = [
  send.scriptedSubmit('submit', { delay_ms: runMs }),
  send.follow('early', 'response_url'),
  send.follow('live', 'status_url', { afterMs: 300 }),
  send.follow('cancel', 'cancel_url'),
  send.follow('end', 'status_url', { repeat: { ...briefly, atMost: 12, mayNeverHold: true } }),
  send.follow('collect', 'response_url'),
];

const unfinished: expect.MemberMatcher = {
  expected: 'a request that is not COMPLETED',
  is: (status) => typeof status === 'string' && status !== 'COMPLETED',
};

/** From the submission to the end of the cancellation: a slow server may spend the whole run on it. */
function spentMs(evidence: Evidence): number {
  const ends = selectStep(evidence, 'cancel').map(computeEnd);
  return Math.max(...ends) - (evidence[0]?.timing.startedAtMs ?? 0);
}

const timing: Family = { ...send.scripted, requires: send.scriptedOr('slowInput'), probe: longRun };

const timingRules = defineFamily(timing)({
  'submit.handle.comes-at-once': {
    sentence: 'A submission answers before its model has finished.',
    requirements: ['MR-SUB-02'],
    check: (evidence) => {
      const tookMs = evidence[0]?.timing.durationMs ?? 0;
      return tookMs < runMs * 0.9
        ? expect.member('/status', unfinished)(readResponse(evidence, 'early'))
        : [finding('value-unexpected', { step: 'submit' }, 'a handle at once', `one after ${tookMs} ms`)];
    },
  },
  'submit.live.cancellation-is-accepted': {
    sentence: 'A request that was submitted by the gate can be cancelled by it.',
    requirements: ['MR-CAN-03', 'MR-CAN-10'],
    check: expect.unless(
      (evidence) => readResponse(evidence, 'cancel').status === 409 && spentMs(evidence) >= runMs,
      'the run was over before the cancellation was sent',
      expect.on('cancel', expect.status(202, expect.member('/status', 'CANCELLATION_REQUESTED'))),
    ),
  },
  'submit.live.ends-cancelled': {
    sentence: 'A cancelled request ends as cancelled.',
    requirements: ['MR-STA-13', 'MR-CTG-20', 'MR-COL-17'],
    needs: ['submit.live.cancellation-is-accepted'],
    check: (evidence) => {
      const [end, collected] = [readResponse(evidence, 'end'), readResponse(evidence, 'collect')];
      // MR-CAN-11: a live run may finish all the same; then it is a success, with a result.
      const isSuccess = readMember(end, '/error_type') === undefined && collected.status === 200;
      if (end.status === 200 && (readMember(end, '/status') !== 'COMPLETED' || isSuccess))
        return notApplicable('the run went on');
      const cancelled = end.status === 410 ? [] : expect.member('/error_type', 'cancelled')(end);
      // What collecting it gives is open (OP-038, OP-040), but no result.
      return [...cancelled, ...expect.refused(collected)];
    },
  },
});

export const submitRules = [...handleRules, ...refusalRules, ...retryRules, ...timingRules];
