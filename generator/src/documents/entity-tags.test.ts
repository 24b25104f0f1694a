import { expect, test } from 'vitest';
import { type ModelId, parseModelId } from '../catalog/model-id.ts';
import { toDigest } from '../content.ts';
import { compareEntityTags, readEntityTag } from './entity-tags.ts';

function modelId(text: string): ModelId {
  const parsed = parseModelId(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.id;
}

function fetched(text: string, entityTag: string | undefined) {
  const bytes = new TextEncoder().encode(text);
  return { entityTag, digest: toDigest(bytes) };
}

const known = { entityTag: '"1"', digest: toDigest('old') };

test.each<[string, string, string | undefined, string[]]>([
  ['a changed document under a new tag', 'new', '"2"', []],
  ['an unchanged document under its tag, sent in full', 'old', '"1"', []],
  ['a changed document under its old tag', 'new', '"1"', ['entity-tag-reused']],
  ['an unchanged document under a new tag', 'old', '"2"', ['entity-tag-restless']],
  ['an unchanged document without a tag', 'old', undefined, ['entity-tag-restless']],
  ['a changed document without a tag', 'new', undefined, []],
])('reports a discrepancy: %s', (_, text, tag, codes) => {
  expect(compareEntityTags(modelId('p/m'), fetched(text, tag), known).map(({ code }) => code)).toEqual(codes);
});

test('reports nothing about a document without an earlier entity tag', () => {
  expect(compareEntityTags(modelId('p/m'), fetched('old', '"1"'), undefined)).toEqual([]);
  expect(compareEntityTags(modelId('p/m'), fetched('old', '"1"'), { ...known, entityTag: undefined })).toEqual([]);
});

test.each(['"1"', 'W/"1"', '""', '"a b"', '"caf\u00e9"', `"${'x'.repeat(510)}"`, undefined])(
  'the entity tag %j can be sent back',
  (value) => {
    expect(readEntityTag(modelId('p/m'), value)).toEqual({ entityTag: value, diagnostics: [] });
  },
);

test.each(['*', '', 'abc', '"a", "b"', '"a\tb"', '"a\u0085b"', `"${'x'.repeat(511)}"`])(
  '%j is not an entity tag, which is reported',
  (value) => {
    expect(readEntityTag(modelId('p/m'), value)).toMatchObject({
      entityTag: undefined,
      diagnostics: [{ code: 'entity-tag-malformed', model: 'p/m' }],
    });
  },
);
