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
  ['nothing for a changed document with a new tag', 'new', '"2"', []],
  ['nothing for an unchanged document with the same tag', 'old', '"1"', []],
  ['a reused tag for a changed document with the old tag', 'new', '"1"', ['entity-tag-reused']],
  ['a restless tag for an unchanged document with a new tag', 'old', '"2"', ['entity-tag-restless']],
  ['a restless tag for an unchanged document without a tag', 'old', undefined, ['entity-tag-restless']],
  ['nothing for a changed document without a tag', 'new', undefined, []],
])('compares entity tags with documents and reports %s', (_, text, tag, codes) => {
  expect(check(text, tag, known)).toEqual([tag, ...codes]);
});

test('accepts any well-formed entity tag of a document that had none before', () => {
  expect(check('old', '"1"', undefined)).toEqual(['"1"']);
  expect(check('old', '"1"', { ...known, entityTag: undefined })).toEqual(['"1"']);
});

test.each(['"1"', 'W/"1"', '""', '"a b"', '"caf\u00e9"', `"${'x'.repeat(510)}"`, undefined])(
  'accepts the entity tag %j',
  (value) => expect(check('old', value, undefined)).toEqual([value]),
);

test.each(['*', '', 'abc', '"a", "b"', '"a\tb"', '"a\u0085b"', `"${'x'.repeat(511)}"`])(
  'rejects and reports the malformed entity tag %j',
  (value) => expect(check('old', value, undefined)).toEqual([undefined, 'entity-tag-malformed']),
);
