import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { describeChange } from '../src/diff/describe-schema.ts';
import { diffOperations } from '../src/diff/diff-operations.ts';
import { diffFiles, emitDocument } from './diff-documents.ts';
import { modelDocument } from './fake-router.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, ...required: string[]) => ({ type: 'object', properties, required });
const among = (...values: string[]) => ({ ...text, enum: values });

function linesOf(before: object, after: object): string[] {
  const [old, now] = [before, after].map((document) => emitDocument(JSON.parse(JSON.stringify(document))));
  return diffFiles(old ?? [], now ?? []).map((change) => describeChange(change, (one) => `\`${one}\``));
}

/** The lines for a member `x` of one side. */
const side = (name: 'input' | 'output', schema: JsonValue, components: JsonObject = {}) =>
  modelDocument('p/m', {
    input: {},
    output: {},
    [name]: object({ y: text, ...(schema === null ? {} : { x: schema }) }),
    components,
  });

test.each<['input' | 'output', JsonValue, JsonValue, string]>([
  ['input', null, text, '`input.x`: optional property added (`string`)'],
  [
    'input',
    text,
    null,
    '`input.x`: property removed (was `string`); calls with it are still accepted, but older code such as `input.x` does not compile',
  ],
  [
    'input',
    text,
    integer,
    '`input.x`: type changed from `string` to `integer`; some calls are refused now, and older code such as `input.x = a as string` does not compile',
  ],
  ['input', integer, { type: 'number' }, '`input.x`: type changed from `integer` to `number`'],
  [
    'output',
    integer,
    { type: 'number' },
    '`output.x`: type changed from `integer` to `number`; older code may not handle it',
  ],
  [
    'output',
    text,
    { ...text, nullable: true },
    '`output.x`: may be null now; older code such as `const a: string | undefined = output.x` does not compile',
  ],
  [
    'input',
    among('a', 'b'),
    among('a'),
    '`input.x`: value `"b"` removed; calls with it are refused, and older code such as `input.x = "b"` does not compile',
  ],
  [
    'output',
    among('a', 'b'),
    among('a'),
    '`output.x`: value `"b"` removed; older code such as `output.x === "b"` does not compile',
  ],
  ['output', among('a'), among('a', 'b'), '`output.x`: value `"b"` added; older code may not handle it'],
  [
    'output',
    among('a'),
    text,
    '`output.x`: values are no longer limited to a list (was `["a"]`); older code may not handle it',
  ],
  [
    'input',
    { ...integer, maximum: 4 },
    { ...integer, maximum: 2 },
    '`input.x`: maximum changed from `4` to `2` (tighter); calls outside it are refused',
  ],
  [
    'input',
    text,
    { ...text, maxLength: 9 },
    '`input.x`: maximum length `9` added (tighter); calls outside it are refused',
  ],
  [
    'output',
    { type: 'array', items: text, maxItems: 9 },
    { type: 'array', items: text },
    '`output.x`: maximum number of items `9` removed (looser); older code may not handle it',
  ],
  [
    'input',
    { ...integer, multipleOf: 2 },
    { ...integer, multipleOf: 4 },
    '`input.x`: step size changed from `2` to `4` (tighter); calls outside it are refused',
  ],
  ['input', text, { ...text, pattern: '^a' }, '`input.x`: pattern `^a` added; some calls are refused now'],
  ['output', text, { ...text, format: 'uri' }, '`output.x`: format `uri` added (not checked by default)'],
  [
    'input',
    { ...text, default: 'a' },
    text,
    '`input.x`: no longer has a default (was `"a"`); results may differ where calls leave it out',
  ],
  [
    'input',
    { ...integer, default: 1 },
    { ...integer, default: 2 },
    '`input.x`: default changed from `1` to `2`; results may differ where calls leave it out',
  ],
  ['input', text, { ...text, deprecated: true }, '`input.x`: deprecated now'],
  [
    'input',
    { type: 'array', items: text },
    { type: 'array', items: text, uniqueItems: true },
    '`input.x`: items must be unique now; some calls are refused now',
  ],
  [
    'input',
    object({ 'a-b': text }),
    { ...object({ 'a-b': text }), not: { required: ['a-b'] } },
    '`input.x`: constraint `not` `{"required":["a-b"]}` added; some calls are refused now',
  ],
])('%s of %j and %j is said in a line', (name, before, after, line) => {
  expect(linesOf(side(name, before), side(name, after))[0]).toBe(line);
});

test('code that uses a type is broken by the type, not by null', () => {
  const either = { anyOf: [text, integer, { type: 'null' }] };
  expect(linesOf(side('output', either), side('output', text))).toEqual([
    '`output.x`: type changed from `string | integer | null` to `string`; older code such as `output.x as number` does not compile',
    '`output.x`: may no longer be null',
  ]);
});

test('an alternative without a name is said by its members', () => {
  const tagged = (kind: string) => object({ kind: { enum: [kind] }, [`${kind}_url`]: text }, 'kind');
  const either = { oneOf: [tagged('a'), tagged('b')] };
  expect(linesOf(side('output', either), side('output', { oneOf: [...either.oneOf, tagged('c')] }))).toEqual([
    '`output.x`: may also be `{ kind, c_url }`; older code may not handle it',
  ]);
});

test('a required input is said in one line, whatever stands for the whole', () => {
  const components = (...required: string[]) => ({ Request: object({ a: text, b: text }, ...required) });
  const [before, after] = [{ Request: object({ a: text }) }, components('b')].map((one) =>
    modelDocument('p/m', { input: ref('Request'), components: one }),
  );
  expect(linesOf(before ?? {}, after ?? {})).toEqual([
    '`input.b`: required property added (`string`); calls without it are refused, and older code does not compile',
  ]);
});

test('a value that one of several lists has lost is said in one line', () => {
  const one = (...values: string[]) =>
    side('input', { anyOf: [ref('A'), ref('B')] }, { A: among('a'), B: among(...values) });
  expect(linesOf(one('b', 'c'), one('b'))).toEqual([
    '`input.x`: value `"c"` removed; calls with it are refused, and older code such as `input.x = "c"` does not compile',
  ]);
});

test('what concerns the call is said without its place in the document', () => {
  const call = (operation: JsonObject) => {
    const document = JSON.parse(JSON.stringify(modelDocument('p/m')));
    Object.assign(document.paths['/v2/models/p/m'].post, operation);
    document.components.securitySchemes = {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'bearer' },
    };
    return document;
  };
  expect(linesOf(call({ security: [{ key: [] }, { token: [] }] }), call({ security: [{ token: [] }] }))).toEqual([
    'credentials no longer accepted: `API key in header X-Key`; still accepted: `bearer token`; calls with others are refused',
  ]);
  const parameters = [{ in: 'header', name: 'X-Region', required: true, schema: text }];
  expect(linesOf(call({}), call({ parameters }))).toEqual([
    'required parameter `header x-region` added; calls without it are refused',
  ]);
});

test('what an API says in a component is said once, and of an operation with its call', () => {
  const api = (limit: JsonObject, id: string): JsonObject => ({
    paths: Object.fromEntries(
      ['/v2/models', '/v2/runs'].map((path) => [
        path,
        { get: { operationId: path + id, parameters: [{ $ref: '#/components/parameters/Limit' }], responses: {} } },
      ]),
    ),
    components: { parameters: { Limit: { in: 'query', name: 'limit', schema: { ...integer, ...limit } } } },
  });
  const changes = diffOperations(api({}, ''), api({ maximum: 9 }, '2'));
  expect(changes.map((change) => describeChange(change, (one) => `\`${one}\``))).toEqual([
    'operationId changed from `/v2/models` to `/v2/models2` in `GET /v2/models`; calls are still accepted, but older code that uses it may not compile',
    '`query limit`: maximum `9` added (tighter) in component `Limit`; calls outside it are refused',
    'operationId changed from `/v2/runs` to `/v2/runs2` in `GET /v2/runs`; calls are still accepted, but older code that uses it may not compile',
  ]);
});
