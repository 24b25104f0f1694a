import type { ProbeContext } from '../contract/context.ts';
import { readResponse } from '../contract/evidence.ts';
import type { Probe, Step } from '../contract/probe.ts';
import { defineFamily, type Family, type FamilyMember, type RuleId, type Shown } from '../contract/rule.ts';
import { state } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { type RouterOperation, routerOperations, type StartOperation, startOperations } from './builders/operations.ts';
import * as send from './builders/send.ts';

function callUnder(
  make: send.MakeKey,
  name: string,
  tail: string,
  options: send.StepOptions & { isSparing?: true } = {},
) {
  const { isSparing, ...usual } = options;
  return ({ authored, kind }: ProbeContext): Step => {
    // What a live service makes of the key need not run: its input is one that the model refuses.
    const isSpared = isSparing === true && kind === 'live';
    const label = `limits${tail}-${name}`.replaceAll(/[^a-z0-9]+/g, '-');
    const call = {
      label,
      to: authored.path + tail,
      value: isSpared ? send.requireInvalidInput(authored) : authored.input,
    };
    return send.underNewKey(name, call, make, isSpared ? { ...usual, ...send.rejected } : usual);
  };
}

const longer = (length: number) => (key: string) => key.padEnd(length, '-');
const refusedKeys: Readonly<Record<string, send.MakeKey>> = {
  'a key of 256 characters': longer(send.longestKey + 1),
  'a key of 300 characters': longer(300),
  'a key of 4000 characters': longer(4_000),
};
const odd: Readonly<Record<string, send.MakeKey>> = {
  'letters beyond ASCII': (key) => `${key}-\u00e9`,
  'a space inside': (key) => `${key} x`,
  punctuation: (key) => `${key}!"#$%&'()*+,./:;<=>?@[\\]^\`{|}~`,
};

function aboutKeys({ name, noun, tail, key: limit, refusal }: StartOperation): Readonly<Record<RuleId, FamilyMember>> {
  const each =
    (keys: typeof refusedKeys, options: Parameters<typeof callUnder>[3]) =>
    (context: ProbeContext): Probe => [
      send.seed,
      ...Object.entries(keys).map(([key, make]) => callUnder(make, key, tail, options)(context)),
    ];
  return {
    [`limits.${name}-key.of-1-to-255-characters-is-accepted`]: {
      sentence: `A ${noun} accepts an idempotency key of 1 to 255 characters.`,
      requirements: [limit],
      probe: (context) => [
        send.seed,
        name === 'run'
          ? send.runUnderLongestKey('longest', context)
          : callUnder(longer(send.longestKey), 'longest', tail)(context),
        callUnder(() => name.slice(0, 1), 'shortest', tail, { isSparing: true })(context),
      ],
      // Other rules check what comes of the call itself: served, a conflict, or the refusal of its input.
      check: expect.unless(
        (evidence) => !expect.answeredWith('longest', 200, 201, 202, 400, 409, 422, 431)(evidence),
        'the call was not served, whatever its key',
        expect.on(['longest', 'shortest'], expect.notStatus([400, 431], 'the key accepted')),
      ),
    },
    [`limits.${name}-key.longer-ones-are-refused`]: {
      sentence: `A ${noun} with an idempotency key of more than 255 characters is refused as invalid_input.`,
      requirements: [limit, refusal, 'MR-CTG-01'],
      reading: 'OP-032',
      probe: each(refusedKeys, send.rejected),
      check: expect.on(Object.keys(refusedKeys), expect.error([400, 422, 431], 'invalid_input')),
    },
    [`limits.${name}-key.an-empty-one-is-refused`]: {
      sentence: `A ${noun} with an empty idempotency key is refused as invalid_input.`,
      requirements: [limit, refusal, 'MR-CTG-01'],
      reading: 'OP-032',
      probe: each({ empty: () => '' }, send.rejected),
      check: expect.on('empty', expect.error([400, 422], 'invalid_input')),
    },
    [`limits.${name}-key.of-other-characters`]: {
      sentence: `What a ${noun} with an idempotency key of unusual characters gets is noted.`,
      observes: true,
      requirements: [limit],
      probe: each(odd, { isSparing: true }),
      check: expect.leftOpen(Object.keys(odd), (evidence) => {
        const seen = Object.keys(odd).map((key) => `${key}: ${readResponse(evidence, key).status}`);
        return `keys with ${seen.join(', ')} (OP-032)`;
      }),
    },
  };
}

const oddModels: Readonly<Record<string, string>> = {
  'a provider of 65 characters': `${'p'.repeat(65)}/m`,
  'a model of 129 characters': `p/${'m'.repeat(129)}`,
  'a model of 2000 characters': `p/${'m'.repeat(2_000)}`,
  capitals: 'NO-SUCH-PROVIDER/NO-SUCH-MODEL',
  quotes: `no'such"provider/no;such--model`,
  'letters beyond ASCII': 'n\u00f6-such/m\u00f6del',
  'a percent sign': 'no%such/100%',
  'a star': '*/*',
};

const oddRequests: Readonly<Record<string, string>> = {
  'no UUID': 'not-a-uuid',
  'a UUID with more behind it': `${send.unknownRequestId}0`,
  'a UUID in capitals': send.unknownRequestId.replaceAll('0', 'A'),
  'a UUID without hyphens': send.unknownRequestId.replaceAll('-', ''),
  quotes: encodeURIComponent(`' or '1'='1`),
  'four hundred characters': 'a'.repeat(400),
};

/** Each of the ids is unknown, or malformed (OP-037): either refusal has a category of its own. */
function areUnknown(
  { method }: RouterOperation,
  ids: typeof oddModels,
  findPath: (id: string, context: ProbeContext) => string,
): Shown {
  const body = method === 'POST' ? send.jsonBody({}) : {};
  return expect.answers(
    (context) =>
      Object.entries(ids).map(([odd, id]) =>
        send.step(odd, { api: 'router', method, to: findPath(id, context), ...body }),
      ),
    expect.status([404, 400, 414, 422]),
    expect.category('model_not_found', 'request_not_found', 'invalid_input'),
  );
}

function aboutIds(operation: RouterOperation): Readonly<Record<RuleId, FamilyMember>> {
  const { name, tail, refusals } = operation;
  const notFound = refusals[404];
  if (notFound === undefined) return {};
  const ofRequests: FamilyMember = {
    sentence: `A request id of odd form is refused as unknown (${name}).`,
    requirements: [notFound, 'MR-COL-02', 'MR-CTG-24'],
    ...areUnknown(
      operation,
      oddRequests,
      (id, { authored }) => authored.path + tail.replace(send.unknownRequestId, id),
    ),
  };
  return {
    [`limits.model-id.odd-ones-are-not-found.${name}`]: {
      sentence: `A model id of odd form is refused as unknown (${operation.words}).`,
      requirements: [notFound, 'MR-STC-05', 'MR-MOD-02', 'MR-MOD-03', 'MR-CTG-10'],
      ...areUnknown(operation, oddModels, (id) => send.modelPath(id) + tail),
    },
    ...(tail.includes(send.unknownRequestId) && { [`limits.request-id.odd-ones-are-not-found.${name}`]: ofRequests }),
  };
}

const keys: Family = { cost: 'billed', requires: [state] };
const ids: Family = { requires: [state], requiredOf: ['sandbox', 'live'] };

export const limitRules = [
  ...defineFamily(keys)(...startOperations.map(aboutKeys)),
  ...defineFamily(ids)(...routerOperations.map(aboutIds)),
];
