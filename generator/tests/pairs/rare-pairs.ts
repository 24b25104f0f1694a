import type { JsonObject } from '../../../specs/src/index.ts';
import {
  anyOf,
  closed,
  type HandPair,
  integer,
  list,
  map,
  number,
  object,
  oneOf,
  pairs,
  ref,
  tagged,
  text,
} from './pair-words.ts';

const bool: JsonObject = { type: 'boolean' };
const nothing = { type: 'null' };
const among = (...values: string[]): JsonObject => ({ type: 'string', enum: values });
// Parsed, because a member `then` would make the object look like a promise.
const parse = (text: string): JsonObject => JSON.parse(text);

const scalars: HandPair[] = [
  ...pairs(
    'a text of two letters at least',
    { ...text, minLength: 2 },
    {
      'at most none': { ...text, minLength: 2, maxLength: 1 },
      'as a union of lengths': anyOf({ ...text, minLength: 2, maxLength: 5 }, { ...text, minLength: 6 }),
    },
    ['ab', 'abc', 'abcdefgh', '🙂', '🙂🙂', 'a\nb'],
  ),
  ...pairs(
    'a colour',
    { ...text, pattern: '^#[0-9A-Fa-f]{6}$' },
    {
      'by name too': anyOf({ ...text, pattern: '^#[0-9A-Fa-f]{6}$' }, among('red', 'blue')),
    },
    ['#00ff00', '#00FF00', '#0f0', 'x#00ff00', 'red'],
  ),
  ...pairs(
    'a listed pattern',
    { ...text, pattern: '^(small|large)$' },
    {
      'as a longer list': among('small', 'large', 'huge'),
    },
    ['small', 'large', 'huge'],
  ),
  ...pairs(
    'a count',
    { ...integer, minimum: 0.5, exclusiveMaximum: 10 },
    {
      'with zero': { ...integer, minimum: 0, maximum: 9 },
    },
    [0, 1, 4, 9, 10, '5'],
  ),
  ...pairs(
    'a range of numbers',
    { ...number, minimum: 0, maximum: 1 },
    {
      'in two halves': anyOf({ ...number, minimum: 0, maximum: 0.5 }, { ...number, exclusiveMinimum: 0.5, maximum: 1 }),
      'only its ends': { enum: [0, 1] },
    },
    [0, 0.5, 0.25, 0.75, 1, -1],
  ),
  ...pairs(
    'values of several types',
    { enum: ['auto', 1, 2, null] },
    {
      'in another order': { enum: [null, 2, 1, 'auto'] },
      'by types': anyOf({ const: 'auto' }, { ...integer, minimum: 1, maximum: 2 }, nothing),
      'any number': anyOf({ const: 'auto' }, number, nothing),
    },
    ['auto', 1, 2, 3, null, true, 1.5],
  ),
  ...pairs(
    'a fixed object',
    { const: { a: 1, b: [1, 2] } },
    {
      'another list in it': { const: { a: 1, b: [2, 1] } },
      'one of two': {
        enum: [
          { a: 1, b: [1, 2] },
          { a: 2, b: [] },
        ],
      },
      'as a schema': closed({ a: { const: 1 }, b: { const: [1, 2] } }, 'a', 'b'),
    },
    [
      { a: 1, b: [1, 2] },
      { a: 1, b: [2, 1] },
      { a: 2, b: [] },
    ],
  ),
  ...pairs('nothing but null', nothing, { 'as a value': { const: null }, 'any value': {} }, [null, 'a']),
  ...pairs(
    'any value',
    {},
    {
      'but null': { type: ['boolean', 'number', 'string', 'array', 'object'] },
      'a text or anything': anyOf(text, {}),
      'no text': { not: text },
    },
    [null, 1, 'a', {}, []],
  ),
];

const objects: HandPair[] = [
  ...pairs(
    'an object with odd names',
    object({ 'content-type': text, '2nd': number, __proto: text, 'a b': bool }, 'content-type'),
    {
      'one renamed': object({ content_type: text, '2nd': number, __proto: text, 'a b': bool }, 'content_type'),
    },
    [{ 'content-type': 'x' }, { 'content-type': 'x', '2nd': 1, 'a b': true }],
  ),
  ...pairs(
    'a member without a schema',
    { type: 'object', required: ['id'] },
    {
      described: object({ id: text }, 'id'),
      'not required': { type: 'object' },
      'any value of it': object({ id: {} }, 'id'),
    },
    [{ id: 1 }, { id: 'a' }, { id: 'a', name: 'b' }, {}],
  ),
  ...pairs(
    'a base and more',
    {
      allOf: [ref('Base'), object({ size: integer }, 'size')],
      $defs: { Base: object({ id: text, note: text }, 'id') },
    },
    {
      'in one': {
        ...object({ id: text, note: text, size: integer }, 'id', 'size'),
        $defs: { Base: object({ id: text, note: text }, 'id') },
      },
      'a closed base': {
        allOf: [ref('Base'), object({ size: integer }, 'size')],
        $defs: { Base: closed({ id: text, note: text }, 'id') },
      },
      'closed as a whole': {
        allOf: [ref('Base'), object({ size: integer }, 'size')],
        unevaluatedProperties: false,
        $defs: { Base: object({ id: text, note: text }, 'id') },
      },
    },
    [{ id: 'a', size: 1 }, { id: '', size: 1, note: 'long' }, { id: 'a' }],
  ),
  ...pairs(
    'a map of names',
    { ...map(number), propertyNames: { pattern: '^[a-z]+$' } },
    {
      'shorter names': { ...map(number), propertyNames: { pattern: '^[a-z]+$', maxLength: 3 } },
      'listed names': { ...map(number), propertyNames: { enum: ['a', 'b'] } },
      'listed members': closed({ a: number, b: number }),
    },
    [{ a: 1 }, { abcd: 1 }, { A: 1 }, {}, { b: 2 }],
  ),
  ...pairs(
    'names of two patterns',
    { type: 'object', patternProperties: { '^min_': number, '^is_': bool } },
    {
      'in one': { type: 'object', patternProperties: { '^(?:min|is)_': { type: ['number', 'boolean'] } } },
    },
    [{ min_a: 1 }, { is_b: true }, { min_is_: 1 }, { is_b: true, other: 'x' }],
  ),
  ...pairs(
    'an object without members',
    closed({}),
    {
      'with one': closed({ a: text }),
      'as a size': { type: 'object', maxProperties: 0 },
    },
    [{}, { a: 'x' }],
  ),
  ...pairs(
    'a map of maps',
    map(map(anyOf(number, map(number)))),
    {
      'a member of its own': { ...map(map(anyOf(number, map(number)))), properties: { total: number } },
      'a member of its own of the same kind': {
        ...map(map(anyOf(number, map(number)))),
        properties: { total: map(number) },
      },
    },
    [{}, { a: { b: 1 } }, { a: { b: { c: 1 } } }, { total: { a: 1, b: { c: 1 } } }],
  ),
  ...pairs(
    'a condition on a value',
    {
      ...object({ mode: among('fast', 'slow'), steps: integer }, 'mode'),
      ...parse('{"if":{"properties":{"mode":{"const":"slow"}}},"then":{"required":["steps"]}}'),
    },
    {
      'as alternatives': oneOf(
        object({ mode: { const: 'fast' }, steps: integer }, 'mode'),
        object({ mode: { const: 'slow' }, steps: integer }, 'mode', 'steps'),
      ),
      'by else': {
        ...object({ mode: among('fast', 'slow'), steps: integer }, 'mode'),
        ...parse('{"if":{"properties":{"mode":{"const":"fast"}}},"else":{"required":["steps"]}}'),
      },
      'by a not': {
        ...object({ mode: among('fast', 'slow'), steps: integer }, 'mode'),
        anyOf: [{ properties: { mode: { not: { const: 'slow' } } } }, { required: ['steps'] }],
      },
    },
    [{ mode: 'fast' }, { mode: 'slow' }, { mode: 'slow', steps: 1 }, { mode: 'fast', steps: 1 }],
  ),
  ...pairs(
    'members that exclude each other',
    { ...object({ a: text, b: text, c: text }), not: { required: ['a', 'b'] } },
    {
      'as alternatives': {
        ...object({ a: text, b: text, c: text }),
        anyOf: [{ not: { required: ['a'] } }, { not: { required: ['b'] } }],
      },
    },
    [{}, { a: '1' }, { b: '1' }, { a: '1', b: '1' }, { c: '1' }, { a: '1', b: '1', c: '1' }],
  ),
];

const lists: HandPair[] = [
  ...pairs(
    'a pair of numbers',
    { type: 'array', items: number, minItems: 2, maxItems: 2 },
    {
      three: { type: 'array', items: number, minItems: 3, maxItems: 3 },
    },
    [[1, 2], [1], [1, 2, 3], [1.5, 2], { x: 1, y: 2 }],
  ),
  ...pairs(
    'a list of one at least',
    list(object({ url: text }, 'url'), { minItems: 1 }),
    {
      'a first one apart': {
        type: 'array',
        prefixItems: [object({ url: text }, 'url')],
        items: object({ url: text }, 'url'),
        minItems: 1,
      },
    },
    [[], [{ url: 'u' }], [{ url: 'u' }, { url: 'v' }], [null], [{}], null, { url: 'u' }],
  ),
  ...pairs(
    'boxes',
    list(list(integer, { minItems: 4, maxItems: 4 })),
    {
      'as objects': list(object({ x: integer, y: integer, w: integer, h: integer })),
      'of any length': list(list(integer)),
      one: list(integer, { minItems: 4, maxItems: 4 }),
    },
    [[], [[1, 2, 3, 4]], [[1, 2]], ['a'], [[1.5, 2, 3, 4]], [1, 2, 3, 4]],
  ),
  ...pairs(
    'a list of choices',
    list(among('left', 'right', 'top'), { uniqueItems: true }),
    {
      'at most three': list(among('left', 'right', 'top'), { uniqueItems: true, maxItems: 3 }),
      'by name': closed({ left: bool, right: bool, top: bool }),
    },
    [[], ['left'], ['left', 'left'], ['left', 'right', 'top'], ['bottom']],
  ),
  ...pairs(
    'a list that contains',
    list(text, { contains: { const: 'a' }, maxContains: 2 }),
    {
      'more of it': list(text, { contains: { const: 'a' }, maxContains: 3 }),
      'none too': list(text, { contains: { const: 'a' }, minContains: 0, maxContains: 2 }),
    },
    [['a'], ['a', 'a'], ['a', 'a', 'a'], [], ['b']],
  ),
  ...pairs(
    'a list or an empty one',
    oneOf({ type: 'array', items: false }, list(object({ a: { type: ['string', 'null'] } }, 'a'), { minItems: 1 })),
    {
      'with a component': {
        ...oneOf({ type: 'array', items: false }, list(object({ a: ref('Text') }, 'a'), { minItems: 1 })),
        $defs: { Text: { type: ['string', 'null'] } },
      },
      'in one': list(object({ a: { type: ['string', 'null'] } }, 'a')),
    },
    [[], [{ a: 'x' }], [{ a: null }]],
  ),
  ...pairs(
    'a list of nothing',
    list(text, { maxItems: 0 }),
    { 'by its items': { type: 'array', items: false }, 'as a value': { const: [] } },
    [[], ['a']],
  ),
];

const style = object({ name: text, weight: number });
const unions: HandPair[] = [
  ...pairs(
    'alternatives by two tags',
    oneOf(
      object({ kind: { const: 'a' }, version: { const: 1 }, x: text }, 'kind', 'version'),
      object({ kind: { const: 'a' }, version: { const: 2 }, y: text }, 'kind', 'version'),
      object({ kind: { const: 'b' }, z: text }, 'kind'),
    ),
    {
      'two in one': oneOf(
        object({ kind: { const: 'a' }, version: { enum: [1, 2] }, x: text, y: text }, 'kind', 'version'),
        object({ kind: { const: 'b' }, z: text }, 'kind'),
      ),
    },
    [
      { kind: 'a', version: 1 },
      { kind: 'a', version: 2, y: 'y' },
      { kind: 'b' },
      { kind: 'a', version: 1, x: 'x' },
      { kind: 'a', version: 3 },
    ],
  ),
  ...pairs(
    'an object with a choice',
    object({ mode: among('a', 'b'), size: integer }, 'mode'),
    {
      'as alternatives': oneOf(tagged('a'), object({ mode: among('a', 'b'), size: integer }, 'mode')),
      'in two': oneOf(
        object({ mode: { const: 'a' }, size: integer }, 'mode'),
        object({ mode: { const: 'b' }, size: integer }, 'mode'),
      ),
      'in two, one without size': oneOf(
        object({ mode: { const: 'a' }, size: integer }, 'mode'),
        object({ mode: { const: 'b' } }, 'mode'),
      ),
    },
    [{ mode: 'a' }, { mode: 'b' }, { mode: 'b', size: 9 }, { mode: 'a', size: 1 }],
  ),
  ...pairs(
    'open alternatives',
    anyOf(object({ url: text }, 'url'), object({ id: integer }, 'id')),
    {
      'one of them': oneOf(object({ url: text }, 'url'), object({ id: integer }, 'id')),
      'in one': { ...object({ url: text, id: integer }), anyOf: [{ required: ['url'] }, { required: ['id'] }] },
      closed: anyOf(closed({ url: text }, 'url'), closed({ id: integer }, 'id')),
      'a third': anyOf(object({ url: text }, 'url'), object({ id: integer }, 'id'), object({ path: text }, 'path')),
    },
    [{ url: 'u' }, { id: 1 }, { url: 'u', id: 1 }, { url: 'u', id: 'a' }, { path: 'p' }, { id: 'a' }],
  ),
  ...pairs(
    'alternatives that a flag tells apart',
    anyOf(object({ parts: number, weight: bool }, 'parts', 'weight'), object({ parts: text, weight: text })),
    {
      'a member less': anyOf(object({ weight: bool }, 'weight'), object({ parts: text, weight: text })),
    },
    [{ parts: 1, weight: true }, { parts: 'x' }, { weight: 'x' }],
  ),
  ...pairs(
    'an open object',
    { ...object({ weight: map(bool) }), additionalProperties: true },
    {
      'or a closed one': anyOf({ ...object({ weight: map(bool) }), additionalProperties: true }, closed({ b: text })),
    },
    [{ weight: {} }, { other: 1 }, { b: 'x' }],
  ),
  ...pairs(
    'two open components',
    {
      ...anyOf({ ...ref('Size') }, { allOf: [ref('Style')], additionalProperties: true }),
      $defs: { Size: { ...object({ label: integer }), additionalProperties: true }, Style: style },
    },
    {
      'a member that is always there': {
        ...anyOf({ ...ref('Size') }, { allOf: [ref('Style')], additionalProperties: true }),
        $defs: { Size: { ...object({ label: integer }, 'label'), additionalProperties: true }, Style: style },
      },
    },
    [{ name: 'a' }, { label: 1 }],
  ),
  ...pairs(
    'a map or an object',
    { ...anyOf(map(text), ref('Style')), $defs: { Style: style } },
    {
      'the map': map(text),
      'a closed object': anyOf(map(text), closed({ name: text, weight: number })),
    },
    [{}, { a: 'x' }, { name: 'n', weight: 1 }],
  ),
  ...pairs(
    'a text, a number or a list of both',
    anyOf(text, number, list(anyOf(text, number))),
    {
      'lists of one kind': anyOf(text, number, list(text), list(number)),
    },
    ['a', 1, ['a', 1], [1], [null], 1.5],
  ),
  ...pairs(
    'exclusive bounds',
    oneOf({ ...integer, minimum: 0 }, { ...integer, maximum: 10 }),
    {
      either: anyOf({ ...integer, minimum: 0 }, { ...integer, maximum: 10 }),
      outside: anyOf({ ...integer, minimum: 11 }, { ...integer, maximum: -1 }),
    },
    [-5, 0, 5, 10, 15],
  ),
  ...pairs(
    'a flag that decides',
    oneOf(
      object({ ok: { const: true }, value: number }, 'ok', 'value'),
      object({ ok: { const: false }, error: text }, 'ok', 'error'),
    ),
    {
      'no failures': object({ ok: { const: true }, value: number }, 'ok', 'value'),
      'by text': oneOf(
        object({ ok: { const: 'yes' }, value: number }, 'ok', 'value'),
        object({ ok: { const: 'no' }, error: text }, 'ok', 'error'),
      ),
    },
    [
      { ok: true, value: 1 },
      { ok: false, error: 'e' },
      { ok: true, value: 1, error: 5 },
      { ok: true },
      { ok: 'yes', value: 1 },
    ],
  ),
];

const references: HandPair[] = [
  ...pairs(
    'a chain',
    { ...ref('Node'), $defs: { Node: object({ value: number, next: anyOf(ref('Node'), nothing) }, 'value') } },
    {
      'by two names, one narrower': {
        ...ref('Node'),
        $defs: {
          Node: object({ value: number, next: anyOf(ref('Other'), nothing) }, 'value'),
          Other: object({ value: integer, next: anyOf(ref('Node'), nothing) }, 'value'),
        },
      },
      'in a list': { ...ref('Node'), $defs: { Node: object({ value: number, next: list(ref('Node')) }, 'value') } },
    },
    [
      { value: 1 },
      { value: -1.5, next: { value: 1.5, next: null } },
      { value: 1, next: { value: 2, next: { value: -3.5 } } },
    ],
  ),
  ...pairs(
    'two components',
    {
      ...object({ small: ref('Small'), big: ref('Big') }, 'small'),
      $defs: { Small: object({ a: text }), Big: object({ a: text, b: number }) },
    },
    {
      'one for both': {
        ...object({ small: ref('Small'), big: ref('Small') }, 'small'),
        $defs: { Small: object({ a: text }), Big: object({ a: text, b: number }) },
      },
      'one as a text': {
        ...object({ small: ref('Small'), big: ref('Big') }, 'small'),
        $defs: { Small: text, Big: object({ a: text, b: number }) },
      },
    },
    [{ small: {} }, { small: { a: 'x' }, big: { a: 'x', b: 1 } }, { small: 'x' }],
  ),
  ...pairs(
    'a list as a component',
    { ...object({ format: ref('Format') }, 'format'), $defs: { Format: among('mp3', 'wav') } },
    {
      'as an object': {
        ...object({ format: ref('Format') }, 'format'),
        $defs: { Format: object({ name: among('mp3', 'wav') }, 'name') },
      },
      'with a value of its own': {
        ...object({ format: { ...ref('Format'), const: 'mp3' } }, 'format'),
        $defs: { Format: among('mp3', 'wav') },
      },
    },
    [{ format: 'mp3' }, { format: 'wav' }, { format: 'ogg' }, { format: null }, { format: { name: 'mp3' } }],
  ),
];

export const rarePairs: readonly HandPair[] = [...scalars, ...objects, ...lists, ...unions, ...references];

/**
 * Pairs that are reported as breaking although nothing breaks, by class in "What stays undecided" of
 * `docs/explanation/changes.md`.
 */
export const undecided: Readonly<Record<string, readonly string[]>> = {
  'ranges that several alternatives cover together': [
    'a text of two letters at least: as a union of lengths, input',
    'a range of numbers: in two halves, input',
    'exclusive bounds: outside, input',
  ],
  'a listed object and the members that say the same': [
    'a fixed object: as a schema, input',
    'a fixed object: as a schema, output',
  ],
  'propertyNames with several keywords': ['a map of names: shorter names, output'],
  'lengths that follow from listed items that are unique': ['a list of choices: at most three, input'],
  'an object of an input that becomes one of several alternatives': ['an object with a choice: as alternatives, input'],
  'lists whose items are divided among alternatives': ['a text, a number or a list of both: lists of one kind, output'],
};
