import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../specs/src/index.ts';
import { readMember } from '../../contract/evidence.ts';
import { finding, notApplicable } from '../../contract/finding.ts';
import { type Rule, ruleIn } from '../../contract/rule.ts';
import { type Answer, type Scenario, scenario, type Values } from '../../contract/scenario.ts';
import { hook, statement } from '../../requires.ts';
import { lostWork, scripted, scriptedOr, scriptedOrInputFor } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('outcomes');

type ChooseStatus = (values: Values) => number;

// Statuses of the provider that the router itself never returns for the same failure.
const policyStatus: ChooseStatus = ({ number }) => number(451, 430, 499);
const refusalStatus: ChooseStatus = ({ number }) => number(409, 405, 417);
const failureStatus: ChooseStatus = ({ number }) => number(529, 510, 599);

type FailedRun = Scenario<{ readonly run: Answer }>;

/** Runs a model with an input that makes it fail. On a live target, a configured input may cause the same failure. */
function failedRun(failure: JsonObject & { readonly outcome: string }, upstreamStatus?: ChooseStatus): FailedRun {
  return scenario({ cost: 'hooked', requires: scriptedOrInputFor(failure) }, async ({ run, values }) => {
    const input = { ...failure, ...(upstreamStatus && { upstream_status: upstreamStatus(values) }) };
    return { run: await run(scripted(input), { expectedFailure: failure.outcome }) };
  });
}

const pastDeadline = failedRun(lostWork);

type Failure = Pick<Rule, 'sentence' | 'requirements' | 'reading'> & {
  readonly name: string;
  readonly error: readonly [status: number, category: string];
  /** Reading that assigns a status to the category. */
  readonly statusReading?: string;
  /** Default: a run with the scripted outcome that has the name of the category. */
  readonly run?: FailedRun;
  /** Set if the router must also report the provider's status, which differs from its own. */
  readonly upstream?: { readonly status: ChooseStatus; readonly of: string; readonly requirement: string };
};

const failures: readonly Failure[] = [
  {
    name: 'policy',
    sentence: "A run that the provider's policy rejects is refused with 400 content_policy_violation.",
    requirements: ['MR-CTG-06', 'MR-RUN-38', 'MR-STC-01'],
    error: [400, 'content_policy_violation'],
    statusReading: 'OP-018',
    upstream: { status: policyStatus, of: 'a policy rejection', requirement: 'MR-RUN-41' },
  },
  {
    name: 'refused-request',
    sentence: 'A run whose request the provider refuses returns 400 invalid_input.',
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    reading: 'OP-096',
    error: [400, 'invalid_input'],
    run: failedRun({ outcome: 'refused_request' }, refusalStatus),
    upstream: { status: refusalStatus, of: 'a run that the provider refuses', requirement: 'MR-RUN-41' },
  },
  {
    name: 'provider-error',
    sentence: 'A run whose provider fails returns 502 provider_error.',
    requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    error: [502, 'provider_error'],
    upstream: { status: failureStatus, of: 'a run whose provider fails', requirement: 'MR-RUN-56' },
  },
  {
    name: 'uninterpretable',
    sentence: 'A run whose provider returns an unreadable response returns 502 provider_error.',
    requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    error: [502, 'provider_error'],
    run: failedRun({ outcome: 'uninterpretable' }),
  },
  {
    name: 'provider-timeout',
    sentence: 'A run whose provider takes too long returns 504 provider_timeout.',
    requirements: ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'],
    error: [504, 'provider_timeout'],
    statusReading: 'OP-018',
  },
  {
    name: 'deadline',
    sentence: "A run that passes the router's own deadline returns 504 deadline_exceeded.",
    requirements: ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
    error: [504, 'deadline_exceeded'],
    run: pastDeadline,
  },
  {
    name: 'internal-error',
    sentence: 'A run that fails inside the router returns 500 internal_error.',
    requirements: ['MR-CTG-15', 'MR-STC-15'],
    error: [500, 'internal_error'],
    statusReading: 'OP-018',
  },
  {
    name: 'unavailable',
    sentence: 'While the service is unavailable, a run returns 503 service_unavailable.',
    requirements: ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
    error: [503, 'service_unavailable'],
  },
];

function failureRules({ name, error, statusReading, run, upstream, ...described }: Failure): readonly Rule[] {
  const [status, category] = error;
  const failed = run ?? failedRun({ outcome: category }, upstream?.status);
  const failure = rule(`outcomes.run.${name}`, failed, {
    ...described,
    ...(statusReading && { partReading: statusReading }),
    check: ({ run }) =>
      expect.ifItFails(run, () =>
        expect.on(
          run,
          expect.withReading(statusReading, expect.status(status)),
          expect.category(category),
          expect.member('/error_type', category),
        ),
      ),
  });
  if (upstream === undefined) return [failure];
  return [
    failure,
    rule(`outcomes.run.${name}.upstream-status`, failed, {
      sentence: `The response to ${upstream.of} has a header with the status of the provider.`,
      requirements: ['MR-HDR-05', upstream.requirement],
      needs: [failure.id],
      check: ({ run }, { isScripted, values }) => {
        // For a configured model, the status of its provider is unknown.
        const wanted = isScripted ? String(upstream.status(values)) : expect.formed('three digits', /^\d{3}$/);
        return expect.on(run, expect.header('upstreamStatus', wanted));
      },
    }),
  ];
}

/** An entry of a provider's 422 response. */
type Entry = JsonObject & { readonly loc: readonly (string | number)[] };

const listEntries = ({ text, number }: Values): readonly Entry[] => [
  {
    loc: [text('layers'), number(1, 1, 9), text('width')],
    msg: 'at least 64',
    type: text('layer_too_narrow'),
    ctx: { ge: number(64, 64, 99), unit: text('px') },
    input: number(12, 10, 20),
  },
  { loc: [text('prompt')], msg: 'a prompt is needed', type: text('missing') },
  { loc: [text('mask')], msg: 'no mask', type: text('mask_unknown'), input: null },
];

const refusedInput = scenario({ cost: 'hooked', requires: hook('outcomes') }, async ({ run, values }) => ({
  run: await run(scripted({ outcome: 'refused_input', entries: listEntries(values) })),
}));

/** `loc` may have a prefix, and an echo of the input may be omitted. Entries of a different type are not compared. */
function expectRelayed(entry: Entry, index: number): expect.Expectation {
  const at = `/detail/${index}`;
  const { loc: path } = entry;
  const echoes = (['ctx', 'input'] as const).map((member) => {
    const sent = entry[member];
    const expected = sent === undefined ? 'absent' : `absent or ${JSON.stringify(sent)}`;
    const isEcho = (value: unknown) => value === undefined || isDeepStrictEqual(value, sent);
    return expect.member(`${at}/${member}`, expect.matching(expected, isEcho));
  });
  const isPath = (loc: unknown) => Array.isArray(loc) && isDeepStrictEqual(loc.slice(loc.length - path.length), path);
  return expect.where(
    (response) => readMember(response, `${at}/type`) === entry['type'],
    expect.member(`${at}/loc`, expect.matching(JSON.stringify(path), isPath)),
    ...echoes,
  );
}

const needs = ['outcomes.run.refused-input'];

const invalidInput = scenario({ cost: 'hooked', requires: scriptedOr('input') }, async ({ run, values }) => {
  const input = { outcome: 'succeed', credits_used: values.text('seven') };
  return { run: await run(scripted(input), { rejected: true }) };
});

/** Sends a body above the configured size limit. It must be rejected, so it is sent to every target. */
function tooLargeRule(name: 'run' | 'submit', noun: string, tail: string, requirement: string): Rule {
  const tooLarge = scenario(
    { cost: 'billed', requires: statement('ceiling') },
    async ({ trySend, authored, ceiling = 0 }) => {
      // Invalid UTF-8, which no server accepts as JSON.
      const body = { kind: 'bytes', bytes: new Uint8Array(ceiling + 1).fill(0xff) } as const;
      const request = { api: 'router', method: 'POST', to: authored.path + tail, body } as const;
      return { tooLarge: await trySend(request, { rejected: true }) };
    },
  );
  return rule(`outcomes.${name}.body-above-the-ceiling`, tooLarge, {
    sentence: `A ${noun} with a body above the size limit is refused with 413.`,
    requirements: [requirement, 'MR-STC-10'],
    check: ({ tooLarge }) => {
      if (tooLarge.kind === 'response') return expect.on(tooLarge, expect.status(413));
      // A server may close the connection instead of reading the body.
      return tooLarge.because === 'reset'
        ? notApplicable('the connection was closed while the body was sent')
        : [finding('no-response', { step: tooLarge.step }, 'a response', tooLarge.because)];
    },
  });
}

export const outcomeFailureRules = [
  ...failures.flatMap(failureRules),
  rule('outcomes.run.invalid-input-costs-nothing', invalidInput, {
    concern: 'spending',
    sentence: 'The response to a run with an invalid input has no credits-used header.',
    requirements: ['MR-STC-12'],
    needs: ['run.invalid.is-refused-per-field'],
    check: ({ run }) => expect.on(run, expect.status(422, expect.noHeader('creditsUsed'))),
  }),
  rule('outcomes.run.lost-work-gives-no-collect-hint', pastDeadline, {
    sentence: 'A 504 for work that is lost has no Retry-After.',
    requirements: ['MR-RUN-60', 'MR-IDM-07'],
    needs: ['outcomes.run.deadline'],
    check: ({ run }) => expect.on(run, expect.noHeader('Retry-After')),
  }),
  tooLargeRule('run', 'run', '', 'MR-RUN-48'),
  tooLargeRule('submit', 'submission', '/requests', 'MR-SUB-19'),
  rule('outcomes.run.refused-input', refusedInput, {
    sentence: 'A run whose input the provider refuses returns 422 invalid_input.',
    requirements: ['MR-RUN-49', 'MR-STC-11', 'MR-CTG-03'],
    reading: 'OP-107',
    check: ({ run }) => expect.on(run, expect.error(422, 'invalid_input')),
  }),
  rule('outcomes.run.refused-input.entries-come-as-they-are', refusedInput, {
    sentence: "The entries of a provider's 422 are returned unchanged.",
    requirements: [
      ...['MR-ERR-11', 'MR-ERR-12', 'MR-ERR-13', 'MR-ERR-14', 'MR-ERR-16'],
      ...['MR-ERR-17', 'MR-ERR-18', 'MR-ERR-19', 'MR-ERR-20'],
    ],
    needs,
    check: ({ run }, { values }) => expect.on(run, ...listEntries(values).map(expectRelayed)),
  }),
  rule('outcomes.run.refused-input.has-an-entry-for-each-field', refusedInput, {
    sentence: "A provider's 422 is returned with an entry for each invalid field.",
    requirements: ['MR-ERR-10', 'MR-ERR-11'],
    needs,
    check: ({ run }, { values }) => {
      const { length } = listEntries(values);
      const hasAllEntries = (detail: unknown) => Array.isArray(detail) && detail.length === length;
      return expect.on(run, expect.member('/detail', expect.matching(`an array of ${length} entries`, hasAllEntries)));
    },
  }),
];
