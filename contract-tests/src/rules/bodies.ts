import type { DiscoveredModel } from '../contract/discovery.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import { type CallOptions, type FreeContext, scenario, type Values } from '../contract/scenario.ts';
import { state } from '../requires.ts';
import { literalBody, requireInvalidInput } from './calls.ts';
import * as expect from './expect.ts';
import { type StartOperation, startOperations } from './operations.ts';

const rule = ruleIn('bodies', { requiredOf: ['sandbox', 'live'] });

type Bodies = Readonly<Record<string, string | Uint8Array>>;

/** Returns JSON values other than objects (MR-RUN-15), and empty bodies, which a router may report as missing fields. */
const makeNonObjects = (input: string, { text, number }: Values): Bodies => ({
  'an array': `[${input}]`,
  'a string': `"${text('a text')}"`,
  'an input as a string': JSON.stringify(input),
  'a number': String(number(7, 2, 99)),
  null: 'null',
  'no bytes': '',
  'white space': ' \n',
});

/** Returns invalid JSON texts in which no lenient parser finds an object. */
const makeMalformed = (input: string, { text, number }: Values): Bodies => ({
  'an input cut short': input.slice(0, -1),
  'an input with trailing text': `${input} ${text('and so on')}`,
  'an input after a word': `${text('input')} ${input}`,
  'a form': `prompt=${text('A+quay')}&steps=${number(4, 1, 99)}`,
  'a word': text('undefined'),
  'an HTML page': '<html><body>{}</body></html>',
  'an unterminated string': `{"prompt": "${text('A quay')}}`,
  'an unquoted member name': `{prompt: ${number(4, 1, 99)}}`,
});

function addMember(object: string, member: string): string {
  const members = object.slice(0, -1);
  return `${members}${members === '{' ? '' : ','}${member}}`;
}

/** Returns the JSON text of an input, on a live target preferably an invalid one, so that no body starts a run. */
function writeInput({ input, invalidInput }: DiscoveredModel, { kind }: FreeContext): string {
  return JSON.stringify(kind === 'live' ? (invalidInput ?? input) : input);
}

function bodyRulesOf({ name, noun, object, refusal, key }: StartOperation): readonly Rule[] {
  const sendEach = (server: FreeContext, { path, input }: DiscoveredModel, bodies: Bodies) =>
    server.sendRejectedCalls(Object.entries(bodies), ([description, body]) =>
      server[name]({ path, input }, { ...literalBody(body), name: description, rejected: true }),
    );
  const requires = [state];
  const nonObjects = scenario({ requires }, (server) =>
    sendEach(server, server.authored, makeNonObjects(writeInput(server.authored, server), server.values)),
  );
  const malformed = scenario({ requires }, async (server) => {
    const { authored, values } = server;
    const malformed = await sendEach(server, authored, makeMalformed(writeInput(authored, server), values));
    if (authored.invalidInput === undefined) return { malformed, notUtf8: [] };
    // A server may decode the bytes with a different encoding, so the input must be invalid in any case.
    const latin1 = Buffer.from(addMember(JSON.stringify(authored.invalidInput), '"note":"caf\u00e9"'), 'latin1');
    return { malformed, notUtf8: await sendEach(server, authored, { 'bytes that are not UTF-8': latin1 }) };
  });
  // Sends an invalid input, so that nothing runs, even if the server accepts the other part of the call.
  const open = scenario({ requires }, (server) => {
    const invalid = { ...server.authored, input: requireInvalidInput(server.authored) };
    const body = JSON.stringify(invalid.input);
    const levels = server.values.number(2_000, 1_500, 2_500);
    const deep = addMember(body, `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`);
    const key = (end: string): CallOptions => ({ key: `${server.newKey('open')}${end}` });
    const calls: Readonly<Record<string, CallOptions>> = {
      'a body labelled as text': literalBody(body, 'text/plain'),
      'a body labelled as a form': literalBody(body, 'application/x-www-form-urlencoded'),
      'a deeply nested body': literalBody(deep),
      'an unknown query parameter': { query: `?${server.values.text('no_such_parameter')}=1` },
      'a key with letters beyond ASCII': key('-\u00e9'),
      'a key with a space': key(' x'),
      'a key with punctuation': key('!"#$%&\'()*+,./:;<=>?@[\\]^`{|}~'),
    };
    return server.sendRejectedCalls(Object.entries(calls), ([description, options]) =>
      server[name](invalid, { ...options, name: description, rejected: true }),
    );
  });
  return [
    rule(`bodies.${name}.non-objects-are-refused`, nonObjects, {
      sentence: `A ${noun} without a body, or with one that is not a JSON object, is rejected with 400 or 422 invalid_input.`,
      requirements: [object, refusal, 'MR-CTG-01', 'MR-CTG-03'],
      // The error may refer to the whole input instead of a field.
      check: (answers) => expect.on(answers, expect.error([400, 422], 'invalid_input')),
    }),
    rule(`bodies.${name}.malformed-ones-are-refused`, malformed, {
      sentence: `A ${noun} whose body is not JSON is rejected with 400 invalid_input.`,
      requirements: [refusal, 'MR-STC-01', 'MR-CTG-01', ...(name === 'run' ? ['MR-RUN-39'] : [])],
      check: ({ malformed, notUtf8 }) => [
        ...expect.on(malformed, expect.error(400, 'invalid_input')),
        ...notUtf8.flatMap((answer) => expect.on(answer, expect.error([400, 422], 'invalid_input'))),
      ],
    }),
    rule(`bodies.${name}.open-calls-break-nothing`, open, {
      sentence: `The responses to a ${noun} with an unusual content type, depth, query or key are recorded, not judged.`,
      observes: true,
      requirements: [object, key, ...(name === 'run' ? ['MR-RUN-02', 'MR-RUN-07'] : [])],
      // OP-029, OP-032, OP-041, OP-104.
      check: (answers) => {
        const seen = answers.map(({ status, step }) => `${step}: ${status}`);
        return expect.recordObservation(answers, `an invalid input gets ${seen.join(', ')}`);
      },
    }),
  ];
}

export const bodyRules = startOperations.flatMap(bodyRulesOf);
