import type { JsonObject } from '../../../../specs/src/index.ts';
import type { Answer } from '../../contract/answer.ts';
import { families } from '../../contract/concerns.ts';
import { isReplay, outage } from '../../contract/evidence.ts';
import { type Finding, notApplicable } from '../../contract/finding.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type CallOptions, type ScenarioContext, scenario } from '../../contract/scenario.ts';
import { type Condition, type CredentialName, credential, hook } from '../../requires.ts';
import { findUnknownModelPath, lostWork, scriptedOr, scriptedOrInputFor, scriptedPath } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn(families.idempotency);

const outcomes = hook('outcomes');
const assets = hook('outcomes', 'assets');

/**
 * Runs a scripted input twice under one key. `due`: expected statuses of the first call. A configured input may succeed
 * instead of failing.
 */
const runTwice = (input: JsonObject, requires: readonly Condition[] = outcomes, due: readonly number[] = [200]) =>
  scenario({ cost: 'hooked', requires }, async ({ run, must, newKey, isScripted }) => {
    const key = newKey('key-record');
    const model = { path: scriptedPath, input };
    const first = await must(run(model, { key }), ...due, ...(isScripted ? [] : [200]));
    return { first, again: await run(model, { key }) };
  });

const policyRejection = { outcome: 'content_policy_violation' };

const replayedHandle = scenario(
  { cost: 'hooked', requires: scriptedOr('input') },
  async ({ submit, must, follow, newKey }) => {
    const key = newKey('key-handle');
    const model = { path: scriptedPath, input: {} };
    const first = await must(submit(model, { key }), 201);
    const again = await must(submit(model, { key }), 200, 201);
    return { first, again, status: await follow(again, '/status_url') };
  },
);

type Twice = { readonly first: Answer; readonly again: Answer };

const checkReplayed = ({ first, again }: Twice) =>
  expect.on(again, expect.status(200, expect.replay, expect.sameResult(first)));
const checkConflict = ({ again }: Twice) => expect.on(again, expect.conflict);

/** A provider's rejection is recorded like any result. It may have the replay header, but doesn't need it. */
const checkRefusedAgain =
  (status: number) =>
  ({ first, again }: Twice) =>
    expect.ifItFails(first, () =>
      expect.on(again, expect.status(status, expect.where(isReplay, expect.sameValue(first)))),
    );

const recordRules = [
  rule('idempotency.record.oversized-cannot-be-replayed', runTwice({ size_bytes: 1_200_000 }), {
    sentence:
      'The key of a result that is too large to keep gets 409 invalid_input; a result that was kept is replayed.',
    requirements: ['MR-IDM-28', 'MR-IDM-53', 'MR-IDM-17', 'MR-CTG-05'],
    // The size limit of records is undocumented, so a server may also replay the result (MR-IDM-28).
    check: ({ first, again }) =>
      isReplay(again) && again.status !== 409
        ? expect.on(again, expect.status(200, expect.sameValue(first)))
        : expect.on(again, expect.conflict),
  }),
  rule(
    'idempotency.record.failed-copy-cannot-be-replayed',
    runTwice({ assets: [{ hosting: 'hosted_24h' }, { hosting: 'failed_copy' }] }, assets),
    {
      sentence: 'The key of a result with an asset that could not be copied gets 409 invalid_input.',
      requirements: ['MR-IDM-30', 'MR-IDM-52', 'MR-IDM-17', 'MR-CTG-05'],
      reading: 'OP-095',
      check: checkConflict,
    },
  ),
  rule(
    'idempotency.record.provider-asset-cannot-be-replayed',
    runTwice({ assets: [{ hosting: 'provider' }] }, assets),
    {
      sentence: 'The key of a result with an asset of the provider gets 409 invalid_input.',
      requirements: ['MR-IDM-30', 'MR-IDM-52', 'MR-IDM-17', 'MR-CTG-05'],
      reading: 'OP-095',
      check: checkConflict,
    },
  ),
  rule('idempotency.record.lost-handle-cannot-be-replayed', runTwice(lostWork, outcomes, [200, 504]), {
    sentence: 'The key of a call whose provider handle was lost gets 409 invalid_input.',
    requirements: ['MR-IDM-53', 'MR-IDM-17', 'MR-CTG-05'],
    reading: 'OP-108',
    check: checkConflict,
  }),
  rule('idempotency.record.long-is-replayed', runTwice({ size_bytes: 200_000 }), {
    sentence: 'A long result is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-109',
    check: checkReplayed,
  }),
  rule('idempotency.record.hosted-asset-is-replayed', runTwice({ assets: [{ hosting: 'hosted_24h' }] }, assets), {
    sentence: 'A result with hosted assets is replayed.',
    requirements: ['MR-IDM-52', 'MR-AST-17', 'MR-HDR-14'],
    check: checkReplayed,
  }),
  rule('idempotency.record.inline-asset-is-replayed', runTwice({ assets: [{ hosting: 'inline' }] }, assets), {
    sentence: 'A result with inline assets is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-095',
    check: checkReplayed,
  }),
  rule('idempotency.record.file-is-replayed', runTwice({ media_type: 'image/png' }), {
    sentence: 'A result that is a file is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-109',
    check: checkReplayed,
  }),
  rule('idempotency.record.policy-is-repeated', runTwice(policyRejection, scriptedOrInputFor(policyRejection), [400]), {
    concern: 'results',
    sentence: 'A policy rejection is repeated under its key.',
    requirements: ['MR-RUN-42', 'MR-IDM-01'],
    reading: 'OP-078',
    check: checkRefusedAgain(400),
  }),
  rule('idempotency.record.refused-input-is-repeated', runTwice({ outcome: 'refused_input' }, outcomes, [422]), {
    concern: 'results',
    sentence: 'An input that the provider refused is refused again under its key.',
    requirements: ['MR-RUN-50', 'MR-IDM-01'],
    reading: 'OP-078',
    check: checkRefusedAgain(422),
  }),
  rule('idempotency.submission.replayed-handle-leads-to-its-request', replayedHandle, {
    sentence: 'A replayed handle leads to the request of the first submission.',
    requirements: ['MR-SUB-12', 'MR-QUE-20', 'MR-QUE-23'],
    check: ({ again, status }) =>
      isReplay(again)
        ? // Other rules check the status of the success.
          expect.on(
            status,
            expect.where((response) => response.status >= 300, expect.status(200)),
          )
        : notApplicable('nothing was replayed'),
  }),
];

type Refused = {
  /** Default: the path of the scripted model. */
  readonly findPath?: (server: ScenarioContext) => string;
  readonly tail?: '/requests';
  readonly input: JsonObject;
  readonly options?: CallOptions;
};

/**
 * Makes each call twice under its own key, then one that succeeds under the same key. `due`: expected statuses of the
 * first call. Without it, the input causes a failure of the router, which may be a 503.
 */
const refusedThenAccepted = (requires: readonly Condition[], refused: readonly Refused[], due?: readonly number[]) =>
  scenario({ cost: 'hooked', requires }, async (server) => {
    const { run, must, newKey, values } = server;
    const again: Answer[] = [];
    const accepted: Answer[] = [];
    for (const { findPath = () => scriptedPath, tail = '', input, options = {} } of refused) {
      const key = newKey('key-released');
      const rejected = {
        key,
        ...options,
        rejected: true,
        ...(due === undefined && { expectedFailure: outage }),
      } as const;
      const model = { path: findPath(server) + tail, input };
      const first = run(model, rejected);
      await (due === undefined ? first : must(first, ...due));
      again.push(await run(model, rejected));
      accepted.push(await run({ path: scriptedPath + tail, input: { note: values.text('better') } }, { key }));
    }
    return { again, accepted };
  });

const refusedTo = (as: CredentialName<'router'>, due: readonly number[]) =>
  refusedThenAccepted(
    [...scriptedOr('input'), ...credential('router', as)],
    [
      { input: {}, options: { as } },
      { tail: '/requests', input: {}, options: { as } },
    ],
    due,
  );

const invalid = { delay_ms: 'soon' };

/** Nothing was dispatched, so nothing was recorded and the key can be used again (MR-IDM-33). */
const released = {
  concern: 'results',
  requirements: ['MR-IDM-33', 'MR-HDR-14'],
  check: ({
    again,
    accepted,
  }: {
    readonly again: readonly Answer[];
    readonly accepted: readonly Answer[];
  }): readonly Finding[] => [
    ...expect.on(again, expect.noReplay),
    ...expect.on(accepted, expect.status([200, 201]), expect.noReplay),
  ],
} as const;

const rejectionRules = [
  rule(
    'idempotency.rejection.run-of-invalid-input-leaves-the-key-free',
    refusedThenAccepted(scriptedOr('input'), [{ input: invalid }], [422]),
    { ...released, sentence: 'A run with an invalid input leaves its key free.' },
  ),
  rule(
    'idempotency.rejection.submission-of-invalid-input-leaves-the-key-free',
    refusedThenAccepted(scriptedOr('input'), [{ tail: '/requests', input: invalid }], [422]),
    { ...released, sentence: 'A submission with an invalid input leaves its key free.' },
  ),
  rule(
    'idempotency.rejection.run-of-an-unknown-model-leaves-the-key-free',
    refusedThenAccepted(scriptedOr('input'), [{ findPath: findUnknownModelPath, input: {} }], [404]),
    { ...released, sentence: 'A run of an unknown model leaves its key free.' },
  ),
  rule('idempotency.rejection.of-a-caller-without-credits-leaves-the-key-free', refusedTo('noCredits', [400, 402]), {
    ...released,
    sentence: 'A call refused for lack of credits leaves its key free.',
  }),
  rule('idempotency.rejection.of-a-barred-caller-leaves-the-key-free', refusedTo('noAccess', [403]), {
    ...released,
    sentence: 'A call refused for lack of access leaves its key free.',
  }),
  rule(
    'idempotency.rejection.leaves-the-key-free',
    refusedThenAccepted(
      outcomes,
      ['internal_error', 'service_unavailable'].map((outcome) => ({ input: { outcome } })),
    ),
    {
      ...released,
      sentence: 'A call that was rejected before it reached a provider leaves its key free.',
      requirements: ['MR-IDM-33'],
    },
  ),
];

export const keyRecordRules = [...recordRules, ...rejectionRules];
