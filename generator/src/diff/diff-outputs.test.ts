import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { openTreeOf } from '../../tests/diff-documents.ts';
import { toDigest } from '../content.ts';
import type { OutputTree } from '../output/output-tree.ts';
import { diffOutputs } from './diff-outputs.ts';
import { type DiffReport, renderDiffMarkdown, renderDiffText } from './diff-report.ts';

type Model = { input?: JsonValue; output?: JsonValue; facts?: JsonObject; charges?: string; document?: string };

const manifests: Record<string, string> = { 'model-router': '1.4.2', 'workflow-execution': '0.3.1', models: '2.0.0' };

/** Creates an output with only the files that the comparison reads. */
function output(models: Record<string, Model>, apis: Record<string, JsonObject> = {}): OutputTree {
  const files: { path: string; contents: string }[] = [];
  const add = (path: string, value: JsonValue): [string, string] => {
    const contents = JSON.stringify(value);
    files.push({ path, contents });
    return [path, toDigest(contents)];
  };
  const packages = Object.entries(manifests).map(([folder, version]) => {
    const api = apis[folder];
    const own = [add(`${folder}/package.json`, { name: `@scope/${folder}`, version })];
    if (api !== undefined) own.push(add(`${folder}/openapi.json`, api));
    return [folder, { source: toDigest(folder), files: Object.fromEntries(own) }];
  });
  const locked = Object.entries(models).map(([id, model]) => {
    const schemas = {
      input: model.input ?? {},
      outputs: { 'application/json': model.output ?? {} },
      ...model.facts,
    };
    const schemaFiles = Object.fromEntries([add(`models/${id}.schema.json`, schemas)]);
    const facts = { entityTag: null, document: toDigest(JSON.stringify([id, model])) };
    return [id, { ...facts, chargesOnPolicyRejection: model.charges ?? 'no', files: schemaFiles }];
  });
  const lock = {
    format: 1,
    generator: '1',
    packages: Object.fromEntries(packages),
    models: Object.fromEntries(locked),
  };
  add('switchyard.lock.json', lock);
  return openTreeOf(files);
}

const input = (properties: JsonObject, ...required: string[]) => ({ type: 'object', properties, required });
const long = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`property_${index}`, { type: 'string' }]));

function models(report: DiffReport): string[] {
  return report.models.map(({ id, kind, formerId, verdict }) => `${id} ${kind} ${formerId ?? '-'} ${verdict}`);
}

function bumps(report: DiffReport): Record<string, string> {
  return Object.fromEntries(report.packages.map(({ name, bump, versions }) => [name, `${bump} ${versions.suggested}`]));
}

test('reports no change between equal outputs', () => {
  const tree = output({ 'p/a': { input: input({ a: { type: 'string' } }) } });
  const report = diffOutputs(tree, tree);
  expect(report).toMatchObject({ verdict: 'none', models: [], counts: { models: { unchanged: 1, changed: 0 } } });
  expect(report.packages.map(({ bump, changelog }) => [bump, changelog])).toEqual([
    ['none', ''],
    ['none', ''],
    ['none', ''],
  ]);
});

test('ignores inputs that are not JSON objects, and input schemas that are only placeholders (not authored)', () => {
  const changes = (before: Model, after: Model) =>
    diffOutputs(output({ 'p/a': before }), output({ 'p/a': after })).models.flatMap((model) =>
      model.changes.map(({ rule }) => rule),
    );
  const [loose, strict] = [input({ a: { type: 'string' } }), input({ a: { type: 'string' } }, 'a')];
  expect(changes({ input: { anyOf: [loose, { type: 'null' }] } }, { input: loose })).toEqual(['document-changed']);
  expect(changes({ input: { properties: {} } }, { input: { type: 'object' } })).toEqual(['document-changed']);
  const facts = { inputAuthored: false };
  expect(changes({ input: loose, facts }, { input: strict, facts })).toEqual(['document-changed']);
  expect(changes({ input: loose, facts }, { input: strict, facts: { inputAuthored: true } })).toEqual(['authored-on']);
});

test('reports added, removed and changed models, and raises the package version by the most severe change', () => {
  const before = output({
    'p/a': {},
    'p/b': { output: input({ a: {} }, 'a') },
    'p/gone': { input: { type: 'array' } },
  });
  const after = output({
    'p/a': {},
    'p/b': { output: input({ a: {} }) },
    'p/new': { input: input({ b: { type: 'integer' } }) },
  });
  const report = diffOutputs(before, after);
  expect(models(report)).toEqual(['p/b changed - breaking', 'p/gone removed - breaking', 'p/new added - compatible']);
  expect(report.counts.models).toEqual({ added: 1, removed: 1, renamed: 0, changed: 1, unchanged: 1 });
  expect(bumps(report)).toEqual({
    '@scope/model-router': 'none 1.4.2',
    '@scope/workflow-execution': 'none 0.3.1',
    '@scope/models': 'major 3.0.0',
  });
});

describe('a bump', () => {
  const base = { 'p/a': { input: input({ a: { type: 'string' } }) } };
  test.each<[string, Record<string, Model>, string]>([
    ['a minor version for a new model', { ...base, 'p/b': {} }, 'minor 2.1.0'],
    [
      'a minor version for a new optional input',
      { 'p/a': { input: input({ a: { type: 'string' }, b: {} }) } },
      'minor 2.1.0',
    ],
    [
      'a patch for another description',
      { 'p/a': { input: { ...input({ a: { type: 'string' } }), description: 'x' } } },
      'patch 2.0.1',
    ],
    [
      'a patch for a document with the same meaning',
      { 'p/a': { input: input({ a: { type: 'string' } }), document: '2' } },
      'patch 2.0.1',
    ],
    [
      'a minor version for changed billing',
      { 'p/a': { input: input({ a: { type: 'string' } }), charges: 'yes' } },
      'minor 2.1.0',
    ],
    [
      'a major version for a required input',
      { 'p/a': { input: input({ a: { type: 'string' } }, 'a') } },
      'major 3.0.0',
    ],
  ])('suggests %s', (_, after, expected) => {
    expect(bumps(diffOutputs(output(base), output(after)))['@scope/models']).toBe(expected);
  });
});

describe('a model under another id', () => {
  test('reports a model as renamed if its schemas are the same', () => {
    const report = diffOutputs(
      output({ 'p/old': { input: input(long) } }),
      output({ 'q/new': { input: input(long) } }),
    );
    expect(models(report)).toEqual(['q/new renamed p/old breaking']);
    expect(report.counts.models).toEqual({ added: 0, removed: 0, renamed: 1, changed: 0, unchanged: 0 });
  });

  test('reports a model as renamed if it lists the former id as alias, whatever changed', () => {
    const after = output({ 'q/new': { input: input({ a: {}, b: {} }), facts: { aliasOf: 'p/old' } } });
    const report = diffOutputs(output({ 'p/old': { input: input({ b: {} }) } }), after);
    expect(models(report)).toEqual(['q/new renamed p/old breaking']);
    expect(report.models[0]?.changes).toMatchObject([{ rule: 'property-added-optional' }]);
  });

  test('does not report a model as renamed if only short schemas are the same', () => {
    const report = diffOutputs(output({ 'p/old': {} }), output({ 'q/new': {} }));
    expect(models(report)).toEqual(['p/old removed - breaking', 'q/new added - compatible']);
    expect(models(diffOutputs(output({ 'p/same': {} }), output({ 'q/same': {} })))).toEqual([
      'q/same renamed p/same breaking',
    ]);
  });

  test('pairs a renamed model with the most similar id', () => {
    const twins = { 'p/one': { input: input(long) }, 'q/two': { input: input(long) } };
    const report = diffOutputs(
      output(twins),
      output({ 'q/three': { input: input(long) }, 'r/one': { input: input(long) } }),
    );
    expect(models(report)).toEqual(['q/three renamed q/two breaking', 'r/one renamed p/one breaking']);
  });
});

test('reports a model that is too large to compare, and compares the others', () => {
  const ring = (leaf: string): Model => ({
    input: { $ref: '#/$defs/S0' },
    facts: {
      $defs: Object.fromEntries(
        Array.from({ length: 1_500 }, (_, index) => {
          const next = { $ref: `#/$defs/S${(index + 1) % 1_500}` };
          return [`S${index}`, input({ next, value: { type: index === 700 ? leaf : 'string' } })];
        }),
      ),
    },
  });
  const report = diffOutputs(
    output({ 'p/large': ring('string'), 'p/small': { input: input({ a: { type: 'string' } }) } }),
    output({ 'p/large': ring('integer'), 'p/small': { input: input({ a: { type: 'string' } }, 'a') } }),
  );
  const rules = report.models.map(({ id, changes }) => [id, changes.some(({ rule }) => rule === 'schema-uncompared')]);
  expect(rules).toEqual([
    ['p/large', true],
    ['p/small', false],
  ]);
  expect(report.models[1]?.changes).toMatchObject([{ rule: 'property-became-required', verdict: 'breaking' }]);
});

test('counts models as broken if they are not compared before the deadline', () => {
  const union = (index: number): Model => ({
    input: input({
      a: { anyOf: Array.from({ length: 600 }, (_, at) => input({ [`m${at + index}`]: { maxLength: at } })) },
    }),
  });
  const ids = Array.from({ length: 10 }, (_, index) => `p/m${index}`);
  const [before, after] = [0, 1].map((index) => output(Object.fromEntries(ids.map((id) => [id, union(index)]))));
  if (before === undefined || after === undefined) throw new Error('two are listed');
  let checks = 0;
  const report = diffOutputs(before, after, () => ++checks > 100);
  expect(report.models.map(({ id, verdict, changes }) => [id, verdict, changes.map(({ rule }) => rule)])).toEqual(
    ids.map((id) => [id, 'breaking', expect.arrayContaining(['schema-uncompared'])]),
  );
  // After the deadline, it is only checked again for the input and the output of each model.
  expect(checks).toBeLessThan(200);
});

test('counts operations and parameters as broken if they are not compared before the deadline', () => {
  const union = (start: number): JsonObject => ({
    anyOf: Array.from({ length: 60 }, (_, at) => input({ [`m${at + start}`]: { maxLength: at } })),
  });
  const operation = (start: number): JsonObject => ({
    operationId: 'list',
    parameters: [{ in: 'query', name: 'filter', schema: union(start) }],
    responses: { 200: { description: 'Fine', content: { 'application/json': { schema: union(start) } } } },
  });
  const isLate = () => true;
  const api = (start: number): JsonObject => ({ openapi: '3.1.0', paths: { '/v2/things': { get: operation(start) } } });
  const model = (start: number) => ({ 'p/a': { facts: { operation: operation(start) } } });
  const [before, after] = [0, 1].map((start) => output(model(start), { 'model-router': api(start) }));
  if (before === undefined || after === undefined) throw new Error('two are listed');
  const { models, packages } = diffOutputs(before, after, isLate);
  const uncompared = [packages[0]?.changes, models[0]?.changes].map((changes) =>
    changes?.map(({ rule, verdict, direction }) => `${rule} ${verdict} ${direction}`),
  );
  const expected = ['schema-uncompared breaking input', 'schema-uncompared breaking output'];
  expect(uncompared).toEqual([expected, expected]);
});

test('reports schemas that became authored or placeholders, and alternate providers that were added or removed', () => {
  const facts = (authored: boolean, alternates: JsonValue[]) => ({
    inputAuthored: authored,
    outputAuthored: true,
    providers: { default: 'p', alternates },
  });
  const one = output({ 'p/a': { facts: facts(false, [{ provider: 'x', modelId: 'y' }]) } });
  const other = output({ 'p/a': { facts: facts(true, []) } });
  const rules = (before: OutputTree, after: OutputTree) =>
    diffOutputs(before, after).models.flatMap(({ changes }) =>
      changes.map(({ rule, verdict }) => `${rule} ${verdict}`),
    );
  expect(rules(one, other)).toEqual(['authored-on breaking', 'alternate-removed breaking']);
  expect(rules(other, one)).toEqual(['authored-off compatible', 'alternate-added compatible']);
});

test('classifies another output media type as one breaking change', () => {
  const outputs = (...types: string[]) => ({
    outputs: Object.fromEntries(types.map((mediaType) => [mediaType, {}])),
  });
  const report = diffOutputs(
    output({ 'p/a': { facts: outputs('image/png') } }),
    output({ 'p/a': { facts: outputs('image/webp') } }),
  );
  expect(report.models[0]?.changes.map(({ rule, verdict }) => [rule, verdict])).toEqual([
    ['media-type-changed', 'breaking'],
  ]);
});

describe('an API', () => {
  const ok = (schema: JsonValue, more: JsonObject = {}) => ({
    200: { description: 'fine', content: { 'application/json': { schema } }, ...more },
  });
  const api = (paths: JsonObject, components: JsonObject = {}): JsonObject => ({ openapi: '3.1.0', paths, components });
  const get = (operation: JsonObject): JsonObject => ({
    '/v2/things': { get: { operationId: 'list', responses: ok({}), ...operation } },
  });
  const parameter = (name: string, required: boolean, schema: JsonValue = { type: 'string' }) => ({
    name,
    in: 'query',
    required,
    schema,
  });
  const header = (name: string) => ({ headers: { [name]: { schema: { type: 'string' } } } });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['a new path', {}, get({}), ['operation-added compatible /paths/~1v2~1things/get']],
    ['a removed path', get({}), {}, ['operation-removed breaking /paths/~1v2~1things/get']],
    [
      'another operation id',
      get({}),
      get({ operationId: 'all' }),
      ['operation-changed breaking /paths/~1v2~1things/get'],
    ],
    [
      'a narrower parameter',
      get({ parameters: [parameter('a', false)] }),
      get({ parameters: [parameter('a', false, { type: 'string', maxLength: 3 })] }),
      ['constraint-added breaking /paths/~1v2~1things/get/parameters/0/schema/maxLength'],
    ],
    [
      'a header in other letters',
      get({ parameters: [{ ...parameter('X-Wait', false), in: 'header' }] }),
      get({ parameters: [{ ...parameter('x-wait', false, { type: 'string', minLength: 1 }), in: 'header' }] }),
      ['constraint-added breaking /paths/~1v2~1things/get/parameters/0/schema/minLength'],
    ],
    [
      'a parameter for the whole path',
      get({ parameters: [parameter('a', true)] }),
      { '/v2/things': { parameters: [parameter('a', true)], get: { operationId: 'list', responses: ok({}) } } },
      ['document-changed cosmetic '],
    ],
    [
      'a body',
      get({}),
      get({ requestBody: { required: true, content: { 'application/json': { schema: {} } } } }),
      ['operation-changed breaking /paths/~1v2~1things/get/requestBody'],
    ],
    [
      'a removed property of a response',
      get({ responses: ok(input({ a: {} }, 'a')) }),
      get({ responses: ok(input({})) }),
      ['property-removed breaking /paths/~1v2~1things/get/responses/200/content/application~1json/schema/properties/a'],
    ],
    [
      'a removed header',
      get({ responses: ok({}, header('X-A')) }),
      get({ responses: ok({}, header('X-B')) }),
      [
        'operation-changed breaking /paths/~1v2~1things/get/responses/200/headers/X-A',
        'operation-extended compatible /paths/~1v2~1things/get/responses/200/headers/X-B',
      ],
    ],
    ['another summary', get({}), get({ summary: 'x' }), ['document-changed cosmetic ']],
  ])('reports the changes for callers of an API with %s', (_, before, after, expected) => {
    const report = diffOutputs(output({}, { 'model-router': api(before) }), output({}, { 'model-router': api(after) }));
    const changes = report.packages[0]?.changes.map(({ rule, verdict, pointer }) => `${rule} ${verdict} ${pointer}`);
    expect(changes).toEqual(expected);
  });

  test('follows references in an API document, and raises the minor version for a major change before 1.0.0', () => {
    const paths = get({ responses: { 200: { $ref: '#/components/responses/Page' } } });
    const components = (schema: JsonObject) => ({
      responses: {
        Page: { description: 'x', content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
      },
      schemas: { Thing: schema },
    });
    const folder = 'workflow-execution';
    const report = diffOutputs(
      output({}, { [folder]: api(paths, components(input({ a: {} }, 'a'))) }),
      output({}, { [folder]: api(paths, components(input({ a: {} }))) }),
    );
    expect(report.packages[1]).toMatchObject({
      bump: 'major',
      versions: { before: '0.3.1', suggested: '0.4.0' },
      changes: [{ rule: 'property-became-optional', pointer: '/components/schemas/Thing/properties/a' }],
    });
  });
});

describe('the report', () => {
  const hostile = 'a`|</details><script>\u202e\n# x';
  const report = diffOutputs(
    output({ 'p/a': { input: input({ c: {} }) }, 'p/old': { input: input(long) } }),
    output({
      'p/a': { input: input({ [hostile]: { type: 'string' }, b: { type: 'string', default: 1 }, c: {} }, 'b') },
      'p/new': { input: input(long) },
    }),
  );

  test('prints the compared folders, each package with its next version, and each change with its member', () => {
    expect(renderDiffText(report, ['old', 'new']).split('\n')).toEqual([
      'from old',
      'to   new',
      '',
      '`@scope/model-router`  no change  `1.4.2`',
      '`@scope/workflow-execution`  no change  `0.3.1`',
      '`@scope/models`  breaking  `2.0.0` → `3.0.0`',
      '',
      'models: 0 added, 0 removed, 1 renamed, 1 changed, 0 unchanged; changes: 1 breaking, 1 compatible, 0 cosmetic',
      '',
      '`p/a`: breaking',
      '  breaking: `input.b`: required property added (`string`, default `1`); calls without it are rejected',
      '  compatible: ``input["a`|</details><script>\\u202e\\n# x"]``: optional property added (`string`)',
      '',
      '`p/new`: breaking, model renamed from `p/old`; calls and code that name `p/old` break',
      '',
    ]);
  });

  test('puts text from documents in code spans in Markdown', () => {
    const markdown = renderDiffMarkdown(report);
    expect(markdown).toContain('| `@scope/models` | breaking | `2.0.0` → `3.0.0` |');
    expect(markdown).toContain('``input["a`|</details><script>\\u202e\\n# x"]``: optional property added (`string`)');
    expect(markdown).not.toContain('\u202e');
  });

  test.each(['', ' ', '`', '``', '<img src=x>', '[HOSTILE](https://a.test)', '@HOSTILE', 'HOSTILE|'])(
    'puts %j in code spans in Markdown, as the name of a member or a package, a value, a version and an id',
    (text) => {
      const of = (more: object, name: string) =>
        output({ [`p/${name}`]: { input: input({ a: { enum: ['b', ...(text === '' ? [] : [text])] }, ...more }) } });
      const before = of({ [text]: { type: 'string', default: '' } }, 'a');
      const after = of({ [text]: { type: 'integer', default: text }, [`${text}2`]: { const: text } }, 'a');
      const found = diffOutputs(before, after);
      const [first, model] = [found.packages[0], found.models[0]];
      if (first === undefined || model === undefined) throw new Error('nothing changed');
      const versions = { before: `1.0.0${text}`, after: text, suggested: text };
      const models = [...found.models, { ...model, id: text, kind: 'renamed' as const, formerId: text }];
      const named = {
        ...found,
        models,
        packages: [...found.packages, { ...first, name: text, bump: 'major' as const, versions }],
      };
      const used = {
        glob: text,
        searched: [text],
        read: 1,
        using: 1,
        files: 1,
        verdict: 'breaking' as const,
        models: [{ ...model, names: [text], usedIn: [text] }],
      };
      const markdown = renderDiffMarkdown({ ...named, used });
      const rest = markdown
        .split('\n')
        .map((line) => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ''))
        .join('\n');
      expect(rest).not.toMatch(/HOSTILE|`|<(?!\/?(?:details|summary)\b)/);
    },
  );

  test('lists models with their changes in a changelog, the most severe first', () => {
    expect(report.packages[2]?.changelog).toBe(
      [
        '### `p/a`: breaking',
        '',
        '- breaking: `input.b`: required property added (`string`, default `1`); calls without it are rejected',
        '- compatible: ``input["a`|</details><script>\\u202e\\n# x"]``: optional property added (`string`)',
        '',
        '### `p/new`: breaking, model renamed from `p/old`; calls and code that name `p/old` break',
        '',
        '',
      ].join('\n'),
    );
  });
});
