import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../specs/src/index.ts';
import { runScript } from './pages/project.ts';

// Handlers of the sandbox, with the models of generated packages, as the compiler sees them.

const root = packageRoot();
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-handlers-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const paths = {
    'openapi-switchyard': [join(root, 'scripts/library.ts')],
    '@switchyard/model-router': [join(root, 'generated/model-router/index.d.ts')],
    '@switchyard/models/*': [join(root, 'generated/models/*.d.ts')],
  };
  const compilerOptions = { noEmit: true, types: ['node'], paths, noUnusedLocals: false };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const before = `import { model } from '@switchyard/models/video-provider/two-extend';
import { model as still } from '@switchyard/models/image-provider/still-2.1';
import { createSandbox, modelFailure, modelFile } from 'openapi-switchyard';
const sandbox = createSandbox();
`;
const cases: readonly [line: string, error: RegExp | undefined][] = [
  [
    "sandbox.on(still, ({ prompt }) => (prompt.length > 3 ? modelFailure('provider_error') : modelFile(new Uint8Array(1), 'image/png')));",
    undefined,
  ],
  ["sandbox.on(model, () => ({ video_url: 'https://cdn.example/1.mp4' }), { latencyMs: 5 });", undefined],
  ['sandbox.on(model, { failureRate: 0.5 });', undefined],
  ["sandbox.on('maker/any', (input) => ({ anything: input['prompt'] ?? null }));", undefined],
  ["sandbox.on(model, () => ({ video: 'https://cdn.example/1.mp4' }));", /'\{ video: string; \}' is not assignable/],
  ['sandbox.on(model, () => ({}));', /'\{\}' is not assignable/],
  ['sandbox.on(still, ({ promt }) => modelFailure(promt));', /'promt' does not exist/],
  ['sandbox.on(model, () => ({ video_url: 7 }));', /'number' is not assignable to type 'string'/],
];

test('a handler is typed with its model’s input and output', { timeout: 60_000 }, async () => {
  writeFileSync(join(folder, 'handlers.ts'), `${before}${cases.map(([line]) => line).join('\n')}\n`);
  const { output } = await runScript(`node ${join(root, 'node_modules/typescript-7/bin/tsc')} -p .`, folder);
  const errors = new Map(
    [...output.matchAll(/^handlers\.ts\((\d+),\d+\): error ((?:.|\n {2})*)/gm)].map(([, line, text]) => [
      Number(line),
      text,
    ]),
  );
  for (const [index, [line, error]] of cases.entries()) {
    const found = errors.get(before.split('\n').length + index);
    if (error === undefined) expect([line, found]).toEqual([line, undefined]);
    else expect(found ?? `no error in ${line}`).toMatch(error);
  }
});
