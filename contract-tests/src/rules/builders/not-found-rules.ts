import type { Step } from '../../contract/probe.ts';
import type { FamilyMember, RuleId, Shown } from '../../contract/rule.ts';
import { get, post, step } from '../../contract/steps.ts';
import { credential, state } from '../../requires.ts';
import { onResponse } from './checks.ts';
import * as expect from './expectations.ts';
import {
  asCaller,
  follow,
  jsonBody,
  onRequest,
  otherModelPath,
  type QueueCall,
  submitted,
  unknownModelPath,
  unknownRequestId,
  unknownSiblingPath,
} from './router-steps.ts';

export const callUrls = { status: 'status_url', collect: 'response_url', cancel: 'cancel_url' } as const;

const acts = { status: 'The status of', collect: 'Collecting', cancel: 'Cancelling' } as const;
const answer = 'answers 404 request_not_found.';

/** An id that no caller has, and one of another caller's request. `requirement`: the call's own on such ids. */
export function notFoundRules(call: QueueCall, requirement: string): Readonly<Record<RuleId, FamilyMember>> {
  return {
    [`${call}.unknown.is-not-found`]: {
      sentence: `${acts[call]} an unknown request ${answer}`,
      requirements: [requirement, 'MR-CTG-24', 'MR-STC-05'],
      partReading: 'NS-93',
      cost: 'free',
      requiredOf: ['sandbox', 'live'],
      probe: (context) => [onRequest('unknown', context.authored.path, { call, requestId: () => unknownRequestId })],
      check: onResponse('unknown', expect.requestNotFound),
    },
    [`${call}.foreign.is-not-found`]: {
      sentence: `${acts[call]} another caller's request ${answer}`,
      requirements: ['MR-CTG-24'],
      partReading: 'NS-93',
      requires: [state, ...credential('router', 'neighbour')],
      probe: (context) => [
        submitted(context, 'submit', 'plain'),
        follow('foreign', callUrls[call], asCaller('neighbour')),
      ],
      check: onResponse('foreign', expect.requestNotFound),
    },
  };
}

export function otherModel(call: QueueCall): Shown & Pick<FamilyMember, 'partReading'> {
  return {
    partReading: 'NS-93',
    probe: (context) => {
      const path = otherModelPath(context, context.authored);
      return [submitted(context, 'submit', 'plain'), onRequest('misplaced', path, { call })];
    },
    check: onResponse('misplaced', expect.requestNotFound),
  };
}

/** A model of an unknown provider, and one that a known provider does not have; `tail` is below the path of a model. */
export function unknownModel(method: 'GET' | 'POST', tail = ''): Shown {
  const ask = (name: string, path: string): Step =>
    step(name, method === 'POST' ? post(path + tail, jsonBody({})) : get('router', path + tail));
  return {
    probe: ({ authored }) => [
      ask('unknown-provider', unknownModelPath),
      ask('unknown-model', unknownSiblingPath(authored)),
    ],
    check: onResponse(['unknown-provider', 'unknown-model'], expect.error(404, 'model_not_found')),
  };
}
