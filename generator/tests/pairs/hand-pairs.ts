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

// Parsed, because a member `then` would make the object look like a promise.
const condition: JsonObject = JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}');

const scalars: HandPair[] = [
  ...pairs(
    'a text',
    { ...text, minLength: 2, maxLength: 10 },
    {
      'longer texts': { ...text, minLength: 2, maxLength: 20 },
      'shorter texts': { ...text, minLength: 2, maxLength: 5 },
      'no least length': { ...text, maxLength: 10 },
      'a pattern': { ...text, minLength: 2, maxLength: 10, pattern: '^[a-z]+$' },
      'null too': { type: ['string', 'null'], minLength: 2, maxLength: 10 },
      'an integer instead': integer,
      'a list of values': { enum: ['small', 'large'] },
      'another description': { ...text, minLength: 2, maxLength: 10, description: 'words', default: 'none' },
      'a format': { ...text, minLength: 2, maxLength: 10, format: 'uri' },
    },
    ['ab', 'abcdefghij', 'AB', 'small', 'a'.repeat(15)],
  ),
  ...pairs(
    'a text with a pattern',
    { ...text, pattern: '^[0-9]+$' },
    {
      'the same with a class': { ...text, pattern: '^\\d+$' },
      'none, and the same twice': { ...text, allOf: [{ pattern: '^[0-9]+$' }, { pattern: '^\\d+$' }] },
    },
    ['1', '12', '123', 'ff', '1x', '٣'],
  ),
  ...pairs(
    'a number',
    { ...number, minimum: 0, maximum: 20 },
    {
      'without the end': { ...number, minimum: 0, exclusiveMaximum: 20 },
      'only integers': { ...integer, minimum: 0, maximum: 20 },
      'steps of one half': { ...number, minimum: 0, maximum: 20, multipleOf: 0.5 },
      'a text too': { type: ['number', 'string'], minimum: 0, maximum: 20 },
    },
    [0, 0.3, 1, 15, 20, 25],
  ),
  ...pairs(
    'an integer',
    { ...integer, minimum: 1, maximum: 4 },
    {
      'its values in a list': { enum: [1, 2, 3, 4] },
      'exclusive ends': { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 5 },
      'a number in steps of one': { ...number, multipleOf: 1, minimum: 1, maximum: 4 },
      fewer: { ...integer, minimum: 1, maximum: 2 },
      'a format': { ...integer, minimum: 1, maximum: 4, format: 'int32' },
    },
    [1, 2, 3, 4, 2.5],
  ),
  ...pairs(
    'steps',
    { ...number, multipleOf: 4 },
    {
      others: { ...number, multipleOf: 3 },
    },
    [3, 4, 6, 8, 2],
  ),
  ...pairs(
    'listed values',
    { enum: ['a', 'b'] },
    {
      'one more': { enum: ['a', 'b', 'c'] },
      'one less': { enum: ['a'] },
      'one by one': oneOf({ const: 'a' }, { const: 'b', title: 'B' }),
      'any text': text,
      'an open list': anyOf({ enum: ['a', 'b'] }, text),
      others: { enum: ['b', 'c'] },
    },
    ['a', 'b', 'c', 'other', null],
  ),
  ...pairs(
    'an open list of values',
    anyOf({ enum: ['a', 'b'] }, text),
    {
      'one more': anyOf({ enum: ['a', 'b', 'c'] }, text),
      'one less': anyOf({ enum: ['a'] }, text),
      others: anyOf({ enum: ['c', 'd'] }, text),
      closed: { enum: ['a', 'b'] },
    },
    ['a', 'b', 'c', 'other'],
  ),
  ...pairs(
    'a boolean',
    { type: 'boolean' },
    {
      'only true': { const: true },
    },
    [true, false, null],
  ),
  ...pairs(
    'null or a text',
    { type: ['string', 'null'] },
    {
      'no null': text,
      'only null': { type: 'null' },
    },
    [null, 'a'],
  ),
];

const objects: HandPair[] = [
  ...pairs(
    'an object',
    object({ a: text, b: number }, 'a'),
    {
      'a new required member': object({ a: text, b: number, c: text }, 'a', 'c'),
      'a member less': object({ a: text }, 'a'),
      'a member that became required': object({ a: text, b: number }, 'a', 'b'),
      'another type of a member': object({ a: text, b: text }, 'a'),
      closed: closed({ a: text, b: number }, 'a'),
      'a member renamed': object({ a: text, c: number }, 'a'),
      'a member that accepts nothing': object({ a: text, b: false }, 'a'),
      'a read-only member': object({ a: text, b: { ...number, readOnly: true } }, 'a'),
      deprecated: object({ a: text, b: { ...number, deprecated: true } }, 'a'),
    },
    [{ a: 'x' }, { a: 'x', b: 1 }, {}, { b: 1 }, { a: 'x', z: true }],
  ),
  ...pairs(
    'a closed object',
    closed({ a: text, b: number }, 'a'),
    {
      'a new optional member': closed({ a: text, b: number, c: text }, 'a'),
      'a member less': closed({ a: text }, 'a'),
      open: object({ a: text, b: number }, 'a'),
      'closed by its names': { ...object({ a: text, b: number }, 'a'), propertyNames: { enum: ['a', 'b'] } },
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
      closed: closed({ inference: number }),
      'an object': object({ inference: number }),
    },
    [{ inference: 1 }, { total: -1 }, {}, { inference: 'x' }],
  ),
  ...pairs(
    'names of a pattern',
    { type: 'object', patternProperties: { '^x-': text } },
    {
      'a name of its own': { type: 'object', patternProperties: { '^x-': text }, properties: { 'x-a': integer } },
      'the same name': { type: 'object', patternProperties: { '^x-': text }, properties: { 'x-a': text } },
      'the same pattern': { type: 'object', patternProperties: { '^x[-]': text } },
      'fewer names': { type: 'object', patternProperties: { '^x-a': text } },
      closed: { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
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
];

const lists: HandPair[] = [
  ...pairs(
    'a list',
    list(text, { minItems: 1, maxItems: 3 }),
    {
      'unique items': list(text, { minItems: 1, maxItems: 3, uniqueItems: true }),
      'an item that it needs not contain': list(text, {
        minItems: 1,
        maxItems: 3,
        contains: { const: 'a' },
        minContains: 0,
      }),
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
      'closed by what is left': { type: 'array', prefixItems: [number, number], unevaluatedItems: false, minItems: 2 },
      'a third item': { type: 'array', prefixItems: [number, number, number], items: false, minItems: 3 },
      'another type': { type: 'array', prefixItems: [number, text], items: false, minItems: 2 },
      open: { type: 'array', prefixItems: [number, number], minItems: 2 },
    },
    [[1, 2], [1], [1, 2, 3], [1, 'x']],
  ),
];

const unions: HandPair[] = [
  ...pairs(
    'tagged alternatives',
    oneOf(tagged('p', { a: text }), tagged('q', { b: text })),
    {
      nested: oneOf(oneOf(tagged('p', { a: text })), tagged('q', { b: text })),
      'one more': oneOf(tagged('p', { a: text }), tagged('q', { b: text }), tagged('r')),
      'one less': oneOf(tagged('p', { a: text })),
      'a required member': oneOf(tagged('p', { a: text }, 'a'), tagged('q', { b: text })),
    },
    [{ kind: 'p' }, { kind: 'q', b: 'x' }, { kind: 'p', a: 'x' }, { kind: 'r' }, { kind: 's' }, null],
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
    'a condition',
    { ...object({ a: text, b: text }), ...condition },
    {
      'as dependents': { ...object({ a: text, b: text }), dependentRequired: { a: ['b'] } },
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
];

const file = object({ url: text, size: integer }, 'url');
const references: HandPair[] = [
  ...pairs(
    'a component',
    { ...ref('File'), $defs: { File: file } },
    {
      renamed: { ...ref('Media'), $defs: { Media: file } },
      'a member of the service': {
        ...ref('File'),
        $defs: { File: object({ url: text, size: integer, id: { ...text, readOnly: true } }, 'url', 'id') },
      },
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
      'a new member': {
        ...ref('Tree'),
        $defs: { Tree: object({ up: ref('Tree'), leaves: list(ref('Tree')), name: text, size: integer }) },
      },
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
    'settings of a model',
    object({
      num_images: { ...integer, minimum: 1, maximum: 4, default: 1 },
      guidance_scale: { ...number, minimum: 0, maximum: 20 },
      image_size: anyOf({ enum: ['square', 'landscape'] }, object({ width: integer, height: integer })),
    }),
    {
      'fewer images': object({
        num_images: { ...integer, minimum: 1, maximum: 2, default: 1 },
        guidance_scale: { ...number, minimum: 0, maximum: 20 },
        image_size: anyOf({ enum: ['square', 'landscape'] }, object({ width: integer, height: integer })),
      }),
      'another default': object({
        num_images: { ...integer, minimum: 1, maximum: 4, default: 2 },
        guidance_scale: { ...number, minimum: 0, maximum: 20 },
        image_size: anyOf({ enum: ['square', 'landscape'] }, object({ width: integer, height: integer })),
      }),
      'one more size': object({
        num_images: { ...integer, minimum: 1, maximum: 4 },
        guidance_scale: { ...number, minimum: 0, maximum: 20 },
        image_size: anyOf({ enum: ['square', 'landscape', 'portrait'] }, object({ width: integer, height: integer })),
      }),
      'only named sizes': object({
        num_images: { ...integer, minimum: 1, maximum: 4 },
        guidance_scale: { ...number, minimum: 0, maximum: 20 },
        image_size: { enum: ['square', 'landscape'] },
      }),
      'a scale above 0': object({
        num_images: { ...integer, minimum: 1, maximum: 4 },
        guidance_scale: { ...number, exclusiveMinimum: 0, maximum: 20 },
        image_size: anyOf({ enum: ['square', 'landscape'] }, object({ width: integer, height: integer })),
      }),
    },
    [
      {},
      { num_images: 3 },
      { guidance_scale: 0 },
      { image_size: 'square' },
      { image_size: { width: 1, height: 1 } },
      { image_size: 'portrait' },
    ],
  ),
];

export const handPairs: readonly HandPair[] = [...scalars, ...objects, ...lists, ...unions, ...references];
