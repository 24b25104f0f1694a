import { describe, expect, test } from 'vitest';
import { applyOverlays } from './apply-overlays.ts';
import type { JsonObject } from './json.ts';
import { type Overlay, parseOverlay } from './overlay.ts';

function documents(): Map<string, JsonObject> {
  return new Map<string, JsonObject>([
    ['one.openapi.yaml', { shared: {}, first: { a: 1 } }],
    ['two.openapi.yaml', { shared: {}, second: {} }],
  ]);
}

function overlay(target: string, base?: string): Overlay {
  const changes = {
    overlay: '1.0.1',
    info: { title: 't', version: '1' },
    actions: [{ target, update: { seen: true } }],
  };
  return parseOverlay(base === undefined ? changes : { ...changes, extends: base }, 'o.yaml');
}

function changedBy(one: Overlay): string[] {
  const changed = applyOverlays(documents(), [one]);
  return [...changed].filter(([, document]) => JSON.stringify(document).includes('seen')).map(([name]) => name);
}

describe('applyOverlays', () => {
  test('without extends changes the document where the target is found', () => {
    expect(changedBy(overlay('$.first'))).toEqual(['one.openapi.yaml']);
    expect(changedBy(overlay('$.second'))).toEqual(['two.openapi.yaml']);
  });

  test('without extends changes both documents where both have the target', () => {
    expect(changedBy(overlay('$.shared'))).toEqual(['one.openapi.yaml', 'two.openapi.yaml']);
  });

  test.each([
    'two.openapi.yaml',
    './specs/two.openapi.yaml',
    'two.openapi.json',
    'https://specs.invalid/v1/two.openapi.yaml?raw=1#top',
  ])('with extends %s changes the document of that name only', (base) => {
    expect(changedBy(overlay('$.shared', base))).toEqual(['two.openapi.yaml']);
  });

  test('refuses extends that names none of the documents', () => {
    expect(() => changedBy(overlay('$.shared', 'three.yaml'))).toThrow(/o\.yaml: extends "three\.yaml" names none/);
  });

  test('refuses a target that is found in no document, by file and action', () => {
    expect(() => changedBy(overlay('$.third'))).toThrow('o.yaml, action 1: target "$.third" selects nothing in one');
    expect(() => changedBy(overlay('$.first', 'two.openapi.yaml'))).toThrow(/selects nothing in two\.openapi\.yaml/);
  });

  test('leaves the given documents as they were', () => {
    const given = documents();
    applyOverlays(given, [overlay('$.shared')]);
    expect(given).toEqual(documents());
  });

  test('applies overlays in order, each on the result of the one before', () => {
    const remove = parseOverlay(
      { overlay: '1.0.0', info: { title: 't', version: '1' }, actions: [{ target: '$.first.seen', remove: true }] },
      'later.yaml',
    );
    expect(applyOverlays(documents(), [overlay('$.first'), remove]).get('one.openapi.yaml')).toEqual({
      shared: {},
      first: { a: 1 },
    });
    expect(() => applyOverlays(documents(), [remove, overlay('$.first')])).toThrow(/later\.yaml, action 1/);
  });
});
