import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { isReplay, readResponse } from '../../contract/evidence.ts';
import type { Probe } from '../../contract/probe.ts';
import { defineFamily, type Family } from '../../contract/rule.ts';
import { credential, state, validation } from '../../requires.ts';
import { findOtherInput } from '../../run/discovered-model.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';

const retries: Family = { cost: 'billed', requires: [state] };

const retried = (context: ProbeContext): Probe => send.underOneKey(context, { options: { afterMs: send.settledMs } });
const later = ['second', 'third', 'fourth'] as const;

const replay: Family = { ...retries, needs: ['run.retry.is-answered-again'], probe: retried };

const replayRules = defineFamily(replay)({
  'run.retry.is-answered-again': {
    concern: 'money',
    sentence: 'The same run under the same idempotency key is answered as the first time.',
    requirements: ['MR-IDM-01', 'MR-RUN-34'],
    check: expect.ifReplayable('again', expect.status(200)),
  },
  'run.retry.is-marked-replayed': {
    concern: 'money',
    sentence: 'A repeated answer is marked with Idempotent-Replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    check: expect.ifReplayable('again', expect.replay),
  },
  'run.retry.repeats-the-result': {
    concern: 'money',
    sentence: 'A repeated answer has the result of the first.',
    requirements: ['MR-IDM-01', 'MR-AST-17'],
    check: expect.ifReplayable('again', expect.sameResult('first')),
  },
  'run.retry.is-replayed-each-time': {
    concern: 'money',
    sentence: 'A run under a used idempotency key is replayed every time.',
    requirements: ['MR-IDM-01', 'MR-IDM-02'],
    probe: (context) => send.underOneKey(context, { names: later }),
    check: expect.ifReplayable(later, expect.status(200, expect.replay, expect.sameResult('first'))),
  },
  'run.retry.another-key-runs-anew': {
    sentence: 'The same run under another idempotency key runs again.',
    requirements: ['MR-IDM-32'],
    needs: [],
    probe: (context) => [...send.underOneKey(context, { names: [] }), send.runUnderLongestKey('second', context)],
    check: expect.on('second', expect.noReplay),
  },
});

function findProvider({ owned, authored: { id } }: ProbeContext): string | undefined {
  return owned.find((model) => model.id === id)?.alternate?.provider;
}

/** Accepts any object, so that only the key can be the reason of a refusal. None where the only one stands in for the authored model. */
function findLenientModel({ discovery: { models }, runnable }: ProbeContext): DiscoveredModel | undefined {
  const { unauthored, authored } = models;
  return unauthored?.id === authored?.id || !runnable.includes(unauthored?.id ?? '') ? undefined : unauthored;
}

/** Where the second model refuses the body itself, nothing is known of the key (OP-031). */
const conflicts = expect.unless(
  (evidence, context) => readResponse(evidence, 'again').status === 422 && findLenientModel(context) === undefined,
  'the second model takes another input',
  expect.on('again', expect.conflict),
);
const conflictRequirements = ['MR-IDM-16', 'MR-RUN-46', 'MR-STC-06', 'MR-CTG-04'];

const keyRules = defineFamily(retries)({
  'run.retry.together-runs-once': {
    concern: 'money',
    sentence: 'Of two calls that are sent together under one key at most one starts a run.',
    requirements: ['MR-IDM-01', 'MR-IDM-04', 'MR-HDR-14'],
    // Both at once: on a fast model the second may come when all is over, and is a replay then.
    probe: ({ authored: { path, input } }) => {
      const call = { label: 'run-together', to: path, value: input };
      return [send.seed, send.keyed('one', call), send.keyed('other', call, { alongside: true })];
    },
    check: expect.unless(
      (evidence) => !['one', 'other'].some((name) => expect.hasSucceeded(evidence, name)),
      'neither of the two calls was served',
      expect.unless(
        (evidence) =>
          expect.notAllSucceeded('one', 'other')(evidence) ||
          ['one', 'other'].some((name) => isReplay(readResponse(evidence, name))),
        [],
        expect.on('other', expect.replay),
      ),
    ),
  },
  'run.retry.never-crosses-workspaces': {
    concern: 'access',
    sentence: 'An idempotency key of one workspace means nothing in another.',
    requirements: ['MR-IDM-40'],
    requires: [state, ...credential('router', 'neighbour')],
    probe: (context) => send.underOneKey(context, { next: { parts: send.asCaller('neighbour') } }),
    check: expect.on('again', expect.status(200), expect.noReplay),
  },
  'run.retry.is-shared-within-a-workspace': {
    concern: 'money',
    sentence: 'An idempotency key is shared by the callers of a workspace.',
    requirements: ['MR-IDM-40', 'MR-IDM-44'],
    requires: [state, ...credential('router', 'colleague')],
    probe: (context) => send.underOneKey(context, { next: { parts: send.asCaller('colleague') } }),
    check: expect.unless(
      expect.answeredWith('again', 409),
      [],
      expect.on('again', expect.status([200, 409], expect.replay)),
    ),
  },
  'run.retry.rejection-releases-the-key': {
    sentence: 'A run that was rejected before it reached a provider leaves its idempotency key free.',
    requirements: ['MR-IDM-33'],
    cost: 'free',
    requires: [state, validation],
    requiredOf: ['sandbox', 'live'],
    probe: (context) => {
      const model = context.authored;
      const call = { label: 'run-released', to: model.path, value: send.requireInvalidInput(model) };
      const first = send.keyed('first', { ...call, parts: send.malformedBody }, { mustAnswer: [400] });
      return [send.seed, first, send.keyed('again', call)];
    },
    check: expect.on('again', expect.notStatus([409], 'the key free again')),
  },
  'run.retry.with-another-body-conflicts': {
    concern: 'money',
    sentence: 'Another body under a used idempotency key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-27', ...conflictRequirements],
    probe: (context) => send.underOneKey(context, { next: { value: findOtherInput(context) }, options: send.rejected }),
    check: conflicts,
  },
  'run.retry.with-another-query-conflicts': {
    concern: 'money',
    sentence: 'Another query under a used idempotency key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-26', ...conflictRequirements],
    // `strict_mode` alone means nothing (MR-RUN-08), and a server may drop it before it compares. Which providers a model has
    // is known of the one in its id and of those that its owner gives (OP-004).
    probe: (context) => {
      const provider = findProvider(context) ?? context.authored.provider;
      const to = `${context.authored.path}?model_provider=${send.encodeText(provider)}`;
      return send.underOneKey(context, { next: { to }, options: send.rejected });
    },
    check: expect.unless(
      // A server may look at the provider, or at the input for it, before it looks at the key (OP-031).
      expect.answeredWith('again', 400, 404, 422),
      'the router refused the provider, or the input for it',
      conflicts,
    ),
  },
  'run.retry.on-another-model-conflicts': {
    concern: 'money',
    sentence: 'Another model under a used idempotency key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-25', ...conflictRequirements],
    probe: (context) => {
      const to = findLenientModel(context)?.path ?? send.otherRunnablePath(context, context.authored);
      return send.underOneKey(context, { next: { to }, options: send.rejected });
    },
    check: conflicts,
  },
});

export const retryRules = [...replayRules, ...keyRules];
