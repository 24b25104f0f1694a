import type { JsonObject } from '../../../../specs/src/index.ts';
import { isReplay, readHeader, readMember } from '../../contract/evidence.ts';
import { type CheckResult, notApplicable } from '../../contract/finding.ts';
import { type Rule, ruleIn } from '../../contract/rule.ts';
import type { Answer, CallOptions, Runnable, ScenarioContext, TargetContext, Values } from '../../contract/scenario.ts';
import { scenario } from '../../contract/scenario.ts';
import { hook } from '../../requires.ts';
import { literalBody, lostWork, received, scripted, scriptedOr, scriptedOrInputFor } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('outcomes');

type Ending = {
  readonly name: string;
  /** Relative clause that describes the request in the rules' sentences. */
  readonly that: string;
  /** Response of the synchronous route to the same failure. */
  readonly error: readonly [status: number, category: string];
  /** Requirements of the collected error. */
  readonly proves: readonly string[];
  /** Default: the scripted outcome that has the name of the category. */
  readonly input?: JsonObject;
};

/** Failures of queued requests. Collect returns the status of the synchronous route (OP-040), or 410 (MR-STC-09). */
const endings: readonly Ending[] = [
  {
    name: 'policy',
    that: "that the provider's policy rejected",
    error: [400, 'content_policy_violation'],
    proves: ['MR-CTG-06'],
  },
  { name: 'provider-error', that: 'whose provider failed', error: [502, 'provider_error'], proves: ['MR-CTG-07'] },
  {
    name: 'provider-timeout',
    that: 'whose provider timed out',
    error: [504, 'provider_timeout'],
    proves: ['MR-CTG-08'],
  },
  {
    name: 'deadline',
    that: 'that passed its deadline',
    error: [504, 'deadline_exceeded'],
    proves: ['MR-COL-20', 'MR-CTG-16'],
    input: lostWork,
  },
  {
    name: 'refused-input',
    that: 'whose input the provider refused',
    error: [422, 'invalid_input'],
    proves: ['MR-COL-18'],
    input: { outcome: 'refused_input' },
  },
  {
    name: 'internal-error',
    that: 'that failed inside the router',
    error: [500, 'internal_error'],
    proves: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-15'],
  },
  {
    name: 'unavailable',
    that: 'that failed because the service was unavailable',
    error: [503, 'service_unavailable'],
    proves: ['MR-COL-17', 'MR-STC-09', 'MR-CTG-18'],
  },
];

/** A configured input that should fail may succeed, but not if the status has an error_type (section 3, rule 1). */
function unlessItSucceeded(
  of: { readonly end: Answer; readonly collect: Answer },
  check: () => CheckResult,
): CheckResult {
  const hasFailed = of.end.status === 410 || readMember(of.end, '/error_type') !== undefined;
  return hasFailed ? check() : expect.ifItFails(of.collect, check);
}

function endingRules({ name, that, error, proves, input }: Ending): readonly Rule[] {
  const [status, category] = error;
  const model = scripted(input ?? { outcome: category });
  const failed = scenario({ cost: 'hooked', requires: scriptedOrInputFor(model.input) }, async (server) => {
    const submit = await server.must(server.submit(model), 201);
    const end = await server.must(server.ended(submit), 200, 410);
    const collect = await server.collect(submit, { expectedFailure: category });
    return { submit, end, collect, later: await server.status(submit) };
  });
  return [
    rule(`outcomes.queued.${name}.shows-in-the-status`, failed, {
      sentence: `The status of a queued request ${that} has the error_type ${category}.`,
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
      sentence: `Collecting a queued request ${that} returns the error ${category}.`,
      requirements: proves,
      partReading: 'OP-040',
      check: ({ end, collect }) =>
        unlessItSucceeded({ end, collect }, () =>
          expect.firstFailure(
            () => expect.on(collect, expect.notStatus([200], 'an error')),
            () =>
              expect.on(
                collect,
                expect.withReading('OP-040', expect.status([status, 410])),
                expect.category(category),
                collect.status === 422
                  ? expect.member('/detail', expect.array)
                  : expect.member('/error_type', category),
              ),
          ),
        ),
    }),
  ];
}

const hooked = { cost: 'hooked', requires: hook('outcomes') } as const;

async function collectQueued(server: ScenarioContext, model: Runnable, options: CallOptions = {}): Promise<Answer> {
  const submit = await server.must(server.submit(model, options), 201);
  await server.completed(submit);
  return server.collect(submit);
}

const bothRoutes = (makeInput: (values: Values) => JsonObject) =>
  scenario(hooked, async (server) => {
    const model = scripted(makeInput(server.values));
    return { run: await server.must(server.run(model), 200), collect: await collectQueued(server, model) };
  });

const file = bothRoutes(() => ({ media_type: 'audio/wav' }));
const long = bothRoutes((values) => ({ size_bytes: values.number(150_000, 100_000, 200_000) }));

/** Returns a body with white space and escapes, which are lost if a router parses and serializes it. */
const writeText = ({ values }: TargetContext): string =>
  `{ "outcome":\t"echo",\n  "prompt": "${values.text('a quay')} caf\\u00e9 \u00e9 \\/",  "delay_ms": 0 }`;

const literal = scenario(hooked, async (server) => ({
  run: await server.run(scripted({}), literalBody(writeText(server))),
  collect: await collectQueued(server, scripted({}), literalBody(writeText(server))),
}));

const charged = scenario({ cost: 'hooked', requires: scriptedOr('input') }, async ({ run, must, newKey, values }) => {
  const key = newKey('credits');
  const model = scripted({ credits_used: values.number(7, 1, 99) });
  return { first: await must(run(model, { key }), 200), again: await run(model, { key }) };
});

const resultRule = ruleIn('outcomes', { concern: 'results' });

export const queuedOutcomeRules = [
  ...endings.flatMap(endingRules),
  resultRule('outcomes.file.keeps-its-media-type', file, {
    sentence: 'A file has the media type of the model output, both from a run and when it is collected.',
    requirements: ['MR-COL-05', 'MR-COL-04'],
    check: ({ collect, run }) => expect.on([collect, run], expect.status(200, expect.mediaType('audio/wav'))),
  }),
  resultRule('outcomes.file.is-collected-to-the-byte', file, {
    sentence: 'A collected file has the same bytes as the file from a run.',
    requirements: ['MR-COL-06'],
    needs: ['outcomes.file.keeps-its-media-type'],
    check: ({ collect, run }) => expect.on(collect, expect.sameBytes(run)),
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
    check: ({ collect, run }) => expect.on(collect, expect.status(200, expect.sameBytes(run))),
  }),
  resultRule('outcomes.result.is-collected-to-the-byte-at-any-length', long, {
    sentence: 'A long collected JSON result has the same bytes as the result of a run.',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    check: ({ collect, run }) => expect.on(collect, expect.status(200, expect.sameBytes(run))),
  }),
  rule('outcomes.credits.are-told-once', charged, {
    concern: 'spending',
    // Repeats passive.header.credits-used and passive.replay.carries-no-credits, because its calls produce the header
    // for them.
    sentence: 'The credits-used header is a whole number in the first response and absent from a replay.',
    requirements: ['MR-HDR-25', 'MR-HDR-27', 'MR-IDM-02'],
    check: ({ first, again }, { headers }) => {
      // The header is optional, and no particular number is promised (MR-HDR-25).
      const stated = readHeader(first, headers.creditsUsed) === undefined ? [] : [first];
      const replays = isReplay(again) ? [again] : [];
      if (stated.length + replays.length === 0)
        return notApplicable('no response had a credits-used header, and none was a replay');
      return [
        ...stated.flatMap((one) => expect.on(one, expect.header('creditsUsed', expect.wholeNumber))),
        ...replays.flatMap((one) => expect.on(one, expect.noHeader('creditsUsed'))),
      ];
    },
  }),
];
