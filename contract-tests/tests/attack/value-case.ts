import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';
import { componentRef } from './schemas.ts';

/** `truth` where it is known by construction: `ajv` lets ajv say, `ends` asks for an answer alone. */
export type ValueProbe = { readonly value: () => unknown; readonly truth: boolean | 'ajv' | 'ends' };
/** A schema as the output of a model, and values to ask its validator about. */
export type ValueCase = {
  readonly kind: string;
  readonly schema: JsonValue;
  readonly document: JsonObject;
  readonly probes: readonly ValueProbe[];
};

export type Part = {
  schema: JsonValue;
  components?: Record<string, JsonValue>;
  probes: (document: JsonObject) => ValueProbe[];
};
export type Make = (random: Random) => Part;

export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
export const S = componentRef('S');

/** A value with that many levels around a leaf. */
export function nested(depth: number, wrap: (inner: unknown) => unknown, leaf: unknown): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}
