import { type Family, families, usualCauses } from '../contract/concerns.ts';
import { type Rule, type RuleId, ruleIn } from '../contract/rule.ts';
import { type QueueCall, scenario } from '../contract/scenario.ts';
import { credential, state } from '../requires.ts';
import { findUnknownId, findUnknownModelPath, submitted, unknownSiblingPath } from './calls.ts';
import * as expect from './expect.ts';

const subjects = { status: 'The status of', collect: 'Collecting', cancel: 'Cancelling' } as const;
const answer = 'answers 404 request_not_found.';
const usualCause = usualCauses.lookup;

/**
 * Returns rules for an unknown id and for the id of another caller's request. `requirement`: the one about such ids.
 */
export function notFoundRules(call: QueueCall, requirement: string): readonly Rule[] {
  const unknown = scenario({ requires: [state] }, async (server) => ({
    unknown: await server.onRequest(call, server.authored.path, findUnknownId(server)),
  }));
  const foreign = scenario(
    { cost: 'billed', requires: [state, ...credential('router', 'neighbour')] },
    async (server) => {
      const request = await submitted(server, 'plain request');
      return { request, foreign: await server[call](request, { as: 'neighbour' }) };
    },
  );
  const rule = ruleIn(families[call]);
  const shared = { partReading: 'OP-093', usualCause } as const;
  return [
    rule(`${call}.unknown.is-not-found`, unknown, {
      ...shared,
      sentence: `${subjects[call]} an unknown request ${answer}`,
      requirements: [requirement, 'MR-CTG-24', 'MR-STC-05'],
      requiredOf: ['sandbox', 'live'],
      check: ({ unknown }) => expect.on(unknown, expect.requestNotFound),
    }),
    rule(`${call}.foreign.is-not-found`, foreign, {
      ...shared,
      concern: 'access',
      sentence: `${subjects[call]} another caller's request ${answer}`,
      requirements: ['MR-CTG-24'],
      check: ({ foreign }) => expect.on(foreign, expect.requestNotFound),
    }),
  ];
}

type Unknown = {
  readonly family: Family;
  readonly id: RuleId;
  readonly method: 'GET' | 'POST';
  /** Path below the path of a model. */
  readonly tail?: string;
  readonly sentence: string;
  readonly requirements: readonly string[];
};

/** A model of an unknown provider, and one that a known provider does not have. */
export function unknownModelRule({ family, id, method, tail = '', sentence, requirements }: Unknown): Rule {
  const unknown = scenario({ requires: [state] }, async (server) => {
    const body = method === 'POST' ? { body: { kind: 'json', value: {} } as const } : {};
    const ask = (path: string) => server.send({ api: 'router', method, to: path + tail, ...body });
    // Fails before anything is sent if there is no usable model.
    const sibling = unknownSiblingPath(server);
    return { provider: await ask(findUnknownModelPath(server)), model: await ask(sibling) };
  });
  return ruleIn(family)(id, unknown, {
    sentence,
    requirements,
    usualCause,
    requiredOf: ['sandbox', 'live'],
    check: ({ provider, model }) => expect.on([provider, model], expect.error(404, 'model_not_found')),
  });
}
