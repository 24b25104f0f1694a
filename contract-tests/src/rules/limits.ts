import { notApplicable } from '../contract/finding.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import { type ScenarioContext, scenario } from '../contract/scenario.ts';
import { billed, longestKey, requireInvalidInput } from './calls.ts';
import * as expect from './expect.ts';
import { type StartOperation, startOperations } from './operations.ts';

const rule = ruleIn('limits');

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
    return {
      longest: await server[name](authored, { key: newKey(server, longestKey) }),
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

export const limitRules = startOperations.flatMap(keyRules);
