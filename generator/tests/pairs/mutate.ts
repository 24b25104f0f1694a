import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import type { Dice } from '../random-documents/dice.ts';

/** A schema in a document, and a function that replaces it. */
type Place = { readonly schema: JsonObject; replace(schema: JsonValue): void };
type Mutation = (place: Place, context: Context) => void;
type Context = { readonly dice: Dice; readonly document: JsonObject };

/** Returns a copy of the document with one change, and its description; undefined if the change does not apply. */
export function mutateDocument(document: JsonObject, dice: Dice): { name: string; document: JsonObject } | undefined {
  const copy: JsonObject = JSON.parse(JSON.stringify(document));
  const places = placesIn(copy);
  const name = dice.pick(Object.keys(mutations));
  for (let trial = 0; trial < 20 && places.length > 0; trial++) {
    mutations[name]?.(dice.pick(places), { dice, document: copy });
    if (JSON.stringify(copy) !== JSON.stringify(document)) return { name, document: copy };
  }
  return undefined;
}

const schemaKeywords = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'propertyNames'];
const containerKeywords = ['properties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', 'prefixItems'];

/** Lists every schema in input, output and components that is an object (not `true` or `false`). */
function placesIn(document: JsonObject): Place[] {
  const places: Place[] = [];
  const visit = (holder: JsonObject | JsonValue[], key: string): void => {
    const schema = new Map<string, JsonValue>(Object.entries(holder)).get(key);
    if (!isJsonObject(schema)) return;
    const replace = (value: JsonValue): void => {
      Object.assign(holder, { [key]: value });
    };
    places.push({ schema, replace });
    for (const word of schemaKeywords) visit(schema, word);
    for (const word of containerKeywords) visitAll(schema[word] ?? null);
  };
  const visitAll = (container: JsonValue): void => {
    if (typeof container !== 'object' || container === null) return;
    for (const key of Object.keys(container)) visit(container, key);
  };
  for (const holder of rootsIn(document)) visit(holder, 'schema');
  visitAll(resolvePointer(document, '/components/schemas') ?? null);
  return places;
}

function rootsIn(document: JsonObject): JsonObject[] {
  const roots: JsonObject[] = [];
  const search = (value: JsonValue): void => {
    if (isJsonObject(value) && isJsonObject(value['schema'])) roots.push(value);
    else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) search(part);
  };
  search(document['paths'] ?? {});
  return roots;
}

function readMembers({ schema }: Place): JsonObject | undefined {
  const { properties } = schema;
  return isJsonObject(properties) && Object.keys(properties).length > 0 ? properties : undefined;
}

function readRequired({ schema }: Place): JsonValue[] {
  return Array.isArray(schema['required']) ? schema['required'] : [];
}

const someSchemas: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'number' },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false },
  { type: 'array', items: { type: 'string' } },
  { enum: ['p', 'q'] },
  { enum: ['p', 'q', 'r', 1] },
  {},
];
const keywordValues: Readonly<Record<string, readonly JsonValue[]>> = {
  minimum: [0, 1, 2, 3],
  maximum: [2, 3, 4],
  exclusiveMinimum: [0, 1, 2],
  exclusiveMaximum: [3, 4],
  multipleOf: [0.5, 1, 2],
  minLength: [0, 1, 2, 4],
  maxLength: [1, 3, 4, 30],
  pattern: ['^p', '^[a-z]*$', 'x'],
  format: ['uri', 'date', 'binary', 'int32', 'made-up'],
  minItems: [0, 1, 2],
  maxItems: [0, 1, 2, 3],
  uniqueItems: [true, false],
  minProperties: [0, 1, 2],
  maxProperties: [1, 2, 3],
  description: ['other words'],
  default: ['p', 1, null],
  title: ['another title'],
  deprecated: [true],
  readOnly: [true],
  writeOnly: [true],
  nullable: [true],
  additionalProperties: [true, false, {}, { type: 'string' }, { type: 'integer' }],
  unevaluatedProperties: [true, false],
  propertyNames: [true, { enum: ['a', 'b', 'kind'] }, { minLength: 2 }],
  minContains: [1, 2],
  contains: [true, { type: 'string' }],
  not: [false, { type: 'string' }, { required: ['b'] }],
  dependentRequired: [{}, { a: ['b'] }, { a: ['a'] }],
  items: [true, false, { type: 'string' }],
  type: ['string', 'integer', 'number', 'object', ['string', 'integer'], ['string', 'null']],
  enum: [['p'], ['p', 'q'], ['p', 'q', 1], ['p', null]],
  const: ['p', 1, { a: 1 }],
  patternProperties: [{ '^x-': { type: 'integer' } }, { '': { type: 'string' } }],
};

const mutations: Readonly<Record<string, Mutation>> = {
  'set a keyword': ({ schema }, { dice }) => {
    const keyword = dice.pick(Object.keys(keywordValues));
    schema[keyword] = dice.pick(keywordValues[keyword] ?? [true]);
  },
  'change a keyword': ({ schema }, { dice }) => {
    const changeable = Object.keys(schema).filter((word) => keywordValues[word] !== undefined);
    const keyword = dice.pick(changeable.length > 0 ? changeable : ['description']);
    schema[keyword] = dice.pick(keywordValues[keyword] ?? [true]);
  },
  'drop a keyword': ({ schema }, { dice }) => {
    const words = Object.keys(schema);
    if (words.length > 0) delete schema[dice.pick(words)];
  },
  'add a property': (place, { dice }) => {
    const { schema } = place;
    if (schema['type'] !== 'object' && readMembers(place) === undefined) return;
    schema['properties'] = { ...readMembers(place), fresh: dice.pick(someSchemas) };
    if (dice.chance(0.4)) schema['required'] = [...readRequired(place), 'fresh'];
  },
  'drop a property': (place, { dice }) => {
    const members = readMembers(place);
    if (members === undefined) return;
    const name = dice.pick(Object.keys(members));
    delete members[name];
    if (place.schema['required'] !== undefined)
      place.schema['required'] = readRequired(place).filter((one) => one !== name);
  },
  'make a property required or optional': (place, { dice }) => {
    const members = readMembers(place);
    if (members === undefined) return;
    const name = dice.pick(Object.keys(members));
    const required = readRequired(place);
    place.schema['required'] = required.includes(name) ? required.filter((one) => one !== name) : [...required, name];
  },
  'replace a schema': ({ replace }, { dice }) => replace(dice.pick(someSchemas)),
  'add null': ({ schema, replace }, { dice }) =>
    replace(dice.chance(0.5) ? { anyOf: [schema, { type: 'null' }] } : { ...schema, nullable: true }),
  'add an alternative': ({ schema, replace }, { dice }) => {
    const word = dice.pick(['anyOf', 'oneOf']);
    const list = schema[word];
    if (Array.isArray(list)) list.push(dice.pick(someSchemas));
    else replace({ [word]: [schema, dice.pick(someSchemas)] });
  },
  'drop an alternative': ({ schema }, { dice }) => {
    const list = dice.chance(0.5) ? schema['anyOf'] : schema['oneOf'];
    if (Array.isArray(list) && list.length > 1) list.splice(dice.below(list.length), 1);
  },
  'wrap in allOf': ({ schema, replace }, { dice }) => replace({ allOf: dice.chance(0.5) ? [schema] : [schema, {}] }),
  'add to enum': ({ schema }, { dice }) => {
    if (Array.isArray(schema['enum'])) schema['enum'].push(dice.pick<JsonValue>(['s', 7, null]));
  },
  'drop from enum': ({ schema }, { dice }) => {
    const list = schema['enum'];
    if (Array.isArray(list) && list.length > 1) list.splice(dice.below(list.length), 1);
  },
  'rename a component': (_, { dice, document }) => {
    const components = resolvePointer(document, '/components/schemas');
    if (!isJsonObject(components) || Object.keys(components).length === 0) return;
    const name = dice.pick(Object.keys(components));
    components['Renamed'] = components[name] ?? {};
    delete components[name];
    rewriteReferences(document, `#/components/schemas/${name}`, () => ({ $ref: '#/components/schemas/Renamed' }));
  },
  'inline a component': ({ schema, replace }, { document }) => {
    const reference = schema['$ref'];
    const target = typeof reference === 'string' ? resolvePointer(document, reference.slice(1)) : undefined;
    if (isJsonObject(target)) replace({ ...structuredClone(target), ...omit(schema, '$ref') });
  },
  'make a component': ({ schema, replace }, { document }) => {
    const components = resolvePointer(document, '/components/schemas');
    if (!isJsonObject(components) || schema['$ref'] !== undefined) return;
    components['Made'] = schema;
    replace({ $ref: '#/components/schemas/Made' });
  },
  'swap components': (_, { dice, document }) => {
    const components = resolvePointer(document, '/components/schemas');
    if (!isJsonObject(components) || Object.keys(components).length < 2) return;
    const [one, other] = [dice.pick(Object.keys(components)), dice.pick(Object.keys(components))];
    [components[one], components[other]] = [components[other] ?? {}, components[one] ?? {}];
    const to = (name: string) => () => ({ $ref: `#/components/schemas/${name}` });
    if (dice.chance(0.5)) return;
    rewriteReferences(document, `#/components/schemas/${one}`, to('\0'));
    rewriteReferences(document, `#/components/schemas/${other}`, to(one));
    rewriteReferences(document, '#/components/schemas/\0', to(other));
  },
};

function omit({ ...schema }: JsonObject, keyword: string): JsonObject {
  delete schema[keyword];
  return schema;
}

function rewriteReferences(value: JsonValue, from: string, to: () => JsonObject): void {
  if (typeof value !== 'object' || value === null) return;
  if (isJsonObject(value) && value['$ref'] === from) Object.assign(value, to());
  for (const part of Object.values(value)) rewriteReferences(part, from, to);
}
