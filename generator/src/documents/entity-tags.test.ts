import { expect, test } from 'vitest';
import type { ModelId } from '../catalog/model-id.ts';
import { toDigest } from '../content.ts';
import { checkEntityTag } from './entity-tags.ts';

const known = { entityTag: '"1"', digest: toDigest('old') };

function check(text: string, entityTag: string | undefined, before: Parameters<typeof checkEntityTag>[2]) {
  const result = checkEntityTag('p/m' as ModelId, { entityTag, digest: toDigest(text) }, before);
  return [result.entityTag, ...result.diagnostics.map(({ code }) => code)];
}

test.each<[string, string, string | undefined, string[]]>([
  ['a changed document under a new tag', 'new', '"2"', []],
  ['an unchanged document under its tag, sent in full', 'old', '"1"', []],
  ['a changed document under its old tag', 'new', '"1"', ['entity-tag-reused']],
  ['an unchanged document under a new tag', 'old', '"2"', ['entity-tag-restless']],
  ['an unchanged document without a tag', 'old', undefined, ['entity-tag-restless']],
  ['a changed document without a tag', 'new', undefined, []],
])('reports a discrepancy: %s', (_, text, tag, codes) => {
  expect(check(text, tag, known)).toEqual([tag, ...codes]);
});

test('reports nothing about a document without an earlier entity tag', () => {
  expect(check('old', '"1"', undefined)).toEqual(['"1"']);
  expect(check('old', '"1"', { ...known, entityTag: undefined })).toEqual(['"1"']);
});

test.each(['"1"', 'W/"1"', '""', '"a b"', '"caf\u00e9"', `"${'x'.repeat(510)}"`, undefined])(
  'the entity tag %j can be sent back',
  (value) => expect(check('old', value, undefined)).toEqual([value]),
);

test.each(['*', '', 'abc', '"a", "b"', '"a\tb"', '"a\u0085b"', `"${'x'.repeat(511)}"`])(
  '%j is not an entity tag, which is reported',
  (value) => expect(check('old', value, undefined)).toEqual([undefined, 'entity-tag-malformed']),
);
