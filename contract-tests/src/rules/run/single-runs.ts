import { usualCauses } from '../../contract/concerns.ts';
import { notApplicable, observed } from '../../contract/finding.ts';
import { ruleIn } from '../../contract/rule.ts';
import { scenario } from '../../contract/scenario.ts';
import { type CredentialName, credential, state, validation } from '../../requires.ts';
import { requireInvalidInput, sharedRun } from '../calls.ts';
import * as expect from '../expect.ts';
import { unknownModelRule } from '../not-found.ts';

const rule = ruleIn('run');
const spendingRule = ruleIn('run', { concern: 'spending' });
const inputRule = ruleIn('run', {
  concern: 'inputs',
  usualCause: usualCauses.inputs,
  requiredOf: ['sandbox', 'live'],
});

/** Also runs the binary model, so that passive rules see a result that is a file. */
const eachKind = scenario({ cost: 'billed' }, async (server) => {
  const { binary } = server.discovery.models;
  const json = await sharedRun(server);
  if (binary === undefined || !server.runnable.includes(binary.id)) return { json, binary: undefined };
  return { json, binary: await server.run(binary, { share: 'plain' }) };
});

const plain = scenario({ cost: 'billed', requires: [state] }, async (server) => ({ run: await sharedRun(server) }));

const withOddQuery = scenario({ cost: 'billed', requires: [state] }, async ({ run, authored, values }) => ({
  unknown: await run(authored, { query: `?${values.text('no_such_parameter')}=1` }),
}));

const refusedTo = (as: CredentialName<'router'>) =>
  scenario({ cost: 'billed', requires: [state, ...credential('router', as)] }, async ({ run, authored }) => ({
    run: await run(authored, { as, rejected: true }),
  }));

const invalid = scenario({ requires: [validation] }, async ({ run, authored }) => ({
  invalid: await run({ ...authored, input: requireInvalidInput(authored) }, { rejected: true }),
}));

const oddObject = scenario({ cost: 'billed', requires: [validation] }, async ({ run, discovery, values }) => {
  const { unauthored } = discovery.models;
  const input = { [values.text('a_member_no_schema_names')]: [1, values.text('two')] };
  return { odd: unauthored && (await run({ path: unauthored.path, input })) };
});

export const singleRunRules = [
  rule('run.result.comes-in-the-same-answer', eachKind, {
    sentence: 'A run returns 200 with the result of the model.',
    requirements: ['MR-RUN-02', 'MR-RUN-23', 'MR-CAT-02'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ json, binary }) => expect.on([json, binary], expect.status(200, expect.filledBody('the result'))),
  }),
  rule('run.plain.names-no-fallback-and-no-dropped-fields', plain, {
    sentence: 'The response to a plain run has no header with a fallback provider or dropped fields.',
    requirements: ['MR-HDR-09', 'MR-HDR-11'],
    needs: ['run.result.comes-in-the-same-answer'],
    check: ({ run }) => expect.on(run, expect.noHeader('fallbackProvider'), expect.noHeader('droppedParams')),
  }),
  rule('run.query.odd-parameters', withOddQuery, {
    sentence: 'The response to a run with an unknown query parameter is noted.',
    observes: true,
    requirements: ['MR-RUN-07', 'MR-RUN-02'],
    check: ({ unknown }) => expect.recordAnswer(unknown, 'an unknown parameter', 'OP-029'),
  }),
  spendingRule('run.rate-limit.is-429-rate-limited', refusedTo('rateLimited'), {
    sentence: 'A caller over the rate limit gets 429 rate_limited.',
    requirements: ['MR-RUN-51', 'MR-IDM-10', 'MR-STC-14', 'MR-CTG-19'],
    check: ({ run }) => expect.on(run, expect.error(429, 'rate_limited')),
  }),
  spendingRule('run.spend-cap.is-429-concurrency-limit', refusedTo('spendCapped'), {
    sentence: 'A caller whose committed spend is at its cap gets 429 concurrency_limit_exceeded.',
    requirements: ['MR-RUN-51', 'MR-IDM-13', 'MR-STC-14'],
    check: ({ run }) => expect.on(run, expect.error(429, 'concurrency_limit_exceeded')),
  }),
  spendingRule('run.credits.are-lacking', refusedTo('noCredits'), {
    sentence: 'A run of a caller without credits is refused with the category insufficient_credits.',
    requirements: ['MR-CTG-09'],
    partReading: 'OP-019',
    // The documents define no status for this error of the synchronous run (OP-211); both 400 and 402 are plausible.
    check: ({ run }) =>
      expect.on(run, expect.withReading('OP-019', expect.status([400, 402])), expect.category('insufficient_credits')),
  }),
  inputRule('run.invalid.is-refused-per-field', invalid, {
    sentence: 'A run with an invalid input is refused with 422 and an entry for each failing field.',
    requirements: ['MR-RUN-49', 'MR-SCH-27', 'MR-STC-11'],
    check: ({ invalid }) => expect.on(invalid, expect.status(422)),
  }),
  inputRule('run.invalid.is-called-invalid-input', invalid, {
    sentence: 'A run with an invalid input is refused with the category invalid_input.',
    requirements: ['MR-CTG-03'],
    needs: ['run.invalid.is-refused-per-field'],
    check: ({ invalid }) => expect.on(invalid, expect.category('invalid_input')),
  }),
  rule('run.unauthored.odd-object', oddObject, {
    concern: 'inputs',
    sentence: 'The router accepts any object for a model without an authored schema; the provider decides.',
    requirements: ['MR-SCH-31', 'MR-SCH-32', 'MR-SCH-35', 'MR-STC-13'],
    // The provider may reject the input too (MR-SCH-32), so no response proves that the router validated it.
    check: ({ odd }) =>
      odd === undefined
        ? notApplicable('no model with an unauthored input was found')
        : observed(`an odd object is answered with ${odd.status}`),
  }),
  unknownModelRule({
    family: 'run',
    id: 'run.unknown.is-not-found',
    method: 'POST',
    sentence: 'A run of an unknown model returns 404 model_not_found.',
    requirements: ['MR-RUN-45', 'MR-STC-05', 'MR-CTG-10'],
  }),
];
