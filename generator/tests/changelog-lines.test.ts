import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import type { Change } from '../src/diff/change.ts';
import { diffOperations } from '../src/diff/diff-operations.ts';
import { listLines } from '../src/diff/diff-report.ts';
import { openDocument } from '../src/diff/documents.ts';
import { diffFiles, emitDocument } from './diff-documents.ts';
import { modelDocument } from './fake-router.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, ...required: string[]) => ({ type: 'object', properties, required });
const among = (...values: string[]) => ({ ...text, enum: values });

const print = (changes: readonly Change[]): string[] => listLines(changes).map(({ text }) => text);

function linesOf(before: object, after: object): string[] {
  const [old, now] = [before, after].map((document) => emitDocument(JSON.parse(JSON.stringify(document))));
  return print(diffFiles(old ?? [], now ?? []));
}

/** Creates a document whose input or output has a member `x`; without `x` if the schema is null. */
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
    '`input.x`: property removed (was `string`); the service may ignore it, and existing code such as `input.x` no longer compiles',
  ],
  [
    'input',
    text,
    integer,
    '`input.x`: type changed from `string` to `integer`; calls with another type are rejected, and existing code such as `input.x = "text"` no longer compiles',
  ],
  ['input', integer, { type: 'number' }, '`input.x`: type changed from `integer` to `number`'],
  [
    'output',
    integer,
    { type: 'number' },
    '`output.x`: type changed from `integer` to `number`; existing code may not handle it',
  ],
  [
    'output',
    text,
    { ...text, nullable: true },
    '`output.x`: may be null now; existing code such as `const a: string | undefined = output.x` no longer compiles',
  ],
  [
    'output',
    among('a', 'b'),
    among('a'),
    '`output.x`: value `"b"` removed; existing code such as `output.x === "b"` no longer compiles',
  ],
  [
    'output',
    among('a'),
    among('a', 'b'),
    '`output.x`: value `"b"` added; existing code such as `const a: "a" | undefined = output.x` no longer compiles',
  ],
  [
    'output',
    among('a'),
    text,
    '`output.x`: values are no longer limited to `"a"`; existing code such as `const a: "a" | undefined = output.x` no longer compiles',
  ],
  [
    'input',
    { ...integer, maximum: 4 },
    { ...integer, maximum: 2 },
    '`input.x`: maximum changed from `4` to `2`; calls with larger numbers are rejected',
  ],
  [
    'output',
    { type: 'array', items: text, maxItems: 9 },
    { type: 'array', items: text },
    '`output.x`: maximum number of items `9` removed; existing code may not handle it',
  ],
  ['output', text, { ...text, format: 'uri' }, '`output.x`: format `uri` added (never checked)'],
  [
    'input',
    { ...text, default: 'a' },
    text,
    '`input.x`: default `"a"` removed; results may differ for calls that omit it',
  ],
  [
    'input',
    { ...integer, default: 1 },
    { ...integer, default: 2 },
    '`input.x`: default changed from `1` to `2`; results may differ for calls that omit it',
  ],
  ['input', text, { ...text, deprecated: true }, '`input.x`: deprecated now (still works)'],
  [
    'input',
    object({ 'a-b': text, c: text }),
    object({ c: text }),
    '`input.x["a-b"]`: property removed (was `string`); the service may ignore it, and existing code such as `input.x?.["a-b"]` no longer compiles',
  ],
])('describes a change of the %s from %j to %j in one line', (name, before, after, line) => {
  expect(linesOf(side(name, before), side(name, after))[0]).toBe(line);
});

/** Prints a document whose input has an integer `x` with these keywords. `"#123"` in a keyword becomes the integer 123. */
const largeInteger = (keywords: object): string =>
  JSON.stringify(side('input', { type: 'integer', ...keywords } as JsonValue)).replace(/"#(-?\d+)"/g, '$1');

test.each<[object, object, string]>([
  [
    { maximum: '#18446744073709551615' },
    { maximum: '#9223372036854775807' },
    '`input.x`: maximum changed from `18446744073709551615` to `9223372036854775807`; calls with larger numbers are rejected',
  ],
  [
    { default: '#18446744073709551615' },
    {},
    '`input.x`: default `18446744073709551615` removed; results may differ for calls that omit it',
  ],
])('keeps all digits of integers beyond 2^53 when %j becomes %j', (before, after, line) => {
  const [old, now] = [before, after].map((keywords) => emitDocument(largeInteger(keywords)));
  expect(print(diffFiles(old ?? [], now ?? []))[0]).toBe(line);
});

test('reports that code breaks because of the changed type, not because of null', () => {
  const either = { anyOf: [text, integer, { type: 'null' }] };
  expect(linesOf(side('output', either), side('output', text))).toEqual([
    '`output.x`: type changed from `string | integer | null` to `string`; existing code such as `if (typeof output.x === "number") output.x.toFixed()` no longer compiles',
    '`output.x`: may no longer be null',
  ]);
});

test('describes an alternative without a name by its members', () => {
  const tagged = (kind: string) => object({ kind: { enum: [kind] }, [`${kind}_url`]: text }, 'kind');
  const either = { oneOf: [tagged('a'), tagged('b')] };
  expect(linesOf(side('output', either), side('output', { oneOf: [...either.oneOf, tagged('c')] }))).toEqual([
    '`output.x`: may also be `{ kind: "c", c_url? }`; existing code such as `const a: "a" | "b" | undefined = output.x?.kind` no longer compiles',
  ]);
});

test('describes a new required member in one line if the whole input is a reference', () => {
  const components = (...required: string[]) => ({ Request: object({ a: text, b: text }, ...required) });
  const [before, after] = [{ Request: object({ a: text }) }, components('b')].map((one) =>
    modelDocument('p/m', { input: ref('Request'), components: one }),
  );
  expect(linesOf(before ?? {}, after ?? {})).toEqual([
    '`input.b`: required property added (`string`); calls without it are rejected and no longer compile',
  ]);
});

test('describes a value that was removed from one of two enums in one line', () => {
  const one = (...values: string[]) =>
    side('input', { anyOf: [ref('A'), ref('B')] }, { A: among('a'), B: among(...values) });
  expect(linesOf(one('b', 'c'), one('b'))).toEqual([
    '`input.x`: value `"c"` removed; calls with a removed value are rejected, and existing code such as `input.x = "c"` no longer compiles',
  ]);
});

test('describes changed credentials and parameters of a call without a location', () => {
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
    'credential `apikey header x-key` removed; some existing calls are rejected, and existing code may no longer compile',
  ]);
  const parameters = [{ in: 'header', name: 'X-Region', required: true, schema: text }];
  expect(linesOf(call({}), call({ parameters }))).toEqual([
    'required parameter `header x-region` added; some existing calls are rejected, and existing code may no longer compile',
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
      'lists required and optional members of inputs that are checked now',
      model({ input: openObject }, unchecked),
      model({ input: { ...inputs, additionalProperties: false } }),
      [
        '`input`: validated now (any JSON object was accepted before); required: `prompt` (`string`); optional: `width` (`integer`), `height` (`integer`); calls that do not match the schema are rejected, and most no longer compile',
      ],
    ],
    [
      'lists limits and defaults of inputs that are checked now',
      model({ input: openObject }, unchecked),
      model({ input: object({ steps: { ...integer, minimum: 1, maximum: 9, default: 4 } }) }),
      [
        '`input`: validated now (any JSON object was accepted before); optional: `steps` (`integer`, `1` to `9`, default `4`); other properties are still accepted; calls that do not match the schema are rejected, and most no longer compile',
      ],
    ],
    [
      'lists what inputs that are checked now exclude',
      model({ input: openObject }, unchecked),
      model({
        input: JSON.parse(
          JSON.stringify({
            ...object({ image: text, video: text, mask: text }),
            not: { anyOf: [{ required: ['image', 'video'] }, { required: ['preview'] }] },
            dependentRequired: { mask: ['image'] },
            if: object({ video: { enum: ['short'] } }, 'video'),
          }).replace(/}$/, ',"then":{"required":["mask"]}}'),
        ),
      }),
      [
        '`input`: validated now (any JSON object was accepted before); optional: `image` (`string`), `video` (`string`), `mask` (`string`); not `image` together with `video`; not `preview`; `mask` only with `image`; if `{ video: "short" }`, then `{ mask }`; other properties are still accepted; calls that do not match the schema are rejected, and most no longer compile',
      ],
    ],
    [
      'gives each break of an output its own example',
      model({ output: object({ video: object({ url: text }, 'url') }, 'video') }),
      model({ output: object({ video: object({ url: integer }, 'url') }) }),
      [
        '`output.video`: may be missing now; existing code such as `const a: { url: string; } = output.video` no longer compiles',
        '`output.video.url`: type changed from `string` to `integer`; existing code such as `output.video.url.trim()` no longer compiles',
      ],
    ],
    [
      'reports code that reads a member of an input that may also be a string',
      side('input', object({ a: text }, 'a')),
      side('input', { anyOf: [text, object({ a: text }, 'a')] }),
      [
        '`input.x`: type changed from `{ a }` to `string | { a }`; calls are still accepted, but existing code such as `input.x?.a` no longer compiles',
      ],
    ],
    [
      'lists the alternatives of inputs that are checked now',
      model({ input: openObject }, unchecked),
      model({
        input: { oneOf: [ref('Draft'), ref('Final')] },
        components: {
          Draft: object({ mode: { enum: ['draft'] }, prompt: text }, 'mode', 'prompt'),
          Final: object({ mode: { enum: ['final'] }, task: text }, 'mode'),
        },
      }),
      [
        '`input`: validated now (any JSON object was accepted before); one of these is required: `mode` (`"draft"`) with `prompt` (`string`), or `mode` (`"final"`) and optionally `task` (`string`); other properties are still accepted; calls that do not match the schema are rejected, and most no longer compile',
        'TypeScript exports `Draft`, `Final` added',
      ],
    ],
    [
      'reports that code breaks which reads members of an input that is no longer described',
      model({ input: inputs }),
      model({ input: openObject }, unchecked),
      [
        '`input`: no longer validated: any JSON object is accepted; existing code that reads its members no longer compiles',
      ],
    ],
    [
      'describes an output that could be any body and is JSON now',
      model({ content: { '*/*': { schema: openObject } } }, undescribed),
      model({ output: result }),
      [
        '`output`: changed from text, bytes or any JSON to a JSON object (`url?`); existing code such as `if (typeof output === "string") output.trim()` no longer compiles',
        'TypeScript exports `outputSchema`, `isOutput`, `validateOutput` added',
      ],
    ],
    [
      'describes an output that could be any JSON and has a schema now',
      model({ output: openObject }, undescribed),
      model({ output: result }),
      ['`output`: described from now on: `{ url? }`; existing code may not handle it'],
    ],
    [
      'shows the words that were added to a description',
      model({ input: { ...inputs, description: 'Draws an image. Costs nothing when it is rejected.' } }),
      model({
        input: { ...inputs, description: 'Draws an image. Costs nothing when it is rejected. Takes a minute.' },
      }),
      ['`input`: description now says `"Takes a minute."`'],
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
      ['`input`: description changed from `"First text."` to `"Second text."`; example changed'],
    ],
    [
      'lists all values that were removed from an enum, with code that breaks',
      side('input', among('a', 'b', 'c', 'd')),
      side('input', among('a')),
      [
        '`input.x`: values `"b"`, `"c"`, `"d"` removed; calls with a removed value are rejected, and existing code such as `input.x = "b"` no longer compiles',
      ],
    ],
    [
      'lists changed modalities',
      model({}, { 'x-service-router-input-modalities': ['text'] }),
      model(
        {},
        {
          'x-service-router-input-modalities': ['text', 'image'],
          'x-service-router-output-modalities': ['video'],
        },
      ),
      ['input modalities changed from `text` to `text`, `image`', 'output modalities documented now: `video`'],
    ],
    [
      'lists alternate providers with their models',
      model({}, { 'x-service-router-alt-providers': [{ provider: 'q', model_id: 'q/m' }] }),
      model({}, { 'x-service-router-alt-providers': [{ provider: 'r', model_id: 'r/m' }] }),
      ['alternate provider `q (q/m)` removed; calls that choose it are rejected', 'alternate provider `r (r/m)` added'],
    ],
  ])('a changelog line %s', (_, before, after, lines) => {
    expect(linesOf(before, after)).toEqual(lines);
  });
});

describe('the lines of typical updates', () => {
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
  const stages = {
    Draft: object({ mode: among('draft'), seed: integer }, 'mode'),
    Final: object({ mode: among('final'), seed: integer }, 'mode'),
    Retexture: object({ mode: among('retexture') }, 'mode'),
  };
  const content = (...kinds: string[]) => ({
    ...object(
      Object.fromEntries([['type', among(...kinds)], ...kinds.map((kind) => [kind, object({ id: text }, 'id')])]),
    ),
    oneOf: kinds.map((kind) => ({ properties: { type: among(kind) }, required: [kind] })),
  });
  const shown = (name: string) => object({ image: ref(name), more: { type: 'array', items: ref(name) } });
  type Parts = NonNullable<Parameters<typeof modelDocument>[1]>;

  test.each<[string, Parts, Parts, string[]]>([
    [
      'a removed alternative that only differs in its required members',
      { input: either('anyOf', ['image'], ['image_url']) },
      { input: either('anyOf', ['image']) },
      [
        '`input`: `image_url` is no longer enough; calls that use it are rejected, and existing code such as `input.image = undefined` no longer compiles',
      ],
    ],
    [
      'an alternative that requires another member',
      { input: either('oneOf', ['image'], ['image_url']) },
      { input: either('oneOf', ['image', 'mask'], ['image_url']) },
      [
        '`input`: `image` is no longer enough; calls that use it are rejected, and existing code may no longer compile',
        '`input`: `image` with `mask` is enough now',
      ],
    ],
    [
      'a new choice between required members',
      { input: picture({}) },
      { input: either('oneOf', ['image'], ['image_url']) },
      ['`input`: one of `image`, `image_url` is required now; some calls are rejected and no longer compile'],
    ],
    [
      'a member of a recursive schema only once',
      { output: ref('Node'), components: node(among('a')) },
      { output: ref('Node'), components: node(among('a', 'b')) },
      [
        '`output.label`: value `"b"` added; existing code such as `const a: "a" | undefined = output.label` no longer compiles',
      ],
    ],
    [
      'a required member of a shared component only once',
      { input: parts, components: part() },
      { input: parts, components: part('mime') },
      [
        '`input.cover.mime`, `input.pages[].mime`: required now; calls without it are rejected, and existing code such as `input.cover!.mime = undefined` no longer compiles',
      ],
    ],
    [
      'a renamed component with one more member',
      { output: shown('File'), components: { File: file } },
      {
        output: shown('ImageFile'),
        components: { ImageFile: { ...file, properties: { ...file.properties, width: integer } } },
      },
      [
        'TypeScript export `File` renamed to `ImageFile`; existing imports no longer compile',
        '`output.image.width`, `output.more[].width`: optional property added (`integer`)',
      ],
    ],
    [
      'a rewritten description with excerpts that start at the first difference',
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
        '`input.prompt`: description changed from `"Draws. The text says what is drawn, in any language. The text says … in any language. The text says what is drawn, in any language."` to `"Draws. A text says what to draw, in plain English. A text says … in plain English. A text says what to draw, in plain English."`',
      ],
    ],
    [
      'several removed members and a closed object',
      { input: object({ image_1: text, image_2: text, image_3: text, prompt: text }) },
      { input: { ...object({ images: { type: 'array', items: text }, prompt: text }), additionalProperties: false } },
      [
        '`input.image_1`, `input.image_2`, `input.image_3`: property removed (was `string`); calls with a removed property are rejected, and existing code such as `input.image_1` no longer compiles',
        '`input`: properties that are not listed are no longer allowed; calls with other properties are rejected',
        '`input.images`: optional property added (`list of string`)',
      ],
    ],
    [
      'each changed bound with its own effect, and members with the same change together',
      { input: object({ width: { ...integer, maximum: 8 }, height: { ...integer, maximum: 8 } }) },
      {
        input: object({
          width: { ...integer, maximum: 9, multipleOf: 2 },
          height: { ...integer, maximum: 9, multipleOf: 2 },
        }),
      },
      [
        '`input.width`, `input.height`: step size `2` added; calls with other numbers are rejected',
        '`input.width`, `input.height`: maximum changed from `8` to `9`',
      ],
    ],
    [
      'an added alternative without a member that all alternatives had',
      { input: { anyOf: [ref('Draft'), ref('Final')] }, components: stages },
      { input: { anyOf: [ref('Draft'), ref('Final'), ref('Retexture')] }, components: stages },
      [
        '`input`: may also be `Retexture` (`{ mode: "retexture" }`); calls are still accepted, but existing code such as `input.seed` no longer compiles',
        'TypeScript export `Retexture` added',
      ],
    ],
    [
      'an object that is divided into alternatives',
      { output: { type: 'array', items: object({ type: text, text }) } },
      {
        output: { type: 'array', items: { anyOf: [ref('Text'), ref('Tool')] } },
        components: {
          Text: object({ type: among('text'), text }, 'type'),
          Tool: object({ type: among('tool') }, 'type'),
        },
      },
      [
        '`output[]`: type changed from `{ type?, text? }` to `Text | Tool`; existing code such as `output[0].type === "other"` no longer compiles',
        'TypeScript exports `Text`, `Tool` added',
      ],
    ],
    [
      'an output text that became an enum, which breaks comparisons with other values',
      { output: object({ role: text }) },
      { output: object({ role: among('assistant') }, 'role') },
      [
        '`output.role`: only `"assistant"` is possible now; existing code such as `output.role === "other"` no longer compiles',
        '`output.role`: always present now',
      ],
    ],
    [
      'an added alternative and its new member',
      { input: object({ content: content('text') }) },
      { input: object({ content: content('text', 'draft') }) },
      [
        '`input.content`: may also be `{ type?: "draft", draft: { id } }`',
        '`input.content.draft`: optional property added (`{ id }`)',
      ],
    ],
    [
      'an object with any members that became a component',
      { output: object({ images: { type: 'array', items: { type: 'object', additionalProperties: true } } }) },
      {
        output: object({ images: { type: 'array', items: ref('Image') } }),
        components: { Image: file },
      },
      [
        '`output.images[]`: type changed from any JSON object to `Image`; existing code such as `output.images?.[0][name]` no longer compiles',
        'TypeScript export `Image` added',
      ],
    ],
    [
      'the default of a member that became optional, in one line',
      { input: object({ size: text }, 'size') },
      { input: object({ size: { ...text, default: '720p' } }) },
      ['`input.size`: optional now; default `"720p"` added; results may differ for calls that omit it'],
    ],
    [
      'a member that became required and not nullable, in one line',
      { input: object({ prompt: { ...text, nullable: true } }) },
      { input: object({ prompt: text }, 'prompt') },
      [
        '`input.prompt`: required now; may no longer be null; calls without it and calls with `null` are rejected, and existing code such as `input.prompt = undefined` no longer compiles',
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

test('describes a changed API component once, and a changed API operation with its method and path', () => {
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
  expect(print(changes)).toEqual([
    '`GET /v2/models`: operationId changed from `/v2/models` to `/v2/models2`; some existing calls are rejected, and existing code may no longer compile',
    'component `Limit`: parameter `query limit`: maximum `9` added; calls with larger numbers are rejected',
    '`GET /v2/runs`: operationId changed from `/v2/runs` to `/v2/runs2`; some existing calls are rejected, and existing code may no longer compile',
  ]);
});
