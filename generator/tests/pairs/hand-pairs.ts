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
// Schemas with `then` are parsed from JSON, because the linter rejects objects with such a member.
const parse = (text: string): JsonObject => JSON.parse(text);
const byKind = (...branches: JsonObject[]): JsonObject => ({
  ...oneOf(...branches),
  discriminator: { propertyName: 'kind' },
});
const style = object({ name: text, weight: number });
const file = object({ url: text, size: integer }, 'url');

export const handPairs: readonly HandPair[] = [
  ...pairs(
    'an integer',
    { ...integer, minimum: 1, maximum: 4 },
    {
      'an enum of its values': { enum: [1, 2, 3, 4] },
      'the same range with exclusive bounds': { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 5 },
      'a number in steps of one': { ...number, multipleOf: 1, minimum: 1, maximum: 4 },
    },
    [1, 2, 3, 4, 2.5],
  ),
  ...pairs(
    'an enum that accepts other strings',
    anyOf({ enum: ['a', 'b'] }, text),
    {
      'one more value': anyOf({ enum: ['a', 'b', 'c'] }, text),
      'no other strings': { enum: ['a', 'b'] },
    },
    ['a', 'b', 'c', 'other'],
  ),
  ...pairs(
    'an enum',
    among('a', 'b'),
    // ADR 18: read as an anyOf, because no listed value would be valid otherwise.
    { 'or any string, in a oneOf': oneOf(among('a', 'b'), text) },
    ['a', 'b', 'other'],
  ),
  ...pairs(
    'a range of numbers',
    { ...number, minimum: 0, maximum: 1 },
    {
      'two alternatives for its halves': anyOf(
        { ...number, minimum: 0, maximum: 0.5 },
        { ...number, exclusiveMinimum: 0.5, maximum: 1 },
      ),
    },
    [0, 0.5, 0.25, 0.75, 1, -1],
  ),
  ...pairs(
    'any value',
    {},
    {
      'a string or any value': anyOf(text, {}),
      'any value except strings': { not: text },
    },
    [null, 1, 'a', {}, []],
  ),
  ...pairs(
    'an object',
    object({ a: text, b: number }, 'a'),
    {
      'a member that accepts nothing': object({ a: text, b: false }, 'a'),
      'a string or the object': anyOf(text, object({ a: text, b: number }, 'a')),
      'a read-only member': object({ a: text, b: { ...number, readOnly: true } }, 'a'),
    },
    [{ a: 'x' }, { a: 'x', b: 1 }, {}, { b: 1 }, { a: 'x', z: true }],
  ),
  ...pairs(
    'a closed object',
    closed({ a: text, b: number }, 'a'),
    {
      'closed by unevaluatedProperties': { ...object({ a: text, b: number }, 'a'), unevaluatedProperties: false },
    },
    [{ a: 'x' }, { a: 'x', b: 1 }, { a: 'x', c: 'y' }, { a: 'x', z: true }],
  ),
  ...pairs(
    'a map',
    map(number),
    {
      'a listed member with the same type': { ...map(number), properties: { inference: number } },
      'a listed member with another type': { ...map(number), properties: { inference: text } },
      'an object': object({ inference: number }),
    },
    [{ inference: 1 }, { total: -1 }, {}, { inference: 'x' }],
  ),
  ...pairs(
    'a name pattern',
    { type: 'object', patternProperties: { '^x-': text } },
    {
      'a listed member that matches it': {
        type: 'object',
        patternProperties: { '^x-': text },
        properties: { 'x-a': text },
      },
      'an equivalent pattern': { type: 'object', patternProperties: { '^x[-]': text } },
      'a narrower pattern': { type: 'object', patternProperties: { '^x-a': text } },
    },
    [{ 'x-a': 'v' }, { 'x-b': 'v' }, { 'x-a': 1 }, { 'x-b': 2 }, { y: 1 }],
  ),
  ...pairs(
    'dependentRequired',
    { ...object({ a: text, b: text }), dependentRequired: { a: ['b'] } },
    {
      'an equivalent dependentSchemas': {
        ...object({ a: text, b: text }),
        dependentSchemas: { a: { required: ['b'] } },
      },
      'the opposite dependency': { ...object({ a: text, b: text }), dependentRequired: { b: ['a'] } },
    },
    [{ a: '1' }, { b: '1' }, { a: '1', b: '2' }, {}],
  ),
  ...pairs(
    'unevaluatedProperties next to a union',
    {
      type: 'object',
      unevaluatedProperties: false,
      anyOf: [object({ a: text }), { ...object({ b: text }), additionalProperties: true }],
    },
    {
      'no alternative with additional properties': {
        type: 'object',
        unevaluatedProperties: false,
        anyOf: [object({ a: text }), object({ b: text })],
      },
      'no unevaluatedProperties': {
        type: 'object',
        anyOf: [object({ a: text }), { ...object({ b: text }), additionalProperties: true }],
      },
    },
    [{ a: 'x' }, { b: 'x' }, { b: 'x', z: 1 }, {}],
  ),
  ...pairs(
    'an object with names that are not identifiers',
    object({ 'content-type': text, '2nd': number, __proto: text, 'a b': bool }, 'content-type'),
    {
      'one of them renamed': object({ content_type: text, '2nd': number, __proto: text, 'a b': bool }, 'content_type'),
    },
    [{ 'content-type': 'x' }, { 'content-type': 'x', '2nd': 1, 'a b': true }],
  ),
  ...pairs(
    'an allOf with a component and an object',
    {
      allOf: [ref('Base'), object({ size: integer }, 'size')],
      $defs: { Base: object({ id: text, note: text }, 'id') },
    },
    {
      'a closed component': {
        allOf: [ref('Base'), object({ size: integer }, 'size')],
        $defs: { Base: closed({ id: text, note: text }, 'id') },
      },
      'closed by unevaluatedProperties': {
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
      'as an anyOf with a not': {
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
    'a tuple',
    { type: 'array', prefixItems: [number, number], items: false, minItems: 2 },
    {
      'a list of two': list(number, { minItems: 2, maxItems: 2 }),
      'closed by maxItems': { type: 'array', prefixItems: [number, number], minItems: 2, maxItems: 2 },
    },
    [[1, 2], [1], [1, 2, 3], [1, 'x']],
  ),
  ...pairs(
    'a list of enum values',
    list(among('left', 'right', 'top'), { uniqueItems: true }),
    {
      'as many items as values': list(among('left', 'right', 'top'), { uniqueItems: true, maxItems: 3 }),
    },
    [[], ['left'], ['left', 'left'], ['left', 'right', 'top'], ['bottom']],
  ),
  ...pairs(
    'an empty list or a list with items',
    oneOf({ type: 'array', items: false }, list(object({ a: { type: ['string', 'null'] } }, 'a'), { minItems: 1 })),
    {
      'with a component': {
        ...oneOf({ type: 'array', items: false }, list(object({ a: ref('Text') }, 'a'), { minItems: 1 })),
        $defs: { Text: { type: ['string', 'null'] } },
      },
      'as one list': list(object({ a: { type: ['string', 'null'] } }, 'a')),
    },
    [[], [{ a: 'x' }], [{ a: null }]],
  ),
  ...pairs(
    'alternatives that only require members',
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    {
      'several may match': { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      'one of them': object({ a: text, b: text }, 'a'),
    },
    [{ a: '1' }, { b: '1' }, { a: '1', b: '2' }, {}],
  ),
  ...pairs(
    'a not',
    { ...text, not: { const: 'a' } },
    {
      'a not with one more value': { ...text, not: { enum: ['a', 'b'] } },
      'a second not with another type': { ...text, not: { const: 'a' }, allOf: [{ not: integer }] },
    },
    ['a', 'b', 'c'],
  ),
  ...pairs(
    'an object with an enum',
    object({ mode: among('a', 'b'), size: integer }, 'mode'),
    {
      'as alternatives': oneOf(tagged('a'), object({ mode: among('a', 'b'), size: integer }, 'mode')),
      'one alternative for each value': oneOf(
        object({ mode: { const: 'a' }, size: integer }, 'mode'),
        object({ mode: { const: 'b' }, size: integer }, 'mode'),
      ),
      'one alternative for each value, one without size': oneOf(
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
      'as one object': { ...object({ url: text, id: integer }), anyOf: [{ required: ['url'] }, { required: ['id'] }] },
      closed: anyOf(closed({ url: text }, 'url'), closed({ id: integer }, 'id')),
    },
    [{ url: 'u' }, { id: 1 }, { url: 'u', id: 1 }, { url: 'u', id: 'a' }, { path: 'p' }, { id: 'a' }],
  ),
  ...pairs(
    'alternatives with different types of a member',
    anyOf(object({ parts: number, weight: bool }, 'parts', 'weight'), object({ parts: text, weight: text })),
    {
      'one alternative without another member': anyOf(
        object({ weight: bool }, 'weight'),
        object({ parts: text, weight: text }),
      ),
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
      'a member that became required': {
        ...anyOf({ ...ref('Size') }, { allOf: [ref('Style')], additionalProperties: true }),
        $defs: { Size: { ...object({ label: integer }, 'label'), additionalProperties: true }, Style: style },
      },
    },
    [{ name: 'a' }, { label: 1 }],
  ),
  ...pairs(
    'alternatives with a discriminator',
    {
      ...byKind(ref('Video'), ref('Still')),
      $defs: { Video: tagged('video', { id: text }, 'id'), Still: tagged('still', { url: text }, 'url') },
    },
    {
      'a second value for a tag': {
        ...byKind(ref('Video'), ref('Still')),
        $defs: {
          Video: tagged('video', { id: text }, 'id'),
          Still: object({ kind: among('still', 'picture'), url: text }, 'kind', 'url'),
        },
      },
      'one more alternative': {
        ...byKind(ref('Video'), ref('Still'), ref('Motion')),
        $defs: {
          Video: tagged('video', { id: text }, 'id'),
          Still: tagged('still', { url: text }, 'url'),
          Motion: tagged('motion', { path: text }, 'path'),
        },
      },
    },
    [
      { kind: 'video', id: 'a' },
      { kind: 'still', url: 'b' },
      { kind: 'picture', url: 'b' },
      { kind: 'motion', path: 'c' },
    ],
  ),
  ...pairs(
    'a map or an object',
    { ...anyOf(map(text), ref('Style')), $defs: { Style: style } },
    {
      'only the map': map(text),
      'a closed object': anyOf(map(text), closed({ name: text, weight: number })),
    },
    [{}, { a: 'x' }, { name: 'n', weight: 1 }],
  ),
  ...pairs(
    'ranges that exclude each other where they overlap',
    oneOf({ ...integer, minimum: 0 }, { ...integer, maximum: 10 }),
    {
      'an anyOf of the ranges': anyOf({ ...integer, minimum: 0 }, { ...integer, maximum: 10 }),
      'the same values without overlap': anyOf({ ...integer, minimum: 11 }, { ...integer, maximum: -1 }),
    },
    [-5, 0, 5, 10, 15],
  ),
  ...pairs(
    'a component',
    { ...ref('File'), $defs: { File: file } },
    {
      'an additional read-only member': {
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
      'unrolled once': {
        ...object({ up: ref('Tree'), leaves: list(ref('Tree')), name: text }),
        $defs: { Tree: object({ up: ref('Tree'), leaves: list(ref('Tree')), name: text }) },
      },
    },
    [{}, { up: { name: 'a' } }, { leaves: [{ name: 'b' }] }],
  ),
  ...pairs(
    'a linked list',
    { ...ref('Node'), $defs: { Node: object({ value: number, next: anyOf(ref('Node'), nothing) }, 'value') } },
    {
      'two components in turn, one narrower': {
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
      'one component for both members': {
        ...object({ small: ref('Small'), big: ref('Small') }, 'small'),
        $defs: { Small: object({ a: text }), Big: object({ a: text, b: number }) },
      },
    },
    [{ small: {} }, { small: { a: 'x' }, big: { a: 'x', b: 1 } }, { small: 'x' }],
  ),
];

/**
 * Pairs that diff reports as breaking for inputs or outputs although nothing breaks. The section "What stays undecided"
 * of `docs/explanation/changes.md` describes these cases.
 */
export const undecided: readonly string[] = [
  'a range of numbers: two alternatives for its halves, input',
  'ranges that exclude each other where they overlap: the same values without overlap, input',
  'a list of enum values: as many items as values, input',
];
