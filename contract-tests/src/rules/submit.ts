import { usualCauses } from '../contract/concerns.ts';
import { NotApplicable } from '../contract/endings.ts';
import { readMember } from '../contract/evidence.ts';
import { finding, notApplicable } from '../contract/finding.ts';
import { ruleIn } from '../contract/rule.ts';
import { type CallOptions, type ScenarioContext, scenario } from '../contract/scenario.ts';
import { credential, state, validation } from '../requires.ts';
import { findOtherInput } from '../run/discovered-model.ts';
import { billed, json, outcomesModelOr, outcomesModelWith, requireInvalidInput } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('submit');

const plain = scenario({ cost: 'billed' }, async ({ submit, authored }) => ({
  submit: await submit(authored, { share: 'plain request' }),
}));

const withoutCredits = scenario(
  { cost: 'billed', requires: credential('router', 'noCredits') },
  async ({ submit, authored }) => ({
    submit: await submit(authored, { as: 'noCredits', rejected: true }),
  }),
);

const billedForMain = { cost: 'billed', requires: [state, ...credential('router', 'main')] } as const;
const submitToBinaryModel = scenario(billedForMain, async ({ submit, discovery: { models } }) => {
  if (models.binary === undefined) throw new NotApplicable('no model that returns bytes was found');
  return { submit: await submit(models.binary, { share: 'plain request' }) };
});

const invalid = scenario({ requires: [validation] }, async ({ submit, authored }) => ({
  invalid: await submit({ path: authored.path, input: requireInvalidInput(authored) }, { rejected: true }),
}));

/** Submits twice with one key. Live scenarios share the first submission. */
const submitWithOneKey = (again: (server: ScenarioContext) => CallOptions) =>
  scenario(billed, async (server) => {
    const key = server.newKey('shared-submit');
    const first = await server.must(server.submit(server.authored, { key, share: 'shared-submit' }), 201);
    const repeated = await server.submit(server.authored, { key: first.key, ...again(server) });
    return { first, again: repeated, status: await server.follow(repeated, '/status_url') };
  });
const submitTwice = submitWithOneKey(() => ({}));
const submitTwiceWithOtherBody = submitWithOneKey((server) => ({ ...json(findOtherInput(server)), rejected: true }));
const retryRule = ruleIn('submit', {
  concern: 'money',
  usualCause: usualCauses.keys,
  needs: ['submit.handle.is-created'],
});

const runMs = 8_000;

/** Submits a run of some seconds, collects it at once, and cancels it. */
const longRun = scenario({ cost: 'hooked', requires: outcomesModelOr('slowInput') }, async (server) => {
  const submit = await server.must(
    server.submit(outcomesModelWith({ delay_ms: server.values.ms(runMs) }, 'slowInput')),
    201,
  );
  const early = await server.collect(submit);
  return { submit, early, cancel: await server.cancel(submit) };
});

const notCompleted = expect.matching(
  'a request that is not COMPLETED',
  (status) => typeof status === 'string' && status !== 'COMPLETED',
);

export const submitRules = [
  rule('submit.handle.is-created', plain, {
    sentence: 'A submission returns 201 with a handle for its request.',
    requirements: ['MR-SUB-10', 'MR-QUE-30'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ submit }) => expect.on(submit, expect.status(201)),
  }),
  rule('submit.credits.are-lacking', withoutCredits, {
    concern: 'spending',
    sentence: 'A submission by a caller without credits is rejected with 402 insufficient_credits.',
    requirements: ['MR-SUB-15', 'MR-STC-03', 'MR-CTG-09'],
    check: ({ submit }) => expect.on(submit, expect.error(402, 'insufficient_credits')),
  }),
  rule('submit.binary.byte-returning-model', submitToBinaryModel, {
    sentence: 'The response to a submission to a model that returns bytes is recorded, not judged.',
    observes: true,
    requirements: ['MR-SUB-10'],
    // The documents don't define this; some live services reject models that return bytes.
    check: ({ submit }) => expect.recordAnswer(submit, 'a submission to a model that returns bytes'),
  }),
  rule('submit.invalid.is-refused-at-once', invalid, {
    concern: 'inputs',
    sentence: 'A submission with an invalid input is rejected with 422 invalid_input, and nothing is queued.',
    requirements: ['MR-SUB-07', 'MR-SUB-08', 'MR-SUB-09', 'MR-CTG-03'],
    requiredOf: ['sandbox', 'live'],
    usualCause: usualCauses.inputs,
    check: ({ invalid }) => expect.on(invalid, expect.error(422, 'invalid_input')),
  }),
  retryRule('submit.retry.gives-the-same-handle', submitTwice, {
    sentence: 'A repeated submission with the same key returns the handle of the same request, marked as a replay.',
    requirements: ['MR-SUB-12', 'MR-IDM-01', 'MR-HDR-14', 'MR-QUE-20'],
    // The retry table defines 200, but the operation 201 (OP-079).
    check: ({ first, again, status }) => [
      ...expect.on(first, expect.noReplay),
      ...expect.on(again, expect.status([200, 201], expect.sameMember('/request_id', first), expect.replay)),
      ...(status === undefined ? [] : expect.on(status, expect.status([200, 410]))),
    ],
  }),
  retryRule('submit.retry.with-another-body-conflicts', submitTwiceWithOtherBody, {
    sentence: 'Reusing the idempotency key of a submission with a different body is rejected with 409 invalid_input.',
    requirements: ['MR-SUB-18', 'MR-IDM-16', 'MR-IDM-27', 'MR-STC-06', 'MR-CTG-04'],
    check: ({ again }) => expect.on(again, expect.conflict),
  }),
  rule('submit.handle.comes-at-once', longRun, {
    sentence: 'A submission returns before its model has finished.',
    requirements: ['MR-SUB-02', 'MR-COL-09'],
    check: ({ submit, early }) => {
      const tookMs = submit.exchange.timing.durationMs;
      if (tookMs >= runMs * 0.9)
        return [
          finding('value-unexpected', { step: submit.step }, 'a handle before the run ends', `after ${tookMs} ms`),
        ];
      // Rules about collect report that an unfinished request is answered with an error, or with its status.
      const isHandle = readMember(early, '/request_id') !== undefined;
      if (early.status !== 202 && (early.status !== 200 || isHandle))
        return notApplicable(`collecting the request at once is answered with ${early.status}`);
      return expect.on(early, expect.status(202, expect.member('/status', notCompleted)));
    },
  }),
];
