import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { safe } from '../../runtime/src/router/router-error.ts';
import { createModelRouter } from '../../runtime/tests/router-under-test.ts';
import { writeSite } from '../src/site/write-site.ts';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, type MemoryFiles, memoryRoot, writeToDisk } from './memory-files.ts';
import { configWith, instantClock, runGenerate } from './run-generate.ts';

const [u64, i64, least] = ['18446744073709551615', '9223372036854775807', '-9223372036854775808'];

/** Prints a document as JSON. A string such as `"#123"` becomes the integer 123, which may be larger than 2^53. */
const write = (document: object): string => JSON.stringify(document).replace(/"#(-?\d+)"/g, '$1');
const integer = (more: object): object => ({ type: 'integer', ...more });
const document = write(
  modelDocument('p/m', {
    root: { openapi: '3.0.3' },
    input: {
      type: 'object',
      properties: {
        seed: integer({ minimum: `#${least}`, maximum: `#${u64}`, default: `#${i64}` }),
        // These two integers are the same floating-point number.
        below: integer({ maximum: `#${i64}` }),
        within: integer({ exclusiveMaximum: '#9223372036854775808' }),
        old: integer({ minimum: `#${i64}`, exclusiveMinimum: true, nullable: true }),
        fixed: { const: `#${i64}` },
        listed: { enum: [1, `#${u64}`, '9'] },
        shared: { $ref: '#/components/schemas/Shared' },
        preset: { type: 'object', default: { seeds: [1, `#${u64}`] } },
        plain: integer({ minimum: 0, maximum: 4294967295 }),
      },
    },
    components: { Shared: integer({ maximum: `#${u64}` }) },
  }),
);

let files: MemoryFiles;
let folder: string;
type Validated = { valid: boolean; detail?: readonly { loc: unknown[]; msg: string }[] };
let validateInput: (value: unknown) => Validated;
const read = (path: string): string => files.contents.get(`${memoryRoot}/out/models/${path}`) ?? '';

beforeAll(async () => {
  files = createMemoryFiles();
  await runGenerate(createFakeRouter({ 'p/m': document }), files, { parts: 'all-validators' });
  folder = writeToDisk(files);
  ({ validateInput } = await import(join(folder, 'models/p/m.js')));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('integers beyond 2^53 in generated files', () => {
  test('doc comments show integers beyond 2^53 with all digits', () => {
    const comments = read('p/m.d.ts');
    for (const line of [
      `(integer, minimum: ${least}, maximum: ${u64})`,
      `@default ${i64}`,
      `(integer, maximum: ${i64})`,
      '(integer, exclusiveMaximum: 9223372036854775808)',
      `(integer, exclusiveMinimum: ${i64})`,
      `(enum: [${i64}])`,
      `(enum: [1,${u64},"9"])`,
      `@default {"seeds":[1,${u64}]}`,
      `(integer, maximum: ${u64})`,
      '(integer, minimum: 0, maximum: 4294967295)',
    ])
      expect(comments).toContain(line);
  });

  test('schema.json has integers beyond 2^53 with all digits', () => {
    const text = read('p/m.schema.json');
    expect(text).toContain(`"minimum":${least},"maximum":${u64},"default":${i64}`);
    for (const part of [
      `"enum":[${i64}]`,
      `"enum":[1,${u64},"9"]`,
      `"exclusiveMinimum":${i64}`,
      `{"seeds":[1,${u64}]}`,
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/18446744073709552000|9223372036854776000/);
  });

  test('a formatter that changes the layout of a schema.json with large integers does not count as an edit', async () => {
    const path = `${memoryRoot}/out/models/p/m.schema.json`;
    const formatted = read('p/m.schema.json').replaceAll('":', '": ');
    const own = createMemoryFiles();
    for (const [name, text] of files.contents) own.contents.set(name, name === path ? formatted : text);
    const report = await runGenerate(createFakeRouter({ 'p/m': document }), own, { parts: 'all-validators' });
    expect(report.diagnostics.filter(({ message }) => message.includes('edited'))).toEqual([]);
  });

  test('the site shows integers beyond 2^53 with all digits', async () => {
    const outDir = `${memoryRoot}/site`;
    const router = createFakeRouter({ 'p/m': document });
    const site = createMemoryFiles();
    const look = { name: 'Models', colour: undefined, since: '2026-10-12' };
    const source = { source: configWith({}), outDir, renderer: undefined, look };
    await writeSite(source, { http: router.http, files: site, clock: instantClock() });
    const page = site.contents.get(`${outDir}/models/p/m.html`) ?? '';
    for (const text of [`${least} to ${u64}`, `at most ${i64}`, 'below 9223372036854775808', `above ${i64}`])
      expect(page).toContain(text);
    // The sample call doesn't use a documented value that JavaScript would round.
    expect(page).toContain('The call in TypeScript');
    expect(page).not.toMatch(/18446744073709552000|9223372036854776000/);
  });
});

describe('bigints in generated validators', () => {
  test.each([
    ['seed', 18446744073709551615n, true],
    ['seed', 18446744073709551616n, false],
    ['seed', -9223372036854775808n, true],
    ['seed', -9223372036854775809n, false],
    ['seed', 7n, true],
    ['seed', 7, true],
    ['seed', 7.5, false],
    ['below', 9223372036854775807n, true],
    ['below', 9223372036854775808n, false],
    ['within', 9223372036854775807n, true],
    ['within', 9223372036854775808n, false],
    ['old', 9223372036854775807n, false],
    ['old', 9223372036854775808n, true],
    ['fixed', 9223372036854775807n, true],
    ['listed', 18446744073709551615n, true],
    ['listed', 2n, false],
    ['shared', 18446744073709551616n, false],
    ['plain', 4294967296n, false],
  ])('a generated validator compares the limits of the member "%s" exactly with %s', (name, value, valid) => {
    expect(validateInput({ [name]: value }).valid).toBe(valid);
  });

  test('a validation failure for a bigint mentions the limit with all digits, and can be printed as JSON', () => {
    const { detail } = validateInput({ seed: 18446744073709551616n });
    expect(detail).toMatchObject([{ loc: ['seed'], msg: `must be <= ${u64}` }]);
    expect(JSON.parse(JSON.stringify(detail))).toEqual(detail);
  });

  test('a call validates a bigint and sends it with all digits', async () => {
    const sent: string[] = [];
    const router = createModelRouter({
      ...{ baseUrl: 'https://router.example', apiKey: 'secret-key-1' },
      fetch: async (_, init) => {
        sent.push(String(init?.body));
        return Response.json({});
      },
    });
    const run = (within: bigint) => safe(router.run({ id: 'p/m' }, { within }, { validate: validateInput as never }));
    expect(await run(9223372036854775807n)).toMatchObject({ ok: true });
    expect(await run(9223372036854775808n)).toMatchObject({ ok: false, error: { kind: 'validation' } });
    expect(sent).toEqual([`{"within":${i64}}`]);
  });
});
