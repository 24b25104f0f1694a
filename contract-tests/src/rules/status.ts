import { isJsonObject } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import { allResponses, readMember, readResponse, type StepResponse, wasAnswered } from '../contract/evidence.ts';
import { finding, observed } from '../contract/finding.ts';
import type { Evidence, Probe, Step } from '../contract/probe.ts';
import { type Check, defineFamily, type Family } from '../contract/rule.ts';
import { credential, state } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { notFoundRules } from './builders/not-found-rules.ts';
import * as send from './builders/send.ts';

const status: Family = { cost: 'billed' };

const readingRules = defineFamily({
  ...status,
  requiredOf: ['mock', 'sandbox'],
  probe: (context) => [send.submitted(context, 'submit', 'plain'), send.follow('status', 'status_url')],
})({
  'status.read.answers-with-200': {
    sentence: 'Reading the status of an own request answers 200.',
    requirements: ['MR-STA-03', 'MR-QUE-20'],
    check: expect.on('status', expect.status(200)),
  },
  'status.read.is-of-the-request-submitted': {
    // Repeats trace.handle.urls-lead-to-its-own-request, which does not apply to a mock.
    sentence: 'The status_url of a handle leads to the status of that request.',
    requirements: ['MR-QUE-20', 'MR-STA-03'],
    needs: ['status.read.answers-with-200'],
    check: expect.unless(
      (evidence) => readMember(readResponse(evidence, 'submit'), '/request_id') === undefined,
      'the handle names no request',
      expect.on('status', expect.sameMember('/request_id', 'submit')),
    ),
  },
});

/** Of the handle, the polls and an early collect: what shows the state of the request. */
function showsState({ step, status }: StepResponse): boolean {
  return status === 202 || (!step.startsWith('collect') && status < 300);
}

const ifCollected = (check: Check): Check =>
  expect.unless(expect.notAllSucceeded('collect'), 'the request did not succeed', check);

/** True when the whole result, or each of its members, is somewhere in the status response (MR-STA-02). */
function holdsResult(status: StepResponse, result: StepResponse): boolean {
  const [body, output] = [readMember(status, ''), readMember(result, '')];
  if (body === undefined || output === undefined) return false;
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (!isJsonObject(body)) return isSame(body, output);
  const members = isJsonObject(output) ? Object.entries(output) : [];
  const isSpread = members.length > 0 && members.every(([name, value]) => isSame(body[name], value));
  return isSpread || Object.values(body).some((member) => isSame(member, output));
}

const expectNoResult: expect.Expectation = (status, _, evidence) => {
  // A member of such a name counts as the result, whatever its value.
  const named = ['result', 'results', 'output', 'outputs'].map((name) => readMember(status, `/${name}`));
  const isNamed = named.some(
    (value) => (typeof value === 'string' && value !== '') || expect.object.is(value) || expect.array.is(value),
  );
  return isNamed || holdsResult(status, readResponse(evidence, 'collect'))
    ? [finding('body-unexpected', { step: status.step }, 'the status alone', 'the result beside it')]
    : [];
};

/** A queue may let others pass, but nobody who is at its front (MR-QUE-10). */
const expectToStayInFront: Check = (evidence) => {
  let isInFront = false;
  const states = allResponses(evidence).filter(showsState);
  return states.flatMap((response) => {
    const position = readMember(response, '/queue_position');
    if (typeof position !== 'number' || readMember(response, '/status') === 'COMPLETED') return [];
    const isLate = isInFront && position > 0;
    isInFront ||= position === 0;
    return isLate ? expect.wrongAt(response.step, '/queue_position', '0, as before', String(position)) : [];
  });
};

const life: Family = { ...status, needs: ['status.read.answers-with-200'], requires: [state], probe: send.wholeLife };

const lifeRules = defineFamily(life)({
  'status.life.words': {
    sentence: "The words that a request's status goes through are noted.",
    observes: true,
    requirements: ['MR-QUE-04'],
    check: (evidence, { specs }) => {
      const states = allResponses(evidence).filter(showsState);
      const words = states
        .map((response) => readMember(response, '/status'))
        .filter((word) => typeof word === 'string');
      const seen = [...new Set(words)].join(', ');
      return observed(`words seen: ${seen}; the settings say ${specs.settings.queueStatuses.join(', ')} (OP-001)`);
    },
  },
  'status.life.front-is-kept': {
    sentence: 'A request at the front of the queue stays there.',
    reading: 'OP-122',
    requirements: ['MR-QUE-09', 'MR-QUE-10'],
    check: expectToStayInFront,
  },
  'status.success.has-no-error-type': {
    sentence: 'The status of a request that succeeded names no error_type.',
    requirements: ['MR-QUE-13', 'MR-QUE-14'],
    check: ifCollected(expect.on('end', expect.member('/error_type', expect.absent))),
  },
  'status.completed.never-holds-the-result': {
    sentence: 'The status of a completed request does not hold its result.',
    requirements: ['MR-STA-02'],
    // The status is read three more times after the first COMPLETED, as a caller would who polls on.
    probe: (context) => [
      send.submitted(context, 'submit', 'plain'),
      send.polled(),
      send.follow('again', 'status_url', { afterMs: 300, afterHintOf: 'end' }),
      send.follow('collect', 'response_url'),
      send.follow('later', 'status_url', { afterMs: 500, afterHintOf: 'again' }),
      send.follow('last', 'status_url', { afterMs: 500, afterHintOf: 'later' }),
    ],
    check: ifCollected(expect.on(['end', 'again', 'later', 'last'], expectNoResult)),
  },
});

/** Responses other than the handle that give the URLs, with the status that does. */
const givers: Readonly<Record<string, number>> = { status: 200, early: 202 };

/** Cancelling comes last: it ends what the other two URLs show. */
const eachUrl = (context: ProbeContext): Probe => [
  send.submitted(context),
  send.follow('status', 'status_url'),
  send.follow('early', 'response_url'),
  ...send.urlMembers.flatMap((member) =>
    Object.keys(givers).map((of) => send.followIfGiven(`${of} ${member}`, { of, at: `/${member}` })),
  ),
];

/**
 * Whether a URL was followed of which something is known: an early collect that came too late gives the result, whose members are
 * the model's own, and where another call had the result already, a second one need not get it (OP-021).
 */
function isJudged({ step }: StepResponse, _: ProbeContext, evidence: Evidence): boolean {
  const [giver = '', member] = step.split(' ');
  if (readResponse(evidence, giver).status !== givers[giver]) return false;
  const others = ['early', 'status response_url'].filter((one) => one !== step && wasAnswered(evidence, one));
  return member !== 'response_url' || others.every((one) => readResponse(evidence, one).status !== 200);
}

const expectSameRequest =
  (member: send.UrlMember): expect.Expectation =>
  (response, context, evidence) => {
    // Other rules check which success it is; a conflict may be the outcome of cancelling.
    const isThere = response.status < 400 || (member === 'cancel_url' && response.status === 409);
    if (!isThere) return expect.status(member === 'cancel_url' ? 202 : 200)(response, context, evidence);
    if (member === 'response_url' && response.status === 200) return [];
    const ids = [readResponse(evidence, 'submit'), response].map((one) => readMember(one, '/request_id'));
    // Without an id of its own the response is wrong for another reason.
    return ids.every(expect.lowercaseUuid.is)
      ? expect.sameMember('/request_id', 'submit')(response, context, evidence)
      : [];
  };

const leadsTo = (member: send.UrlMember): Check => {
  const steps = Object.keys(givers).map((giver) => `${giver} ${member}`);
  return expect.ifSent(steps, expect.where(isJudged, expectSameRequest(member)));
};

const urlRules = defineFamily({ ...life, probe: eachUrl })({
  'status.links.status-url-of-later-answers': {
    sentence: 'The status_url of later answers leads to the same status.',
    requirements: ['MR-QUE-19', 'MR-QUE-20', 'MR-COL-10'],
    check: leadsTo('status_url'),
  },
  'status.links.response-url-of-later-answers': {
    sentence: 'The response_url of later answers leads to the result of the same request.',
    requirements: ['MR-QUE-22', 'MR-QUE-23', 'MR-COL-09', 'MR-COL-10'],
    check: leadsTo('response_url'),
  },
  'status.links.cancel-url-of-later-answers': {
    sentence: 'The cancel_url of later answers cancels the same request.',
    requirements: ['MR-QUE-25', 'MR-QUE-26', 'MR-COL-10'],
    check: leadsTo('cancel_url'),
  },
});

/** Other callers, and other forms of their credentials. */
const strangers = {
  'neighbour by token': send.withToken('neighbour'),
  'user without workspace': send.asCaller('solo'),
};
const strangerCalls = (['status', 'collect'] as const).flatMap((call) =>
  Object.entries(strangers).map(([who, credentials]) =>
    send.follow(`${call}, ${who}`, send.callUrls[call], credentials),
  ),
);
const callsAtTheEnd = send.queueCalls.map((call) =>
  send.follow(`${call} at the end`, send.callUrls[call], send.asCaller('neighbour')),
);
const strangerSteps = [...strangerCalls, ...callsAtTheEnd].map(({ name }) => name);

/** A caller whose credential is not accepted at all is no case of this rule. */
const expectNotFoundIfAccepted = expect.where(({ status }) => status !== 401, expect.requestNotFound);

/** Another model of the same provider, where the catalog has one, and one of another provider. */
function otherPaths(context: ProbeContext): readonly string[] {
  const { id, provider } = context.authored;
  const siblings = context.discovery.listed.filter((one) => one.startsWith(`${provider}/`) && one !== id);
  return [...new Set([...siblings.slice(0, 1).map(send.modelPath), send.otherModelPath(context, { id })])];
}

const misplaced = (context: ProbeContext): readonly Step[] =>
  otherPaths(context).flatMap((path) =>
    send.queueCalls.map((call) => send.onRequest(`${call} ${path}`, path, { call })),
  );

/** Credentials that must not end a run of somebody else. */
const meddlers = {
  neighbour: send.asCaller('neighbour'),
  unknown: send.asCaller('wrong'),
  nobody: { credentials: [] },
};

const expectStillRunning: expect.Expectation = (response) => {
  const [state, word] = ['/status', '/error_type'].map((pointer) => readMember(response, pointer));
  if (state !== 'COMPLETED' || word === undefined) return [];
  const actual = `it ended with ${JSON.stringify(word)}`;
  return expect.wrongAt(response.step, '/error_type', 'the request still running', actual);
};

const accessRules = defineFamily({ ...status, requires: [state] })(notFoundRules('status', 'MR-STA-08'), {
  'status.foreign.is-not-found-however-asked-for': {
    concern: 'access',
    sentence: "No route and no credential form shows another caller's request.",
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    partReading: 'OP-093',
    needs: ['status.foreign.is-not-found'],
    requires: [state, ...credential('router', 'neighbour', 'solo')],
    probe: (context) => [send.submitted(context, 'submit', 'plain'), ...strangerCalls, send.polled(), ...callsAtTheEnd],
    check: expect.on(strangerSteps, expectNotFoundIfAccepted),
  },
  'status.other-model.is-not-found-on-any-route': {
    concern: 'access',
    sentence: 'No route shows a request under another model.',
    requirements: ['MR-CTG-24', 'MR-STA-08', 'MR-COL-15', 'MR-CAN-18'],
    partReading: 'OP-093',
    needs: ['status.other-model.is-not-found'],
    probe: (context) => [send.submitted(context, 'submit', 'plain'), ...misplaced(context)],
    check: expect.on((context) => misplaced(context).map(({ name }) => name), expect.requestNotFound),
  },
  'status.foreign.cannot-be-ended': {
    concern: 'access',
    sentence: 'Another caller cannot end a request.',
    requirements: ['MR-CTG-24', 'MR-AUT-06', 'MR-AUT-07', 'MR-CAN-16', 'MR-CAN-18'],
    ...send.scripted,
    requires: [...send.scriptedOr('slowInput'), ...credential('router', 'neighbour')],
    probe: [
      send.scriptedSubmit('submit', { delay_ms: 20_000 }),
      ...Object.entries(meddlers).map(([who, credentials]) =>
        send.follow(`cancel of ${who}`, 'cancel_url', credentials),
      ),
      send.follow('status', 'status_url', { afterMs: 1_500 }),
      send.follow('cancel', 'cancel_url'),
    ],
    check: expect.on('status', expectStillRunning),
  },
});

export const statusRules = [...readingRules, ...lifeRules, ...urlRules, ...accessRules];
