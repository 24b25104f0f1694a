import type { JsonObject } from '../../../../specs/src/index.ts';
import { readMember } from '../../contract/evidence.ts';
import type { CheckResult } from '../../contract/finding.ts';
import { type Rule, ruleIn } from '../../contract/rule.ts';
import { type Answer, scenario, type Values } from '../../contract/scenario.ts';
import { lostWork, scripted, scriptedOrInputFor } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('outcomes');

type ChooseStatus = (values: Values) => number;

type Failure = {
  readonly name: string;
  readonly error: readonly [status: number, category: string];
  /** Default: the scripted outcome that has the name of the category. */
  readonly input?: JsonObject & { readonly outcome: string };
  /** Rule about a run. `statusReading`: the reading that assigns a status to the category. */
  readonly run?: Pick<Rule, 'sentence' | 'requirements' | 'reading'> & { readonly statusReading?: string };
  /** Set if the router must also report the provider's status, which it never returns itself for this failure. */
  readonly upstream?: { readonly status: ChooseStatus; readonly failure: string; readonly requirement: string };
  /** Rules about a queued request: a relative clause for their sentences, and the requirements of the collected error. */
  readonly queued?: { readonly clause: string; readonly requirements: readonly string[] };
};

const failures: readonly Failure[] = [
  {
    name: 'policy',
    error: [400, 'content_policy_violation'],
    run: {
      sentence: "A run that the provider's policy rejects is refused with 400 content_policy_violation.",
      requirements: ['MR-CTG-06', 'MR-RUN-38', 'MR-STC-01'],
      statusReading: 'OP-018',
    },
    upstream: {
      status: ({ number }) => number(451, 430, 499),
      failure: 'a policy rejection',
      requirement: 'MR-RUN-41',
    },
    queued: { clause: "that the provider's policy rejected", requirements: ['MR-CTG-06'] },
  },
  {
    name: 'refused-request',
    error: [400, 'invalid_input'],
    input: { outcome: 'refused_request' },
    run: {
      sentence: 'A run whose request the provider refuses returns 400 invalid_input.',
      requirements: ['MR-RUN-38', 'MR-STC-01'],
      reading: 'OP-096',
    },
    upstream: {
      status: ({ number }) => number(409, 405, 417),
      failure: 'a run that the provider refuses',
      requirement: 'MR-RUN-41',
    },
  },
  {
    name: 'refused-input',
    error: [422, 'invalid_input'],
    input: { outcome: 'refused_input' },
    queued: { clause: 'whose input the provider refused', requirements: ['MR-COL-18'] },
  },
  {
    name: 'provider-error',
    error: [502, 'provider_error'],
    run: {
      sentence: 'A run whose provider fails returns 502 provider_error.',
      requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    },
    upstream: {
      status: ({ number }) => number(529, 510, 599),
      failure: 'a run whose provider fails',
      requirement: 'MR-RUN-56',
    },
    queued: { clause: 'whose provider failed', requirements: ['MR-CTG-07'] },
  },
  {
    name: 'uninterpretable',
    error: [502, 'provider_error'],
    input: { outcome: 'uninterpretable' },
    run: {
      sentence: 'A run whose provider returns an unreadable response returns 502 provider_error.',
      requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    },
  },
  {
    name: 'provider-timeout',
    error: [504, 'provider_timeout'],
    run: {
      sentence: 'A run whose provider takes too long returns 504 provider_timeout.',
      requirements: ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'],
      statusReading: 'OP-018',
    },
    queued: { clause: 'whose provider timed out', requirements: ['MR-CTG-08'] },
  },
  {
    name: 'deadline',
    error: [504, 'deadline_exceeded'],
    input: lostWork,
    run: {
      sentence: "A run that passes the router's own deadline returns 504 deadline_exceeded.",
      requirements: ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
    },
    queued: { clause: 'that passed its deadline', requirements: ['MR-COL-20', 'MR-CTG-16'] },
  },
  {
    name: 'internal-error',
    error: [500, 'internal_error'],
    run: {
      sentence: 'A run that fails inside the router returns 500 internal_error.',
      requirements: ['MR-CTG-15', 'MR-STC-15'],
      statusReading: 'OP-018',
    },
    queued: { clause: 'that failed inside the router', requirements: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-15'] },
  },
  {
    name: 'unavailable',
    error: [503, 'service_unavailable'],
    run: {
      sentence: 'While the service is unavailable, a run returns 503 service_unavailable.',
      requirements: ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
    },
    queued: {
      clause: 'that failed because the service was unavailable',
      requirements: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-18'],
    },
  },
];

function runRules({ name, error: [status, category], input = { outcome: category }, run, upstream }: Failure) {
  if (run === undefined) return [];
  const { statusReading, ...statement } = run;
  // On a live target, a configured input may cause the same failure.
  const failed = scenario({ cost: 'hooked', requires: scriptedOrInputFor(input) }, async ({ run, values }) => {
    const failing = { ...input, ...(upstream && { upstream_status: upstream.status(values) }) };
    return { run: await run(scripted(failing), { expectedFailure: input.outcome }) };
  });
  const failure = rule(`outcomes.run.${name}`, failed, {
    ...statement,
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
  const upstreamStatus = rule(`${failure.id}.upstream-status`, failed, {
    sentence: `The response to ${upstream.failure} has a header with the status of the provider.`,
    requirements: ['MR-HDR-05', upstream.requirement],
    needs: [failure.id],
    check: ({ run }, { isScripted, values }) => {
      // For a configured model, the status of its provider is unknown.
      const wanted = isScripted ? String(upstream.status(values)) : expect.formed('three digits', /^\d{3}$/);
      return expect.on(run, expect.header('upstreamStatus', wanted));
    },
  });
  return [failure, upstreamStatus];
}

/** Skips the check if a configured input that should fail succeeded. A status with an error_type is never a success. */
function unlessItSucceeded({ end, collect }: Record<'end' | 'collect', Answer>, check: () => CheckResult): CheckResult {
  const hasFailed = end.status === 410 || readMember(end, '/error_type') !== undefined;
  return hasFailed ? check() : expect.ifItFails(collect, check);
}

function queuedRules({ name, error: [status, category], input = { outcome: category }, queued }: Failure) {
  if (queued === undefined) return [];
  const failed = scenario({ cost: 'hooked', requires: scriptedOrInputFor(input) }, async (server) => {
    const submit = await server.must(server.submit(scripted(input)), 201);
    const end = await server.must(server.ended(submit), 200, 410);
    const collect = await server.collect(submit, { expectedFailure: category });
    return { submit, end, collect, later: await server.status(submit) };
  });
  return [
    rule(`outcomes.queued.${name}.shows-in-the-status`, failed, {
      sentence: `The status of a queued request ${queued.clause} has the error_type ${category}.`,
      requirements: ['MR-QUE-11', 'MR-STA-09', 'MR-QUE-33'],
      // A failure may be reported with 410, or only in the status (OP-216).
      check: ({ end, collect, later }) =>
        unlessItSucceeded({ end, collect }, () =>
          expect.on(
            [end, later],
            expect.either(
              (response) => response.status === 410,
              expect.category(category),
              expect.status(200, expect.members({ '/status': 'COMPLETED', '/error_type': category })),
            ),
          ),
        ),
    }),
    rule(`outcomes.queued.${name}.is-collected`, failed, {
      sentence: `Collecting a queued request ${queued.clause} returns the error ${category}.`,
      requirements: queued.requirements,
      partReading: 'OP-040',
      // Collect returns the status of a run (OP-040), or 410 (MR-STC-09).
      check: ({ end, collect }) =>
        unlessItSucceeded({ end, collect }, () =>
          expect.on(
            collect,
            expect.notStatus(200),
            expect.withReading('OP-040', expect.status([status, 410])),
            expect.category(category),
            collect.status === 422 ? expect.member('/detail', expect.array) : expect.member('/error_type', category),
          ),
        ),
    }),
  ];
}

export const outcomeFailureRules = [...failures.flatMap(runRules), ...failures.flatMap(queuedRules)];
