import type { ProbeContext } from '../../contract/context.ts';
import type { DiscoveredModel } from '../../contract/discovery.ts';
import { readResponse } from '../../contract/evidence.ts';
import { finding, notApplicable, observed } from '../../contract/finding.ts';
import { defineFamily, type Family, type FamilyMember, type Shown } from '../../contract/rule.ts';
import type { StepList } from '../../contract/step-lists.ts';
import { type CredentialName, credential, state, validation } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import { unknownModel } from '../builders/not-found-rules.ts';
import * as send from '../builders/send.ts';

const runs: Family = { cost: 'billed' };

/** The binary model too, so that the passive rules see a result that is a file. */
function runnable({ discovery, authored, runnable: ids }: ProbeContext): readonly DiscoveredModel[] {
  const { binary } = discovery.models;
  return binary === undefined || !ids.includes(binary.id) ? [authored] : [authored, binary];
}

const expectBody: expect.Expectation = ({ body, step }) =>
  body.length > 0 ? [] : [finding('body-malformed', { step }, 'the result', 'an empty body')];

const resultRules = defineFamily(runs)({
  'run.result.comes-in-the-same-answer': {
    sentence: 'A run answers 200 with the result of the model.',
    requirements: ['MR-RUN-02', 'MR-RUN-23', 'MR-CAT-02'],
    requiredOf: ['mock', 'sandbox'],
    ...expect.answers(
      (context) => runnable(context).map((one) => send.sharedRun(one.id, one)),
      expect.status(200, expectBody),
    ),
  },
  'run.plain.names-no-fallback-and-no-dropped-fields': {
    sentence: 'A plain run names no fallback provider and no dropped fields.',
    requirements: ['MR-HDR-09', 'MR-HDR-11'],
    needs: ['run.result.comes-in-the-same-answer'],
    requires: [state],
    probe: (context) => [send.sharedRun('run', context.authored)],
    check: expect.on('run', expect.noHeader('fallbackProvider'), expect.noHeader('droppedParams')),
  },
});

function refusedTo(who: CredentialName<'router'>, refusal: expect.Expectation): Pick<FamilyMember, 'requires'> & Shown {
  return {
    requires: credential('router', who),
    ...expect.answers(({ authored }) => [send.run('run', authored, send.asCaller(who), send.rejected)], refusal),
  };
}

const billedRules = defineFamily({ ...runs, requires: [state] })({
  'run.query.odd-parameters': {
    sentence: 'What an unknown query parameter does to a run is noted.',
    observes: true,
    requirements: ['MR-RUN-07', 'MR-RUN-02'],
    probe: ({ authored: { path, input } }) => [send.run('unknown', { path: `${path}?no_such_parameter=1`, input })],
    check: expect.noted('unknown', 'an unknown parameter', 'NS-29'),
  },
  'run.rate-limit.is-429-rate-limited': {
    concern: 'spending',
    sentence: 'A caller over the rate limit gets 429 rate_limited.',
    requirements: ['MR-RUN-51', 'MR-IDM-10', 'MR-STC-14', 'MR-CTG-19'],
    ...refusedTo('rateLimited', expect.error(429, 'rate_limited')),
  },
  'run.spend-cap.is-429-concurrency-limit': {
    concern: 'spending',
    sentence: 'A caller whose committed spend is used up gets 429 concurrency_limit_exceeded.',
    requirements: ['MR-RUN-51', 'MR-IDM-13', 'MR-STC-14'],
    ...refusedTo('spendCapped', expect.error(429, 'concurrency_limit_exceeded')),
  },
  'run.credits.are-lacking': {
    concern: 'spending',
    sentence: 'A run of a caller without credits is refused as insufficient_credits.',
    requirements: ['MR-CTG-09'],
    partReading: 'NS-19',
    // The documents give it no status on the synchronous run (C-11); 400 and 402 both fit.
    ...refusedTo(
      'noCredits',
      expect.all(expect.asRead('NS-19', expect.status([400, 402])), expect.category('insufficient_credits')),
    ),
  },
});

const malformed: StepList = ({ authored }) => [send.run('malformed', authored, send.malformedBody)];
const invalid: StepList = ({ authored }) => [
  send.run('invalid', authored, send.jsonBody(send.requireInvalidInput(authored))),
];

const refusal: Family = { ...runs, cost: 'free', requires: [state], requiredOf: ['sandbox', 'live'] };

const refusalRules = defineFamily(refusal)({
  'run.malformed.is-refused': {
    concern: 'inputs',
    sentence: 'A run whose body is no JSON is refused with 400.',
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    ...expect.answers(malformed, expect.status(400)),
  },
  'run.malformed.is-called-invalid-input': {
    concern: 'inputs',
    sentence: 'A run whose body is no JSON is refused as invalid_input.',
    requirements: ['MR-RUN-39', 'MR-CTG-01'],
    needs: ['run.malformed.is-refused'],
    ...expect.answers(malformed, expect.category('invalid_input')),
  },
  'run.invalid.is-refused-per-field': {
    concern: 'inputs',
    sentence: 'A run with an invalid input is refused with 422 and an entry for each failing field.',
    requirements: ['MR-RUN-49', 'MR-SCH-27', 'MR-STC-11'],
    requires: [validation],
    ...expect.answers(invalid, expect.status(422)),
  },
  'run.invalid.is-called-invalid-input': {
    concern: 'inputs',
    sentence: 'A run with an invalid input is refused as invalid_input.',
    requirements: ['MR-CTG-03'],
    needs: ['run.invalid.is-refused-per-field'],
    requires: [validation],
    ...expect.answers(invalid, expect.category('invalid_input')),
  },
  'run.unauthored.odd-object': {
    concern: 'inputs',
    sentence: 'A model without an authored schema accepts any object and leaves the decision to the provider.',
    requirements: ['MR-SCH-31', 'MR-SCH-32', 'MR-SCH-35', 'MR-STC-13'],
    cost: 'billed',
    requires: [validation],
    requiredOf: ['sandbox'],
    probe: ({ discovery }) => {
      const { unauthored } = discovery.models;
      const input = { a_member_no_schema_names: [1, 'two'] };
      return unauthored === undefined ? [] : [send.run('odd', { path: unauthored.path, input })];
    },
    check: (evidence) =>
      evidence.length === 0
        ? notApplicable('no model with an unauthored input was found')
        : // The provider may refuse too (MR-SCH-32), so no response proves that the router validated.
          observed(`an odd object is answered with ${readResponse(evidence, 'odd').status}`),
  },
  'run.unknown.is-not-found': {
    sentence: 'A run of an unknown model answers 404 model_not_found.',
    requirements: ['MR-RUN-45', 'MR-STC-05', 'MR-CTG-10'],
    ...unknownModel('POST'),
  },
});

export const singleRunRules = [...resultRules, ...billedRules, ...refusalRules];
