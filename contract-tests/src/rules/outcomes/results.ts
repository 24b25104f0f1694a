import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../specs/src/index.ts';
import { readMember } from '../../contract/evidence.ts';
import { type Rule, ruleIn } from '../../contract/rule.ts';
import type { Answer, CallOptions, Runnable, ScenarioContext, TargetContext, Values } from '../../contract/scenario.ts';
import { scenario } from '../../contract/scenario.ts';
import { statement } from '../../requires.ts';
import { hooked, literalBody, lostWork, received, scripted } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('outcomes');
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
  run: await run(scripted({ outcome: 'refused_input', entries: listEntries(values) })),
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
  run: await run(scripted(lostWork), { expectedFailure: lostWork.outcome }),
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
  run: await server.run(scripted({}), literalBody(writeText(server))),
  collect: await collectQueued(server, scripted({}), literalBody(writeText(server))),
}));

const expectCollected = ({ run, collect }: Record<'run' | 'collect', Answer>) =>
  expect.on(collect, expect.status(200, expect.sameBytes(run)));

export const outcomeResultRules = [
  rule('outcomes.run.lost-work-gives-no-collect-hint', lostRun, {
    sentence: 'A 504 for work that is lost has no Retry-After.',
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
    check: expectCollected,
  }),
];
