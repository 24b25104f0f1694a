import { describe, expect, test } from 'vitest';
import type { CanonicalSchema, DefinitionName } from '../../../specs/src/index.ts';
import { printType } from '../emit/print-type.ts';
import { createTyping } from './typing.ts';

const nothing: CanonicalSchema = { not: {} };
const text: CanonicalSchema = { type: ['string'] };

function ref(name: string): CanonicalSchema {
  return { ref: name as DefinitionName };
}

function object(properties: Record<string, CanonicalSchema>, more: CanonicalSchema = {}): CanonicalSchema {
  return { type: ['object'], properties: new Map(Object.entries(properties)), ...more };
}

function openTyping(definitions: Record<string, CanonicalSchema>) {
  const named = new Map(Object.entries(definitions).map(([name, schema]) => [name as DefinitionName, schema]));
  return createTyping(named, [...named.keys()].map(ref));
}

function print(schema: CanonicalSchema): string {
  const typing = openTyping({ Named: object({ a: text }, { required: ['a'] }) });
  return printType(typing.finalise(typing.readType(schema, { isCounted: false }))).text.replace(/\s+/g, ' ');
}

describe('createTyping', () => {
  const cases: [sentence: string, schema: CanonicalSchema, type: string][] = [
    ['intersects keywords', { type: ['string', 'null'], enum: ['a', 1] }, '"a"'],
    ['keeps a name that the other keywords do not narrow', { allOf: [ref('Named'), { type: ['object'] }] }, 'Named'],
    [
      'merges a named object with another one',
      { allOf: [ref('Named'), object({ b: text })] },
      '{ a: string; b?: string }',
    ],
    ['subtracts literals', { enum: ['a', 'b', 'c'], not: { enum: ['b'] } }, '"a" | "c"'],
    ['subtracts an object by an absent member', { ...ref('Named'), not: { required: ['b'] } }, 'Named & { b?: never }'],
    [
      'does not subtract values that no type can express',
      { ...text, not: { limits: new Map([['minLength', 2]]) } },
      'string',
    ],
    [
      'separates the branches of oneOf',
      { oneOf: [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })] },
      '{ a: string; b?: never } | { b: string; a?: never }',
    ],
    [
      'lists the keys of other members as absent in a closed member of a union',
      { anyOf: [object({ a: text }, { additionalProperties: nothing }), object({ b: text })] },
      '{ a?: string; b?: never } | { b?: string; a?: unknown }',
    ],
    [
      'gives a tuple its required length',
      { type: ['array'], prefixItems: [text, text], minItems: 1, items: nothing },
      '[string, string?]',
    ],
  ];
  test.each(cases)('%s', (_sentence, schema, type) => {
    expect(print(schema)).toBe(type);
  });

  test('declares a type that only refers to itself as unknown', () => {
    const typing = openTyping({ A: ref('B'), B: ref('A') });
    expect(typing.declared('A' as DefinitionName)).toEqual({ kind: 'unknown' });
  });

  test('finishes on a long ring of unions', () => {
    const names = Array.from({ length: 32 }, (_, index) => `N${index}`);
    const definitions = names.map((name, index) => {
      const next = ref(names[(index + 1) % names.length] ?? name);
      return [name, { anyOf: [next, object({ a: next })], unevaluatedProperties: nothing }] as const;
    });
    const typing = openTyping(Object.fromEntries(definitions));
    const kinds = names.map((name) => typing.declared(name as DefinitionName).kind);
    expect(new Set(kinds)).toEqual(new Set(['union']));
  });
});
