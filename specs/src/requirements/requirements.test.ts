import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { compileSchema } from '../schema/schema-check.ts';
import { readOpenPoints, readRequirements } from './requirements.ts';

const text = { type: 'string', pattern: '\\S' };

function listOf(properties: JsonObject): JsonObject {
  return { type: 'array', items: { properties, required: Object.keys(properties), additionalProperties: false } };
}

const register = listOf({
  id: { pattern: '^(?:MR|WX)-[A-Z]{3}-\\d{2}$' },
  section: text,
  statement: text,
  level: { enum: ['must', 'may', 'note'] },
  parties: { type: 'array', minItems: 1, items: { enum: ['spec', 'server', 'client', 'generator'] } },
  observe: { enum: ['static', 'exchange', 'scenario', 'client', 'none'] },
  cost: { enum: ['free', 'billed'] },
});

test('every requirement has all members, with known values', () => {
  expect(compileSchema(register, { root: {} })(JSON.parse(JSON.stringify(readRequirements())))).toEqual([]);
});

const openPoints = {
  items: {
    required: ['id', 'kind'],
    properties: { id: { pattern: '^OP-\\d{3}$' } },
    oneOf: [
      membersOf('assumption', ['section', 'choice', 'why', 'override']),
      membersOf('reading', ['section', 'choice', 'why', 'override']),
      membersOf('reading', ['section', 'question', 'choice']),
      membersOf('freedom', ['requirements', 'why']),
      membersOf('freedom', ['requirements', 'variants', 'text'], ['always']),
      membersOf('freedom', ['requirements', 'variants', 'reading'], ['always']),
    ],
  },
};

function membersOf(kind: string, members: readonly string[], optional: readonly string[] = []): JsonObject {
  const properties = Object.fromEntries([...members, ...optional].map((name) => [name, true]));
  return {
    properties: { ...properties, id: true, kind: { const: kind } },
    required: [...members],
    additionalProperties: false,
  };
}

test('every open point has the fields that its kind requires', () => {
  expect(compileSchema(openPoints, { root: {} })(JSON.parse(JSON.stringify(readOpenPoints())))).toEqual([]);
});

test('the requirements of both APIs are numbered consecutively in each area', () => {
  const areas = Map.groupBy(readRequirements(), ({ id }) => id.slice(0, 6));
  expect(new Set([...areas.keys()].map((area) => area.slice(0, 2)))).toEqual(new Set(['MR', 'WX']));
  for (const [area, members] of areas)
    expect(members.map(({ id }) => id)).toEqual(
      members.map((_, index) => `${area}-${String(index + 1).padStart(2, '0')}`),
    );
});

test('every open point has a unique id', () => {
  const ids = readOpenPoints().map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
