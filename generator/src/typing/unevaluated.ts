import { type CanonicalSchema, isNothing } from '../../../specs/src/index.ts';
import { markInexact } from './inexact.ts';
import type { TypingState } from './named-types.ts';
import { type ArrayType, neverType, type ObjectType, type TsType } from './ts-type.ts';
import { everything, joinTypes, type Kind } from './unions.ts';

type Unevaluated = { state: TypingState; members: TsType | undefined; items: TsType | undefined };

/** Applies `unevaluatedProperties` and `unevaluatedItems` to members and items that no part of the schema evaluates. */
export function readUnevaluated(schema: CanonicalSchema, base: TsType, state: TypingState): TsType {
  const { unevaluatedProperties, unevaluatedItems } = schema;
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return base;
  const read = (part: CanonicalSchema | undefined) => part && (isNothing(part) ? neverType : state.readType(part));
  const unevaluated = { state, members: read(unevaluatedProperties), items: read(unevaluatedItems) };
  if (base.kind !== 'unknown') return close(base, unevaluated);
  // The type `unknown` doesn't record which members have been evaluated.
  return evaluates(schema) ? markInexact(base, kindsClosed(schema), state) : close(everything, unevaluated);
}

const evaluating = [
  'ref',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'items',
  'prefixItems',
  'contains',
  'properties',
  'patternProperties',
  'additionalProperties',
] as const;

function evaluates(schema: CanonicalSchema): boolean {
  return evaluating.some((keyword) => schema[keyword] !== undefined) || (schema.allOf ?? []).some(evaluates);
}

function kindsClosed({ unevaluatedProperties, unevaluatedItems }: CanonicalSchema): ReadonlySet<Kind> {
  if (unevaluatedItems === undefined) return new Set(['object']);
  return new Set(unevaluatedProperties === undefined ? ['array'] : ['object', 'array']);
}

function close(type: TsType, unevaluated: Unevaluated): TsType {
  switch (type.kind) {
    case 'object':
      return unevaluated.members === undefined ? type : closeObject(type, unevaluated.members);
    case 'array':
      return unevaluated.items === undefined ? type : closeArray(type, unevaluated.items);
    case 'union':
      return joinTypes(type.members.map((member) => close(member, unevaluated)));
    case 'reference': {
      const expanded = unevaluated.state.expand(type.name);
      const closed = expanded && close(expanded, unevaluated);
      return closed === undefined || closed === expanded ? type : closed;
    }
    default:
      return type;
  }
}

function closeArray(type: ArrayType, items: TsType): ArrayType {
  if (type.rest === 'closed' || type.evaluated) return type;
  if (items.kind === 'unknown') return { ...type, evaluated: true };
  if (items.kind !== 'never') return { ...type, rest: items };
  return { kind: 'array', prefix: type.prefix, required: type.required, rest: 'closed' };
}

function closeObject(type: ObjectType, members: TsType): TsType {
  if (type.rest !== 'unspecified') return type;
  const fields = new Map(type.fields);
  for (const [name, field] of fields) {
    if (!field.unevaluated) continue;
    const { unevaluated, ...evaluated } = field;
    if (members.kind === 'unknown') fields.set(name, evaluated);
    if (members.kind !== 'never') continue;
    if (field.required) return neverType;
    fields.set(name, { ...field, type: neverType });
  }
  if (members.kind === 'unknown') return { ...type, fields, rest: 'open' };
  return { ...type, fields, rest: members.kind === 'never' ? 'closed' : members };
}
