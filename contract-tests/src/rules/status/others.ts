import { memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { CredentialUse, Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { finding } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { stepFrom, textFrom, urlFrom } from '../../steps.ts';
import { allOf, hasCapability, hasCredential } from '../../target.ts';
import { otherModelPath, polled, submitted } from '../vocabulary/router-steps.ts';
import { ask, tellQueue, toldRule } from '../vocabulary/told-runs.ts';
import { requestNotFound } from './unknown.ts';

const family = 'status';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

/** Whoever else may ask, in whichever way. */
const strangers: Readonly<Record<string, CredentialUse>> = {
  'neighbour by token': { as: 'bearer', who: 'neighbour' },
  'user without workspace': { as: 'api-key', who: 'solo' },
};

function asked(name: string, use: CredentialUse, call: { member: string; method?: string }): Step {
  const { member, method = 'GET' } = call;
  return stepFrom(name, (earlier): ProbeRequest => {
    const to = urlFrom(earlier, 'submit', `/${member}`);
    return { api, method, to, credentials: [use] };
  });
}

const byStrangers = (context: ProbeContext): Probe => ({
  steps: [
    submitted(context),
    ...Object.entries(strangers).map(([who, use]) => asked(`status, ${who}`, use, { member: 'status_url' })),
    ...Object.entries(strangers).map(([who, use]) => asked(`collect, ${who}`, use, { member: 'response_url' })),
    polled(),
    asked('status at the end', { as: 'api-key', who: 'neighbour' }, { member: 'status_url' }),
    asked('collect at the end', { as: 'api-key', who: 'neighbour' }, { member: 'response_url' }),
    asked('cancel at the end', { as: 'api-key', who: 'neighbour' }, { member: 'cancel_url', method: 'PUT' }),
  ],
});
const strangerSteps = [
  ...['status', 'collect'].flatMap((what) => Object.keys(strangers).map((who) => `${what}, ${who}`)),
  ...['status at the end', 'collect at the end', 'cancel at the end'],
];

/** Another model of the same provider, where the catalog has one, and one of another provider. */
function otherPaths(context: ProbeContext): readonly string[] {
  const { id, provider } = context.model('authored');
  const sibling = context.survey.listed.find((one) => one.startsWith(`${provider}/`) && one !== id);
  const path = sibling === undefined ? [] : [`/v2/models/${sibling.split('/').map(encodeURIComponent).join('/')}`];
  return [...new Set([...path, otherModelPath(context, { id })])];
}

const tails = [
  { name: 'status', tail: '/status', method: 'GET' },
  { name: 'collect', tail: '', method: 'GET' },
  { name: 'cancel', tail: '/cancel', method: 'PUT' },
] as const;

const underOthers = (context: ProbeContext): Probe => ({
  steps: [
    submitted(context),
    ...otherPaths(context).flatMap((path) =>
      tails.map(({ name, tail, method }) =>
        stepFrom(`${name} ${path}`, (earlier): ProbeRequest => {
          return { api, method, to: `${path}/requests/${textFrom(earlier, 'submit', '/request_id')}${tail}` };
        }),
      ),
    ),
  ],
});

/** Nobody of these may end a run that is somebody else's. */
const meddlers: readonly (readonly [string, readonly CredentialUse[]])[] = [
  ['of a neighbour', [{ as: 'api-key', who: 'neighbour' }]],
  ['of nobody known', [{ as: 'api-key', who: 'wrong' }]],
  ['of nobody', []],
];
const meddled = (): Probe => ({
  steps: [
    tellQueue('submit', { delay_ms: 20_000 }),
    ...meddlers.map(([who, credentials]) =>
      ask(`cancel ${who}`, 'cancel_url', { of: 'submit', method: 'PUT', credentials }),
    ),
    ask('status', 'status_url', { of: 'submit', afterMs: 1_500 }),
    ask('cancel', 'cancel_url', { of: 'submit', method: 'PUT' }),
  ],
});

function goesOn(evidence: Evidence): readonly Draft[] {
  const [state, word] = ['/status', '/error_type'].map((at) => memberOf(responseOf(evidence, 'status'), at));
  if (state !== 'COMPLETED' || word === undefined) return [];
  const said = { expected: 'the request going on', actual: `it ended with ${JSON.stringify(word)}` };
  return [finding('value-unexpected', { step: 'status', pointer: '/error_type' }, said)];
}

export const statusOtherRules: readonly Rule[] = [
  defineRule({
    id: 'status.foreign.is-not-found-however-asked-for',
    family,
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    needs: ['status.foreign.is-not-found'],
    api,
    cost,
    appliesTo: allOf(appliesTo, hasCredential(api, 'neighbour', 'solo')),
    probe: byStrangers,
    judge: (evidence, context) =>
      strangerSteps
        // A credential that is not let in at all is no matter of this rule.
        .filter((name) => responseOf(evidence, name).status !== 401)
        .flatMap((name) => requestNotFound(evidence, name, context)),
  }),
  defineRule({
    id: 'status.other-model.is-not-found-on-any-route',
    family,
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    needs: ['status.other-model.is-not-found'],
    api,
    cost,
    appliesTo,
    probe: underOthers,
    judge: (evidence, context) =>
      otherPaths(context).flatMap((path) =>
        tails.flatMap(({ name }) => requestNotFound(evidence, `${name} ${path}`, context)),
      ),
  }),
  toldRule({
    id: 'status.foreign.cannot-be-ended',
    family,
    requirements: ['MR-CTG-24', 'MR-AUT-06', 'MR-AUT-07', 'MR-CAN-16', 'MR-CAN-18'],
    appliesTo: hasCredential(api, 'neighbour'),
    probe: meddled,
    judge: goesOn,
  }),
];
