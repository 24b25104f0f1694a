import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { describeChange } from '../src/diff/change.ts';
import { diffOperations } from '../src/diff/diff-operations.ts';
import { openDocument } from '../src/diff/documents.ts';
import { diffFiles, emitDocument } from './diff-documents.ts';
import { modelDocument } from './fake-router.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, ...required: string[]) => ({ type: 'object', properties, required });
const among = (...values: string[]) => ({ ...text, enum: values });

function linesOf(before: object, after: object): string[] {
  const [old, now] = [before, after].map((document) => emitDocument(JSON.parse(JSON.stringify(document))));
  return diffFiles(old ?? [], now ?? []).map(describeChange);
}

/** The lines for a member `x` of inputs or outputs. */
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
    '`input.x`: property removed (was `string`); calls are still accepted, but older code such as `input.x` does not compile',
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
    '`input.x`: value `"b"` removed; calls with a removed value are refused, and older code such as `input.x = "b"` does not compile',
  ],
  [
    'output',
    among('a', 'b'),
    among('a'),
    '`output.x`: value `"b"` removed; older code such as `output.x === "b"` does not compile',
  ],
  [
    'output',
    among('a'),
    among('a', 'b'),
    '`output.x`: value `"b"` added; older code such as `const a: "a" | undefined = output.x` does not compile',
  ],
  [
    'output',
    among('a'),
    text,
    '`output.x`: values are no longer limited to a list (was `["a"]`); older code such as `const a: "a" | undefined = output.x` does not compile',
  ],
  [
    'input',
    { ...integer, maximum: 4 },
    { ...integer, maximum: 2 },
    '`input.x`: maximum changed from `4` to `2`; some calls are refused now',
  ],
  ['input', text, { ...text, maxLength: 9 }, '`input.x`: maximum length `9` added; some calls are refused now'],
  [
    'output',
    { type: 'array', items: text, maxItems: 9 },
    { type: 'array', items: text },
    '`output.x`: maximum number of items `9` removed; older code may not handle it',
  ],
  [
    'input',
    { ...integer, multipleOf: 2 },
    { ...integer, multipleOf: 4 },
    '`input.x`: step size changed from `2` to `4`; some calls are refused now',
  ],
  ['input', text, { ...text, pattern: '^a' }, '`input.x`: pattern `^a` added; some calls are refused now'],
  ['output', text, { ...text, format: 'uri' }, '`output.x`: format `uri` added (not checked by default)'],
  [
    'input',
    { ...text, default: 'a' },
    text,
    '`input.x`: default `"a"` removed; results may differ where calls leave it out',
  ],
  [
    'input',
    { ...integer, default: 1 },
    { ...integer, default: 2 },
    '`input.x`: default changed from `1` to `2`; results may differ where calls leave it out',
  ],
  ['input', text, { ...text, deprecated: true }, '`input.x`: deprecated now (still works)'],
  [
    'input',
    { type: 'array', items: text },
    { type: 'array', items: text, uniqueItems: true },
    '`input.x`: items must differ now; some calls are refused now',
  ],
  [
    'input',
    object({ 'a-b': text }),
    { ...object({ 'a-b': text }), not: { required: ['a-b'] } },
    '`input.x`: `a-b` is no longer allowed; some calls are refused now, and older code such as `input.x["a-b"] = a as string` does not compile',
  ],
])('describes a change of the %s from %j to %j in one line', (name, before, after, line) => {
  expect(linesOf(side(name, before), side(name, after))[0]).toBe(line);
});

/** A model whose member `x` is an integer with these keywords; `"#…"` in them is an integer of any size. */
const largeInteger = (keywords: object): string =>
  JSON.stringify(side('input', { type: 'integer', ...keywords } as JsonValue)).replace(/"#(-?\d+)"/g, '$1');

test.each<[object, object, string]>([
  [
    { maximum: '#18446744073709551615' },
    { maximum: '#9223372036854775807' },
    '`input.x`: maximum changed from `18446744073709551615` to `9223372036854775807`; some calls are refused now',
  ],
  [
    { maximum: '#18446744073709551615' },
    { maximum: '#18446744073709551614' },
    '`input.x`: maximum changed from `18446744073709551615` to `18446744073709551614`; some calls are refused now',
  ],
  [
    { minimum: '#-9223372036854775807' },
    { minimum: '#-9223372036854775808' },
    '`input.x`: minimum changed from `-9223372036854775807` to `-9223372036854775808`; some calls are refused now',
  ],
  [
    { default: '#18446744073709551615' },
    {},
    '`input.x`: default `18446744073709551615` removed; results may differ where calls leave it out',
  ],
  [
    { enum: [1, '#18446744073709551615'] },
    { enum: [1] },
    '`input.x`: value `18446744073709551615` removed; calls with a removed value are refused, and older code such as `input.x = 18446744073709552000` does not compile',
  ],
  [{ enum: [1] }, { enum: [1, '#9223372036854775807'] }, '`input.x`: value `9223372036854775807` added'],
])('keeps all digits of integers beyond 2^53 when %j becomes %j', (before, after, line) => {
  const [old, now] = [before, after].map((keywords) => emitDocument(largeInteger(keywords)));
  expect(diffFiles(old ?? [], now ?? []).map(describeChange)[0]).toBe(line);
});

test('gives the type, not null, as the reason for broken code', () => {
  const either = { anyOf: [text, integer, { type: 'null' }] };
  expect(linesOf(side('output', either), side('output', text))).toEqual([
    '`output.x`: type changed from `string | integer | null` to `string`; older code such as `output.x as number` does not compile',
    '`output.x`: may no longer be null',
  ]);
});

test('describes an alternative without a name by its members', () => {
  const tagged = (kind: string) => object({ kind: { enum: [kind] }, [`${kind}_url`]: text }, 'kind');
  const either = { oneOf: [tagged('a'), tagged('b')] };
  expect(linesOf(side('output', either), side('output', { oneOf: [...either.oneOf, tagged('c')] }))).toEqual([
    '`output.x`: may also be `{ kind, c_url }`; older code such as `const a: { kind: "a"; a_url?: string | undefined; } | { kind: "b"; b_url?: string | undef… = output.x` does not compile',
  ]);
});

test('describes a required input in one line if a definition contains the whole input', () => {
  const components = (...required: string[]) => ({ Request: object({ a: text, b: text }, ...required) });
  const [before, after] = [{ Request: object({ a: text }) }, components('b')].map((one) =>
    modelDocument('p/m', { input: ref('Request'), components: one }),
  );
  expect(linesOf(before ?? {}, after ?? {})).toEqual([
    '`input.b`: required property added (`string`); calls without it are refused, and older code does not compile',
  ]);
});

test('describes in one line a value that was removed from one of several lists', () => {
  const one = (...values: string[]) =>
    side('input', { anyOf: [ref('A'), ref('B')] }, { A: among('a'), B: among(...values) });
  expect(linesOf(one('b', 'c'), one('b'))).toEqual([
    '`input.x`: value `"c"` removed; calls with a removed value are refused, and older code such as `input.x = "c"` does not compile',
  ]);
});

test('describes changes of the call without their location in the document', () => {
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
    'credential `apikey header x-key` removed; older calls may be refused, and older code that uses it may not compile',
  ]);
  const parameters = [{ in: 'header', name: 'X-Region', required: true, schema: text }];
  expect(linesOf(call({}), call({ parameters }))).toEqual([
    'required parameter `header x-region` added; older calls may be refused, and older code that uses it may not compile',
  ]);
});

describe('the lines of a changed model', () => {
  const model = (parts: Parameters<typeof modelDocument>[1] = {}, root: JsonObject = {}) =>
    modelDocument('p/m', { input: {}, output: {}, ...parts, root });
  const unchecked = { 'x-service-input-schema-authored': false };
  const undescribed = { 'x-service-output-schema-authored': false };
  const openObject = { type: 'object', additionalProperties: true };
  const inputs = object({ prompt: text, width: integer, height: integer }, 'prompt');
  const result = { type: 'object', properties: { url: text } };

  test.each<[string, object, object, string[]]>([
    [
      'states what callers must do once inputs are checked',
      model({ input: openObject }, unchecked),
      model({ input: { ...inputs, additionalProperties: false } }),
      [
        'inputs are checked from now on: `prompt` is required; only `width`, `height` are known; older code that passes others does not compile',
      ],
    ],
    [
      'lists the members that older code may not pass, although the router still accepts them',
      model({ input: openObject }, unchecked),
      model({ input: object({ ...inputs.properties, size: integer, seed: integer }, 'prompt', 'seed') }),
      [
        'inputs are checked from now on: `prompt`, `seed` are required; `width`, `height`, `size` are described; older code that passes others does not compile',
      ],
    ],
    [
      'lists the alternatives of inputs that are now checked',
      model({ input: openObject }, unchecked),
      model({
        input: { oneOf: [ref('Draft'), ref('Final')] },
        components: {
          Draft: object({ mode: { enum: ['draft'] }, prompt: text }, 'mode', 'prompt'),
          Final: object({ mode: { enum: ['final'] }, task: text }, 'mode'),
        },
      }),
      [
        'TypeScript exports `Draft`, `Final` added',
        'inputs are checked from now on: `mode` is required; it must be one of `Draft`, `Final`; `prompt`, `task` are described; older code that passes others does not compile',
      ],
    ],
    [
      'breaks code that reads an input without its schema',
      model({ input: inputs }),
      model({ input: openObject }, unchecked),
      [
        'inputs are no longer checked: any JSON object is accepted; older code that reads their members does not compile',
      ],
    ],
    [
      'describes a result that is now described',
      model({ content: { '*/*': { schema: openObject } } }, undescribed),
      model({ output: result }),
      [
        'TypeScript exports `outputSchema`, `isOutput`, `validateOutput` added',
        '`output`: JSON with a schema now, was bytes or anything before; older code such as `output as string` does not compile',
      ],
    ],
    [
      'describes JSON that is now described',
      model({ output: openObject }, undescribed),
      model({ output: result }),
      ['outputs are described from now on: `{ url }`; older code such as `output.*` does not compile'],
    ],
    [
      'shows the words that were added to a description',
      model({ input: { ...inputs, description: 'Draws an image. Costs nothing when it is refused.' } }),
      model({ input: { ...inputs, description: 'Draws an image. Costs nothing when it is refused. Takes a minute.' } }),
      ['`input`: description now adds `"Takes a minute."`'],
    ],
    [
      'shows the words around the change of a long description',
      model({
        output: {
          ...result,
          description: `${'The image. '.repeat(20)}The link works for an hour. ${'And so on. '.repeat(20)}`,
        },
      }),
      model({
        output: {
          ...result,
          description: `${'The image. '.repeat(20)}The link works for two days. ${'And so on. '.repeat(20)}`,
        },
      }),
      [
        '`output`: description changed from `"… The link works for an hour. And so on. …"` to `"… The link works for two days. And so on. …"`',
      ],
    ],
    [
      'shows a description and an example once where a reference repeats them',
      model({
        input: { allOf: [ref('Request')], description: 'First text.', example: { a: 'one' } },
        components: { Request: { ...object({ a: text }), description: 'First text.', example: { a: 'one' } } },
      }),
      model({
        input: { allOf: [ref('Request')], description: 'Second text.', example: { a: 'two' } },
        components: { Request: { ...object({ a: text }), description: 'Second text.', example: { a: 'two' } } },
      }),
      ['`input`: description changed from `"First text."` to `"Second text."`', '`input`: example changed'],
    ],
    [
      'lists all values that were removed from a list, with the code that breaks',
      side('input', among('a', 'b', 'c', 'd')),
      side('input', among('a')),
      [
        '`input.x`: values `"b"`, `"c"`, `"d"` removed; calls with a removed value are refused, and older code such as `input.x = "b"` does not compile',
      ],
    ],
    [
      'lists media types',
      model({}, { 'x-service-router-input-modalities': ['text'] }),
      model(
        {},
        {
          'x-service-router-input-modalities': ['text', 'image'],
          'x-service-router-output-modalities': ['video'],
        },
      ),
      ['media of inputs changed from `text` to `text, image`', 'media of outputs are documented now: `video`'],
    ],
    [
      'lists alternates by provider and model',
      model({}, { 'x-service-router-alt-providers': [{ provider: 'q', model_id: 'q/m' }] }),
      model({}, { 'x-service-router-alt-providers': [{ provider: 'r', model_id: 'r/m' }] }),
      ['alternate provider `q (q/m)` removed; calls that choose it are refused', 'alternate provider `r (r/m)` added'],
    ],
  ])('a line of a changelog %s', (_, before, after, lines) => {
    expect(linesOf(before, after)).toEqual(lines);
  });
});

describe('the lines of updates as they happen', () => {
  const picture = (more: JsonObject) => ({
    ...object({ prompt: text, image: text, image_url: text, mask: text }),
    ...more,
  });
  const either = (keyword: 'anyOf' | 'oneOf', ...sets: string[][]) =>
    picture({ [keyword]: sets.map((required) => ({ required })) });
  const node = (label: JsonObject) => ({ Node: object({ label, children: { type: 'array', items: ref('Node') } }) });
  const part = (...required: string[]) => ({ Part: object({ url: text, mime: text }, ...required) });
  const parts = object({ cover: ref('Part'), pages: { type: 'array', items: ref('Part') } });
  const file = object({ url: text, size: integer }, 'url');
  const steps = object({ mode: among('fast', 'hd'), steps: integer });
  const shown = (name: string) => object({ image: ref(name), more: { type: 'array', items: ref(name) } });
  type Parts = NonNullable<Parameters<typeof modelDocument>[1]>;

  test.each<[string, Parts, Parts, string[]]>([
    [
      'a removed alternative that only differs in its required members',
      { input: either('anyOf', ['image'], ['image_url']) },
      { input: either('anyOf', ['image']) },
      [
        '`input`: `image_url` is no longer enough; such calls are refused, and older code such as `input.image = undefined` does not compile',
      ],
    ],
    [
      'an added alternative that only differs in its required members',
      { input: either('anyOf', ['image']) },
      { input: either('anyOf', ['image'], ['image_url', 'mask']) },
      ['`input`: `image_url` with `mask` is enough now'],
    ],
    [
      'an alternative that requires another member',
      { input: either('oneOf', ['image'], ['image_url']) },
      { input: either('oneOf', ['image', 'mask'], ['image_url']) },
      [
        '`input.mask`: property became required where `image` is given; calls without it are refused, and older code does not compile',
      ],
    ],
    [
      'a choice of required members where there was none',
      { input: picture({}) },
      { input: either('oneOf', ['image'], ['image_url']) },
      [
        '`input`: one of `image`, `image_url` is required now; some calls are refused now, and older code such as `input.image = undefined` does not compile',
      ],
    ],
    [
      'members that exclude or need each other',
      { input: picture({}) },
      { input: picture({ not: { required: ['image', 'image_url'] }, dependentRequired: { mask: ['image'] } }) },
      [
        '`input`: `image` and `image_url` together are no longer allowed; some calls are refused now, and older code such as `input.image = undefined` does not compile',
        '`input`: `mask` now needs `image`; some calls are refused now',
      ],
    ],
    [
      'a condition',
      { input: steps },
      {
        input: JSON.parse(
          JSON.stringify(steps).replace(
            /}$/,
            ',"if":{"properties":{"mode":{"const":"hd"}}},"then":{"required":["steps"]}}',
          ),
        ),
      },
      [
        '`input`: new condition: if `mode` is `"hd"`, then `steps` is required; some calls are refused now, and older code such as `input.mode = "fast"` does not compile',
      ],
    ],
    [
      'a member of a schema that contains itself, once',
      { output: ref('Node'), components: node(among('a')) },
      { output: ref('Node'), components: node(among('a', 'b')) },
      [
        '`output.label`: value `"b"` added; older code such as `const a: "a" | undefined = output.label` does not compile',
      ],
    ],
    [
      'a required member of a component that several members share, once',
      { input: parts, components: part() },
      { input: parts, components: part('mime') },
      ['`input.cover.mime`: property became required; calls without it are refused, and older code does not compile'],
    ],
    [
      'a component with another name and one member more',
      { output: shown('File'), components: { File: file } },
      {
        output: shown('ImageFile'),
        components: { ImageFile: { ...file, properties: { ...file.properties, width: integer } } },
      },
      [
        'TypeScript export `File` is called `ImageFile` now; older imports do not compile',
        '`output.image.width`: optional property added (`integer`)',
      ],
    ],
    [
      'a deprecated member and its replacement',
      { input: object({ style: { ...text, description: 'Style of the image.' } }) },
      {
        input: object({ preset: text, style: { ...text, description: 'Use `preset` instead.', deprecated: true } }),
      },
      [
        '`input.preset`: optional property added (`string`)',
        '`input.style`: description changed from `"Style of the image."` to ``"Use `preset` instead."``',
        '`input.style`: deprecated now (still works)',
      ],
    ],
    [
      'a description that was rewritten, from the same place in both texts',
      {
        input: object({
          prompt: { ...text, description: `Draws. ${'The text says what is drawn, in any language. '.repeat(5)}` },
        }),
      },
      {
        input: object({
          prompt: { ...text, description: `Draws. ${'A text says what to draw, in plain English. '.repeat(5)}` },
        }),
      },
      [
        '`input.prompt`: description changed from `"Draws. The text says what is drawn, in any language. The text says what is drawn, in any language. The text …"` to `"Draws. A text says what to draw, in plain English. A text says what to draw, in plain English. A text says …"`',
      ],
    ],
  ])('the changelog lines of an update describe %s', (_, before, after, lines) => {
    expect(linesOf(modelDocument('p/m', before), modelDocument('p/m', after))).toEqual(lines);
  });
});

test('compares only the first 20,000 characters of descriptions', () => {
  const described = (end: string) => side('input', { ...text, description: `${'word '.repeat(5_000)}${end}` });
  expect(linesOf(described('a'), described('b'))).toEqual([
    '`input.x`: description changed only in white space or at the end of a long text',
  ]);
});

test('describes a change of a component once, and a change of an operation with its call', () => {
  const api = (limit: JsonObject, id: string): JsonObject => ({
    paths: Object.fromEntries(
      ['/v2/models', '/v2/runs'].map((path) => [
        path,
        { get: { operationId: path + id, parameters: [{ $ref: '#/components/parameters/Limit' }], responses: {} } },
      ]),
    ),
    components: { parameters: { Limit: { in: 'query', name: 'limit', schema: { ...integer, ...limit } } } },
  });
  const changes = diffOperations(openDocument(api({}, '')), openDocument(api({ maximum: 9 }, '2')));
  expect(changes.map(describeChange)).toEqual([
    '`GET /v2/models`: operationId changed from `/v2/models` to `/v2/models2`; older calls may be refused, and older code that uses it may not compile',
    'component `Limit`: parameter `query limit`: maximum `9` added; some calls are refused now',
    '`GET /v2/runs`: operationId changed from `/v2/runs` to `/v2/runs2`; older calls may be refused, and older code that uses it may not compile',
  ]);
});
