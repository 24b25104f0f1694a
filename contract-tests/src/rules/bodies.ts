import type { Answer } from '../contract/answer.ts';
import { type Rule, rule } from '../contract/rule.ts';
import { type FreeContext, scenario } from '../contract/scenario.ts';
import type { Values } from '../contract/values.ts';
import { state } from '../requires.ts';
import { literalBody, requireInvalidInput } from './calls.ts';
import * as expect from './expect.ts';
import { type StartOperation, startOperations } from './operations.ts';

/** Bodies by their names in reports. */
type Bodies = Readonly<Record<string, string | Uint8Array>>;

/** JSON, but not an object (MR-RUN-15). */
const makeNonObjects = (input: string, { text, number }: Values): Bodies => ({
  'an array': `[${input}]`,
  'an empty array': '[]',
  'a string': `"${text('a text')}"`,
  'an input as a string': JSON.stringify(input),
  'a number': String(number(7, 2, 99)),
  'a boolean': 'true',
  null: 'null',
});

/** A router may report a missing body as a missing field. */
const nothing: Bodies = { 'no bytes': '', 'white space': ' \n' };

/** Not JSON; no lenient parser can read an object from any of them. */
const makeMalformed = (input: string, { text, number }: Values): Bodies => ({
  'an input cut short': input.slice(0, -1),
  'an input with more behind it': `${input} ${text('and so on')}`,
  'two inputs': `${input}${input}`,
  'an input after a word': `${text('input')} ${input}`,
  'a form': `prompt=${text('A+quay')}&steps=${number(4, 1, 99)}`,
  'a word': text('undefined'),
  'a page': '<html><body>{}</body></html>',
  'a string that does not end': `{"prompt": "${text('A quay')}}`,
  'a member without a value': '{"prompt":}',
  'a member without quotes': `{prompt: ${number(4, 1, 99)}}`,
});

/** Answers by the names of the bodies, which are those of their calls. */
type Answered = Readonly<Record<string, Answer>>;

const notUtf8 = 'bytes that are not UTF-8';
const mediaTypes = { 'as text': 'text/plain', 'as a form': 'application/x-www-form-urlencoded' };

/** Adds a member to the JSON text of an object. */
function addMember(object: string, member: string): string {
  const members = object.slice(0, -1);
  return `${members}${members === '{' ? '' : ','}${member}}`;
}

function bodyRulesOf({ name, noun, object, refusal }: StartOperation): readonly Rule[] {
  const sendEach = async (
    server: FreeContext,
    model: 'authored' | 'unauthored',
    make: (input: string, values: Values) => Bodies,
  ): Promise<Answered> => {
    const { path, input, invalidInput } = server[model];
    // On a live target the bodies contain an input that the model rejects, if there is one, so that none of them runs.
    const text = JSON.stringify(server.kind === 'live' ? (invalidInput ?? input) : input);
    const answers = await server.eachRefused(Object.entries(make(text, server.values)), ([description, body]) =>
      server[name]({ path, input }, { ...literalBody(body), name: description, rejected: true }),
    );
    return Object.fromEntries(answers.map((answer) => [answer.step, answer]));
  };
  const requires = [state];
  const nonObjects = scenario({ requires }, (server) => sendEach(server, 'authored', makeNonObjects));
  const missing = scenario({ requires }, (server) => sendEach(server, 'authored', () => nothing));
  const malformed = scenario({ requires }, (server) => {
    const { invalidInput } = server.authored;
    // A server may decode the bytes to other letters: it then has an input that the model rejects.
    const latin1 = invalidInput && addMember(JSON.stringify(invalidInput), '"note":"caf\u00e9"');
    return sendEach(server, 'authored', (input, values) => ({
      ...makeMalformed(input, values),
      ...(latin1 !== undefined && { [notUtf8]: Buffer.from(latin1, 'latin1') }),
    }));
  });
  const unauthored = scenario({ cost: 'billed', requires }, (server) =>
    sendEach(server, 'unauthored', (input, values) => ({
      ...makeNonObjects(input, values),
      ...nothing,
      ...makeMalformed(input, values),
    })),
  );
  // An input that the model rejects, so that nothing runs however the server reads its content type.
  const labelled = scenario({ requires }, async (server): Promise<Answered> => {
    const input = JSON.stringify(requireInvalidInput(server.authored));
    const answers = await server.eachRefused(Object.entries(mediaTypes), ([description, type]) =>
      server[name](server.authored, { ...literalBody(input, type), name: description, rejected: true }),
    );
    return Object.fromEntries(answers.map((answer) => [answer.step, answer]));
  });
  const nested = scenario({ requires }, async (server) => {
    const input = JSON.stringify(requireInvalidInput(server.authored));
    const levels = server.values.number(2_000, 1_500, 2_500);
    const deep = addMember(input, `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`);
    return { deep: await server[name](server.authored, { ...literalBody(deep), rejected: true }) };
  });
  const isRefused = expect.statusThat((status) => status >= 400 && status < 500, 'a refusal');
  const requiredOf = ['sandbox', 'live'] as const;
  return [
    rule(`bodies.${name}.non-objects-are-refused`, nonObjects, {
      sentence: `A ${noun} whose body is not an object is refused.`,
      requirements: [object, refusal, 'MR-CTG-01', 'MR-CTG-03'],
      requiredOf,
      // A schema may name the whole input as the failing field.
      check: (answers) => expect.on(Object.values(answers), expect.error([400, 422], 'invalid_input')),
    }),
    rule(`bodies.${name}.missing-ones-are-refused`, missing, {
      sentence: `A ${noun} without a body is refused.`,
      requirements: [object, refusal, 'MR-CTG-01', 'MR-CTG-03'],
      requiredOf,
      check: (answers) => expect.on(Object.values(answers), expect.error([400, 422], 'invalid_input')),
    }),
    rule(`bodies.${name}.malformed-ones-are-refused`, malformed, {
      sentence: `A ${noun} whose body is no JSON is refused with 400.`,
      requirements: [refusal, 'MR-STC-01', 'MR-CTG-01'],
      requiredOf,
      check: ({ [notUtf8]: undecodable, ...others }) => [
        ...expect.on(Object.values(others), expect.error(400, 'invalid_input')),
        ...expect.on(undecodable, expect.error([400, 422], 'invalid_input')),
      ],
    }),
    rule(`bodies.${name}.unauthored-models-take-objects-only`, unauthored, {
      sentence: `A ${noun} ${name === 'run' ? 'of' : 'to'} a model without an authored schema still needs an object as its body.`,
      // Without a schema any object is accepted, and still nothing else.
      requirements: [object, refusal, 'MR-SCH-31', 'MR-CTG-01'],
      check: (answers) => expect.on(Object.values(answers), isRefused),
    }),
    rule(`bodies.${name}.with-another-label`, labelled, {
      sentence: `What a ${noun} with another content type gets is noted.`,
      observes: true,
      requirements: ['MR-RUN-15', 'MR-SUB-06'],
      requiredOf,
      check: (answers) => {
        const seen = Object.values(answers).map(({ status, step }) => `${status} ${step}`);
        return expect.leftOpen(Object.values(answers), `an invalid input gets ${seen.join(', ')} (OP-041)`);
      },
    }),
    rule(`bodies.${name}.deep-ones-break-nothing`, nested, {
      sentence: `A deeply nested body of a ${noun} does not make the server fail.`,
      requirements: [object],
      reading: 'OP-104',
      requiredOf,
      check: ({ deep }) => expect.on(deep, isRefused),
    }),
  ];
}

export const bodyRules = startOperations.flatMap(bodyRulesOf);
