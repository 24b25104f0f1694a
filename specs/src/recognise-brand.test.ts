import { describe, expect, test } from 'vitest';
import { findBrandWords, recogniseBrand } from './recognise-brand.ts';
import { defaultBrand, parseBrand } from './settings.ts';

describe('brand words of a document', () => {
  const key = 'input-schema-authored';
  test.each<[string, Parameters<typeof findBrandWords>[0], readonly string[]]>([
    ['in its root', { [`x-acme-${key}`]: true, [`x-acme-2-${key}`]: 1 }, ['acme', 'acme-2']],
    ['in info', { info: { 'x-acme-router-alias-of': 'p/m' } }, ['acme']],
    ['in an operation', { paths: { '/a': { post: { 'x-acme-router-model-id': 'p/m' } } } }, ['acme']],
    ['none in other extensions', { 'x-acme-anything': 1, 'x-input-schema-authored': 1, paths: { a: null } }, []],
    ['none that cannot be a brand', { [`x--${key}`]: 1, [`x-a--b-${key}`]: 1, [`x-${'a'.repeat(65)}-${key}`]: 1 }, []],
    ['none with invalid characters', { [`x-é-${key}`]: 1, [`x-1a-${key}`]: 1, [`X-Acme-${key}`]: 1 }, []],
  ])('brandWords finds the brand words of a document: %s', (_, document, words) => {
    expect(findBrandWords(document)).toEqual(words);
  });
});

describe('recognising a brand', () => {
  const own = ['x-service-request-id', 'X-Service-Error-Type'];
  const acme = ['x-acme-request-id', 'X-ACME-Error-Type'];
  test.each<[string, readonly (readonly string[])[], readonly string[], string | undefined]>([
    ['by the keys of one document', [['acme-2']], [], 'Acme-2'],
    ['by most documents', [['acme'], ['service'], ['acme']], [], 'Acme'],
    ['not if as many documents have the assumed brand', [['acme'], ['service']], [], undefined],
    ['not if the document also has the assumed brand', [['acme', 'service']], [], undefined],
    ['by documents, even if one header has the assumed brand', [['acme']], own.slice(0, 1), 'Acme'],
    ['not by documents if two headers have the assumed brand', [['acme']], own, undefined],
    ['by two different headers', [], acme, 'Acme'],
    ['not by one header', [], acme.slice(0, 1), undefined],
    ['not by one header in two spellings', [], ['x-acme-request-id', 'X-Acme-Request-ID'], undefined],
    ['not by two headers if one header has the assumed brand', [], [...acme, 'x-service-request-id'], undefined],
    ['not by two misspelled headers of different words', [], ['x-servce-request-id', 'x-serice-error-type'], undefined],
    ['not by the headers of two other brands', [], [...acme, 'x-other-request-id', 'x-other-error-type'], undefined],
    ['not by headers if the documents have the assumed brand', [['service']], acme, undefined],
    [
      'not by headers that the documents do not define',
      [],
      ['x-acme-trace', 'x-acme-cache', 'x-request-id', 'x-error-type'],
      undefined,
    ],
  ])('recognises a different brand: %s', (_, documents, headers, found) => {
    expect(recogniseBrand({ documents, headers }, defaultBrand)).toBe(found);
  });

  test('recognises the assumed brand in any letter case', () => {
    expect(recogniseBrand({ documents: [['acme']], headers: acme }, parseBrand('ACME'))).toBeUndefined();
  });
});
