import { expect, test } from 'vitest';
import { createSampler, type JsonValue, readModelOperation, readSchema } from '../../specs/src/index.ts';
import { createTyping } from '../src/typing/typing.ts';
import { createDice } from './random-documents/dice.ts';
import { randomDocument } from './random-documents/documents.ts';
import { compileRawSchema } from './raw-ajv-schema.ts';

const seed = 20_261_128;
/** `npm run test:long` uses 300. */
const documents = Number(process.env['SWITCHYARD_DOCUMENTS'] ?? 40);

/** Samples input and output of random documents. `isNever`: no value is valid. `isMissing`: no sample was found. */
function sampleAll() {
  const dice = createDice(seed);
  return Array.from({ length: documents }, (_, index) => {
    const root = randomDocument(`random-provider/made-${index}`, dice);
    const { input, outputs = [] } = readModelOperation(root) ?? {};
    const found = [
      { schema: input?.schema, side: 'input' } as const,
      { schema: outputs[0]?.schema, side: 'output' } as const,
    ];
    return found.map(({ schema = true, side }) => {
      const raw = typeof schema === 'object' ? Object(schema) : schema === true;
      const source = readSchema(root, raw, side);
      const isValid = compileRawSchema(raw, { root, side });
      const typing = createTyping(source.definitions, []);
      const type = typing.readType(source.schema, { includesArrayLengths: true });
      const isNever =
        type.kind === 'never' || (type.kind === 'reference' && typing.declared(type.name).kind === 'never');
      const sample = createSampler(source);
      const random = (): number => dice.below(1_000) / 1_000;
      const samples = (['full', 'small', 'call'] as const).map((prefer) => sample({ random, prefer, isValid }));
      const isInvalid = (value: JsonValue | undefined): boolean => value !== undefined && !isValid(value);
      return { isNever, invalid: samples.filter(isInvalid), isMissing: samples.includes(undefined) };
    });
  }).flat();
}

test(`the sampler only returns valid values for random schemas, and finds one for 95 % of them (seed ${seed})`, () => {
  const all = sampleAll();
  const possible = all.filter(({ isNever }) => !isNever);
  expect(all.flatMap(({ invalid }) => invalid)).toEqual([]);
  expect(possible.length).toBeGreaterThan(documents);
  expect(possible.filter(({ isMissing }) => isMissing).length / possible.length).toBeLessThan(0.05);
});
