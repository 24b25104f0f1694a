import type { JsonObject } from '../../../../specs/src/index.ts';
import type { Answer } from '../../contract/answer.ts';
import { isReplay, outage } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import { type Rule, type RuleId, rule, type Statement } from '../../contract/rule.ts';
import { type CallOptions, type ScenarioContext, scenario } from '../../contract/scenario.ts';
import { type Condition, type CredentialName, credential, hook } from '../../requires.ts';
import { findUnknownModelPath, lostWork } from '../calls.ts';
import * as expect from '../expect.ts';
import { scriptedOr, scriptedOrInputFor, scriptedPath } from '../scripted.ts';

const outcomes = hook('outcomes');
const assets = hook('outcomes', 'assets');

type Wanted = Omit<Statement<unknown>, 'check' | 'requires'> & {
  readonly requires?: readonly Condition[];
  readonly input: JsonObject;
  /** Expected statuses of the first call. Default: 200. */
  readonly due?: readonly number[];
  readonly expects: (first: Answer) => expect.Expectation;
};

/** The answer to a scripted run is on record, or its key says that it is not. */
function recordRule(name: string, { input, due = [200], requires = outcomes, expects, ...statement }: Wanted): Rule {
  const twice = scenario({ cost: 'hooked', requires }, async ({ run, must, newKey }) => {
    const key = newKey('key-record');
    const model = { path: scriptedPath, input };
    return { first: await must(run(model, { key }), ...due), again: await run(model, { key }) };
  });
  return rule(`idempotency.record.${name}`, twice, {
    ...statement,
    check: ({ first, again }) => expect.on(again, expects(first)),
  });
}

/** A provider's refusal is on record like any result; the replay header is allowed on it, not required. */
function refusalRule(name: string, status: number, { input, ...statement }: Omit<Wanted, 'expects' | 'due'>): Rule {
  const requires = scriptedOrInputFor(input);
  const twice = scenario({ cost: 'hooked', requires }, async ({ run, must, newKey, isScripted }) => {
    const key = newKey('key-record');
    const model = { path: scriptedPath, input };
    // An input of the owner may succeed.
    const due = isScripted ? [status] : [status, 200];
    return { first: await must(run(model, { key }), ...due), again: await run(model, { key }) };
  });
  return rule(`idempotency.record.${name}`, twice, {
    ...statement,
    check: ({ first, again }) =>
      expect.ifItFails(first, () =>
        expect.on(again, expect.status(status, expect.where(isReplay, expect.sameValue(first)))),
      ),
  });
}

/** The size limit of records is not documented: a server that keeps more replays the result (MR-IDM-28). */
const conflictOrReplay = (first: Answer): expect.Expectation =>
  expect.either(
    (response) => isReplay(response) && response.status !== 409,
    expect.status(200, expect.sameValue(first)),
    expect.conflict,
  );
const sameReplay = (first: Answer): expect.Expectation => expect.status(200, expect.replay, expect.sameResult(first));
const conflict = (): expect.Expectation => expect.conflict;

/** The result of a succeeded call may not be kept; waiting does not help (MR-IDM-17). */
const unreplayable = ['MR-IDM-17', 'MR-CTG-05'];

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

const recordRules = [
  recordRule('oversized-cannot-be-replayed', {
    sentence:
      'The key of a result that is too large to keep gets 409 invalid_input; a result that was kept is replayed.',
    requirements: ['MR-IDM-28', 'MR-IDM-53', ...unreplayable],
    input: { size_bytes: 1_200_000 },
    expects: conflictOrReplay,
  }),
  recordRule('failed-copy-cannot-be-replayed', {
    sentence: 'The key of a result with an asset that could not be copied gets 409 invalid_input.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', ...unreplayable],
    reading: 'OP-095',
    requires: assets,
    input: { assets: [{ hosting: 'hosted_24h' }, { hosting: 'failed_copy' }] },
    expects: conflict,
  }),
  recordRule('provider-asset-cannot-be-replayed', {
    sentence: 'The key of a result with an asset of the provider gets 409 invalid_input.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', ...unreplayable],
    reading: 'OP-095',
    requires: assets,
    input: { assets: [{ hosting: 'provider' }] },
    expects: conflict,
  }),
  recordRule('lost-handle-cannot-be-replayed', {
    sentence: 'The key of a call whose provider handle was lost gets 409 invalid_input.',
    requirements: ['MR-IDM-53', ...unreplayable],
    reading: 'OP-108',
    input: lostWork,
    due: [200, 504],
    expects: conflict,
  }),
  recordRule('long-is-replayed', {
    sentence: 'A long result is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-109',
    input: { size_bytes: 200_000 },
    expects: sameReplay,
  }),
  recordRule('hosted-asset-is-replayed', {
    sentence: 'A result with hosted assets is replayed.',
    requirements: ['MR-IDM-52', 'MR-AST-17', 'MR-HDR-14'],
    requires: assets,
    input: { assets: [{ hosting: 'hosted_24h' }] },
    expects: sameReplay,
  }),
  recordRule('inline-asset-is-replayed', {
    sentence: 'A result with inline assets is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-095',
    requires: assets,
    input: { assets: [{ hosting: 'inline' }] },
    expects: sameReplay,
  }),
  recordRule('file-is-replayed', {
    sentence: 'A result that is a file is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-109',
    input: { media_type: 'image/png' },
    expects: sameReplay,
  }),
  refusalRule('policy-is-repeated', 400, {
    concern: 'results',
    sentence: 'A policy rejection is repeated under its key.',
    requirements: ['MR-RUN-42', 'MR-IDM-01'],
    reading: 'OP-078',
    input: { outcome: 'content_policy_violation' },
  }),
  refusalRule('refused-input-is-repeated', 422, {
    concern: 'results',
    sentence: 'An input that the provider refused is refused again under its key.',
    requirements: ['MR-RUN-50', 'MR-IDM-01'],
    reading: 'OP-078',
    input: { outcome: 'refused_input' },
  }),
  rule('idempotency.submission.replayed-handle-leads-to-its-request', replayedHandle, {
    sentence: 'A replayed handle leads to the request of the first submission.',
    requirements: ['MR-SUB-12', 'MR-QUE-20', 'MR-QUE-23'],
    check: ({ again, status }) =>
      isReplay(again)
        ? // Other rules check which success it is.
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
type Released = Pick<Rule, 'sentence'> & {
  readonly requires: readonly Condition[];
  readonly refused: readonly Refused[];
  /** Without one the input asks for a failure, which may be a 503. */
  readonly due?: readonly number[];
};

/** Nothing was dispatched, so nothing was recorded and the key stays free (MR-IDM-33). */
function releaseRule(id: RuleId, { sentence, requires, refused, due }: Released): Rule {
  const rejectedThenAccepted = scenario({ cost: 'hooked', requires }, async (server) => {
    const { run, must, newKey, values } = server;
    const again: Answer[] = [];
    const accepted: Answer[] = [];
    for (const { findPath = () => scriptedPath, tail = '', input, options = {} } of refused) {
      const key = newKey('key-released');
      const rejected = { key, ...options, rejected: true, ...(due === undefined && { toShow: outage }) } as const;
      const model = { path: findPath(server) + tail, input };
      const first = run(model, rejected);
      await (due === undefined ? first : must(first, ...due));
      again.push(await run(model, rejected));
      accepted.push(await run({ path: scriptedPath + tail, input: { note: values.text('better') } }, { key }));
    }
    return { again, accepted };
  });
  return rule(`idempotency.rejection.${id}`, rejectedThenAccepted, {
    concern: 'results',
    sentence,
    requirements: due === undefined ? ['MR-IDM-33'] : ['MR-IDM-33', 'MR-HDR-14'],
    check: ({ again, accepted }) => [
      ...expect.on(again, expect.noReplay),
      ...expect.on(accepted, expect.status([200, 201]), expect.noReplay),
    ],
  });
}

const byCaller = (as: CredentialName<'router'>) => ({
  requires: [...scriptedOr('input'), ...credential('router', as)],
  refused: [
    { input: {}, options: { as } },
    { tail: '/requests', input: {}, options: { as } },
  ] as const,
});

const invalid = { delay_ms: 'soon' };
const requires = scriptedOr('input');

const rejectionRules = [
  releaseRule('run-of-invalid-input-leaves-the-key-free', {
    sentence: 'A run with an invalid input leaves its key free.',
    requires,
    refused: [{ input: invalid }],
    due: [422],
  }),
  releaseRule('submission-of-invalid-input-leaves-the-key-free', {
    sentence: 'A submission with an invalid input leaves its key free.',
    requires,
    refused: [{ tail: '/requests', input: invalid }],
    due: [422],
  }),
  releaseRule('run-of-an-unknown-model-leaves-the-key-free', {
    sentence: 'A run of an unknown model leaves its key free.',
    requires,
    refused: [{ findPath: findUnknownModelPath, input: {} }],
    due: [404],
  }),
  releaseRule('of-a-caller-without-credits-leaves-the-key-free', {
    sentence: 'A call refused for lack of credits leaves its key free.',
    ...byCaller('noCredits'),
    due: [400, 402],
  }),
  releaseRule('of-a-barred-caller-leaves-the-key-free', {
    sentence: 'A call refused for lack of access leaves its key free.',
    ...byCaller('noAccess'),
    due: [403],
  }),
  releaseRule('leaves-the-key-free', {
    sentence: 'A call that was rejected before it reached a provider leaves its key free.',
    requires: outcomes,
    refused: ['internal_error', 'service_unavailable'].map((outcome) => ({ input: { outcome } })),
  }),
];

export const keyRecordRules = [...recordRules, ...rejectionRules];
