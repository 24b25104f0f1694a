import { type Answer, allResponses, headerOf, memberOf, textOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft, Verdict } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { finding, requireHeader, requireMember } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { get, post, step } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { filled, text } from '../vocabulary/matchers.ts';
import { malformedBody } from '../vocabulary/refusals.ts';
import { list, unknownRequestId } from '../vocabulary/router-steps.ts';

const family = 'errors';
const api = 'router';

/** Refusals that cost nothing, of different operations and for different reasons. A mock is told which to show. */
const refusals = (context: ProbeContext): Probe => {
  const { path, input } = context.model('authored');
  // A mock that validates waits for ever on a body that is cut off.
  const body = context.kind === 'mock' ? ({ kind: 'json', value: input } as const) : malformedBody;
  return {
    steps: [
      list('bad-cursor', '?cursor=not-a-cursor', { prefer: 400 }),
      step('unknown-model', get(api, `${path}-that-is-unknown`, { prefer: 404 })),
      step('malformed-body', post(api, path, { body, prefer: 400 })),
      step('unknown-request', get(api, `${path}/requests/${unknownRequestId}/status`, { prefer: 404 })),
      list('no-credential', '', { credentials: [] }),
    ],
  };
};

/** Whether a refusal is due is another rule's matter; here only what was refused is judged. */
function refused(evidence: Evidence): readonly Answer[] {
  return allResponses(evidence).filter(({ status }) => status >= 400 && status !== 422);
}

function eachRefusal(evidence: Evidence, judge: (answer: Answer) => readonly Draft[]): Verdict {
  const answers = refused(evidence);
  if (answers.length === 0) return { kind: 'not-observable', because: 'nothing was refused' };
  return answers.flatMap(judge);
}

/** Header and body name the same category; an absent one is the matter of the rules above. */
function mirrorFindings(answer: Answer, header: string): readonly Draft[] {
  const [inHeader, inBody] = [headerOf(answer, header), memberOf(answer, '/error_type')];
  if (inHeader === undefined || typeof inBody !== 'string' || inHeader === inBody) return [];
  const at = { step: answer.step, header, pointer: '/error_type' };
  return [finding('values-differ', at, { expected: inBody, actual: inHeader })];
}

/** The credentials that were sent, as the evidence holds them. */
function secretsOf(evidence: Evidence): readonly string[] {
  const values = evidence.flatMap(({ request }) =>
    request.headers
      .filter(([name]) => /^(?:x-api-key|authorization)$/i.test(name))
      .map(([, value]) => value.replace(/^Bearer /, '')),
  );
  return [...new Set(values)].filter((value) => value.length > 8);
}

function echoedSecrets(answer: Answer, secrets: readonly string[]): readonly Draft[] {
  const said = { expected: 'no credential in the answer', actual: 'the credential that was sent' };
  const holds = (value: string): boolean => secrets.some((secret) => value.includes(secret));
  const inBody = holds(textOf(answer)) ? [finding('secret-echoed', { step: answer.step }, said)] : [];
  const names = answer.headers.filter(([, value]) => holds(value)).map(([name]) => name);
  return [...inBody, ...names.map((header) => finding('secret-echoed', { step: answer.step, header }, said))];
}

export const errorEnvelopeRules: readonly Rule[] = [
  defineRule({
    id: 'errors.envelope.has-detail-and-type',
    family,
    requirements: ['MR-ERR-01', 'MR-ERR-02', 'MR-ERR-05'],
    api,
    probe: refusals,
    judge: (evidence) =>
      eachRefusal(evidence, (answer) => [
        ...requireMember(answer, '/detail', text),
        ...requireMember(answer, '/error_type', text),
      ]),
  }),
  defineRule({
    id: 'errors.category.is-in-the-header',
    family,
    requirements: ['MR-HDR-04'],
    api,
    probe: refusals,
    judge: (evidence, { headers }) =>
      eachRefusal(evidence, (answer) => requireHeader(answer, headers.errorType, filled)),
  }),
  defineRule({
    id: 'errors.category.is-the-same-in-header-and-body',
    family,
    requirements: ['MR-ERR-06'],
    api,
    probe: refusals,
    judge: (evidence, { headers }) => eachRefusal(evidence, (answer) => mirrorFindings(answer, headers.errorType)),
  }),
  defineRule({
    id: 'errors.refusal.carries-request-id',
    family,
    requirements: ['MR-HDR-01'],
    api,
    probe: refusals,
    judge: (evidence, { headers }) =>
      eachRefusal(evidence, (answer) => requireHeader(answer, headers.requestId, filled)),
  }),
  defineRule({
    id: 'errors.detail.gives-no-credential-away',
    family,
    requirements: ['MR-ERR-03'],
    api,
    appliesTo: hasCapability('authentication'),
    probe: (context) => {
      const wrong = list('wrong-key', '', { credentials: [{ as: 'api-key', who: 'wrong' }] });
      const bearer = list('wrong-token', '', { credentials: [{ as: 'bearer', who: 'wrong' }] });
      return { steps: [...refusals(context).steps, wrong, bearer] };
    },
    judge: (evidence) => eachRefusal(evidence, (answer) => echoedSecrets(answer, secretsOf(evidence))),
  }),
];
