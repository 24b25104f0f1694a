import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  checkedFormats,
  formatSamples,
  type JsonObject,
  type JsonValue,
  listBodyKinds,
  packageRoot,
  readSchema,
} from '../../specs/src/index.ts';

type Shipped = { formats: Record<string, (text: string) => boolean> };
const { formats }: Shipped = await import(join(packageRoot(), 'generated/models/validation/formats.js'));

test('generated packages check exactly the formats that docs/reference/formats.md lists', () => {
  expect(Object.keys(formats).sort()).toEqual([...checkedFormats].sort());
});

test('the sample value of each format is valid for it', () => {
  for (const name of checkedFormats) {
    for (const chance of [0, 0.37, 0.99]) {
      const text = formatSamples.get(name)?.(() => chance);
      expect(text !== undefined && formats[name]?.(text), `${name}: ${text}`).toBe(true);
    }
  }
});

describe('kinds of bodies by media type and schema', () => {
  const binary = { type: 'string', format: 'binary' };
  const components = { schemas: { Bytes: binary } };
  const rows: [mediaType: string, schema: JsonValue, kinds: string][] = [
    ['application/json', binary, 'json'],
    ['application/problem+json', {}, 'json'],
    ['text/plain; charset=utf-8', binary, 'text'],
    ['image/*', {}, 'bytes'],
    ['application/pdf', { type: 'object' }, 'bytes'],
    ['*/*', binary, 'bytes text'],
    ['*/*', { $ref: '#/components/schemas/Bytes' }, 'bytes text'],
    ['*/*', { allOf: [binary], description: 'a file' }, 'bytes text'],
    ['*/*', { ...binary, type: ['string', 'null'] }, 'json text bytes'],
    ['*/*', { type: 'object' }, 'json text bytes'],
  ];
  test.each(rows)('a body with type %s and the schema %j can be: %s', (mediaType, schema, kinds) => {
    const root: JsonObject = { components };
    expect(listBodyKinds(mediaType, readSchema(root, schema, 'output')).join(' ')).toBe(kinds);
  });
});
