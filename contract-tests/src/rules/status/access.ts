import type { ProbeContext } from '../../contract/context.ts';
import { modelPath } from '../../contract/discovery.ts';
import { readMember } from '../../contract/evidence.ts';
import type { Step } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule } from '../../contract/rule.ts';
import { credential, state } from '../../requires.ts';
import { type Expectation, onResponse, wrongValue } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { callUrls, notFoundRules, otherModel } from '../builders/not-found-rules.ts';
import {
  asCaller,
  follow,
  onRequest,
  otherModelPath,
  polled,
  queueCalls,
  submitted,
  withToken,
} from '../builders/router-steps.ts';
import { scripted, scriptedOr, scriptedSubmit } from '../builders/scripted-runs.ts';

const status: Family = { cost: 'billed', requires: [state] };

/** Other callers, and other forms of their credentials. */
const strangers = { 'neighbour by token': withToken('neighbour'), 'user without workspace': asCaller('solo') };
const strangerCalls = (['status', 'collect'] as const).flatMap((call) =>
  Object.entries(strangers).map(([who, credentials]) => follow(`${call}, ${who}`, callUrls[call], credentials)),
);
const callsAtTheEnd = queueCalls.map((call) => follow(`${call} at the end`, callUrls[call], asCaller('neighbour')));
const strangerSteps = [...strangerCalls, ...callsAtTheEnd].map(({ name }) => name);

/** A caller whose credential is not accepted at all is no case of this rule. */
const expectNotFoundIfAccepted = expect.where(({ status }) => status !== 401, expect.requestNotFound);

/** Another model of the same provider, where the catalog has one, and one of another provider. */
function otherPaths(context: ProbeContext): readonly string[] {
  const { id, provider } = context.authored;
  const sibling = context.discovery.listed.find((one) => one.startsWith(`${provider}/`) && one !== id);
  return [...new Set([...(sibling === undefined ? [] : [modelPath(sibling)]), otherModelPath(context, { id })])];
}

const misplaced = (context: ProbeContext): readonly Step[] =>
  otherPaths(context).flatMap((path) => queueCalls.map((call) => onRequest(`${call} ${path}`, path, { call })));

/** Credentials that must not end a run of somebody else. */
const meddlers = { neighbour: asCaller('neighbour'), unknown: asCaller('wrong'), nobody: { credentials: [] } };

const expectStillRunning: Expectation = (response) => {
  const [state, word] = ['/status', '/error_type'].map((pointer) => readMember(response, pointer));
  if (state !== 'COMPLETED' || word === undefined) return [];
  return wrongValue(response.step, '/error_type', 'the request still running', `it ended with ${JSON.stringify(word)}`);
};

export const statusAccessRules: readonly Rule[] = defineFamily(status, notFoundRules('status', 'MR-STA-08'), {
  'status.other-model.is-not-found': {
    sentence: 'The status of a request under another model answers 404 request_not_found.',
    requirements: ['MR-CTG-24'],
    ...otherModel('status'),
  },
  'status.foreign.is-not-found-however-asked-for': {
    sentence: "No route and no credential form shows another caller's request.",
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    partReading: 'NS-93',
    needs: ['status.foreign.is-not-found'],
    requires: [state, ...credential('router', 'neighbour', 'solo')],
    probe: (context) => [submitted(context, 'submit', 'plain'), ...strangerCalls, polled(), ...callsAtTheEnd],
    check: onResponse(strangerSteps, expectNotFoundIfAccepted),
  },
  'status.other-model.is-not-found-on-any-route': {
    sentence: 'No route shows a request under another model.',
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    partReading: 'NS-93',
    needs: ['status.other-model.is-not-found'],
    probe: (context) => [submitted(context, 'submit', 'plain'), ...misplaced(context)],
    check: onResponse((context) => misplaced(context).map(({ name }) => name), expect.requestNotFound),
  },
  'status.foreign.cannot-be-ended': {
    sentence: 'Another caller cannot end a request.',
    requirements: ['MR-CTG-24', 'MR-AUT-06', 'MR-AUT-07', 'MR-CAN-16', 'MR-CAN-18'],
    ...scripted,
    requires: [...scriptedOr('slowInput'), ...credential('router', 'neighbour')],
    probe: [
      scriptedSubmit('submit', { delay_ms: 20_000 }),
      ...Object.entries(meddlers).map(([who, credentials]) => follow(`cancel of ${who}`, 'cancel_url', credentials)),
      follow('status', 'status_url', { afterMs: 1_500 }),
      follow('cancel', 'cancel_url'),
    ],
    check: onResponse('status', expectStillRunning),
  },
});
