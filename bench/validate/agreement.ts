import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { createRandom } from '../documents/random-schema.ts';
import type { BenchOptions } from '../options.ts';
import type { Figure } from '../report/figures.ts';
import { progress } from '../report/output.ts';
import { makeValidator } from './make-validator.ts';
import { mutant, randomKeywords, sample } from './random-keywords.ts';

const pairs = 10_000;
const valuesPerSchema = 10;

/** Random schemas of every keyword with random values, against ajv with native expressions. */
export function compareWithAjv({ seed, show }: BenchOptions): Figure {
  const random = createRandom(seed);
  const answers: Answer[] = [];
  let broken = 0;
  while (answers.length < pairs) {
    const made = listAnswers(randomKeywords(random), random);
    answers.push(...made);
    if (made.length === 0) broken += 1;
  }
  const wrong = answers.filter(({ isRight }) => !isRight);
  for (const { text } of wrong.slice(0, show)) progress(text());
  const accepted = answers.filter(({ isValid }) => isValid).length;
  return {
    what: `${answers.length.toLocaleString('en')} random pairs (seed ${seed}): disagreements with ajv`,
    value: wrong.length,
    beside: `${accepted.toLocaleString('en')} of them valid; left out, since ajv compiles broken code for them: ${broken} schemas`,
    target: '0',
    isMet: wrong.length === 0 && answers.length === pairs,
  };
}

type Answer = { isValid: boolean; isRight: boolean; text: () => string };

function listAnswers(schema: JsonObject, random: () => number): Answer[] {
  const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, validateFormats: false });
  const decide = ajv.compile(schema);
  const values = valuesFor(schema, random);
  if (values.some((value) => breaks(decide, value))) return [];
  const { accepts, validate } = makeValidator(schema) ?? { accepts: () => undefined, validate: () => undefined };
  return values.map((value) => {
    const isValid = decide(value);
    return {
      isValid,
      isRight: accepts(value) === isValid && validate(value)?.valid === isValid,
      text: () => `${JSON.stringify(value)} is ${isValid ? '' : 'in'}valid against ${JSON.stringify(schema)}`,
    };
  });
}

/** Whether the code that ajv compiled names a variable that it does not declare; some `unevaluated…` make it do so. */
function breaks(decide: (value: JsonValue) => boolean, value: JsonValue): boolean {
  try {
    decide(value);
    return false;
  } catch (error) {
    if (error instanceof ReferenceError) return true;
    throw error;
  }
}

function valuesFor(schema: JsonObject, random: () => number): JsonValue[] {
  const values = [sample(schema, random)];
  while (values.length < valuesPerSchema)
    values.push(values.length % 3 === 0 ? sample(schema, random) : mutant(values.at(-1) ?? null, random));
  return values;
}
