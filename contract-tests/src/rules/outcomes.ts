import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../specs/src/index.ts';
import { readMember } from '../contract/evidence.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import {
  type Answer,
  type CallOptions,
  type Runnable,
  type ScenarioContext,
  scenario,
  type TargetContext,
  type Values,
} from '../contract/scenario.ts';
import { type Condition, hook, statement } from '../requires.ts';
import { hooked, literalBody, lostWork, outcomesModelOr, outcomesModelWith, received } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('outcomes');

type ChooseStatus = (values: Values) => number;

type Failure = {
  readonly name: string;
  readonly error: readonly [status: number, category: string];
  /** Relative clause for sentences about a run or a queued request. */
  readonly clause: string;
  /** Default: the scripted outcome that has the name of the category. */
  readonly input?: JsonObject & { readonly outcome: string };
  /** Input of an owner's model that causes the same failure on a live target without the outcomes model. */
  readonly ownerInput?: 'rejectedInput' | 'failingInput';
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
    ownerInput: 'rejectedInput',
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
    ownerInput: 'failingInput',
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

function requireFailure({ ownerInput }: Failure): readonly Condition[] {
  return ownerInput === undefined ? hook('outcomes') : outcomesModelOr(ownerInput);
}

function runRule(row: Failure): Rule | readonly Rule[] {
  const { name, clause, run: requirements, reading, statusReading, upstream } = row;
  const [status, category] = row.error;
  const input = row.input ?? { outcome: category };
  if (requirements === undefined) return [];
  const failed = scenario({ cost: 'hooked', requires: requireFailure(row) }, async ({ run, values }) => {
    const failing = { ...input, ...(upstream && { upstream_status: upstream.status(values) }) };
    return { run: await run(outcomesModelWith(failing, row.ownerInput), { expectedFailure: input.outcome }) };
  });
  return rule(`outcomes.run.${name}`, failed, {
    sentence: `A run ${clause} returns ${status} ${category}${upstream ? ' and the status of the provider' : ''}.`,
    requirements: [...requirements, ...(upstream ? ['MR-HDR-05', upstream.requirement] : [])],
    ...(reading && { reading }),
    ...(statusReading && { partReading: statusReading }),
    check: ({ run }, { isScripted, values }) => {
      // For a configured model, the status of its provider is unknown.
      const upstreamStatus = isScripted ? upstream?.status(values) : undefined;
      const wanted =
        upstreamStatus === undefined ? expect.matchingPattern('three digits', /^\d{3}$/) : String(upstreamStatus);
      return expect.unlessInputSucceeded(run, () =>
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

function queuedRule(row: Failure): Rule | readonly Rule[] {
  const { name, clause, queued: requirements } = row;
  const [status, category] = row.error;
  const input = row.input ?? { outcome: category };
  if (requirements === undefined) return [];
  const failed = scenario({ cost: 'hooked', requires: requireFailure(row) }, async (server) => {
    const submit = await server.must(server.submit(outcomesModelWith(input, row.ownerInput)), 201);
    const end = await server.must(server.ended(submit), 200, 410);
    const collect = await server.collect(submit, { expectedFailure: category });
    return { submit, end, collect, later: await server.status(submit) };
  });
  return rule(`outcomes.queued.${name}`, failed, {
    sentence: `A queued request ${clause} has the error_type ${category} in its status, and collecting it returns that error.`,
    requirements: ['MR-QUE-11', 'MR-STA-09', 'MR-QUE-33', ...requirements],
    partReading: 'OP-040',
    check: ({ end, collect, later }) => {
      const checkFailure = () => [
        // A failure may be reported with 410, or only in the status (OP-216).
        ...expect.on(
          [end, later],
          expect.either(
            (response) => response.status === 410,
            expect.category(category),
            expect.status(200, expect.members({ '/status': 'COMPLETED', '/error_type': category })),
          ),
        ),
        // Collect returns the status of a run (OP-040), or 410 (MR-STC-09).
        ...expect.on(
          collect,
          expect.notStatus(200),
          expect.withReading('OP-040', expect.status([status, 410])),
          expect.category(category),
          collect.status === 422 ? expect.member('/detail', expect.array) : expect.member('/error_type', category),
        ),
      ];
      // A configured input that should fail may succeed. A status with an error_type is never a success.
      const hasFailed = end.status === 410 || readMember(end, '/error_type') !== undefined;
      return hasFailed ? checkFailure() : expect.unlessInputSucceeded(collect, checkFailure);
    },
  });
}

const resultRule = ruleIn('outcomes', { concern: 'results' });

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

const refusedInput = scenario(hooked, async ({ run, values }) => ({
  run: await run(outcomesModelWith({ outcome: 'refused_input', entries: listEntries(values) })),
}));

/** Expects the router to relay an entry: `loc` may get a prefix, and `ctx` and `input` may be omitted. */
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

const lostRun = scenario(hooked, async ({ run }) => ({
  run: await run(outcomesModelWith(lostWork), { expectedFailure: lostWork.outcome }),
}));

/** Sends a body above the configured size limit. The target must reject it, so it is sent even to live targets. */
function tooLargeRule(name: 'run' | 'submit', noun: string, tail: string, requirement: string): Rule {
  const tooLarge = scenario(
    { cost: 'billed', requires: statement('ceiling') },
    async ({ send, authored, ceiling = 0 }) => {
      // Invalid UTF-8, which no server accepts as JSON.
      const body = { kind: 'bytes', bytes: new Uint8Array(ceiling + 1).fill(0xff) } as const;
      const request = { api: 'router', method: 'POST', to: authored.path + tail, body } as const;
      // A server may close the connection instead of reading the body.
      const ifReset = 'the connection was closed while the body was sent';
      return { tooLarge: await send(request, { rejected: true, ifReset }) };
    },
  );
  return rule(`outcomes.${name}.body-above-the-ceiling`, tooLarge, {
    sentence: `A ${noun} with a body above the size limit is rejected with 413.`,
    requirements: [requirement, 'MR-STC-10'],
    check: ({ tooLarge }) => expect.on(tooLarge, expect.status(413)),
  });
}

async function collectQueued(server: ScenarioContext, model: Runnable, options: CallOptions = {}): Promise<Answer> {
  const submit = await server.must(server.submit(model, options), 201);
  await server.completed(submit);
  return server.collect(submit);
}

/** Returns the body of a long run with white space and escapes, which are lost if a router parses and serializes it. */
const writeText = ({ values }: TargetContext): string =>
  `{ "outcome":\t"echo",\n  "prompt": "${values.text('a quay')} caf\\u00e9 \u00e9 \\/",  "size_bytes": ${values.number(150_000, 100_000, 200_000)} }`;

const literal = scenario(hooked, async (server) => ({
  run: await server.run(outcomesModelWith({}), literalBody(writeText(server))),
  collect: await collectQueued(server, outcomesModelWith({}), literalBody(writeText(server))),
}));

export const outcomeRules = [
  ...failures.flatMap(runRule),
  ...failures.flatMap(queuedRule),
  rule('outcomes.run.lost-work-gives-no-collect-hint', lostRun, {
    sentence: 'A 504 has no Retry-After if the result of the run is lost.',
    requirements: ['MR-RUN-60', 'MR-IDM-07'],
    needs: ['outcomes.run.deadline'],
    check: ({ run }) => expect.on(run, expect.noHeader('Retry-After')),
  }),
  tooLargeRule('run', 'run', '', 'MR-RUN-48'),
  tooLargeRule('submit', 'submission', '/requests', 'MR-SUB-19'),
  rule('outcomes.run.refused-input', refusedInput, {
    sentence: 'A run whose input the provider rejects returns 422 invalid_input.',
    requirements: ['MR-RUN-49', 'MR-STC-11', 'MR-CTG-03'],
    reading: 'OP-107',
    check: ({ run }) => expect.on(run, expect.error(422, 'invalid_input')),
  }),
  rule('outcomes.run.refused-input.entries-come-as-they-are', refusedInput, {
    sentence: "The entries of a provider's 422 are returned unchanged, one for each invalid field.",
    requirements: [
      ...['MR-ERR-10', 'MR-ERR-11', 'MR-ERR-12', 'MR-ERR-13', 'MR-ERR-14', 'MR-ERR-16'],
      ...['MR-ERR-17', 'MR-ERR-18', 'MR-ERR-19', 'MR-ERR-20'],
    ],
    needs: ['outcomes.run.refused-input'],
    check: ({ run }, { values }) => {
      const entries = listEntries(values);
      const hasAllEntries = (detail: unknown) => Array.isArray(detail) && detail.length === entries.length;
      const expectAll = expect.matching(`an array of ${entries.length} entries`, hasAllEntries);
      return expect.on(run, expect.member('/detail', expectAll), ...entries.map(expectRelayed));
    },
  }),
  resultRule('outcomes.body.reaches-the-provider-unchanged', literal, {
    sentence: 'The body of a run reaches the provider unchanged.',
    requirements: ['MR-RUN-17'],
    check: ({ run }, context) =>
      expect.on(run, expect.status(200, received({ text: writeText(context), provider: 'sandbox' }))),
  }),
  resultRule('outcomes.result.is-collected-to-the-byte', literal, {
    sentence: 'A collected JSON result has the same bytes as the result of a run.',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    needs: ['outcomes.body.reaches-the-provider-unchanged'],
    check: ({ run, collect }) => expect.on(collect, expect.status(200, expect.sameBytes(run))),
  }),
];
