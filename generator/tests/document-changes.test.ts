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

/** Returns `rule verdict: message` for each change between the outputs of two documents. */
function changes(before: Parts, after: Parts): string[] {
  const [old, now] = [before, after].map((parts) => emitDocument(makeDocument(parts)));
  if (old === undefined || now === undefined) throw new Error('a document cannot be read');
  return diffFiles(old, now).map(({ rule, verdict, message }) => `${rule} ${verdict}: ${message}`);
}

const noEffect = 'document-changed cosmetic: the document changed in parts that neither calls nor code depend on';
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
      ['export-removed breaking: TypeScript export `File` renamed to `Asset`'],
    ],
    [
      'a component that was inlined',
      { output: object({ file: ref('File') }), components: { File: file } },
      { output: object({ file }) },
      ['export-removed breaking: TypeScript export `File` removed'],
    ],
    [
      'an inline schema that became a component',
      { output: object({ file }) },
      { output: object({ file: ref('File') }), components: { File: file } },
      ['export-added compatible: TypeScript export `File` added'],
    ],
    [
      'components that swapped names',
      { output: object({ a: ref('A'), b: ref('B') }), components: { A: file, B: object({ n: text }) } },
      { output: object({ a: ref('B'), b: ref('A') }), components: { B: file, A: object({ n: text }) } },
      ['code-broken breaking: the TypeScript type changed', 'code-broken breaking: the TypeScript type changed'],
    ],
    ['a component that nothing uses', { components: { Spare: file } }, { components: {} }, [noEffect]],
  ];
  test.each(rows)('reports the exported types of a model with %s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});

describe('the call of a model', () => {
  const rows: [string, Parts, Parts, string[]][] = [
    [
      'an added required parameter',
      {},
      { operation: { parameters: [query({ required: true })] } },
      ['operation-changed breaking: required parameter `query q` added'],
    ],
    [
      'an added optional parameter',
      {},
      { path: { parameters: [query({})] } },
      ['operation-extended compatible: parameter `query q` added'],
    ],
    [
      'a removed parameter',
      { path: { parameters: [query({})] } },
      {},
      ['operation-changed breaking: parameter `query q` removed'],
    ],
    [
      'a parameter that became required',
      { path: { parameters: [query({})] } },
      { operation: { parameters: [query({ required: true })] } },
      ['operation-changed breaking: parameter `query q` became required'],
    ],
    [
      'another type of a parameter',
      { operation: { parameters: [query({})] } },
      { operation: { parameters: [query({ schema: ref('Count') })] }, components: { Count: { type: 'integer' } } },
      ['type-changed breaking: parameter `query q`: type changed from `string` to `Count`'],
    ],
    [
      'another serialisation of a parameter',
      { operation: { parameters: [query({ schema: { type: 'array', items: text } })] } },
      { operation: { parameters: [query({ schema: { type: 'array', items: text }, explode: false })] } },
      ['operation-changed breaking: parameter `query q` changed from `{}` to `{"explode":false}`'],
    ],
    [
      'a credential for a call that needed none',
      {},
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      [
        'operation-changed breaking: credential `none` removed',
        'operation-extended compatible: credential `apikey header x-a` added',
      ],
    ],
    [
      'a renamed security scheme',
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      {
        root: { components: { securitySchemes: { again: { type: 'apiKey', in: 'header', name: 'X-A' } } } },
        operation: { security: [{ again: [] }] },
      },
      [noEffect],
    ],
    [
      'a credential that became optional',
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      { root: { components: header('X-A'), security: [{ key: [] }, {}] } },
      ['operation-extended compatible: credential `none` added'],
    ],
    [
      'an additional scope',
      { root: { security: [{ login: ['run'] }] } },
      { root: { security: [{ login: ['run', 'pay'] }] } },
      [
        'operation-changed breaking: credential `login run` removed',
        'operation-extended compatible: credential `login pay run` added',
      ],
    ],
    [
      'a range of success statuses instead of one status',
      { responses: { 200: { content: one } } },
      { responses: { '2XX': { content: one } } },
      ['operation-changed breaking: response `200` removed', 'operation-extended compatible: response `2XX` added'],
    ],
    [
      'a credential header in lower case',
      { root: { components: header('X-A'), security: [{ key: [] }] } },
      { root: { components: header('x-a'), security: [{ key: [] }] } },
      [noEffect],
    ],
    [
      'an added error response',
      { responses: { 200: { content: one } } },
      { responses: { 200: { content: one }, 429: {} } },
      ['operation-extended compatible: response `429` added'],
    ],
    [
      'a removed response header',
      { responses: { 200: { content: one, headers: { 'X-Cost': { schema: text } } } } },
      { responses: { 200: { content: one } } },
      ['operation-changed breaking: response header `x-cost` removed'],
    ],
    [
      'another media type of requests',
      { request: 'application/json' },
      { request: 'application/problem+json' },
      [
        'operation-changed breaking: media type `application/json` removed',
        'operation-extended compatible: media type `application/problem+json` added',
      ],
    ],
  ];
  test.each(rows)('reports the effect on callers of %s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});

describe('read-only and write-only members', () => {
  const sides = (id: JsonObject): Parts => ({
    input: object({ item: ref('Item') }),
    output: object({ item: ref('Item') }),
    components: { Item: object({ id: { ...text, ...id }, name: text }, 'id') },
  });
  test.each<[string, Parts, Parts, string[]]>([
    [
      'reports a member that became readOnly as removed from inputs',
      sides({}),
      sides({ readOnly: true }),
      ['property-removed breaking: property removed (was `string`)'],
    ],
    [
      'reports a member that became writeOnly as removed from outputs',
      sides({}),
      sides({ writeOnly: true }),
      [
        'property-removed breaking: property removed (was `string`)',
        'code-broken breaking: the TypeScript type changed',
      ],
    ],
    [
      'reports a required member that is no longer readOnly as added to inputs',
      sides({ readOnly: true }),
      sides({}),
      [
        'property-added-required breaking: required property added (`string`)',
        'export-removed breaking: TypeScript export `ItemInput` removed',
      ],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after).filter((change) => !change.startsWith('export-added'))).toEqual(expected);
  });
});

// These tests would exceed their timeout if pairs of definitions were compared more than once.
describe('recursive documents', () => {
  test('reports only the changed one of three mutually recursive definitions', () => {
    const circle = (leaf: string): Parts => ({
      output: object({ x: ref('A') }),
      components: {
        A: { oneOf: [object({ a: text }, 'a'), ref('B'), ref('C')] },
        B: { oneOf: [object({ b: text }, 'b'), ref('A'), ref('C')] },
        C: { oneOf: [object({ [leaf]: text }, leaf), ref('A'), ref('B')] },
      },
    });
    expect(changes(circle('c'), circle('c'))).toEqual([]);
    expect(changes(circle('c'), circle('d'))).toEqual([
      'union-member-removed breaking: may no longer be `{ c }`',
      'union-member-added breaking: may also be `{ d }`',
    ]);
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
    expect(changes(chain(text), chain({ type: 'integer' }))).toContain(
      'type-changed breaking: type changed from `string` to `integer`',
    );
  });
});

describe('changes between binary, text and arbitrary bodies', () => {
  const any = (schema: JsonValue): Parts => ({ content: { '*/*': { schema } } });
  const bytes = { type: 'string', format: 'binary' };
  test.each<[string, Parts, Parts, string[]]>([
    [
      'a body that became binary instead of any',
      any(text),
      any(bytes),
      ['body-form-removed compatible: body kind `json` removed'],
    ],
    [
      'a body that may be anything instead of binary',
      any(bytes),
      any(text),
      ['body-form-added breaking: body kind `json` added'],
    ],
    [
      'another format of a JSON string',
      { output: bytes },
      { output: { ...text, format: 'date' } },
      ['format-noted cosmetic: format changed from `binary` to `date` (never checked)'],
    ],
    [
      'another schema for an image as a change without effect',
      { content: { 'image/png': { schema: bytes } } },
      { content: { 'image/png': { schema: { type: 'object' } } } },
      [noEffect],
    ],
  ])('reports %s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});
