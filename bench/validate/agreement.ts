import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { createRandom } from '../documents/random-schema.ts';
import type { BenchOptions } from '../options.ts';
import { progress } from '../report/output.ts';
import { mutant, randomKeywords, sample } from './random-keywords.ts';
import { type Figure, validatorOf } from './validator-of.ts';

const pairs = 10_000;
const valuesPerSchema = 10;

/** Random schemas of every keyword with random values, against ajv with native expressions. */
export function compareWithAjv({ seed, show }: BenchOptions): Figure {
  const random = createRandom(seed);
  const answers = Array.from({ length: pairs / valuesPerSchema }, () =>
    answersOf(randomKeywords(random), random),
  ).flat();
  const wrong = answers.filter(({ isRight }) => !isRight);
  for (const { text } of wrong.slice(0, show)) progress(text());
  const accepted = answers.filter(({ isValid }) => isValid).length;
  return {
    what: `${answers.length.toLocaleString('en')} random pairs (seed ${seed}): disagreements with ajv`,
    value: wrong.length,
    beside: `${accepted.toLocaleString('en')} of them valid`,
    target: '0',
    isMet: wrong.length === 0 && answers.length === pairs,
  };
}

type Answer = { isValid: boolean; isRight: boolean; text: () => string };

function answersOf(schema: JsonObject, random: () => number): Answer[] {
  const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, validateFormats: false });
  const decide = ajv.compile(schema);
  const { accepts, validate } = validatorOf(schema) ?? { accepts: () => undefined, validate: () => undefined };
  return valuesFor(schema, random).map((value) => {
    const isValid = decide(value);
    return {
      isValid,
      isRight: accepts(value) === isValid && validate(value)?.valid === isValid,
      text: () => `${JSON.stringify(value)} is ${isValid ? '' : 'in'}valid against ${JSON.stringify(schema)}`,
    };
  });
}

function valuesFor(schema: JsonObject, random: () => number): JsonValue[] {
  const values = [sample(schema, random)];
  while (values.length < valuesPerSchema)
    values.push(values.length % 3 === 0 ? sample(schema, random) : mutant(values.at(-1) ?? null, random));
  return values;
}
