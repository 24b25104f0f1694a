import { expect, test } from 'vitest';
import { isEntityTag } from './open-documents.ts';

test.each(['"1"', 'W/"1"', '""', '"a b"', '"caf\u00e9"', `"${'x'.repeat(510)}"`])(
  'accepts the entity tag %j',
  (tag) => {
    expect(isEntityTag(tag)).toBe(true);
  },
);

test.each(['*', '', 'abc', '"a", "b"', '"a\tb"', '"a\u0085b"', `"${'x'.repeat(511)}"`, undefined])(
  'rejects the entity tag %j',
  (tag) => expect(isEntityTag(tag)).toBe(false),
);
