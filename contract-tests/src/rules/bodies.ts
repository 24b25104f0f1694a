import type { ProbeContext } from '../contract/context.ts';
import type { DiscoveredModel } from '../contract/discovery.ts';
import { readResponse } from '../contract/evidence.ts';
import type { Step } from '../contract/probe.ts';
import { defineFamily, type FamilyMember, type RuleId } from '../contract/rule.ts';
import { state } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { type StartOperation, startOperations } from './builders/operations.ts';
import * as send from './builders/send.ts';

type Bodies = Readonly<Record<string, (input: string) => string | Uint8Array>>;

/** JSON, but no object (MR-RUN-15). `input` is the JSON text of an input that the model accepts. */
const nonObjects: Bodies = {
  'an array': (input) => `[${input}]`,
  'an empty array': () => '[]',
  'a string': () => '"a text"',
  'an input as a string': (input) => JSON.stringify(input),
  'a number': () => '7',
  'a boolean': () => 'true',
  null: () => 'null',
};

/** Nothing at all: a missing body may as well be called a missing field. */
const nothing: Bodies = { 'no bytes': () => '', 'white space': () => ' \n' };

/** No JSON, each beyond what a lenient parser could mean. */
const malformed: Bodies = {
  'an input cut short': (input) => input.slice(0, -1),
  'an input with more behind it': (input) => `${input} and so on`,
  'two inputs': (input) => `${input}${input}`,
  'an input after a word': (input) => `input ${input}`,
  'a form': () => 'prompt=A+quay&steps=4',
  'a word': () => 'undefined',
  'a page': () => '<html><body>{}</body></html>',
  'a string that does not end': () => '{"prompt": "A quay}',
  'a member without a value': () => '{"prompt":}',
  'a member without quotes': () => '{prompt: 4}',
};

/** A server may as well read what is no UTF-8 as other letters: it then has an input that the model refuses. */
const notUtf8 = 'bytes that are no UTF-8';
const writeInLatin1 = (input: string): Uint8Array => Buffer.from(addMember(input, '"note":"caf\u00e9"'), 'latin1');

const sendEach =
  (bodies: Bodies, { tail }: StartOperation, kind: 'authored' | 'unauthored') =>
  (context: ProbeContext): readonly Step[] => {
    const model = context[kind];
    // A live service should not run it, so the body contains an input that the model rejects, if there is one.
    const isSparing = context.kind === 'live' && model.invalidInput !== undefined;
    const input = JSON.stringify(isSparing ? model.invalidInput : model.input);
    return Object.entries(bodies).map(([name, make]) =>
      send.step(name, send.post(model.path + tail, send.literalBody(make(input))), send.rejected),
    );
  };

const sendMalformed =
  (operation: StartOperation) =>
  (context: ProbeContext): readonly Step[] => {
    const { invalidInput, path } = context.authored;
    const body = send.literalBody(writeInLatin1(JSON.stringify(invalidInput ?? {})));
    const unreadable = send.step(notUtf8, send.post(path + operation.tail, body), send.rejected);
    const each = sendEach(malformed, operation, 'authored')(context);
    return invalidInput === undefined ? each : [...each, unreadable];
  };

const anyRefusal = expect.statusThat((status) => status >= 400 && status < 500, 'a refusal');
const labels = { 'as text': 'text/plain', 'as a form': 'application/x-www-form-urlencoded' };
const levels = 2_000;

function aboutBodies(operation: StartOperation): Readonly<Record<RuleId, FamilyMember>> {
  const { name, noun, tail, object, refusal } = operation;
  const requirements = [object, refusal, 'MR-CTG-01', 'MR-CTG-03'];
  const sendInvalid = (
    label: string,
    model: DiscoveredModel,
    write: (input: string) => typeof send.malformedBody,
  ): Step => send.step(label, send.post(model.path + tail, write(JSON.stringify(send.requireInvalidInput(model)))));
  return {
    // Free: such a body never reaches a model, and on an authored one it would be invalid as well.
    [`bodies.${name}.non-objects-are-refused`]: {
      sentence: `A ${noun} whose body is no object is refused.`,
      requirements,
      // A schema may name the whole input as the failing field.
      ...expect.answers(sendEach(nonObjects, operation, 'authored'), expect.error([400, 422], 'invalid_input')),
    },
    [`bodies.${name}.missing-ones-are-refused`]: {
      sentence: `A ${noun} without a body is refused.`,
      requirements,
      ...expect.answers(sendEach(nothing, operation, 'authored'), expect.error([400, 422], 'invalid_input')),
    },
    [`bodies.${name}.malformed-ones-are-refused`]: {
      sentence: `A ${noun} whose body is no JSON is refused with 400.`,
      requirements: [refusal, 'MR-STC-01', 'MR-CTG-01'],
      probe: sendMalformed(operation),
      check: expect.all(
        expect.on(Object.keys(malformed), expect.error(400, 'invalid_input')),
        expect.ifSent(notUtf8, expect.error([400, 422], 'invalid_input')),
      ),
    },
    [`bodies.${name}.unauthored-models-take-objects-only`]: {
      sentence: `A ${noun} ${name === 'run' ? 'of' : 'to'} a model without an authored schema still needs an object as its body.`,
      // Without a schema any object is accepted, and still nothing else.
      requirements: [object, refusal, 'MR-SCH-31', 'MR-CTG-01'],
      cost: 'billed',
      requiredOf: ['sandbox'],
      ...expect.answers(sendEach({ ...nonObjects, ...nothing, ...malformed }, operation, 'unauthored'), anyRefusal),
    },
    [`bodies.${name}.with-another-label`]: {
      sentence: `What a ${noun} with another content type gets is noted.`,
      observes: true,
      requirements: ['MR-RUN-15', 'MR-SUB-06'],
      // An input that the model refuses, so that nothing runs whatever is made of its label.
      probe: ({ authored }) =>
        Object.entries(labels).map(([label, type]) =>
          sendInvalid(label, authored, (input) => send.literalBody(input, type)),
        ),
      check: expect.leftOpen(Object.keys(labels), (evidence) => {
        const seen = Object.keys(labels).map((label) => `${readResponse(evidence, label).status} ${label}`);
        return `an invalid input gets ${seen.join(', ')} (OP-041)`;
      }),
    },
    [`bodies.${name}.deep-ones-break-nothing`]: {
      sentence: `A deeply nested body of a ${noun} is no failure of the server.`,
      requirements: [object],
      reading: 'OP-104',
      probe: ({ authored }) => [sendInvalid('deep', authored, (input) => send.literalBody(addDepth(input)))],
      check: expect.on('deep', anyRefusal),
    },
  };
}

/** The JSON text of the input with a member beside its own. */
function addMember(input: string, member: string): string {
  const members = input.slice(0, -1);
  return `${members}${members === '{' ? '' : ','}${member}}`;
}

/** The input with a member beside its own that is nested beyond need. */
const addDepth = (input: string): string => addMember(input, `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`);

export const bodyRules = defineFamily({ requires: [state], requiredOf: ['sandbox', 'live'] })(
  ...startOperations.map(aboutBodies),
);
