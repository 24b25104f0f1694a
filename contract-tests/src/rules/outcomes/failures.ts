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
  /** Relative clause for sentences about a run or a queued request. */
  readonly clause: string;
  /** Default: the scripted outcome that has the name of the category. */
  readonly input?: JsonObject & { readonly outcome: string };
  /** Requirements of the error of a run, and of the one that a queued request is collected with. */
  readonly run?: readonly string[];
  readonly queued?: readonly string[];
  /** Reading that the error of a run relies on, or only its status. */
  readonly reading?: string;
  readonly statusReading?: string;
  /** Set if a header must also report the provider's status. `status` chooses one that differs from the router's own. */
  readonly upstream?: { readonly status: ChooseStatus; readonly requirement: string };
};

const failures: readonly Failure[] = [
  {
    name: 'policy',
    error: [400, 'content_policy_violation'],
    clause: "that the provider's policy rejects",
    run: ['MR-CTG-06', 'MR-RUN-38', 'MR-STC-01'],
    statusReading: 'OP-018',
    upstream: { status: ({ number }) => number(451, 430, 499), requirement: 'MR-RUN-41' },
    queued: ['MR-CTG-06'],
  },
  {
    name: 'refused-request',
    error: [400, 'invalid_input'],
    clause: 'that the provider rejects',
    input: { outcome: 'refused_request' },
    run: ['MR-RUN-38', 'MR-STC-01'],
    reading: 'OP-096',
    upstream: { status: ({ number }) => number(409, 405, 417), requirement: 'MR-RUN-41' },
  },
  {
    name: 'refused-input',
    error: [422, 'invalid_input'],
    clause: 'whose input the provider rejects',
    input: { outcome: 'refused_input' },
    queued: ['MR-COL-18'],
  },
  {
    name: 'provider-error',
    error: [502, 'provider_error'],
    clause: 'whose provider fails',
    run: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    upstream: { status: ({ number }) => number(529, 510, 599), requirement: 'MR-RUN-56' },
    queued: ['MR-CTG-07'],
  },
  {
    name: 'uninterpretable',
    error: [502, 'provider_error'],
    clause: 'whose provider returns an unreadable response',
    input: { outcome: 'uninterpretable' },
    run: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
  },
  {
    name: 'provider-timeout',
    error: [504, 'provider_timeout'],
    clause: 'whose provider takes too long',
    run: ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'],
    statusReading: 'OP-018',
    queued: ['MR-CTG-08'],
  },
  {
    name: 'deadline',
    error: [504, 'deadline_exceeded'],
    clause: "that passes the router's own deadline",
    input: lostWork,
    run: ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
    queued: ['MR-COL-20', 'MR-CTG-16'],
  },
  {
    name: 'internal-error',
    error: [500, 'internal_error'],
    clause: 'that fails inside the router',
    run: ['MR-CTG-15', 'MR-STC-15'],
    statusReading: 'OP-018',
    queued: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-15'],
  },
  {
    name: 'unavailable',
    error: [503, 'service_unavailable'],
    clause: 'that fails because the service is unavailable',
    run: ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
    queued: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-18'],
  },
];

function runRule(row: Failure): Rule | readonly Rule[] {
  const { name, clause, run: requirements, reading, statusReading, upstream } = row;
  const [status, category] = row.error;
  const input = row.input ?? { outcome: category };
  if (requirements === undefined) return [];
  // On a live target, a configured input may cause the same failure.
  const failed = scenario({ cost: 'hooked', requires: scriptedOrInputFor(input) }, async ({ run, values }) => {
    const failing = { ...input, ...(upstream && { upstream_status: upstream.status(values) }) };
    return { run: await run(scripted(failing), { expectedFailure: input.outcome }) };
  });
  return rule(`outcomes.run.${name}`, failed, {
    sentence: `A run ${clause} returns ${status} ${category}${upstream ? ' and the status of the provider' : ''}.`,
    requirements: [...requirements, ...(upstream ? ['MR-HDR-05', upstream.requirement] : [])],
    ...(reading && { reading }),
    ...(statusReading && { partReading: statusReading }),
    check: ({ run }, { isScripted, values }) => {
      // For a configured model, the status of its provider is unknown.
      const upstreamStatus = isScripted ? upstream?.status(values) : undefined;
      const wanted = upstreamStatus === undefined ? expect.formed('three digits', /^\d{3}$/) : String(upstreamStatus);
      return expect.ifItFails(run, () =>
        expect.on(
          run,
          expect.withReading(statusReading, expect.status(status)),
          expect.category(category),
          expect.member('/error_type', category),
          ...(upstream ? [expect.header('upstreamStatus', wanted)] : []),
        ),
      );
    },
  });
}

/** Skips the check if a configured input that should fail succeeded. A status with an error_type is never a success. */
function unlessItSucceeded({ end, collect }: Record<'end' | 'collect', Answer>, check: () => CheckResult): CheckResult {
  const hasFailed = end.status === 410 || readMember(end, '/error_type') !== undefined;
  return hasFailed ? check() : expect.ifItFails(collect, check);
}

function queuedRules(row: Failure): readonly Rule[] {
  const { name, clause, queued: requirements } = row;
  const [status, category] = row.error;
  const input = row.input ?? { outcome: category };
  if (requirements === undefined) return [];
  const failed = scenario({ cost: 'hooked', requires: scriptedOrInputFor(input) }, async (server) => {
    const submit = await server.must(server.submit(scripted(input)), 201);
    const end = await server.must(server.ended(submit), 200, 410);
    const collect = await server.collect(submit, { expectedFailure: category });
    return { submit, end, collect, later: await server.status(submit) };
  });
  return [
    rule(`outcomes.queued.${name}.shows-in-the-status`, failed, {
      sentence: `The status of a queued request ${clause} has the error_type ${category}.`,
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
      sentence: `Collecting a queued request ${clause} returns the error ${category}.`,
      requirements,
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

export const outcomeFailureRules = [...failures.flatMap(runRule), ...failures.flatMap(queuedRules)];
