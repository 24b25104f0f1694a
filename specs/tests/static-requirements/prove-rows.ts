import { expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../src/effective-specs.ts';
import { readSpecification, type StaticRow } from './specification.ts';

/** A test for each row: the documents meet the claim. */
export function proveRows(rows: readonly StaticRow[]): void {
  const specification = readSpecification(buildEffectiveSpecs());
  test.each(rows.map((row) => [`${row.ids.join(', ')}: ${row.claim}`, row] as const))('%s', (_name, row) => {
    expect(row.read(specification)).toEqual(row.want);
  });
}
