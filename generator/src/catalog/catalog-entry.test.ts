import { expect, test } from 'vitest';
import type { JsonValue } from '../../../specs/src/index.ts';
import { parseCatalogEntry } from './catalog-entry.ts';

test.each([
  ['yes', 'yes'],
  ['no', 'no'],
  ['unknown', 'unknown'],
  ['sometimes', 'unknown'],
  ['YES', 'unknown'],
  [null, 'unknown'],
  [true, 'unknown'],
])('reads the billing value %j as %s (MR-CAT-47, MR-CAT-48)', (word, charges) => {
  const parsed = parseCatalogEntry({ id: 'p/m', billing: { charges_on_policy_rejection: word } }, 'entry 1');
  expect(parsed).toMatchObject({ entry: { chargesOnPolicyRejection: charges } });
});

test('keeps a catalog entry without billing values', () => {
  expect(parseCatalogEntry({ id: 'p/m' }, 'entry 1')).toEqual({
    entry: { id: 'p/m', chargesOnPolicyRejection: 'unknown' },
  });
});

test.each<{ value: JsonValue }>([null, 'p/m', {}, { id: 7 }, { id: 'no-slash' }, []].map((value) => ({ value })))(
  'reports the malformed catalog entry $value with its position in the catalog',
  ({ value }) => {
    const parsed = parseCatalogEntry(value, 'entry 3 of page 2');
    expect(parsed).toMatchObject({ diagnostic: { code: 'catalog-entry-malformed', severity: 'error' } });
    expect('diagnostic' in parsed && parsed.diagnostic.message).toContain('entry 3 of page 2');
  },
);
