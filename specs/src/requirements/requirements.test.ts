import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json.ts';
import { parseAssumptions, parseRequirements, readAssumptions, readRequirements } from './requirements.ts';

function countBy<T>(list: readonly T[], key: (entry: T) => string | readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of list.flatMap(key)) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe('readRequirements', () => {
  const all = readRequirements();

  test('returns every requirement of both APIs once', () => {
    expect(countBy(all, ({ id }) => id.slice(0, 2))).toEqual({ MR: 512, WX: 116 });
    expect(new Set(all.map(({ id }) => id)).size).toBe(628);
  });

  test('counts each level, observation, cost and party', () => {
    expect(countBy(all, ({ level }) => level)).toEqual({ must: 543, may: 28, note: 57 });
    expect(countBy(all, ({ observe }) => observe)).toEqual({
      static: 63,
      exchange: 241,
      scenario: 185,
      client: 79,
      none: 60,
    });
    expect(countBy(all, ({ cost }) => cost)).toEqual({ free: 436, billed: 192 });
    expect(countBy(all, ({ parties }) => parties)).toEqual({ spec: 378, server: 498, client: 335, generator: 79 });
  });

  test('numbers each area without a gap', () => {
    for (const [area, count] of Object.entries(countBy(all, ({ id }) => id.slice(0, 6)))) {
      const numbers = all.filter(({ id }) => id.startsWith(area)).map(({ id }) => Number(id.slice(7)));
      expect([area, numbers]).toEqual([area, Array.from({ length: count }, (_, index) => index + 1)]);
    }
  });
});

describe('parseRequirements', () => {
  const entry = {
    ...{ id: 'MR-GEN-01', section: '1', statement: 's', level: 'must', parties: ['spec'] },
    ...{ observe: 'static', cost: 'free', provoke: 'p' },
  };
  const refused: [sentence: string, value: JsonValue, message: RegExp][] = [
    ['no list', {}, /is not a list/],
    ['an entry that is a string', ['x'], /\[0\]: is not an object/],
    ['a malformed id', [{ ...entry, id: 'MR-1' }], /MR-1 is not a requirement id/],
    ['an empty statement', [{ ...entry, statement: '' }], /statement must be a text/],
    ['an unknown level', [{ ...entry, level: 'should' }], /MR-GEN-01: "should" must be one of must, may, note/],
    ['an unknown party', [{ ...entry, parties: ['user'] }], /"user" must be one of/],
    ['an empty list of parties', [{ ...entry, parties: [] }], /parties must be a list/],
  ];
  test.each(refused)('refuses %s', (_sentence, value, message) => {
    expect(() => parseRequirements(value, 'register')).toThrow(message);
  });
  test('accepts a well-formed entry', () => {
    expect(parseRequirements([entry], 'register')).toEqual([entry]);
  });
});

describe('readAssumptions', () => {
  test('numbers the assumptions without a gap', () => {
    const ids = readAssumptions().map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids.map((_, index) => `NS-${String(index + 1).padStart(2, '0')}`));
  });
});

describe('parseAssumptions', () => {
  const entry = { id: 'NS-01', section: 's', choice: 'c', why: 'w', override: 'o' };
  test('accepts a well-formed entry', () => {
    expect(parseAssumptions([entry], 'list')).toEqual([entry]);
  });

  const refused: [sentence: string, value: JsonValue, message: RegExp][] = [
    ['no list', {}, /is not a list/],
    ['an entry that is a string', ['x'], /\[0\]: is not an object/],
    ['a malformed id', [{ ...entry, id: 'N-1' }], /N-1 is not the id/],
    ['an id used twice', [entry, entry], /NS-01 is used twice/],
    ['an empty choice', [{ ...entry, choice: ' ' }], /choice must be a text/],
    ['a reason that is not a string', [{ ...entry, why: 1 }], /why must be a text/],
    ['a missing override', [{ id: 'NS-01', section: 's', choice: 'c', why: 'w' }], /override must be a text/],
  ];
  test.each(refused)('refuses %s', (_sentence, value, message) => {
    expect(() => parseAssumptions(value, 'list')).toThrow(message);
  });
});
