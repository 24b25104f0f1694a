import { describe, expect, test } from 'vitest';
import type { CanonicalSchema, DefinitionName } from '../../../specs/src/index.ts';
import { createTyping } from './typing.ts';

const nothing: CanonicalSchema = { not: {} };

function ref(name: string): CanonicalSchema {
  return { ref: name as DefinitionName };
}

function object(properties: Record<string, CanonicalSchema>): CanonicalSchema {
  return { type: ['object'], properties: new Map(Object.entries(properties)) };
}

function openTyping(definitions: Record<string, CanonicalSchema>) {
  const named = new Map(Object.entries(definitions).map(([name, schema]) => [name as DefinitionName, schema]));
  return createTyping(named, [...named.keys()].map(ref));
}

describe('createTyping', () => {
  test('uses the type unknown for a schema that only refers to itself', () => {
    const typing = openTyping({ A: ref('B'), B: ref('A') });
    expect(typing.declared('A' as DefinitionName)).toEqual({ kind: 'unknown' });
  });

  test('terminates for a ring of 32 unions that refer to each other', () => {
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
