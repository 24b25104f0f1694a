import { notApplicable } from '../contract/finding.ts';
import { modelPath } from '../contract/requests.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import { type Answer, type FreeContext, type ScenarioContext, scenario, type Values } from '../contract/scenario.ts';
import { state } from '../requires.ts';
import {
  billed,
  json,
  longestKey,
  requireInvalidInput,
  runUnderLongestKey,
  unknownRequestId,
  withUnknownId,
} from './calls.ts';
import * as expect from './expect.ts';
import { type RouterOperation, routerOperations, type StartOperation, startOperations } from './operations.ts';

const rule = ruleIn('limits');
const idRule = ruleIn('limits', { requiredOf: ['sandbox', 'live'] });

const unusableLengths = [longestKey + 1, 300, 4_000, 0];

function keyRules({ name, noun, key: keyRequirement, refusal }: StartOperation): readonly Rule[] {
  const newKey = (server: ScenarioContext, length: number) =>
    server.newKey(`limits-${name}-${length}`).padEnd(length, '-').slice(0, length);
  const refused = scenario(billed, async (server) => ({
    refused: await server.sendRejectedCalls(unusableLengths, (length) => {
      const key = newKey(server, length);
      return server[name](server.authored, { key, name: `a key of ${length} characters`, rejected: true });
    }),
  }));
  const acceptable = scenario(billed, async (server) => {
    const { authored } = server;
    // On a live service the shortest key is sent with an invalid input, so that nothing runs.
    const isLive = server.kind === 'live';
    const input = isLive ? requireInvalidInput(authored) : authored.input;
    const options = { key: name.slice(0, 1), ...(isLive && { rejected: true as const }) };
    const longest = () => server[name](authored, { key: newKey(server, longestKey) });
    return {
      longest: await (name === 'run' ? runUnderLongestKey(server) : longest()),
      shortest: await server[name]({ ...authored, input }, options),
    };
  });

  return [
    rule(`limits.${name}-key.of-1-to-255-characters-is-accepted`, acceptable, {
      sentence: `A ${noun} accepts an idempotency key of 1 to 255 characters.`,
      requirements: [keyRequirement],
      // Other rules check the response: a result, a conflict, or a rejected input.
      check: ({ longest, shortest }) =>
        [200, 201, 202, 400, 409, 422, 431].includes(longest.status)
          ? expect.on([longest, shortest], expect.notStatus(400, 431))
          : notApplicable('the call failed regardless of its key'),
    }),
    rule(`limits.${name}-key.longer-ones-are-refused`, refused, {
      sentence: `A ${noun} with an idempotency key that is empty or longer than 255 characters is rejected with the category invalid_input.`,
      requirements: [keyRequirement, refusal, 'MR-CTG-01'],
      reading: 'OP-032',
      check: ({ refused }) => expect.on(refused, expect.error([400, 422, 431], 'invalid_input')),
    }),
  ];
}

type OddIds = Readonly<Record<string, string>>;

const listOddModels = ({ text }: Values): OddIds => ({
  'a provider of 65 characters': `${'p'.repeat(65)}/m`,
  'a model of 129 characters': `p/${'m'.repeat(129)}`,
  'a model of 2000 characters': `p/${'m'.repeat(2_000)}`,
  capitals: `${text('no-such-provider')}/${text('no-such-model')}`.toUpperCase(),
  quotes: `${text('no')}'${text('such')}"provider/${text('no')};such--${text('model')}`,
  'letters beyond ASCII': `n\u00f6-${text('such')}/m\u00f6${text('del')}`,
  'a percent sign': `no%${text('such')}/100%`,
  asterisks: '*/*',
});

const listOddRequests = ({ text, uuid }: Values): OddIds => ({
  'not a UUID': text('not-a-uuid'),
  'a UUID with an extra digit': `${uuid(unknownRequestId)}0`,
  'a UUID in capitals': uuid(unknownRequestId).replaceAll('0', 'A').toUpperCase(),
  'a UUID without hyphens': uuid(unknownRequestId).replaceAll('-', ''),
  quotes: encodeURIComponent(`' or '${text('1')}'='${text('1')}`),
  'four hundred characters': text('a').padEnd(400, 'a'),
});

function idRules({ name, words, method, tail, refusals }: RouterOperation): readonly Rule[] {
  const notFound = refusals[404];
  if (notFound === undefined) return [];
  const callEach = (listIds: (values: Values) => OddIds, findPath: (id: string, server: FreeContext) => string) =>
    scenario({ requires: [state] }, async (server) => ({
      unknown: await server.sendRejectedCalls(Object.entries(listIds(server.values)), ([description, id]) =>
        server.send(
          { api: 'router', method, to: findPath(id, server), ...(method === 'POST' ? json({}) : {}) },
          { name: description },
        ),
      ),
    }));
  const oddModels = callEach(listOddModels, (id, server) => modelPath(id) + withUnknownId(tail, server));
  const oddRequests = callEach(
    listOddRequests,
    (id, { authored }) => authored.path + tail.replace(unknownRequestId, id),
  );
  // Each id is either unknown or malformed (OP-037); both errors have a defined category.
  const check = ({ unknown }: { readonly unknown: readonly Answer[] }) =>
    expect.on(
      unknown,
      expect.status([404, 400, 414, 422]),
      expect.category('model_not_found', 'request_not_found', 'invalid_input'),
    );
  const modelIdRule = idRule(`limits.model-id.odd-ones-are-not-found.${name}`, oddModels, {
    sentence: `A malformed model id is rejected (${words}).`,
    requirements: [notFound, 'MR-STC-05', 'MR-MOD-02', 'MR-MOD-03', 'MR-CTG-10'],
    check,
  });
  if (!tail.includes(unknownRequestId)) return [modelIdRule];
  const requestIdRule = idRule(`limits.request-id.odd-ones-are-not-found.${name}`, oddRequests, {
    sentence: `A malformed request id is rejected (${name}).`,
    requirements: [notFound, 'MR-COL-02', 'MR-CTG-24'],
    check,
  });
  return [modelIdRule, requestIdRule];
}

export const limitRules = [...startOperations.flatMap(keyRules), ...routerOperations.flatMap(idRules)];
