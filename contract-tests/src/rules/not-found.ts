import { type FamilyName, usualCauses } from '../contract/concerns.ts';
import { modelPath } from '../contract/requests.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import { type QueueCall, scenario, type Values } from '../contract/scenario.ts';
import { credential, state } from '../requires.ts';
import { findUnknownId, json, submitted, unknownRequestId, unknownSiblingPath } from './calls.ts';
import * as expect from './expect.ts';
import { type RouterOperation, routerOperations } from './operations.ts';

const drawUnusualModelIds = ({ text }: Values): Readonly<Record<string, string>> => ({
  'a provider of 65 characters': `${'p'.repeat(65)}/m`,
  'a model of 129 characters': `p/${'m'.repeat(129)}`,
  'a model of 2000 characters': `p/${'m'.repeat(2_000)}`,
  capitals: `${text('no-such-provider')}/${text('no-such-model')}`.toUpperCase(),
  quotes: `${text('no')}'${text('such')}"provider/${text('no')};such--${text('model')}`,
  'letters beyond ASCII': `n\u00f6-${text('such')}/m\u00f6${text('del')}`,
  'a percent sign': `no%${text('such')}/100%`,
  asterisks: '*/*',
});

const drawUnusualRequestIds = ({ text, uuid }: Values): Readonly<Record<string, string>> => ({
  'not a UUID': text('not-a-uuid'),
  'a UUID with an extra digit': `${uuid(unknownRequestId)}0`,
  'a UUID in capitals': uuid(unknownRequestId).replaceAll('0', 'A').toUpperCase(),
  'a UUID without hyphens': uuid(unknownRequestId).replaceAll('-', ''),
  'a quoted text': encodeURIComponent(`' or '${text('1')}'='${text('1')}`),
  'four hundred characters': text('a').padEnd(400, 'a'),
});

/** Sentences begin with these words, and the ids of the rules with these families. */
const subjects: Partial<Record<RouterOperation['name'], readonly [family: FamilyName, subject: string]>> = {
  read: ['model', 'Reading'],
  run: ['run', 'A run of'],
  'schema-document': ['schema-document', 'The schema document of'],
  submit: ['submit', 'A submission to'],
  collect: ['collect', 'Collecting'],
  status: ['status', 'Reading the status of'],
  cancel: ['cancel', 'Cancelling'],
};

/** Returns rules for unknown and malformed ids, and for the request of another caller. */
function notFoundRulesOf({ name, words, method, tail, refusals }: RouterOperation): readonly Rule[] {
  const named = subjects[name];
  const requirement = refusals[404];
  if (named === undefined || requirement === undefined) return [];
  const [family, subject] = named;
  const isOnRequest = tail.includes(unknownRequestId);
  const calls = scenario({ requires: [state] }, async (server) => {
    const { authored, values } = server;
    const known = tail.replace(unknownRequestId, findUnknownId(server));
    const body = method === 'POST' ? json({}) : {};
    const sendTo = (paths: Readonly<Record<string, string>>) =>
      server.sendRejectedCalls(Object.entries(paths), ([name, to]) =>
        server.send({ api: 'router', method, to, ...body }, { name }),
      );
    const mapIds = (ids: Readonly<Record<string, string>>, findPath: (id: string) => string) =>
      Object.fromEntries(Object.entries(ids).map(([label, id]) => [label, findPath(id)]));
    const unknownModel = modelPath(`${values.text('no-such-provider')}/${values.text('no-such-model')}`);
    const unknown = await sendTo(
      isOnRequest
        ? { 'an unknown request': authored.path + known }
        : { 'an unknown provider': unknownModel + known, 'an unknown model': unknownSiblingPath(server) + known },
    );
    const models = mapIds(drawUnusualModelIds(values), (id) => modelPath(id) + known);
    const requests = mapIds(drawUnusualRequestIds(values), (id) => authored.path + tail.replace(unknownRequestId, id));
    const unusual = { ...models, ...(isOnRequest && requests) };
    return { unknown, unusual: (await server.ifPossible(() => sendTo(unusual))) ?? [] };
  });
  const notFound = isOnRequest ? expect.requestNotFound : expect.error(404, 'model_not_found');
  const category = isOnRequest ? 'request_not_found' : 'model_not_found';
  const rule = ruleIn(family, { usualCause: usualCauses.lookup, requiredOf: ['sandbox', 'live'] });
  const requirements = [requirement, 'MR-STC-05', isOnRequest ? 'MR-CTG-24' : 'MR-CTG-10'];
  return [
    rule(`${family}.unknown.is-not-found`, calls, {
      sentence: `${subject} an unknown ${isOnRequest ? 'request' : 'model'} returns 404 ${category}.`,
      requirements,
      ...(isOnRequest && { partReading: 'OP-093' }),
      check: ({ unknown }) => expect.on(unknown, notFound),
    }),
    ruleIn('limits', { requiredOf: ['sandbox', 'live'] })(`limits.ids.malformed-are-rejected.${name}`, calls, {
      sentence: `A malformed ${isOnRequest ? 'model or request id' : 'model id'} is rejected (${words}).`,
      requirements: [...requirements, 'MR-MOD-02', 'MR-MOD-03', ...(isOnRequest ? ['MR-COL-02', 'MR-CTG-10'] : [])],
      // Each id is either unknown or malformed (OP-037); both errors have a defined category.
      check: ({ unusual }) =>
        expect.on(
          unusual,
          expect.status([404, 400, 414, 422]),
          expect.category('model_not_found', 'request_not_found', 'invalid_input'),
        ),
    }),
    ...(name === 'status' || name === 'collect' || name === 'cancel'
      ? [foreignRequestRule(name, subject, requirement)]
      : []),
  ];
}

function foreignRequestRule(call: QueueCall, subject: string, requirement: string): Rule {
  const requires = [state, ...credential('router', 'neighbour')];
  const foreign = scenario({ cost: 'billed', requires }, async (server) => {
    const request = await submitted(server, 'plain request');
    const byKey = await server[call](request, { as: 'neighbour' });
    const byToken = await server[call](request, { credentials: [{ as: 'bearer', who: 'neighbour' }] });
    return { request, byKey, byToken };
  });
  const rule = ruleIn(call, { concern: 'access', partReading: 'OP-093', usualCause: usualCauses.lookup });
  return rule(`${call}.foreign.is-not-found`, foreign, {
    sentence: `${subject} another caller's request returns 404 request_not_found.`,
    requirements: [requirement, 'MR-CTG-24'],
    // The target may accept the credential in only one of the headers.
    check: ({ byKey, byToken }) => {
      const accepted = [byKey, byToken].filter(({ status }) => status !== 401);
      return expect.on(accepted, expect.requestNotFound);
    },
  });
}

export const notFoundRules = routerOperations.flatMap(notFoundRulesOf);
