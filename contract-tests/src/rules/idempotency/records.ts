import type { JsonObject } from '../../../../specs/src/index.ts';
import { isReplay, outage } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import { ruleIn } from '../../contract/rule.ts';
import type { Answer, CallOptions, Scenario, ScenarioContext } from '../../contract/scenario.ts';
import { scenario } from '../../contract/scenario.ts';
import { type Condition, type CredentialName, credential, hook } from '../../requires.ts';
import {
  findUnknownModelPath,
  inTurn,
  lostWork,
  scripted,
  scriptedOr,
  scriptedOrInputFor,
  scriptedPath,
} from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('idempotency');
/** Rules that protect the result of a call rather than its price. */
const resultRule = ruleIn('idempotency', { concern: 'results' });

const outcomes = hook('outcomes');
const assets = hook('outcomes', 'assets');

/** Runs an input twice with one key. `due`: statuses of the first call, in addition to 200 for a configured input. */
const runTwice = (input: JsonObject, requires: readonly Condition[] = outcomes, due: readonly number[] = [200]) =>
  scenario({ cost: 'hooked', requires }, async ({ run, must, newKey, isScripted }) => {
    const key = newKey('key-record');
    const model = scripted(input);
    const first = await must(run(model, { key }), ...due, ...(isScripted ? [] : [200]));
    return { first, again: await run(model, { key }) };
  });

const runWithAssets = (...hosting: readonly string[]) =>
  runTwice({ assets: hosting.map((one) => ({ hosting: one })) }, assets);

const policyRejection = { outcome: 'content_policy_violation' };

const replayedHandle = scenario(
  { cost: 'hooked', requires: scriptedOr('input') },
  async ({ submit, must, follow, newKey }) => {
    const key = newKey('key-handle');
    const model = scripted({});
    const first = await must(submit(model, { key }), 201);
    const again = await must(submit(model, { key }), 200, 201);
    return { first, again, status: await follow(again, '/status_url') };
  },
);

type Twice = { readonly first: Answer; readonly again: Answer };

const checkReplayed = ({ first, again }: Twice) =>
  expect.on(again, expect.status(200, expect.replay, expect.sameResult(first)));
const replayedRule = (name: string, what: string, calls: Scenario<Twice>, reading: string) =>
  rule(`idempotency.record.${name}-is-replayed`, calls, {
    sentence: `${what} is replayed.`,
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading,
    check: checkReplayed,
  });
const checkConflict = ({ again }: Twice) => expect.on(again, expect.conflict);

/** A provider's rejection is recorded and repeated like any result. The replay header is optional. */
const checkRefusedAgain =
  (status: number) =>
  ({ first, again }: Twice) =>
    expect.ifItFails(first, () =>
      expect.on(again, expect.status(status, expect.where(isReplay, expect.sameValue(first)))),
    );

type Refused = {
  /** Default: the path of the scripted model. */
  readonly findPath?: (server: ScenarioContext) => string;
  readonly tail?: '/requests';
  readonly input: JsonObject;
  readonly options?: CallOptions;
};

/**
 * For each call: makes it twice with a new key, then makes a call that succeeds with the same key. `due`: expected
 * statuses of the first call; if absent, the input makes the router fail, possibly with a 503.
 */
const refusedThenAccepted = (refused: readonly Refused[], due?: readonly number[], requires = scriptedOr('input')) =>
  scenario({ cost: 'hooked', requires }, async (server) => {
    const { run, must, newKey, values } = server;
    const calls = await inTurn(refused, async ({ findPath = () => scriptedPath, tail = '', input, options }) => {
      const key = newKey('key-released');
      const purpose = { rejected: true, ...(due === undefined && { expectedFailure: outage }) } as const;
      const refuse = () => run({ path: findPath(server) + tail, input }, { key, ...options, ...purpose });
      await (due === undefined ? refuse() : must(refuse(), ...due));
      const again = await refuse();
      const better = { path: scriptedPath + tail, input: { note: values.text('better') } };
      return { again, accepted: await run(better, { key }) };
    });
    return { again: calls.map(({ again }) => again), accepted: calls.map(({ accepted }) => accepted) };
  });

const refusedTo = (as: CredentialName<'router'>, due: readonly number[]) =>
  refusedThenAccepted(
    [
      { input: {}, options: { as } },
      { tail: '/requests', input: {}, options: { as } },
    ],
    due,
    [...scriptedOr('input'), ...credential('router', as)],
  );

const invalid = { delay_ms: 'soon' };
const failures = ['internal_error', 'service_unavailable'].map((outcome) => ({ input: { outcome } }));

const invalidRun = refusedThenAccepted([{ input: invalid }], [422]);
const invalidSubmission = refusedThenAccepted([{ tail: '/requests', input: invalid }], [422]);
const withoutCredits = refusedTo('noCredits', [400, 402]);
const unknownModel = refusedThenAccepted([{ findPath: findUnknownModelPath, input: {} }], [404]);
const failing = refusedThenAccepted(failures, undefined, outcomes);

/** Nothing was dispatched, so nothing was recorded and the key can be used again (MR-IDM-33). */
const rejectionRule = (name: string, what: string, calls: typeof failing, requirements = ['MR-IDM-33', 'MR-HDR-14']) =>
  resultRule(`idempotency.rejection.${name}leaves-the-key-free`, calls, {
    sentence: `After ${what}, the idempotency key can be used again.`,
    requirements,
    check: ({ again, accepted }) => [
      ...expect.on(again, expect.noReplay),
      ...expect.on(accepted, expect.status([200, 201]), expect.noReplay),
    ],
  });

export const keyRecordRules = [
  rule('idempotency.record.oversized-cannot-be-replayed', runTwice({ size_bytes: 1_200_000 }), {
    sentence: 'A repeated call gets 409 invalid_input if the first result was too large to be stored.',
    requirements: ['MR-IDM-28', 'MR-IDM-53', 'MR-IDM-17', 'MR-CTG-05'],
    // The size limit of records is undocumented, so a server may also replay the result (MR-IDM-28).
    check: ({ first, again }) =>
      isReplay(again) && again.status !== 409
        ? expect.on(again, expect.status(200, expect.sameValue(first)))
        : expect.on(again, expect.conflict),
  }),
  rule('idempotency.record.failed-copy-cannot-be-replayed', runWithAssets('hosted_24h', 'failed_copy'), {
    sentence: 'A repeated call gets 409 invalid_input if an asset of the first result could not be copied.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', 'MR-IDM-17', 'MR-CTG-05'],
    reading: 'OP-095',
    check: checkConflict,
  }),
  rule('idempotency.record.provider-asset-cannot-be-replayed', runWithAssets('provider'), {
    sentence: 'A repeated call gets 409 invalid_input if an asset of the first result is stored at the provider.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', 'MR-IDM-17', 'MR-CTG-05'],
    reading: 'OP-095',
    check: checkConflict,
  }),
  rule('idempotency.record.lost-handle-cannot-be-replayed', runTwice(lostWork, outcomes, [200, 504]), {
    sentence: 'A repeated call gets 409 invalid_input if the provider handle of the first call was lost.',
    requirements: ['MR-IDM-53', 'MR-IDM-17', 'MR-CTG-05'],
    reading: 'OP-108',
    check: checkConflict,
  }),
  replayedRule('long', 'A long result', runTwice({ size_bytes: 200_000 }), 'OP-109'),
  rule('idempotency.record.hosted-asset-is-replayed', runWithAssets('hosted_24h'), {
    sentence: 'A result with hosted assets is replayed.',
    requirements: ['MR-IDM-52', 'MR-AST-17', 'MR-HDR-14'],
    check: checkReplayed,
  }),
  replayedRule('inline-asset', 'A result with inline assets', runWithAssets('inline'), 'OP-095'),
  replayedRule('file', 'A result that is a file', runTwice({ media_type: 'image/png' }), 'OP-109'),
  resultRule(
    'idempotency.record.policy-is-repeated',
    runTwice(policyRejection, scriptedOrInputFor(policyRejection), [400]),
    {
      sentence: 'A repeated call gets the same policy rejection as the first call.',
      requirements: ['MR-RUN-42', 'MR-IDM-01'],
      reading: 'OP-078',
      check: checkRefusedAgain(400),
    },
  ),
  resultRule('idempotency.record.refused-input-is-repeated', runTwice({ outcome: 'refused_input' }, outcomes, [422]), {
    sentence: 'A repeated call gets a 422 again if the provider refused the input of the first call.',
    requirements: ['MR-RUN-50', 'MR-IDM-01'],
    reading: 'OP-078',
    check: checkRefusedAgain(422),
  }),
  rule('idempotency.submission.replayed-handle-leads-to-its-request', replayedHandle, {
    sentence: 'The status_url of a replayed handle leads to the request of the first submission.',
    requirements: ['MR-SUB-12', 'MR-QUE-20', 'MR-QUE-23'],
    check: ({ again, status }) => {
      if (!isReplay(again)) return notApplicable('the second submission was not replayed');
      // Other rules check which success status is returned.
      return expect.on(
        status,
        expect.where((response) => response.status >= 300, expect.status(200)),
      );
    },
  }),
  rejectionRule('run-of-invalid-input-', 'a run with an invalid input', invalidRun),
  rejectionRule('submission-of-invalid-input-', 'a submission with an invalid input', invalidSubmission),
  rejectionRule('run-of-an-unknown-model-', 'a run of an unknown model', unknownModel),
  rejectionRule('of-a-caller-without-credits-', 'a call that is refused for lack of credits', withoutCredits),
  rejectionRule('of-a-barred-caller-', 'a call that is refused for lack of access', refusedTo('noAccess', [403])),
  rejectionRule('', 'a call that fails before it reaches a provider', failing, ['MR-IDM-33']),
];
