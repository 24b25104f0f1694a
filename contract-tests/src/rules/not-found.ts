import { type FamilyName, usualCauses } from '../contract/concerns.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import { type QueueCall, scenario } from '../contract/scenario.ts';
import { credential, state } from '../requires.ts';
import { findUnknownId, findUnknownModelPath, json, submitted, unknownSiblingPath } from './calls.ts';
import * as expect from './expect.ts';

const subjects = { status: 'Reading the status of', collect: 'Collecting', cancel: 'Cancelling' } as const;
const usualCause = usualCauses.lookup;

/** Returns rules for an unknown id and for another caller's request. `requirement`: the requirement for the 404. */
export function notFoundRules(call: QueueCall, requirement: string): readonly Rule[] {
  const unknown = scenario({ requires: [state] }, async (server) => ({
    unknown: await server.onRequest(call, server.authored.path, findUnknownId(server)),
  }));
  const foreign = scenario(
    { cost: 'billed', requires: [state, ...credential('router', 'neighbour')] },
    async (server) => {
      const request = await submitted(server, 'plain request');
      const byKey = await server[call](request, { as: 'neighbour' });
      const byToken = await server[call](request, { credentials: [{ as: 'bearer', who: 'neighbour' }] });
      return { request, byKey, byToken };
    },
  );
  const rule = ruleIn(call, { partReading: 'OP-093', usualCause });
  return [
    rule(`${call}.unknown.is-not-found`, unknown, {
      sentence: `${subjects[call]} an unknown request returns 404 request_not_found.`,
      requirements: [requirement, 'MR-CTG-24', 'MR-STC-05'],
      requiredOf: ['sandbox', 'live'],
      check: ({ unknown }) => expect.on(unknown, expect.requestNotFound),
    }),
    rule(`${call}.foreign.is-not-found`, foreign, {
      concern: 'access',
      sentence: `${subjects[call]} another caller's request returns 404 request_not_found.`,
      requirements: [requirement, 'MR-CTG-24'],
      // The target may accept the credential in only one of the headers.
      check: ({ byKey, byToken }) =>
        expect.on(
          [byKey, byToken].filter(({ status }) => status !== 401),
          expect.requestNotFound,
        ),
    }),
  ];
}

/**
 * Returns a rule about two unknown models: one of an unknown provider, and one of a known provider. `tail`: the rest
 * of the path after the model. `requirement`: the requirement for the 404.
 */
export function unknownModelRule(
  family: FamilyName,
  subject: string,
  method: 'GET' | 'POST',
  tail: string,
  requirement: string,
): Rule {
  const unknown = scenario({ requires: [state] }, async (server) => {
    const call = (path: string) =>
      server.send({ api: 'router', method, to: path + tail, ...(method === 'POST' ? json({}) : {}) });
    // Throws before anything is sent if there is no usable model.
    const sibling = unknownSiblingPath(server);
    return { provider: await call(findUnknownModelPath(server)), model: await call(sibling) };
  });
  return ruleIn(family, { usualCause, requiredOf: ['sandbox', 'live'] })(`${family}.unknown.is-not-found`, unknown, {
    sentence: `${subject} an unknown model returns 404 model_not_found.`,
    requirements: [requirement, 'MR-STC-05', 'MR-CTG-10'],
    check: ({ provider, model }) => expect.on([provider, model], expect.error(404, 'model_not_found')),
  });
}
