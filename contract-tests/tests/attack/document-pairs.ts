import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';
import { plainWord } from './hostile-texts.ts';
import { makeDocument } from './schema-documents.ts';
import { componentRef } from './schemas.ts';

/** `quiet`: neither a type nor what a validator accepts changes. `loud`: users of the operation notice, whatever the types say. */
export type Expected = 'quiet' | 'loud' | 'decided';
export type Pair = {
  readonly kind: string;
  readonly expected: Expected;
  readonly before: JsonObject;
  readonly after: JsonObject;
};

type Parts = { input: JsonObject; output: JsonObject; components: Record<string, JsonObject> };

function listParts(random: Random): Parts {
  const names = ['File', 'Settings', 'Mode', 'Point'];
  const text = (): JsonObject => ({ type: 'string', ...(random.chance(0.5) ? { maxLength: random.size(5, 50) } : {}) });
  const components: Record<string, JsonObject> = {
    File: { type: 'object', properties: { url: text(), size: { type: 'integer', minimum: 0 } }, required: ['url'] },
    Settings: {
      type: 'object',
      properties: {
        mode: componentRef('Mode'),
        strength: { type: 'number', minimum: 0, maximum: 10 },
        file: componentRef('File'),
      },
    },
    Mode: { type: 'string', enum: ['fast', 'slow', 'auto'] },
    Point: {
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: 'number' } },
      required: ['x', 'y'],
      additionalProperties: false,
    },
  };
  const object = (): JsonObject => ({
    type: 'object',
    properties: {
      prompt: text(),
      ...Object.fromEntries(
        names.filter(() => random.chance(0.7)).map((name) => [name.toLowerCase(), componentRef(name)]),
      ),
      points: { type: 'array', items: componentRef('Point') },
    },
    required: ['prompt'],
  });
  return { input: object(), output: object(), components };
}

type Change = (parts: Parts, random: Random) => void;

/** A schema somewhere in the parts that has properties. */
function objectIn({ input, output, components }: Parts, random: Random): JsonObject {
  return random.one([input, input, output, components['File'] ?? input, components['Settings'] ?? input]);
}

function propertyIn(schema: JsonObject, random: Random): { name: string; members: Record<string, JsonValue> } {
  const members = isJsonObject(schema['properties']) ? (schema['properties'] as Record<string, JsonValue>) : {};
  return { name: random.one(Object.keys(members)), members };
}

/** Changes a member that says what it is itself. */
const onMember =
  (change: (member: Record<string, JsonValue>, random: Random) => void): Change =>
  (parts, random) => {
    const schema = objectIn(parts, random);
    const { members } = propertyIn(schema, random);
    const own = Object.values(members).filter((member) => isJsonObject(member) && member['$ref'] === undefined);
    const member = random.one(own);
    if (isJsonObject(member)) change(member as Record<string, JsonValue>, random);
  };

const renamed = (parts: Parts, from: string, to: string): void => {
  const text = JSON.stringify(parts).replaceAll(`#/components/schemas/${from}"`, `#/components/schemas/${to}"`);
  const { components, ...others } = JSON.parse(text);
  const { [from]: moved, ...rest } = components;
  Object.assign(parts, others, { components: { ...rest, [to]: moved } });
};

const inlined = (parts: Parts, name: string): void => {
  const { components, ...others } = JSON.parse(
    JSON.stringify(parts).replaceAll(JSON.stringify(componentRef(name)), JSON.stringify(parts.components[name])),
  );
  const { [name]: _, ...rest } = components;
  Object.assign(parts, others, { components: rest });
};

const changes: readonly (readonly [kind: string, expected: Expected, change: Change])[] = [
  ['component renamed', 'decided', (parts, random) => renamed(parts, random.one(Object.keys(parts.components)), `Other${plainWord(random, 3)}`)],
  ['component inlined', 'decided', (parts, random) => inlined(parts, random.one(Object.keys(parts.components)))],
  ['member removed', 'decided', (parts, random) => { const { name, members } = propertyIn(objectIn(parts, random), random); delete members[name]; }],
  ['member added', 'decided', (parts, random) => { const schema = objectIn(parts, random); propertyIn(schema, random).members[plainWord(random)] = { type: 'string' }; }],
  ['member required', 'decided', (parts, random) => { const schema = objectIn(parts, random); Object.assign(schema, { required: [...new Set([...(schema['required'] as string[] ?? []), propertyIn(schema, random).name])] }); }],
  ['nothing required', 'decided', (parts, random) => void Object.assign(objectIn(parts, random), { required: [] })],
  ['values removed', 'decided', (parts) => void Object.assign(parts.components['Mode'] ?? {}, { enum: ['fast', 'auto'] })],
  ['values added', 'decided', (parts) => void Object.assign(parts.components['Mode'] ?? {}, { enum: ['fast', 'slow', 'auto', 'turbo'] })],
  ['closed', 'decided', (parts, random) => void Object.assign(objectIn(parts, random), { additionalProperties: false })],
  ['type changed', 'decided', onMember((member, random) => void Object.assign(member, { type: random.one(['string', 'integer', 'boolean', 'array']) }))],
  ['null allowed', 'decided', onMember((member) => void Object.assign(member, { nullable: true }))],
  ['length bounded', 'decided', onMember((member, random) => void Object.assign(member, { type: 'string', maxLength: random.below(4) }))],
  ['read only', 'decided', onMember((member) => void Object.assign(member, { readOnly: true }))],
  ['write only', 'decided', onMember((member) => void Object.assign(member, { writeOnly: true }))],
  ['words', 'quiet', onMember((member, random) => void Object.assign(member, { title: plainWord(random), description: plainWord(random), example: 'x', $comment: 'x', 'x-other': { a: 1 } }))],
  ['no effect', 'quiet', onMember((member, random) => void Object.assign(member, random.one<JsonObject>([{ minLength: 0 }, { minItems: 0 }, { uniqueItems: false }, { additionalProperties: true }, { minProperties: 0 }, { contentEncoding: 'x' }, { deprecated: false }])))],
  ['format of a number', 'quiet', onMember((member) => void Object.assign(member, member['type'] === 'string' ? { format: 'password' } : { format: 'unknown-format' }))],
  ['order', 'quiet', (parts, random) => { const schema = objectIn(parts, random); Object.assign(schema, { properties: Object.fromEntries(Object.entries(schema['properties'] as JsonObject).reverse()) }); }],
]; // biome-ignore format: one row for each change

const operationChanges: readonly (readonly [kind: string, change: (post: Record<string, JsonValue>, random: Random) => void])[] = [
  ['required parameter', (post, random) => void Object.assign(post, { parameters: [{ name: `x-${plainWord(random)}`, in: random.one(['header', 'query']), required: true, schema: { type: 'string' } }] })],
  ['security', (post) => void Object.assign(post, { security: [{ OtherAuth: ['scope'] }] })],
  ['success status', (post) => void Object.assign(post, { responses: Object.fromEntries(Object.values(post['responses'] as JsonObject).map((response) => ['201', response])) })],
]; // biome-ignore format: one row for each change

/** A document and the same with one thing changed. */
export function documentPair(random: Random, id: string): Pair {
  const parts = listParts(random);
  const before = makeDocument(id, structuredClone(parts));
  if (random.chance(0.15)) {
    const [kind, change] = random.one(operationChanges);
    const after = structuredClone(before);
    const [item] = Object.values(after['paths'] as Record<string, { post: Record<string, JsonValue> }>);
    if (item !== undefined) change(item.post, random);
    return { kind, expected: 'loud', before, after };
  }
  const [kind, expected, change] = random.one(changes);
  change(parts, random);
  return { kind, expected, before, after: makeDocument(id, parts) };
}
