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
const style = object({ name: text, weight: number });
const file = object({ url: text, size: integer }, 'url');

export const handPairs: readonly HandPair[] = [
  ...pairs(
    'an integer',
    { ...integer, minimum: 1, maximum: 4 },
    {
      'its values in a list': { enum: [1, 2, 3, 4] },
      'exclusive ends': { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 5 },
      'a number in steps of one': { ...number, multipleOf: 1, minimum: 1, maximum: 4 },
    },
    [1, 2, 3, 4, 2.5],
  ),
  ...pairs(
    'listed values',
    { enum: ['a', 'b'] },
    {
      'one by one': oneOf({ const: 'a' }, { const: 'b', title: 'B' }),
    },
    ['a', 'b', 'c', 'other', null],
  ),
  ...pairs(
    'an open list of values',
    anyOf({ enum: ['a', 'b'] }, text),
    {
      'one more': anyOf({ enum: ['a', 'b', 'c'] }, text),
      closed: { enum: ['a', 'b'] },
    },
    ['a', 'b', 'c', 'other'],
  ),
  ...pairs(
    'a range of numbers',
    { ...number, minimum: 0, maximum: 1 },
    {
      'in two halves': anyOf({ ...number, minimum: 0, maximum: 0.5 }, { ...number, exclusiveMinimum: 0.5, maximum: 1 }),
    },
    [0, 0.5, 0.25, 0.75, 1, -1],
  ),
  ...pairs(
    'any value',
    {},
    {
      'a text or anything': anyOf(text, {}),
      'no text': { not: text },
    },
    [null, 1, 'a', {}, []],
  ),
  ...pairs(
    'an object',
    object({ a: text, b: number }, 'a'),
    {
      'a member that accepts nothing': object({ a: text, b: false }, 'a'),
      'a read-only member': object({ a: text, b: { ...number, readOnly: true } }, 'a'),
    },
    [{ a: 'x' }, { a: 'x', b: 1 }, {}, { b: 1 }, { a: 'x', z: true }],
  ),
  ...pairs(
    'a closed object',
    closed({ a: text, b: number }, 'a'),
    {
      open: object({ a: text, b: number }, 'a'),
      'closed by what is left': { ...object({ a: text, b: number }, 'a'), unevaluatedProperties: false },
    },
    [{ a: 'x' }, { a: 'x', b: 1 }, { a: 'x', c: 'y' }, { a: 'x', z: true }],
  ),
  ...pairs(
    'a map',
    map(number),
    {
      'a member of its own': { ...map(number), properties: { inference: number } },
      'a member of another type': { ...map(number), properties: { inference: text } },
      'an object': object({ inference: number }),
    },
    [{ inference: 1 }, { total: -1 }, {}, { inference: 'x' }],
  ),
  ...pairs(
    'names of a pattern',
    { type: 'object', patternProperties: { '^x-': text } },
    {
      'the same name': { type: 'object', patternProperties: { '^x-': text }, properties: { 'x-a': text } },
      'the same pattern': { type: 'object', patternProperties: { '^x[-]': text } },
      'fewer names': { type: 'object', patternProperties: { '^x-a': text } },
    },
    [{ 'x-a': 'v' }, { 'x-b': 'v' }, { 'x-a': 1 }, { 'x-b': 2 }, { y: 1 }],
  ),
  ...pairs(
    'members that depend',
    { ...object({ a: text, b: text }), dependentRequired: { a: ['b'] } },
    {
      'by a schema': { ...object({ a: text, b: text }), dependentSchemas: { a: { required: ['b'] } } },
      'the other way': { ...object({ a: text, b: text }), dependentRequired: { b: ['a'] } },
    },
    [{ a: '1' }, { b: '1' }, { a: '1', b: '2' }, {}],
  ),
  ...pairs(
    'what is left of a union',
    {
      type: 'object',
      unevaluatedProperties: false,
      anyOf: [object({ a: text }), { ...object({ b: text }), additionalProperties: true }],
    },
    {
      'no further members': {
        type: 'object',
        unevaluatedProperties: false,
        anyOf: [object({ a: text }), object({ b: text })],
      },
      open: { type: 'object', anyOf: [object({ a: text }), { ...object({ b: text }), additionalProperties: true }] },
    },
    [{ a: 'x' }, { b: 'x' }, { b: 'x', z: 1 }, {}],
  ),
  ...pairs(
    'an object with odd names',
    object({ 'content-type': text, '2nd': number, __proto: text, 'a b': bool }, 'content-type'),
    {
      'one renamed': object({ content_type: text, '2nd': number, __proto: text, 'a b': bool }, 'content_type'),
    },
    [{ 'content-type': 'x' }, { 'content-type': 'x', '2nd': 1, 'a b': true }],
  ),
  ...pairs(
    'a base and more',
    {
      allOf: [ref('Base'), object({ size: integer }, 'size')],
      $defs: { Base: object({ id: text, note: text }, 'id') },
    },
    {
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
  ...pairs(
    'a list',
    list(text, { minItems: 1, maxItems: 3 }),
    {
      'an item that it has to contain': list(text, { minItems: 1, maxItems: 3, contains: { const: 'a' } }),
    },
    [['a'], ['a', 'b'], ['a', 'a', 'b'], [], ['a', 'b', 'c', 'd'], ['b']],
  ),
  ...pairs(
    'a tuple',
    { type: 'array', prefixItems: [number, number], items: false, minItems: 2 },
    {
      'a list of two': list(number, { minItems: 2, maxItems: 2 }),
      'closed by its length': { type: 'array', prefixItems: [number, number], minItems: 2, maxItems: 2 },
    },
    [[1, 2], [1], [1, 2, 3], [1, 'x']],
  ),
  ...pairs(
    'a list of choices',
    list(among('left', 'right', 'top'), { uniqueItems: true }),
    {
      'at most three': list(among('left', 'right', 'top'), { uniqueItems: true, maxItems: 3 }),
    },
    [[], ['left'], ['left', 'left'], ['left', 'right', 'top'], ['bottom']],
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
    'required sets',
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    {
      'several may match': { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      'one of them': object({ a: text, b: text }, 'a'),
    },
    [{ a: '1' }, { b: '1' }, { a: '1', b: '2' }, {}],
  ),
  ...pairs(
    'what is not accepted',
    { ...text, not: { const: 'a' } },
    {
      'more of it': { ...text, not: { enum: ['a', 'b'] } },
      'of another type': { ...text, not: { const: 'a' }, allOf: [{ not: integer }] },
    },
    ['a', 'b', 'c'],
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
    'exclusive bounds',
    oneOf({ ...integer, minimum: 0 }, { ...integer, maximum: 10 }),
    {
      either: anyOf({ ...integer, minimum: 0 }, { ...integer, maximum: 10 }),
      outside: anyOf({ ...integer, minimum: 11 }, { ...integer, maximum: -1 }),
    },
    [-5, 0, 5, 10, 15],
  ),
  ...pairs(
    'a component',
    { ...ref('File'), $defs: { File: file } },
    {
      'an optional member of the service': {
        ...ref('File'),
        $defs: { File: object({ url: text, size: integer, id: { ...text, readOnly: true } }, 'url') },
      },
    },
    [{ url: 'u' }, { url: 'u', size: 1 }, null, [{ url: 'u' }]],
  ),
  ...pairs(
    'a tree',
    { ...ref('Tree'), $defs: { Tree: object({ up: ref('Tree'), leaves: list(ref('Tree')), name: text }) } },
    {
      'another type': {
        ...ref('Tree'),
        $defs: { Tree: object({ up: ref('Tree'), leaves: list(ref('Tree')), name: integer }) },
      },
      'unrolled once': {
        ...object({ up: ref('Tree'), leaves: list(ref('Tree')), name: text }),
        $defs: { Tree: object({ up: ref('Tree'), leaves: list(ref('Tree')), name: text }) },
      },
    },
    [{}, { up: { name: 'a' } }, { leaves: [{ name: 'b' }] }],
  ),
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
      'with a value of its own': {
        ...object({ format: { ...ref('Format'), const: 'mp3' } }, 'format'),
        $defs: { Format: among('mp3', 'wav') },
      },
    },
    [{ format: 'mp3' }, { format: 'wav' }, { format: 'ogg' }, { format: null }, { format: { name: 'mp3' } }],
  ),
];

/**
 * Sides that are reported as breaking although nothing breaks, as "What stays undecided" of
 * `docs/explanation/changes.md` says.
 */
export const undecided: readonly string[] = [
  'a range of numbers: in two halves, input',
  'exclusive bounds: outside, input',
  'a list of choices: at most three, input',
  'an object with a choice: as alternatives, input',
];
