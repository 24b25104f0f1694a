import type { JsonValue } from '../../../specs/src/index.ts';
import type { Literal, TypeModel } from './type-model.ts';

/** The type of this one value; a container of literals is closed at its own size. */
export function literalType(value: JsonValue): TypeModel {
  if (isLiteral(value)) {
    // A number too large for a double has no literal of its own.
    const isPrintable = typeof value !== 'number' || Number.isFinite(value);
    return isPrintable ? { kind: 'literal', value } : { kind: 'scalar', scalar: 'number' };
  }
  if (Array.isArray(value)) {
    return { kind: 'tuple', prefix: value.map(literalType), required: value.length, rest: 'closed' };
  }
  const fields = Object.entries(value).map(([name, member]) => {
    return [name, { name, required: true, type: literalType(member), docs: {} }] as const;
  });
  return { kind: 'object', fields: new Map(fields), patterns: [], rest: 'closed' };
}

function isLiteral(value: JsonValue): value is Literal {
  return value === null || typeof value !== 'object';
}
