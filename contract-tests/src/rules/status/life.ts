import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, allResponses, jsonOf, memberOf, responseOf, responsesOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { absent, finding, requireMember } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { follow, polled, submitted } from '../vocabulary/router-steps.ts';

const family = 'status';
const api = 'router';
const cost = 'billed';
const needs = ['status.read.answers-with-200'];
const appliesTo = hasCapability('state');

const lifeOf = (context: ProbeContext): Probe => ({
  steps: [submitted(context), follow('collect-early', 'response_url'), polled(), follow('collect', 'response_url')],
});

const pastTheEnd = (context: ProbeContext): Probe => ({
  steps: [
    submitted(context),
    polled(),
    follow('again', 'status_url', { afterMs: 300 }),
    follow('collect', 'response_url'),
    follow('later', 'status_url', { afterMs: 500 }),
  ],
});

/** Every status word of a life, from the handle, the polls and a collect that came too early. */
function wordsSeen(evidence: Evidence): readonly string[] {
  const words = allResponses(evidence)
    .filter(({ step, status }) => step !== 'collect' && status !== 409 && status < 300)
    .filter(({ step, status }) => step !== 'collect-early' || status === 202)
    .map((answer) => memberOf(answer, '/status'));
  return [...new Set(words.filter((word) => typeof word === 'string'))];
}

function pendingOf(evidence: Evidence): readonly Answer[] {
  const pending = (answer: Answer): boolean => answer.status === 200 && memberOf(answer, '/status') !== 'COMPLETED';
  return responsesOf(evidence, 'end').filter(pending);
}

/** A model that fails is no matter of the rules on success. */
function succeeded(evidence: Evidence): boolean {
  return responseOf(evidence, 'collect').status === 200;
}

/** The whole result, or each of its members, standing somewhere in the status response (MR-STA-02). */
function holdsResult(status: Answer, result: Answer): boolean {
  const [body, output] = [jsonOf(status), jsonOf(result)];
  if (body.kind === 'malformed' || output.kind === 'malformed') return false;
  const wanted = JSON.stringify(output.value);
  const members = isJsonObject(body.value) ? Object.values(body.value) : [body.value];
  const isSpread = isJsonObject(output.value) && includesAll(body.value, Object.entries(output.value));
  return isSpread || members.some((member) => JSON.stringify(member) === wanted);
}

const resultNames = ['result', 'results', 'output', 'outputs'];

/** Whatever it holds: a member of such a name beside the status is there to give the result. */
function isNamedLikeResult(status: Answer): boolean {
  return resultNames.some((name) => {
    const value = memberOf(status, `/${name}`);
    return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
  });
}

function includesAll(body: JsonValue, wanted: readonly (readonly [string, JsonValue])[]): boolean {
  if (!isJsonObject(body) || wanted.length === 0) return false;
  return wanted.every(([name, value]) => JSON.stringify(body[name]) === JSON.stringify(value));
}

function notFinished(): { kind: 'not-observable'; because: string } {
  return { kind: 'not-observable', because: 'the request did not succeed' };
}

export const statusLifeRules: readonly Rule[] = [
  defineRule({
    id: 'status.life.knows-three-words-at-most',
    family,
    requirements: ['MR-QUE-04', 'MR-QUE-05'],
    needs,
    api,
    cost,
    appliesTo,
    probe: lifeOf,
    judge: (evidence): readonly Draft[] => {
      // Only COMPLETED is named (NS-01); whatever the other two are called, there are no more than two.
      const others = wordsSeen(evidence).filter((word) => word !== 'COMPLETED');
      if (others.length <= 2) return [];
      const said = { expected: 'COMPLETED and at most two other words', actual: others.join(', ') };
      return [finding('value-unexpected', { step: 'end', pointer: '/status' }, said)];
    },
  }),
  defineRule({
    id: 'status.life.words',
    family,
    requirements: ['MR-QUE-04'],
    needs,
    api,
    cost,
    appliesTo,
    probe: lifeOf,
    judge: (evidence, { specs }) => {
      const [waiting, running] = specs.settings.queueStatuses;
      const seen = wordsSeen(evidence).join(', ');
      return { kind: 'observed', observation: `words seen: ${seen}; the settings say ${waiting}, ${running} (NS-01)` };
    },
  }),
  defineRule({
    id: 'status.pending.has-no-error-type',
    family,
    requirements: ['MR-QUE-12'],
    needs,
    api,
    cost,
    appliesTo,
    probe: lifeOf,
    judge: (evidence) => {
      const pending = pendingOf(evidence);
      if (pending.length === 0) return { kind: 'not-observable', because: 'completed at the first poll' };
      return pending.flatMap((answer) => requireMember(answer, '/error_type', absent));
    },
  }),
  defineRule({
    id: 'status.success.has-no-error-type',
    family,
    requirements: ['MR-QUE-13', 'MR-QUE-14'],
    needs,
    api,
    cost,
    appliesTo,
    probe: lifeOf,
    judge: (evidence) =>
      succeeded(evidence) ? requireMember(responseOf(evidence, 'end'), '/error_type', absent) : notFinished(),
  }),
  defineRule({
    id: 'status.completed.is-never-left',
    family,
    requirements: ['MR-QUE-33'],
    needs,
    api,
    cost,
    appliesTo,
    probe: pastTheEnd,
    judge: (evidence) =>
      ['again', 'later'].flatMap((name) => requireMember(responseOf(evidence, name), '/status', exactly('COMPLETED'))),
  }),
  defineRule({
    id: 'status.completed.never-holds-the-result',
    family,
    requirements: ['MR-STA-02'],
    needs,
    api,
    cost,
    appliesTo,
    probe: pastTheEnd,
    judge: (evidence) => {
      if (!succeeded(evidence)) return notFinished();
      const result = responseOf(evidence, 'collect');
      return ['end', 'again', 'later']
        .map((name) => responseOf(evidence, name))
        .filter((answer) => holdsResult(answer, result) || isNamedLikeResult(answer))
        .map(({ step }) =>
          finding('body-unexpected', { step }, { expected: 'the status alone', actual: 'the result beside it' }),
        );
    },
  }),
];
