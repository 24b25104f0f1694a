import type { JsonObject } from '../../../../specs/src/index.ts';
import type { Answer } from '../../contract/answer.ts';
import { families, usualCauses } from '../../contract/concerns.ts';
import type { TargetContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { NotApplicable } from '../../contract/endings.ts';
import { findMembers, isReplay, parseBody } from '../../contract/evidence.ts';
import { type Finding, notApplicable } from '../../contract/finding.ts';
import { encodeText, modelPath } from '../../contract/requests.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type ResponsesOf, type ScenarioContext, scenario } from '../../contract/scenario.ts';
import { outcomesModel } from '../../contract/target.ts';
import { anyOf, credential, hook, input, state, validation } from '../../requires.ts';
import { findOtherInput } from '../../run/discovered-model.ts';
import {
  firstRun,
  malformedBody,
  otherRunnablePath,
  requireInvalidInput,
  runUnderLongestKey,
  settledMs,
} from '../calls.ts';
import * as expect from '../expect.ts';
import { readExpiry } from '../passive/stated.ts';

const rule = ruleIn(families.run);

const billed = { cost: 'billed', requires: [state] } as const;
const usualCause = usualCauses.keys;

const retried = scenario(billed, async (server) => {
  const first = await firstRun(server);
  return { first, again: await server.after(settledMs, () => server.run(server.authored, { key: first.key })) };
});

const retriedThrice = scenario(billed, async (server) => {
  const first = await firstRun(server);
  const retry = () => server.run(server.authored, { key: first.key });
  return { first, later: [await retry(), await retry(), await retry()] };
});

const retriedFile = scenario(billed, async (server) => {
  const { discovery, runnable, must, run, newKey, after } = server;
  const { binary } = discovery.models;
  if (binary === undefined || !runnable.includes(binary.id))
    throw new NotApplicable('no model that returns bytes may run');
  const first = await must(run(binary, { key: newKey('file') }), 200);
  return { first, again: await after(settledMs, () => run(binary, { key: first.key })) };
});

const underAnotherKey = scenario(billed, async (server) => ({
  first: await firstRun(server),
  second: await runUnderLongestKey(server),
}));

const replay = { concern: 'money', needs: ['run.retry.is-answered-again'], usualCause } as const;

const replayRules = [
  rule('run.retry.is-answered-again', retried, {
    concern: 'money',
    usualCause,
    sentence: 'The same run under the same idempotency key is answered as the first time.',
    requirements: ['MR-IDM-01', 'MR-RUN-34'],
    check: ({ again, first }) => expect.ifReplayable(again, first, expect.status(200)),
  }),
  rule('run.retry.is-marked-replayed', retried, {
    ...replay,
    sentence: 'A replay is marked with Idempotent-Replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    check: ({ again, first }) => expect.ifReplayable(again, first, expect.replay),
  }),
  rule('run.retry.repeats-the-result', retried, {
    ...replay,
    sentence: 'A replay has the result of the first call.',
    requirements: ['MR-IDM-01', 'MR-AST-17'],
    check: ({ again, first }) => expect.ifReplayable(again, first, expect.sameResult(first)),
  }),
  rule('run.retry.repeats-a-file', retriedFile, {
    ...replay,
    sentence: 'A repeated answer that is a file has the bytes and the media type of the first.',
    requirements: ['MR-IDM-01'],
    needs: [...replay.needs, 'run.retry.is-marked-replayed'],
    // A record may not be replayable, and the text only lists some of the causes.
    check: ({ again, first }) =>
      expect.on(again, expect.conflict).length === 0
        ? notApplicable('the key of a file answers 409: no replay was seen')
        : expect.on(again, expect.status(200, expect.replay, expect.sameResult(first))),
  }),
  rule('run.retry.is-replayed-each-time', retriedThrice, {
    ...replay,
    sentence: 'A run under a used idempotency key is replayed every time.',
    requirements: ['MR-IDM-01', 'MR-IDM-02'],
    check: ({ later, first }) =>
      expect.ifReplayable(later, first, expect.status(200, expect.replay, expect.sameResult(first))),
  }),
  rule('run.retry.another-key-runs-anew', underAnotherKey, {
    usualCause,
    sentence: 'The same run under another idempotency key runs again.',
    requirements: ['MR-IDM-32'],
    check: ({ second }) => expect.on(second, expect.noReplay),
  }),
];

/**
 * Returns a model that accepts any object, so that a call can only be rejected because of its key; undefined if that is
 * the authored model.
 */
function findLenientModel({ discovery: { models }, runnable }: TargetContext): DiscoveredModel | undefined {
  const { unauthored, authored } = models;
  return unauthored?.id === authored?.id || !runnable.includes(unauthored?.id ?? '') ? undefined : unauthored;
}

/**
 * Sends both calls concurrently. If the model is fast, the second may arrive after the end of the first and be a
 * replay.
 */
const together = scenario(billed, async ({ run, newKey, authored }) => {
  const key = newKey('run-together');
  const [one, other] = await Promise.all([run(authored, { key }), run(authored, { key })]);
  return { one, other };
});

const byCaller = (as: 'neighbour' | 'colleague') =>
  scenario({ ...billed, requires: [state, ...credential('router', as)] }, async (server) => {
    const first = await firstRun(server);
    return { first, again: await server.run(server.authored, { key: first.key, as }) };
  });

const afterRejection = scenario({ requires: [state, validation] }, async (server) => {
  const { run, must, newKey, authored } = server;
  const key = newKey('run-released');
  const input = requireInvalidInput(authored);
  const first = await must(run(authored, { key, body: malformedBody(server), rejected: true }), 400);
  return { first, again: await run({ ...authored, input }, { key, rejected: true }) };
});

/** Makes a different call under the key of a run, which must be rejected. */
const changed = (change: (server: ScenarioContext) => Parameters<ScenarioContext['run']>[0]) =>
  scenario(billed, async (server) => {
    const other = change(server);
    const first = await firstRun(server);
    return { first, again: await server.run(other, { key: first.key, rejected: true }) };
  });

const anotherBody = changed((server) => ({ ...server.authored, input: findOtherInput(server) }));

// `strict_mode` without a provider has no effect (MR-RUN-08), and a server may drop it before comparing. The known
// providers of a model are the one in its id and those in the configuration (OP-004).
const anotherQuery = changed(({ authored, owned }) => {
  const provider = owned.find(({ id }) => id === authored.id)?.alternate?.provider ?? authored.provider;
  return { ...authored, path: `${authored.path}?model_provider=${encodeText(provider)}` };
});

const anotherModel = changed((server) => ({
  ...server.authored,
  path: findLenientModel(server)?.path ?? otherRunnablePath(server, server.authored),
}));

const conflicting = { concern: 'money', usualCause } as const;
const conflictRequirements = ['MR-IDM-16', 'MR-RUN-46', 'MR-STC-06', 'MR-CTG-04'];

/** If the second model rejects the body, the handling of the key is unknown (OP-031). */
function expectConflict({ again }: ResponsesOf<typeof anotherBody>, context: TargetContext) {
  return again.status === 422 && findLenientModel(context) === undefined
    ? notApplicable('the second model takes another input')
    : expect.on(again, expect.conflict);
}

const keyRules = [
  rule('run.retry.together-runs-once', together, {
    ...conflicting,
    sentence: 'Two calls that are sent at the same time with one key start at most one run.',
    requirements: ['MR-IDM-01', 'MR-IDM-04', 'MR-HDR-14'],
    check: ({ one, other }) => {
      const served = [one, other].filter(expect.hasSucceeded);
      if (served.length === 0) return notApplicable('neither of the two calls was served');
      return served.length === 1 || served.some(isReplay) ? [] : expect.on(other, expect.replay);
    },
  }),
  rule('run.retry.never-crosses-workspaces', byCaller('neighbour'), {
    concern: 'access',
    usualCause,
    sentence: 'An idempotency key of one workspace is unused in another.',
    requirements: ['MR-IDM-40'],
    check: ({ again }) => expect.on(again, expect.status(200), expect.noReplay),
  }),
  rule('run.retry.is-shared-within-a-workspace', byCaller('colleague'), {
    ...conflicting,
    sentence: 'An idempotency key is shared by the callers of a workspace.',
    requirements: ['MR-IDM-40', 'MR-IDM-44'],
    check: ({ again }) => (again.status === 409 ? [] : expect.on(again, expect.status([200, 409], expect.replay))),
  }),
  rule('run.retry.rejection-releases-the-key', afterRejection, {
    usualCause,
    sentence: 'A run that was rejected before it reached a provider leaves its idempotency key free.',
    requirements: ['MR-IDM-33'],
    requiredOf: ['sandbox', 'live'],
    check: ({ again }) => expect.on(again, expect.notStatus([409], 'any status but 409 (the key is free again)')),
  }),
  rule('run.retry.with-another-body-conflicts', anotherBody, {
    ...conflicting,
    sentence: 'Another body under a used idempotency key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-27', ...conflictRequirements],
    check: expectConflict,
  }),
  rule('run.retry.with-another-query-conflicts', anotherQuery, {
    ...conflicting,
    sentence: 'Another query under a used idempotency key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-26', ...conflictRequirements],
    check: (responses, context) =>
      // A server may check the provider or its input before the key (OP-031).
      [400, 404, 422].includes(responses.again.status)
        ? notApplicable('the router refused the provider, or the input for it')
        : expectConflict(responses, context),
  }),
  rule('run.retry.on-another-model-conflicts', anotherModel, {
    ...conflicting,
    sentence: 'Another model under a used idempotency key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-25', ...conflictRequirements],
    check: expectConflict,
  }),
];

type Linked = { readonly id: string; readonly input: JsonObject };

/** Lists the models with configured links, or the scripted one. */
function listLinked({ isScripted, owned }: TargetContext): readonly Linked[] {
  if (isScripted) return [{ id: outcomesModel, input: { assets: [{ hosting: 'hosted_24h' }] } }];
  return owned.filter(({ linkHours }) => linkHours !== undefined);
}

/** Runs and replays each of them; `trace.links` checks the links in the results. */
const eachLinked = scenario(
  { cost: 'billed', requires: [state, anyOf(hook('assets'), input('linkHours'))] },
  async (server) => {
    const { run, after, ifPossible, newKey } = server;
    const replayed: { readonly first: Answer; readonly again: Answer }[] = [];
    for (const [index, { id, input }] of listLinked(server).entries()) {
      const model = { path: modelPath(id), input };
      // Shares the run of the authored model with other rules.
      const isShared = server.discovery.models.authored?.id === id;
      const label = isShared ? 'shared-run' : `links-${index}`;
      const first = await ifPossible(() => run(model, { key: newKey(label), ...(isShared && { share: label }) }));
      if (!expect.hasSucceeded(first)) continue;
      replayed.push({ first, again: await after(settledMs, () => run(model, { key: first.key })) });
    }
    return { replayed };
  },
);

type Link = { readonly pointer: string; readonly expiresAt: number };

function listLinks(answer: Answer): readonly Link[] {
  const parsed = parseBody(answer);
  const found = parsed.kind === 'json' ? findMembers(parsed.value, (_, value) => typeof value === 'string') : [];
  return found.flatMap(({ pointer, value }) => {
    const expiresAt = readExpiry(String(value));
    return expiresAt === undefined ? [] : [{ pointer, expiresAt }];
  });
}

/** Allows for clock differences and fractions of seconds. */
const toleranceMs = 500;

const linkRule = rule('run.retry.renews-no-links', eachLinked, {
  sentence: 'A replay does not renew the links of a result.',
  requirements: ['MR-AST-17'],
  usualCause: usualCauses.keys,
  check: ({ replayed }) => {
    const links = replayed.flatMap(({ first, again }) => {
      const known = new Map(listLinks(first).map(({ pointer, expiresAt }) => [pointer, expiresAt]));
      return (isReplay(again) ? listLinks(again) : []).flatMap(({ pointer, expiresAt }) => {
        const before = known.get(pointer);
        return before === undefined ? [] : [{ step: again.step, pointer, before, expiresAt }];
      });
    });
    if (links.length === 0) return notApplicable('no replay with a link that states when it expires was seen');
    return links.flatMap(({ step, pointer, before, expiresAt }): readonly Finding[] => {
      const expected = 'a link that expires when that of the first answer does';
      const actual = `one that expires ${Math.round((expiresAt - before) / 1_000)} s later`;
      return expiresAt <= before + toleranceMs ? [] : expect.wrongAt(step, pointer, expected, actual);
    });
  },
});

export const retryRules = [...replayRules, ...keyRules, linkRule];
