import { describe, expect, test } from 'vitest';
import { namedTypes, showType } from './read-model.ts';

const a = { a: { type: 'string' } };

describe('names of types', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  test('keeps the name of a referenced type if the keywords next to the reference do not narrow it', () => {
    const components = { Part: { type: 'object', properties: a } };
    expect(showType({ ...ref('Part'), description: 'x', default: {} }, components)).toBe('Part');
    expect(showType({ ...ref('Part'), type: 'object' }, components)).toBe('Part');
    expect(showType({ ...ref('Part'), required: ['a'] }, components)).toBe('{ a: string }');
  });

  test('turns names of definitions into distinct identifiers that are not reserved words', () => {
    const components = {
      'Image-Output': {},
      ImageOutput: {},
      'V1.6bInput': {},
      '4b': {},
      string: {},
      Input: {},
      ValidationResult: {},
      Модель: {},
      Élément: {},
    };
    const types = Object.keys(components).map((name) => showType({ type: 'array', items: ref(name) }, components));
    expect(types).toEqual([
      'ImageOutput[]',
      'ImageOutput2[]',
      'V16bInput[]',
      'Part4b[]',
      'string2[]',
      'Input2[]',
      'ValidationResult2[]',
      'Part[]',
      'Element[]',
    ]);
  });

  test('creates named types for references to anchors and dynamic anchors', () => {
    const Tree = {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
    };
    const Holder = { type: 'object', properties: { 'a/b': { $anchor: 'deep', enum: ['x'] } } };
    expect(namedTypes({ Tree }, ref('Tree'))).toEqual({ Tree: '{ children?: Tree[] }' });
    expect(showType({ type: 'array', items: { $ref: '#deep' } }, { Holder })).toBe('AB[]');
    expect(showType({ $ref: '#nowhere' }, { Holder })).toBe('unknown');
  });

  test('resolves references in an embedded JSON Schema relative to that schema', () => {
    const $defs = { Point: { type: 'object', properties: { x: { type: 'number' } } } };
    const Shape = { $defs, type: 'object', properties: { at: { $ref: '#/$defs/Point' }, in: { $ref: '#' } } };
    const input = {
      $defs: { List: { type: 'array', items: { $ref: '#/$defs/Item' } }, Item: { enum: ['a'] } },
      type: 'object',
      properties: {
        list: { $ref: '#/$defs/List' },
        first: { type: 'array', items: { $ref: '#/properties/list' } },
        shape: ref('Shape'),
        parent: { $ref: '#' },
      },
    };
    expect(namedTypes({ Shape }, input)).toEqual({
      Item: '"a"',
      List: 'Item[]',
      Point: '{ x?: number }',
      Shape: '{ at?: Point; in?: Shape }',
      list: 'List',
      schema: '{ list?: List; first?: list[]; shape?: Shape; parent?: schema }',
    });
  });

  test('ignores anchors in enum, const and default values', () => {
    const anchored = { $anchor: 'place', type: 'null' };
    const Holder = {
      enum: [anchored],
      const: anchored,
      default: anchored,
      properties: { enum: { $anchor: 'place', type: 'string' } },
    };
    expect(namedTypes({ Holder }, { type: 'object', properties: { x: { $ref: '#place' } } })).toEqual({
      enum2: 'string',
    });
  });

  test('prints a recursive schema as a type that refers to itself by name', () => {
    const Tree = { type: 'object', properties: { children: { type: 'array', items: ref('Tree') }, up: ref('Tree') } };
    expect(namedTypes({ Tree }, ref('Tree'))).toEqual({ Tree: '{ children?: Tree[]; up?: Tree }' });
  });

  test('uses the type unknown for definitions that only refer to themselves, and omits such references from unions', () => {
    const components = {
      Loop: ref('Loop'),
      Round: { anyOf: [ref('Round'), { type: 'string' }] },
      One: ref('Two'),
      Two: ref('One'),
    };
    const properties = { l: ref('Loop'), r: ref('Round'), o: ref('One') };
    expect(namedTypes(components, { type: 'object', properties })).toEqual({
      Loop: 'unknown',
      One: 'unknown',
      Round: 'string',
    });
  });

  test('prints all alternatives of definitions that refer to each other', () => {
    const kind = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
    const components = {
      A: { anyOf: [kind('a'), ref('B'), ref('C')] },
      B: { anyOf: [kind('b'), ref('A'), ref('C')] },
      C: { anyOf: [kind('c'), ref('A'), ref('B')] },
    };
    expect(namedTypes(components, ref('A'))['A']).toBe('{ a: string } | { b: string } | { c: string }');
  });

  test('combines definitions that refer to themselves with other schemas', () => {
    const components = { Loop: ref('Loop'), Round: { anyOf: [ref('Round'), { type: 'object', properties: a }] } };
    const more = { type: 'object', required: ['b'] };
    expect(showType({ oneOf: [ref('Loop'), ref('Round'), more] }, components)).toContain('b?: never');
    expect(showType({ allOf: [ref('Loop'), more] }, components)).toBe('{ b: unknown; [key: string]: unknown }');
    expect(showType({ allOf: [ref('Round'), more] }, components)).toContain('a?: string');
  });

  test('keeps the name of a recursive definition that an allOf combines with other schemas', () => {
    const Node = { type: 'object', properties: { next: { allOf: [ref('Node'), { required: ['next'] }] } } };
    expect(namedTypes({ Node }, ref('Node'))).toEqual({ Node: '{ next?: Node & { next: unknown } }' });
  });

  test('narrows the branches of a union to the values in the mapping of its discriminator', () => {
    const components = {
      Cat: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
      Dog: { type: 'object', properties: { kind: { type: 'string', enum: ['dog'] } }, required: ['kind'] },
    };
    const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' };
    const schema = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping } };
    expect(showType(schema, components)).toBe('(Cat & { kind?: "cat" }) | Dog');
    const wrong = { propertyName: 'kind', mapping: { cat: 'Cat', hound: 'Dog' } };
    expect(showType({ ...schema, discriminator: wrong }, components)).toBe('(Cat & { kind?: "cat" }) | Dog');
    const unmapped = { ...schema, discriminator: { propertyName: 'kind' } };
    expect(showType(unmapped, components)).toBe('Cat | Dog');
  });

  test('follows references with escaped pointers, and to properties of other schemas', () => {
    const components = {
      'a/b~c': { type: 'string' },
      Whole: { type: 'object', properties: { 'in side': { type: 'number' } } },
    };
    expect(showType({ type: 'array', items: { $ref: '#/components/schemas/a~1b~0c' } }, components)).toBe('ABC[]');
    expect(
      showType({ type: 'array', items: { $ref: '#/components/schemas/Whole/properties/in%20side' } }, components),
    ).toBe('InSide[]');
  });
});
