import { describe, expect, test } from 'vitest';
import { SpecError } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { applyAction, type OverlayAction, parseOverlay } from './overlay.ts';

const info = { title: 'Changes', version: '1' };
const actions = [{ target: '$.a', update: {} }];

function update(target: string, value: JsonValue): OverlayAction {
  return { target, change: { kind: 'update', value } };
}

function remove(target: string): OverlayAction {
  return { target, change: { kind: 'remove' } };
}

describe('parseOverlay', () => {
  test('takes what the standard describes', () => {
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
      actions: [update('$.a', { b: 1 }), remove('$.c')],
    });
  });

  const refused: [sentence: string, value: JsonValue, message: RegExp][] = [
    ['a list', [], /must be an object/],
    ['another version', { overlay: '2.0.0', info, actions }, /1\.0\.x/],
    ['no version', { info, actions }, /got nothing/],
    ['no info', { overlay: '1.0.0', actions }, /title and a version/],
    ['extends that is no text', { overlay: '1.0.0', info, extends: 1, actions }, /URI reference/],
    ['no actions', { overlay: '1.0.0', info, actions: [] }, /at least one/],
    ['a misspelt member', { overlay: '1.0.0', info, actions, extend: 'x' }, /"extend" is no member/],
    [
      'a misspelt member of an action',
      { overlay: '1.0.0', info, actions: [{ target: '$', updates: {} }] },
      /action 1.*"updates"/,
    ],
    ['an action without change', { overlay: '1.0.0', info, actions: [{ target: '$.a' }] }, /needs update/],
    ['a target that is no text', { overlay: '1.0.0', info, actions: [{ target: 1, update: {} }] }, /JSONPath/],
    [
      'a target with a slip',
      { overlay: '1.0.0', info, actions: [...actions, { target: '$.a[', update: {} }] },
      /action 2.*JSONPath/,
    ],
    [
      'a target of the days before RFC 9535',
      { overlay: '1.0.0', info, actions: [{ target: 'a.b', update: {} }] },
      /JSONPath/,
    ],
    [
      'remove that is no boolean',
      { overlay: '1.0.0', info, actions: [{ target: '$.a', remove: 'yes' }] },
      /true or false/,
    ],
  ];
  test.each(refused)('refuses %s', (_sentence, value, message) => {
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
    [
      'replaces plain values',
      { a: { b: 1, c: null } },
      update('$.a', { b: 'x', c: false }),
      { a: { b: 'x', c: false } },
      1,
    ],
    ['joins lists inside an update', { a: { b: [1] } }, update('$.a', { b: [2, 3] }), { a: { b: [1, 2, 3] } }, 1],
    ['appends one entry to a selected list', { a: [1] }, update('$.a', { b: 2 }), { a: [1, { b: 2 }] }, 1],
    ['replaces what is of another kind', { a: { b: { c: 1 } } }, update('$.a', { b: false }), { a: { b: false } }, 1],
    ['changes the whole document', { a: 1 }, update('$', { b: 2 }), { a: 1, b: 2 }, 1],
    [
      'changes every match',
      { a: { x: {} }, b: { x: {} } },
      update('$.*.x', { y: 1 }),
      { a: { x: { y: 1 } }, b: { x: { y: 1 } } },
      2,
    ],
    ['changes a place once though it is named twice', { a: [] }, update("$['a','a']", 1), { a: [1] }, 1],
    [
      'selects by filter',
      { a: [{ n: 'x' }, { n: 'y' }] },
      update("$.a[?@.n=='y']", { z: 1 }),
      { a: [{ n: 'x' }, { n: 'y', z: 1 }] },
      1,
    ],
    ['removes members', { a: { b: 1, c: 2 } }, remove('$.a.b'), { a: { c: 2 } }, 1],
    ['removes several list entries', { a: [0, 1, 2, 3, 4] }, remove('$.a[1,3,4]'), { a: [0, 2] }, 3],
    ['removes places inside removed places', { a: [[1, 2], [3]], b: 1 }, remove('$.a..*'), { a: [], b: 1 }, 5],
    ['removes a plain value', { a: ['x', 'y'] }, remove("$.a[?@=='x']"), { a: ['y'] }, 1],
    ['counts nothing where nothing matches', { a: 1 }, update('$.b', {}), { a: 1 }, 0],
  ];
  test.each(applied)('%s', (_sentence, given, action, want, changed) => {
    expect(applyAction(given, action, 'here')).toBe(changed);
    expect(given).toEqual(want);
  });

  test('gives each match a copy of its own', () => {
    const document: JsonObject = { a: {}, b: {} };
    applyAction(document, update('$.*', { list: [1] }), 'here');
    applyAction(document, update('$.a.list', 2), 'here');
    expect(document).toEqual({ a: { list: [1, 2] }, b: { list: [1] } });
  });

  test('keeps a member named __proto__ a member', () => {
    const document: JsonObject = { a: {} };
    applyAction(document, update('$.a', JSON.parse('{"__proto__": {"b": 1}}')), 'here');
    expect(JSON.stringify(document)).toBe('{"a":{"__proto__":{"b":1}}}');
    expect(Object.hasOwn(Object.prototype, 'b')).toBe(false);
  });

  test.each([
    ['a plain value updated', update('$.a', 2), /select the object that holds it/],
    ['an object updated by a plain value', update('$', 2), /must be an object/],
    ['the whole document removed', remove('$'), /whole document/],
  ])('refuses %s', (_sentence, action, message) => {
    expect(() => applyAction({ a: 1 }, action, 'o.yaml, action 1')).toThrow(message);
    expect(() => applyAction({ a: 1 }, action, 'o.yaml, action 1')).toThrow(/^o\.yaml, action 1/);
  });
});
