import type { ProbeContext } from '../contract/context.ts';
import { readHeader, readResponse } from '../contract/evidence.ts';
import { notApplicable } from '../contract/finding.ts';
import type { Evidence } from '../contract/probe.ts';
import { defineFamily, type Rule } from '../contract/rule.ts';
import { anyOf, input } from '../requires.ts';
import {
  expectCategory,
  expectHeader,
  expectStatus,
  forbidHeader,
  onResponse,
  unless,
} from './builders/expectations.ts';
import { headerText } from './builders/matchers.ts';
import { alternate, expectReceived, type Failure, failure, scriptedRun } from './builders/scripted-runs.ts';
import { droppedParams, expectDisclosed, fallbackProvider, providers } from './providers.ts';

const automatic = { query: '?fallback_provider=auto' };
const fallsBack = 'providers.fallback.serves';
/** Failures of the provider and of the router: the caller is not to blame. */
const blameless = ['provider_error', 'internal_error'] as const;

const fallenBack = [
  ...blameless.map((outcome) => scriptedRun(outcome, { outcome, alternate_outcome: 'echo' }, automatic)),
  scriptedRun('healthy', { outcome: 'succeed' }, automatic),
];

const fallbackRules = defineFamily({ ...providers, needs: [fallsBack], probe: fallenBack }, [
  {
    id: fallsBack,
    sentence: 'The fallback provider serves the run after a failure of the first.',
    requirements: ['MR-RUN-10', 'MR-RUN-11'],
    check: onResponse(blameless, expectStatus(200, expectReceived({ provider: alternate }))),
  },
  {
    id: 'providers.fallback.is-named',
    sentence: 'A run that a fallback provider served names it.',
    requirements: ['MR-HDR-11', 'MR-HDR-12', 'MR-RUN-32'],
    check: onResponse(blameless, expectHeader(fallbackProvider, headerText(alternate))),
  },
  {
    id: 'providers.fallback.drops-are-disclosed',
    sentence: 'Fields that the conversion for a fallback drops are named.',
    requirements: ['MR-HDR-10', 'MR-RUN-22', 'MR-HDR-08'],
    check: onResponse(blameless, expectDisclosed('outcome')),
  },
  {
    id: 'providers.fallback.needs-a-failure',
    sentence: 'Without a failure of the first provider no fallback serves.',
    requirements: ['MR-HDR-11', 'MR-RUN-10'],
    needs: [],
    check: onResponse(
      'healthy',
      expectStatus(200, expectReceived({ provider: 'sandbox' }), forbidHeader(fallbackProvider)),
    ),
  },
]);

const callersFault = ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13'];
const withoutFallback: readonly Failure[] = [
  failure(
    ['policy', 'A policy rejection is final; no fallback is tried.'],
    [400, 'content_policy_violation'],
    callersFault,
  ),
  failure(
    ['refused-input', 'An input that the provider refuses is final; no fallback is tried.'],
    [422, 'invalid_input'],
    callersFault,
    { input: { outcome: 'refused_input' } },
  ),
  failure(
    ['refused-request', 'A request that the provider refuses is final; no fallback is tried.'],
    [400, 'invalid_input'],
    callersFault,
    { input: { outcome: 'refused_request' } },
  ),
  failure(
    ['not-asked-for', "Without the caller's wish no fallback is tried."],
    [502, 'provider_error'],
    ['MR-RUN-10', 'MR-RUN-13'],
    { query: '' },
  ),
  failure(
    ['failing-too', 'Where the fallback fails too, the failure is answered and no fallback named.'],
    [502, 'provider_error'],
    ['MR-RUN-13'],
    {
      input: { outcome: 'provider_error', alternate_outcome: 'provider_timeout' },
    },
  ),
];

/** An input of the owner that its provider refuses does as well. */
const byInput = providers.requires.map((row) => anyOf([row], input('rejectedInput')));

/** A success that names a fallback provider is no success of the provider that had to refuse. */
function isAccepted(evidence: Evidence, { isScripted, headers }: ProbeContext): boolean {
  const run = readResponse(evidence, 'run');
  return !isScripted && run.status === 200 && readHeader(run, headers.fallbackProvider) === undefined;
}

const noFallbackRules = defineFamily(
  providers,
  withoutFallback.map(({ name, sentence, input, status, category, requirements, query = automatic.query }) => ({
    id: `providers.fallback.none.${name}`,
    sentence,
    requirements: [...requirements, 'MR-HDR-11'],
    probe: [scriptedRun('run', input, { query })],
    ...(name === 'policy' ? { requires: byInput } : {}),
    check: unless(
      isAccepted,
      notApplicable('the input that was given for it succeeded'),
      onResponse(
        'run',
        expectStatus(status, expectCategory(category), forbidHeader(fallbackProvider), forbidHeader(droppedParams)),
      ),
    ),
  })),
);

export const fallbackProviderRules: readonly Rule[] = [...fallbackRules, ...noFallbackRules];
