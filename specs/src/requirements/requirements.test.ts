import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json.ts';
import { parseAssumptions, parseRequirements, readAssumptions, readRequirements } from './requirements.ts';

describe('readRequirements', () => {
  const all = readRequirements();

  test('returns every requirement of both APIs, numbered in each area without a gap', () => {
    const areas = Map.groupBy(all, ({ id }) => id.slice(0, 6));
    expect(new Set([...areas.keys()].map((area) => area.slice(0, 2)))).toEqual(new Set(['MR', 'WX']));
    for (const [area, members] of areas)
      expect(members.map(({ id }) => id)).toEqual(
        members.map((_, index) => `${area}-${String(index + 1).padStart(2, '0')}`),
      );
  });
});

describe('parseRequirements', () => {
  const entry = {
    id: 'MR-GEN-01',
    section: '1',
    statement: 's',
    level: 'must',
    parties: ['spec'],
    observe: 'static',
    cost: 'free',
    provoke: 'p',
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
