import type { Step } from '../../contract/probe.ts';
import type { FamilyMember, RuleId, Shown } from '../../contract/rule.ts';
import { credential, state } from '../../requires.ts';
import * as expect from './expect.ts';
import * as send from './send.ts';

const acts = { status: 'The status of', collect: 'Collecting', cancel: 'Cancelling' } as const;
const answer = 'answers 404 request_not_found.';

/**
 * An id that no caller has, one of another caller's request, and one of a request to another model. `requirement`: the call's own on
 * such ids.
 */
export function notFoundRules(call: send.QueueCall, requirement: string): Readonly<Record<RuleId, FamilyMember>> {
  const misplaced: FamilyMember = {
    concern: 'access',
    sentence: `${acts[call]} a request under another model ${answer}`,
    requirements: ['MR-CTG-24'],
    partReading: 'OP-093',
    probe: (context) => {
      const path = send.otherModelPath(context, context.authored);
      return [send.submitted(context, 'submit', 'plain'), send.onRequest('misplaced', path, { call })];
    },
    check: expect.on('misplaced', expect.requestNotFound),
  };
  return {
    [`${call}.unknown.is-not-found`]: {
      sentence: `${acts[call]} an unknown request ${answer}`,
      requirements: [requirement, 'MR-CTG-24', 'MR-STC-05'],
      partReading: 'OP-093',
      cost: 'free',
      requiredOf: ['sandbox', 'live'],
      probe: (context) => [
        send.onRequest('unknown', context.authored.path, { call, requestId: () => send.unknownRequestId }),
      ],
      check: expect.on('unknown', expect.requestNotFound),
    },
    [`${call}.foreign.is-not-found`]: {
      concern: 'access',
      sentence: `${acts[call]} another caller's request ${answer}`,
      requirements: ['MR-CTG-24'],
      partReading: 'OP-093',
      requires: [state, ...credential('router', 'neighbour')],
      probe: (context) => [
        send.submitted(context, 'submit', 'plain'),
        send.follow('foreign', send.callUrls[call], send.asCaller('neighbour')),
      ],
      check: expect.on('foreign', expect.requestNotFound),
    },
    ...(call !== 'cancel' && { [`${call}.other-model.is-not-found`]: misplaced }),
  };
}

/** A model of an unknown provider, and one that a known provider does not have; `tail` is below the path of a model. */
export function unknownModel(method: 'GET' | 'POST', tail = ''): Shown {
  const ask = (name: string, path: string): Step =>
    send.step(name, method === 'POST' ? send.post(path + tail, send.jsonBody({})) : send.get('router', path + tail));
  return expect.answers(
    ({ authored }) => [
      ask('unknown-provider', send.unknownModelPath),
      ask('unknown-model', send.unknownSiblingPath(authored)),
    ],
    expect.error(404, 'model_not_found'),
  );
}
