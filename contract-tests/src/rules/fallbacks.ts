import type { JsonObject } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import { readHeader, readResponse } from '../contract/evidence.ts';
import { notApplicable } from '../contract/finding.ts';
import type { Evidence } from '../contract/probe.ts';
import { defineFamily, type Family, type Rule, type Shown } from '../contract/rule.ts';
import { anyOf, input } from '../requires.ts';
import { asRead, type Expectation, onResponse, unless } from './builders/checks.ts';
import * as expect from './builders/expectations.ts';
import { alternate, expectReceived, scriptedRun } from './builders/scripted-runs.ts';
import { expectDisclosed, providers } from './providers.ts';

const automatic = { query: '?fallback_provider=auto' };
/** Failures of the provider and of the router: the caller is not to blame. */
const blameless = ['provider_error', 'internal_error'] as const;

const fallenBack = [
  ...blameless.map((outcome) => scriptedRun(outcome, { outcome, alternate_outcome: 'echo' }, automatic)),
  scriptedRun('healthy', { outcome: 'succeed' }, automatic),
];

const fallback: Family = { ...providers, needs: ['providers.fallback.serves'], probe: fallenBack };

const fallbackRules = defineFamily(fallback, {
  'providers.fallback.serves': {
    sentence: 'The fallback provider serves the run after a failure of the first.',
    requirements: ['MR-RUN-10', 'MR-RUN-11'],
    check: onResponse(blameless, expect.status(200, expectReceived({ provider: alternate }))),
  },
  'providers.fallback.is-named': {
    sentence: 'A run that a fallback provider served names it.',
    requirements: ['MR-HDR-11', 'MR-HDR-12', 'MR-RUN-32'],
    check: onResponse(blameless, expect.header('fallbackProvider', alternate)),
  },
  'providers.fallback.drops-are-disclosed': {
    sentence: 'Fields that the conversion for a fallback drops are named.',
    requirements: ['MR-HDR-10', 'MR-RUN-22', 'MR-HDR-08'],
    check: onResponse(blameless, expectDisclosed('outcome')),
  },
  'providers.fallback.needs-a-failure': {
    sentence: 'Without a failure of the first provider no fallback serves.',
    requirements: ['MR-HDR-11', 'MR-RUN-10'],
    needs: [],
    check: onResponse(
      'healthy',
      expect.status(200, expectReceived({ provider: 'sandbox' }), expect.noHeader('fallbackProvider')),
    ),
  },
});

/** A success that names a fallback provider is no success of the provider that had to refuse. */
function isAccepted(evidence: Evidence, { isScripted, headers }: ProbeContext): boolean {
  const run = readResponse(evidence, 'run');
  return !isScripted && run.status === 200 && readHeader(run, headers.fallbackProvider) === undefined;
}

/** A scripted run that no fallback may serve, and what its error has to be. */
function refusedFinally(input: JsonObject, error: readonly Expectation[], parts = automatic): Shown {
  return {
    probe: [scriptedRun('run', input, parts)],
    check: unless(
      isAccepted,
      notApplicable('the input that was given for it succeeded'),
      onResponse('run', ...error, expect.noHeader('fallbackProvider'), expect.noHeader('droppedParams')),
    ),
  };
}

const callersFault = ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13', 'MR-HDR-11'];

const noFallbackRules = defineFamily(providers, {
  'providers.fallback.none.policy': {
    sentence: 'A policy rejection is final; no fallback is tried.',
    requirements: callersFault,
    partReading: 'NS-18',
    // An input of the owner that its provider refuses does as well.
    requires: providers.requires.map((row) => anyOf([row], input('rejectedInput'))),
    ...refusedFinally({ outcome: 'content_policy_violation' }, [
      asRead('NS-18', expect.status(400)),
      expect.category('content_policy_violation'),
    ]),
  },
  'providers.fallback.none.refused-input': {
    sentence: 'An input that the provider refuses is final; no fallback is tried.',
    requirements: callersFault,
    partReading: 'NS-107',
    ...refusedFinally({ outcome: 'refused_input' }, [asRead('NS-107', expect.error(422, 'invalid_input'))]),
  },
  'providers.fallback.none.refused-request': {
    sentence: 'A request that the provider refuses is final; no fallback is tried.',
    requirements: callersFault,
    partReading: 'NS-96',
    ...refusedFinally({ outcome: 'refused_request' }, [asRead('NS-96', expect.error(400, 'invalid_input'))]),
  },
  'providers.fallback.none.not-asked-for': {
    sentence: "Without the caller's wish no fallback is tried.",
    requirements: ['MR-RUN-10', 'MR-RUN-13', 'MR-HDR-11'],
    reading: 'NS-49',
    ...refusedFinally({ outcome: 'provider_error' }, [expect.error(502, 'provider_error')], { query: '' }),
  },
  'providers.fallback.none.failing-too': {
    sentence: 'Where the fallback fails too, the failure is answered and no fallback named.',
    requirements: ['MR-RUN-13', 'MR-HDR-11'],
    partReading: 'NS-106',
    ...refusedFinally({ outcome: 'provider_error', alternate_outcome: 'provider_timeout' }, [
      asRead('NS-106', expect.error(502, 'provider_error')),
    ]),
  },
});

export const fallbackProviderRules: readonly Rule[] = [...fallbackRules, ...noFallbackRules];
