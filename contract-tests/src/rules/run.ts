import { usualCauses } from '../contract/concerns.ts';
import type { DiscoveredModel } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { isReplay } from '../contract/evidence.ts';
import { notApplicable } from '../contract/finding.ts';
import { encodeText } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import type { Runnable, ScenarioContext, TargetContext } from '../contract/scenario.ts';
import { scenario } from '../contract/scenario.ts';
import { type CredentialName, credential, state, validation } from '../requires.ts';
import { findOtherInput } from '../run/discovered-model.ts';
import {
  billed,
  inTurn,
  malformedBody,
  otherModelPath,
  requireInvalidInput,
  runValidInput,
  runValidInputWithKey,
  settledMs,
} from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('run');
const spendingRule = ruleIn('run', { concern: 'spending' });
const inputRule = ruleIn('run', {
  concern: 'inputs',
  usualCause: usualCauses.inputs,
  requiredOf: ['sandbox', 'live'],
});

/** Runs the authored model and the binary model, so that passive rules see a result that is a file. */
const runOfEachKind = scenario({ cost: 'billed' }, async (server) => {
  const { binary } = server.discovery.models;
  const json = await runValidInput(server);
  if (binary === undefined || !server.runnable.includes(binary.id)) return { json, binary: undefined };
  return { json, binary: await server.run(binary, { share: 'plain' }) };
});

const runRejectedFor = (as: CredentialName<'router'>) =>
  scenario({ cost: 'billed', requires: [state, ...credential('router', as)] }, async ({ run, authored }) => ({
    run: await run(authored, { as, rejected: true }),
  }));

const invalid = scenario({ requires: [validation] }, async ({ run, authored }) => ({
  invalid: await run({ ...authored, input: requireInvalidInput(authored) }, { rejected: true }),
}));

export const singleRunRules = [
  rule('run.result.comes-in-the-same-answer', runOfEachKind, {
    sentence: 'A run returns 200 with the result of the model.',
    requirements: ['MR-RUN-02', 'MR-RUN-23', 'MR-CAT-02'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ json, binary }) => expect.on([json, binary], expect.status(200, expect.nonEmptyBody('the result'))),
  }),
  rule('run.plain.names-no-fallback-and-no-dropped-fields', runOfEachKind, {
    sentence: 'A run without query parameters has neither a fallback-provider nor a dropped-params header.',
    requirements: ['MR-HDR-09', 'MR-HDR-11'],
    requires: [state],
    needs: ['run.result.comes-in-the-same-answer'],
    check: ({ json }) => expect.on(json, expect.noHeader('fallbackProvider'), expect.noHeader('droppedParams')),
  }),
  spendingRule('run.rate-limit.is-429-rate-limited', runRejectedFor('rateLimited'), {
    sentence: 'A caller over the rate limit gets 429 rate_limited.',
    requirements: ['MR-RUN-51', 'MR-IDM-10', 'MR-STC-14', 'MR-CTG-19'],
    check: ({ run }) => expect.on(run, expect.error(429, 'rate_limited')),
  }),
  spendingRule('run.spend-cap.is-429-concurrency-limit', runRejectedFor('spendCapped'), {
    sentence: 'A caller whose committed spend is at its cap gets 429 concurrency_limit_exceeded.',
    requirements: ['MR-RUN-51', 'MR-IDM-13', 'MR-STC-14'],
    check: ({ run }) => expect.on(run, expect.error(429, 'concurrency_limit_exceeded')),
  }),
  spendingRule('run.credits.are-lacking', runRejectedFor('noCredits'), {
    sentence: 'A run by a caller without credits is rejected with the category insufficient_credits.',
    requirements: ['MR-CTG-09'],
    partReading: 'OP-019',
    // The documents define no status for this error of a run (OP-211); both 400 and 402 are plausible.
    check: ({ run }) =>
      expect.on(
        run,
        expect.clientError,
        expect.withReading('OP-019', expect.status([400, 402])),
        expect.category('insufficient_credits'),
      ),
  }),
  inputRule('run.invalid.is-refused-per-field', invalid, {
    sentence: 'A run with an invalid input is rejected with 422 invalid_input.',
    requirements: ['MR-RUN-49', 'MR-SCH-27', 'MR-STC-11', 'MR-CTG-03'],
    check: ({ invalid }) => expect.on(invalid, expect.error(422, 'invalid_input')),
  }),
  spendingRule('run.invalid.costs-nothing', invalid, {
    sentence: 'The response to a run with an invalid input has no credits-used header.',
    requirements: ['MR-STC-12'],
    needs: ['run.invalid.is-refused-per-field'],
    check: ({ invalid }) => expect.on(invalid, expect.status(422, expect.noHeader('creditsUsed'))),
  }),
];

const usualCause = usualCauses.keys;
const keyRule = ruleIn('run', { usualCause });
const moneyRule = ruleIn('run', { concern: 'money', usualCause });
const replayRule = ruleIn('run', { concern: 'money', usualCause, needs: ['run.retry.is-answered-again'] });

const runWithRetries = scenario(billed, async (server) => {
  const first = await runValidInputWithKey(server);
  const retry = () => server.run(server.authored, { key: first.key });
  const again = await inTurn([settledMs, 0, 0], (ms) => server.after(ms, retry));
  return { first, again };
});

const retryOfFileRun = scenario(billed, async (server) => {
  const { discovery, runnable, must, run, newKey, after } = server;
  const { binary } = discovery.models;
  if (binary === undefined || !runnable.includes(binary.id))
    throw new NotApplicable('no model that returns bytes may be run');
  const first = await must(run(binary, { key: newKey('file') }), 200);
  return { first, again: await after(settledMs, () => run(binary, { key: first.key })) };
});

/** Returns a second model that accepts any object, so that a call can only be rejected because of its key. */
function findLenientModel({ discovery: { models }, runnable }: TargetContext): DiscoveredModel | undefined {
  const { unauthored, authored } = models;
  return unauthored?.id === authored?.id || !runnable.includes(unauthored?.id ?? '') ? undefined : unauthored;
}

/** Sends both calls concurrently. If the first ends before the second arrives, the second is a replay. */
const concurrentRuns = scenario(billed, async ({ run, newKey, authored }) => {
  const key = newKey('run-together');
  const [one, other] = await Promise.all([run(authored, { key }), run(authored, { key })]);
  return { one, other };
});

const retryByNeighbour = scenario(
  { ...billed, requires: [state, ...credential('router', 'neighbour')] },
  async (server) => {
    const first = await runValidInputWithKey(server);
    return { first, again: await server.run(server.authored, { key: first.key, as: 'neighbour' }) };
  },
);

const afterRejection = scenario({ requires: [state, validation] }, async (server) => {
  const { run, must, newKey, authored } = server;
  const key = newKey('run-released');
  const input = requireInvalidInput(authored);
  const first = await must(run(authored, { key, ...malformedBody(server), rejected: true }), 400);
  return { first, again: await run({ ...authored, input }, { key, rejected: true }) };
});

const reuseKey = (change: (server: ScenarioContext) => Runnable) =>
  scenario(billed, async (server) => {
    const other = change(server);
    const first = await runValidInputWithKey(server);
    return { first, again: await server.run(other, { key: first.key, rejected: true }) };
  });

const changedBody = reuseKey((server) => ({ ...server.authored, input: findOtherInput(server) }));

// `strict_mode` without a provider has no effect (MR-RUN-08), and a server may drop it before comparing. The known
// providers of a model are the provider in its id and the configured one (OP-004).
const changedQuery = reuseKey(({ authored, owned }) => {
  const provider = owned.find(({ id }) => id === authored.id)?.alternate?.provider ?? authored.provider;
  return { ...authored, path: `${authored.path}?model_provider=${encodeText(provider)}` };
});

const changedModel = reuseKey((server) => ({
  ...server.authored,
  path: findLenientModel(server)?.path ?? otherModelPath(server, true),
}));

/** `others`: statuses of a call that is rejected before its key is looked up. */
const conflictRule = (
  name: string,
  change: string,
  requirement: string,
  calls: typeof changedBody,
  others: readonly number[] = [],
) =>
  moneyRule(`run.retry.${name}-conflicts`, calls, {
    sentence: `Reusing an idempotency key ${change} is rejected with 409 invalid_input.`,
    requirements: [requirement, 'MR-IDM-16', 'MR-RUN-46', 'MR-STC-06', 'MR-CTG-04'],
    check: ({ again }, context) => {
      if (others.includes(again.status)) return notApplicable('the router rejected the provider, or the input for it');
      // If the second model rejects the body, the handling of the key is unknown (OP-031).
      return again.status === 422 && findLenientModel(context) === undefined
        ? notApplicable('the second model requires a different input')
        : expect.on(again, expect.conflict);
    },
  });

export const retryRules = [
  moneyRule('run.retry.is-answered-again', runWithRetries, {
    sentence: 'Each repeated run with the same idempotency key succeeds like the first.',
    requirements: ['MR-IDM-01', 'MR-RUN-34'],
    check: ({ again, first }) => expect.ifReplayable(again, first, expect.status(200)),
  }),
  replayRule('run.retry.is-marked-replayed', runWithRetries, {
    sentence: 'A replay is marked with Idempotent-Replayed, and the first response is not.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    check: ({ again, first }) => {
      const marked = expect.on(first, expect.noReplay);
      return marked.length > 0 ? marked : expect.ifReplayable(again, first, expect.replay);
    },
  }),
  replayRule('run.retry.repeats-the-result', runWithRetries, {
    sentence: 'A replay has the result of the first call.',
    requirements: ['MR-IDM-01', 'MR-AST-17'],
    check: ({ again, first }) => expect.ifReplayable(again, first, expect.sameResult(first)),
  }),
  replayRule('run.retry.repeats-a-file', retryOfFileRun, {
    sentence: 'A replayed file has the bytes and the media type of the first result.',
    requirements: ['MR-IDM-01'],
    needs: ['run.retry.is-answered-again', 'run.retry.is-marked-replayed'],
    // A result may not be replayable, and the API text only lists some of the causes.
    check: ({ again, first }) =>
      expect.on(again, expect.conflict).length === 0
        ? notApplicable('the repeated call for a file got 409, so no replay was seen')
        : expect.on(again, expect.status(200, expect.replay, expect.sameResult(first))),
  }),
  moneyRule('run.retry.together-runs-once', concurrentRuns, {
    sentence: 'Two calls that are sent at the same time with one key start at most one run.',
    requirements: ['MR-IDM-01', 'MR-IDM-04', 'MR-HDR-14'],
    check: ({ one, other }) => {
      const served = [one, other].filter(expect.hasSucceeded);
      if (served.length === 0) return notApplicable('neither of the two calls succeeded');
      return served.length === 1 || served.some(isReplay) ? [] : expect.on(other, expect.replay);
    },
  }),
  keyRule('run.retry.never-crosses-workspaces', retryByNeighbour, {
    concern: 'access',
    usualCause: usualCauses.keyOwners,
    sentence: 'A run with an idempotency key that a different workspace has used is a new run.',
    requirements: ['MR-IDM-40'],
    check: ({ again }) => expect.on(again, expect.status(200), expect.noReplay),
  }),
  keyRule('run.retry.rejection-releases-the-key', afterRejection, {
    sentence: 'After a run that was rejected before it reached a provider, its idempotency key can be used again.',
    requirements: ['MR-IDM-33'],
    requiredOf: ['sandbox', 'live'],
    check: ({ again }) => expect.on(again, expect.notStatus(409)),
  }),
  conflictRule('with-another-body', 'with a different body', 'MR-IDM-27', changedBody),
  // A server may check the provider or its input before the key (OP-031).
  conflictRule('with-another-query', 'with a different query', 'MR-IDM-26', changedQuery, [400, 404, 422]),
  conflictRule('on-another-model', 'for a different model', 'MR-IDM-25', changedModel),
];
