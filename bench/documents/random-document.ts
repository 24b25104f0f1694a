import type { JsonObject } from '../../specs/src/index.ts';
import { type BenchDocument, makeDocument } from './document.ts';
import { createRandom, type Dice, randomObject, randomSchema } from './random-schema.ts';

const components = ['Size', 'Style', 'Layer', 'File'];

/** Random documents; the same seed and count give the same ones. */
export function randomDocuments(count: number, seed: number): BenchDocument[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const id = `random-provider/made-${index}`;
    return makeDocument(id, 'unknown', randomDocument(id, random));
  });
}

function randomDocument(id: string, random: () => number): JsonObject {
  const dice: Dice = { random, components, depth: 3 };
  const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  return {
    openapi: random() < 0.6 ? '3.0.3' : '3.1.0',
    info: { title: id, version: '000000000000' },
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          operationId: 'runModel',
          requestBody: { required: true, ...json(randomObject(dice)) },
          responses: { 200: { description: 'What the model gives.', ...json(randomSchema(dice)) } },
        },
      },
    },
    components: {
      schemas: Object.fromEntries(components.map((name) => [name, randomComponent({ ...dice, depth: 1 })])),
    },
    'x-service-input-schema-authored': true,
    'x-service-output-schema-authored': true,
  };
}

function randomComponent(dice: Dice): JsonObject {
  return dice.random() < 0.75 ? randomObject(dice) : randomSchema(dice);
}
