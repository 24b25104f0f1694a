import { type CanonicalSchema, isNothing, limitKeywords } from '../../../specs/src/index.ts';
import type { TypingState } from './named-types.ts';
import { anyObject, type TsType } from './ts-type.ts';
import { classify, everything, isSingle, joinTypes, type Kind, listMembers } from './unions.ts';

/** Limiting keywords by kind, without the lengths of arrays. */
const limitsOfKinds = new Map(
  [...limitKeywords].filter(([word, { type, informs }]) => !informs && (type !== 'array' || word === 'uniqueItems')),
);

/** Marks the base as inexact if the schema refuses some of its values in ways that types can't express. */
export function readLimits(schema: CanonicalSchema, base: TsType, state: TypingState): TsType {
  const { limits, propertyNames, contains, minItems, maxItems, items, prefixItems } = schema;
  if ((limits ?? propertyNames ?? contains ?? minItems ?? maxItems) === undefined) return base;
  const kinds = new Set<Kind>();
  for (const keyword of limits?.keys() ?? []) {
    const { type } = limitsOfKinds.get(keyword) ?? {};
    if (type !== undefined) kinds.add(type);
  }
  const isLengthOnly = (minItems ?? maxItems) !== undefined && items === undefined && prefixItems === undefined;
  if (contains !== undefined || isLengthOnly) kinds.add('array');
  if (propertyNames !== undefined && propertyNames.enum === undefined && !isNothing(propertyNames)) kinds.add('object');
  if (kinds.size === 0) return base;
  const marked = markInexact(base, kinds, state);
  // The items that `contains` evaluates depend on the value.
  return contains === undefined ? marked : joinTypes(listMembers(marked).map(markEvaluated));
}

function markEvaluated(type: TsType): TsType {
  return type.kind === 'array' ? { ...type, evaluated: true } : type;
}

/** Marks types of these kinds as inexact: the schema refuses some of their values. */
export function markInexact(type: TsType, kinds: ReadonlySet<Kind>, state: TypingState): TsType {
  if (type.kind === 'unknown') return markInexact(everything, kinds, state);
  if (type.kind === 'union') return joinTypes(type.members.map((member) => markInexact(member, kinds, state)));
  if (type.kind === 'reference') {
    const expanded = state.expand(type.name);
    if (expanded === undefined || !isSingle(expanded) || !kinds.has(classify(expanded) ?? 'bytes')) return type;
    // An object keeps the name of its type.
    return expanded.kind === 'object'
      ? { kind: 'intersection', members: [type, { ...anyObject, inexact: true }] }
      : markInexact(expanded, kinds, state);
  }
  if (!isSingle(type) || type.kind === 'bytes') return type;
  const kind = classify(type);
  return kind !== undefined && kinds.has(kind) ? { ...type, inexact: true } : type;
}
