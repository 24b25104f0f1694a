import { describe, expect, test } from 'vitest';
import { SpecError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { applyAction, applyOverlays, type Overlay, type OverlayAction, parseOverlay } from './overlays.ts';

const info = { title: 'Changes', version: '1' };
const actions = [{ target: '$.a', update: {} }];

function update(target: string, value: JsonValue, place = 'o.yaml, action 1'): OverlayAction {
  return { place, target, update: value };
}

function remove(target: string, place = 'o.yaml, action 1'): OverlayAction {
  return { place, target, update: undefined };
}

describe('parseOverlay', () => {
  test('parseOverlay accepts every member of the Overlay standard', () => {
    const overlay = parseOverlay(
      {
        overlay: '1.0.0',
        info,
        extends: 'a.yaml',
        'x-owner': 'us',
        actions: [
          { target: '$.a', description: 'why', update: { b: 1 } },
          { target: '$.c', remove: true },
        ],
      },
      'o.yaml',
    );
    expect(overlay).toEqual({
      place: 'o.yaml',
      extends: 'a.yaml',
      actions: [update('$.a', { b: 1 }), remove('$.c', 'o.yaml, action 2')],
    });
  });

  const withAction = (action: JsonObject): JsonObject => ({ overlay: '1.0.0', info, actions: [...actions, action] });
  const refused: [sentence: string, value: JsonValue, message: RegExp][] = [
    ['a list', [], /must be an object/],
    ['another version of the standard', { overlay: '2.0.0', info, actions }, /1\.0\.x/],
    ['an overlay without a version', { info, actions }, /got nothing/],
    ['an overlay without info', { overlay: '1.0.0', actions }, /title and a version/],
    ['extends that is not a string', { overlay: '1.0.0', info, extends: 1, actions }, /URI reference/],
    ['an overlay without actions', { overlay: '1.0.0', info, actions: [] }, /at least one/],
    ['a misspelt member', { overlay: '1.0.0', info, actions, extend: 'x' }, /"extend" is not a member/],
    ['a misspelt member of an action', withAction({ target: '$', updates: {} }), /action 2.*"updates"/],
    ['an action without change', withAction({ target: '$.a' }), /needs update/],
    ['a target that is not a string', withAction({ target: 1, update: {} }), /JSONPath/],
    ['a target with a syntax error', withAction({ target: '$.a[', update: {} }), /action 2.*JSONPath/],
    ['a target in a dialect older than RFC 9535', withAction({ target: 'a.b', update: {} }), /JSONPath/],
    ['remove that is not a boolean', withAction({ target: '$.a', remove: 'yes' }), /true or false/],
  ];
  test.each(refused)('parseOverlay rejects %s', (_sentence, value, message) => {
    expect(() => parseOverlay(value, 'o.yaml')).toThrow(SpecError);
    expect(() => parseOverlay(value, 'o.yaml')).toThrow(message);
    expect(() => parseOverlay(value, 'o.yaml')).toThrow(/^o\.yaml/);
  });
});

describe('applyAction', () => {
  const applied: [sentence: string, given: JsonObject, action: OverlayAction, want: JsonObject, changed: number][] = [
    [
      'merges objects at every depth',
      { a: { b: { c: 1 }, d: 2 } },
      update('$.a', { b: { e: 3 } }),
      { a: { b: { c: 1, e: 3 }, d: 2 } },
      1,
    ],
    ['joins lists inside an update', { a: { b: [1] } }, update('$.a', { b: [2, 3] }), { a: { b: [1, 2, 3] } }, 1],
    ['appends one entry to a selected list', { a: [1] }, update('$.a', { b: 2 }), { a: [1, { b: 2 }] }, 1],
    ['changes the whole document', { a: 1 }, update('$', { b: 2 }), { a: 1, b: 2 }, 1],
    [
      'changes every match',
      { a: { x: {} }, b: { x: {} } },
      update('$.*.x', { y: 1 }),
      { a: { x: { y: 1 } }, b: { x: { y: 1 } } },
      2,
    ],
    ['changes a location once if the target selects it twice', { a: [] }, update("$['a','a']", 1), { a: [1] }, 1],
    ['removes members', { a: { b: 1, c: 2 } }, remove('$.a.b'), { a: { c: 2 } }, 1],
    ['removes several list entries', { a: [0, 1, 2, 3, 4] }, remove('$.a[1,3,4]'), { a: [0, 2] }, 3],
    ['removes locations inside removed locations', { a: [[1, 2], [3]], b: 1 }, remove('$.a..*'), { a: [], b: 1 }, 5],
    ['removes a plain value', { a: ['x', 'y'] }, remove("$.a[?@=='x']"), { a: ['y'] }, 1],
    ['returns 0 if nothing matches', { a: 1 }, update('$.b', {}), { a: 1 }, 0],
  ];
  test.each(applied)('applyAction %s', (_sentence, given, action, want, changed) => {
    expect(applyAction(given, action)).toBe(changed);
    expect(given).toEqual(want);
  });

  test('an overlay action gives each match its own copy of the value', () => {
    const document: JsonObject = { a: {}, b: {} };
    applyAction(document, update('$.*', { list: [1] }));
    applyAction(document, update('$.a.list', 2));
    expect(document).toEqual({ a: { list: [1, 2] }, b: { list: [1] } });
  });

  test('an overlay can add a member named __proto__ as an ordinary member', () => {
    const document: JsonObject = { a: {} };
    applyAction(document, update('$.a', JSON.parse('{"__proto__": {"b": 1}}')));
    expect(JSON.stringify(document)).toBe('{"a":{"__proto__":{"b":1}}}');
    expect(Object.hasOwn(Object.prototype, 'b')).toBe(false);
  });

  test.each([
    ['an update of a plain value', update('$.a', 2), /select the object that contains it/],
    ['an update of an object by a plain value', update('$', 2), /must be an object/],
    ['removal of the whole document', remove('$'), /whole document/],
  ])('applyAction rejects %s', (_sentence, action, message) => {
    expect(() => applyAction({ a: 1 }, action)).toThrow(message);
    expect(() => applyAction({ a: 1 }, action)).toThrow(/^o\.yaml, action 1/);
  });
});

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
  test('an overlay without extends changes the document that contains its target', () => {
    expect(changedBy(overlay('$.first'))).toEqual(['one.openapi.yaml']);
    expect(changedBy(overlay('$.second'))).toEqual(['two.openapi.yaml']);
  });

  test('an overlay without extends changes both documents if both contain its target', () => {
    expect(changedBy(overlay('$.shared'))).toEqual(['one.openapi.yaml', 'two.openapi.yaml']);
  });

  test.each([
    'two.openapi.yaml',
    './specs/two.openapi.yaml',
    'two.openapi.json',
    'https://specs.invalid/v1/two.openapi.yaml?raw=1#top',
  ])('an overlay with extends only changes that document: %s', (base) => {
    expect(changedBy(overlay('$.shared', base))).toEqual(['two.openapi.yaml']);
  });

  test('rejects an overlay whose extends matches no document', () => {
    expect(() => changedBy(overlay('$.shared', 'three.yaml'))).toThrow(/o\.yaml: extends "three\.yaml" is not one of/);
  });

  test('the error for a target that matches nothing contains the overlay file and the action', () => {
    expect(() => changedBy(overlay('$.third'))).toThrow('o.yaml, action 1: target "$.third" selects nothing in one');
    expect(() => changedBy(overlay('$.first', 'two.openapi.yaml'))).toThrow(/selects nothing in two\.openapi\.yaml/);
  });

  test('applyOverlays does not modify its arguments', () => {
    const given = documents();
    applyOverlays(given, [overlay('$.shared')]);
    expect(given).toEqual(documents());
  });

  test('applies each overlay to the result of the previous one', () => {
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
