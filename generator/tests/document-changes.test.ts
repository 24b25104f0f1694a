import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../specs/src/index.ts';
import { diffFiles, emitDocument } from './diff-documents.ts';
import { modelDocument } from './fake-router.ts';

type Parts = {
  input?: JsonValue;
  output?: JsonValue;
  content?: JsonObject;
  components?: JsonObject;
  operation?: JsonObject;
  path?: JsonObject;
  request?: string;
  responses?: JsonObject;
  root?: JsonObject;
};

function makeDocument({ operation = {}, path = {}, request, responses, ...schemas }: Parts): JsonObject {
  const document: JsonObject = JSON.parse(JSON.stringify(modelDocument('p/m', schemas)));
  const [[key, item] = ['', undefined]] = isJsonObject(document['paths']) ? Object.entries(document['paths']) : [];
  const post = isJsonObject(item) && isJsonObject(item['post']) ? item['post'] : {};
  const body: JsonObject =
    request === undefined ? {} : { requestBody: { content: { [request]: { schema: schemas.input ?? {} } } } };
  return {
    ...document,
    paths: { [key]: { ...path, post: { ...post, ...body, ...(responses && { responses }), ...operation } } },
  };
}

/** `rule verdict: subject` of each change. */
function changes(before: Parts, after: Parts): string[] {
  const [old, now] = [before, after].map((parts) => emitDocument(makeDocument(parts)));
  if (old === undefined || now === undefined) throw new Error('a document cannot be read');
  return diffFiles(old, now).map(
    ({ rule, verdict, subject }) => `${rule} ${verdict}${subject === undefined ? '' : `: ${subject}`}`,
  );
}

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const file = object({ url: text }, 'url');
const query = (more: JsonObject): JsonObject => ({ in: 'query', name: 'q', schema: text, ...more });
const header = (name: string): JsonObject => ({ securitySchemes: { key: { type: 'apiKey', in: 'header', name } } });
const one = { 'application/json': { schema: file } };

describe('names that a model exports', () => {
  const rows: [string, Parts, Parts, string[]][] = [
    [
      'a component that was renamed',
      { output: ref('File'), components: { File: file } },
      { output: ref('Asset'), components: { Asset: file } },
      ['export-removed breaking: File', 'export-added compatible: Asset'],
    ],
    [
      'a component that was inlined',
      { output: object({ file: ref('File') }), components: { File: file } },
      { output: object({ file }) },
      ['export-removed breaking: File'],
    ],
    [
      'a component that was made of an inline schema',
      { output: object({ file }) },
      { output: object({ file: ref('File') }), components: { File: file } },
      ['export-added compatible: File'],
    ],
    [
      'components that changed names with each other',
      { output: object({ a: ref('A'), b: ref('B') }), components: { A: file, B: object({ n: text }) } },
      { output: object({ a: ref('B'), b: ref('A') }), components: { B: file, A: object({ n: text }) } },
      ['code-broken breaking', 'code-broken breaking'],
    ],
    [
      'a component that nothing uses',
      { components: { Spare: file } },
      { components: {} },
      ['document-changed cosmetic'],
    ],
  ];
  test.each(rows)('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});

describe('what a document says of the call', () => {
  const rows: [string, Parts, Parts, string[]][] = [
    [
      'a required parameter',
      {},
      { operation: { parameters: [query({ required: true })] } },
      ['parameter-added-required breaking: query q'],
    ],
    ['a parameter', {}, { path: { parameters: [query({})] } }, ['parameter-added-optional compatible: query q']],
    ['a parameter that went', { path: { parameters: [query({})] } }, {}, ['parameter-removed breaking: query q']],
    [
      'a parameter that became required',
      { path: { parameters: [query({})] } },
      { operation: { parameters: [query({ required: true })] } },
      ['parameter-became-required breaking: query q'],
    ],
    [
      'the type of a parameter',
      { operation: { parameters: [query({})] } },
      { operation: { parameters: [query({ schema: ref('Count') })] }, components: { Count: { type: 'integer' } } },
      ['type-changed breaking'],
    ],
    [
      'the way a parameter is written',
      { operation: { parameters: [query({ schema: { type: 'array', items: text } })] } },
      { operation: { parameters: [query({ schema: { type: 'array', items: text }, explode: false })] } },
      ['parameter-rewritten breaking: query q'],
    ],
    [
      'a credential where there was none',
      {},
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      ['security-changed breaking'],
    ],
    [
      'a credential under another name of its scheme',
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      {
        root: { components: { securitySchemes: { again: { type: 'apiKey', in: 'header', name: 'X-A' } } } },
        operation: { security: [{ again: [] }] },
      },
      ['document-changed cosmetic'],
    ],
    [
      'another header for the credential',
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      { root: { components: header('X-B'), security: [{ key: [] }] } },
      ['security-changed breaking'],
    ],
    [
      'a second way to be authorised',
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      { root: { components: header('X-A'), security: [{ key: [] }, {}] } },
      ['security-loosened compatible'],
    ],
    [
      'a further scope',
      { root: { security: [{ login: ['run'] }] } },
      { root: { security: [{ login: ['run', 'pay'] }] } },
      ['security-changed breaking'],
    ],
    [
      'a range of statuses of success',
      { responses: { 200: { content: one } } },
      { responses: { '2XX': { content: one } } },
      ['response-added compatible: 2XX'],
    ],
    [
      'a status in place of its range',
      { responses: { '2XX': { content: one } } },
      { responses: { 200: { content: one } } },
      ['response-added compatible: 200'],
    ],
    [
      'a header of credentials in other letters',
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      { root: { components: header('x-a'), security: [{ key: [] }] } },
      ['document-changed cosmetic'],
    ],
    [
      'the status of success',
      { responses: { 200: { content: one } } },
      { responses: { 201: { content: one } } },
      ['success-response-removed breaking: 200', 'response-added compatible: 201'],
    ],
    [
      'a failure',
      { responses: { 200: { content: one } } },
      { responses: { 200: { content: one }, 429: {} } },
      ['response-added compatible: 429'],
    ],
    [
      'a header of a response',
      { responses: { 200: { content: one, headers: { 'X-Cost': { schema: text } } } } },
      { responses: { 200: { content: one } } },
      ['header-removed breaking: x-cost'],
    ],
    [
      'the media type of requests',
      { request: 'application/json' },
      { request: 'application/problem+json' },
      ['media-type-changed breaking'],
    ],
  ];
  test.each(rows)('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});

describe('members of one side', () => {
  const sides = (id: JsonObject): Parts => ({
    input: object({ item: ref('Item') }),
    output: object({ item: ref('Item') }),
    components: { Item: object({ id: { ...text, ...id }, name: text }, 'id') },
  });
  test.each<[string, Parts, Parts, string[]]>([
    ['readOnly takes a member out of inputs', sides({}), sides({ readOnly: true }), ['property-removed breaking: id']],
    [
      'writeOnly takes a member out of outputs',
      sides({}),
      sides({ writeOnly: true }),
      ['property-removed breaking: id', 'code-broken breaking'],
    ],
    [
      'without readOnly a required member comes into inputs',
      sides({ readOnly: true }),
      sides({}),
      ['export-removed breaking: ItemInput', 'property-added-required breaking: id'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after).filter((change) => !change.startsWith('export-added'))).toEqual(expected);
  });
});

test('reports a removed name as removed from inputs if only inputs used it', () => {
  const side = (id: JsonObject): Parts => ({
    input: object({ item: ref('Item') }),
    output: object({ item: ref('Item') }),
    components: { Item: object({ id: { ...text, ...id }, name: text }) },
  });
  const [old, now] = [side({ readOnly: true }), side({})].map((parts) => emitDocument(makeDocument(parts)));
  if (old === undefined || now === undefined) throw new Error('a document cannot be read');
  expect(diffFiles(old, now)).toContainEqual(
    expect.objectContaining({ rule: 'export-removed', subject: 'ItemInput', direction: 'input' }),
  );
});

// Within the time that a test may take: without a memory of pairs, each of these would not end.
describe('recursive documents', () => {
  test('names the changed one of three mutually recursive definitions', () => {
    const circle = (leaf: string): Parts => ({
      output: object({ x: ref('A') }),
      components: {
        A: { oneOf: [object({ a: text }, 'a'), ref('B'), ref('C')] },
        B: { oneOf: [object({ b: text }, 'b'), ref('A'), ref('C')] },
        C: { oneOf: [object({ [leaf]: text }, leaf), ref('A'), ref('B')] },
      },
    });
    expect(changes(circle('c'), circle('c'))).toEqual([]);
    expect(changes(circle('c'), circle('d'))).toEqual(['union-member-removed breaking', 'union-member-added breaking']);
  });

  test('finds a change 300 definitions deep, in schemas and in types', () => {
    const chain = (leaf: JsonObject): Parts => ({
      output: ref('S0'),
      components: Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [
          `S${index}`,
          index === 299 ? leaf : object({ next: ref(`S${index + 1}`) }),
        ]),
      ),
    });
    expect(changes(chain(text), chain({ type: 'integer' }))).toContain('type-changed breaking');
  });
});

describe('changes between binary, text and arbitrary bodies', () => {
  const any = (schema: JsonValue): Parts => ({ content: { '*/*': { schema } } });
  const bytes = { type: 'string', format: 'binary' };
  test.each<[string, Parts, Parts, string[]]>([
    ['bytes in place of an open body', any(text), any(bytes), ['body-form-removed compatible']],
    ['an open body in place of bytes', any(bytes), any(text), ['body-form-added breaking']],
    [
      'another format of text in JSON',
      { output: bytes },
      { output: { ...text, format: 'date' } },
      ['format-changed compatible: format'],
    ],
    [
      'a schema of bytes, which says nothing',
      { content: { 'image/png': { schema: bytes } } },
      { content: { 'image/png': { schema: { type: 'object' } } } },
      ['document-changed cosmetic'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});
