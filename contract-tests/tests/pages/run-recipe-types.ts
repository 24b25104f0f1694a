import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks } from './code-blocks.ts';
import { runScript } from './project.ts';

// Checks the types of the blocks that use the library, and of the recipes, under this repository's
// strict options. Storybook's types are not installed here.
const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'switchyard-types-'));
const pages = [
  'README.md',
  ...['bundlers', 'conform', 'gate-library', 'generate', 'sandbox'].map((name) => `docs/${name}.md`),
];
const blocks = pages.map((page) =>
  codeBlocks(page)
    .filter(({ language, name }) => language === 'ts' && !name.startsWith('.storybook/'))
    .filter(({ name, text }) => name !== '' || text.includes("from 'openapi-switchyard"))
    .map(({ name, line, text }) => ({ name: name || `${page.replace(/\W/g, '-')}-${line}.ts`, text })),
);

/** What the blocks take from the reader's project. */
const readersProject = `
import type { Sandbox } from 'openapi-switchyard';
type Access = { fetch: Sandbox['fetch']; apiKey: string };
export const app: { fetch(request: Request): Promise<Response> } = { fetch };
declare global {
  const app: { fetch(request: Request): Promise<Response> };
  const bytes: Uint8Array<ArrayBuffer>;
  const expect: typeof import('vitest').expect;
  const sandbox: Sandbox;
  function createMyClient(access: Access): { generate(prompt: string, options: { idempotencyKey: string }): Promise<void> };
  function runMyClient(access: Access): Promise<void>;
}
`;
const options = {
  noEmit: true,
  types: ['node'],
  noPropertyAccessFromIndexSignature: false, // not among TypeScript's strict options
  paths: {
    'openapi-switchyard': [join(root, 'scripts/library.ts')],
    'openapi-switchyard/*': [join(root, 'scripts/*.ts'), join(root, 'scripts/bundlers/*.ts')],
    playwright: [join(root, 'node_modules/playwright-core/index.d.ts')],
  },
};
try {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['*/*.ts'] }),
  );
  for (const name of ['src', 'tests']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'src/app.ts'), readersProject);
  for (const { name, text } of blocks.flat()) writeFileSync(join(folder, 'tests', name), text);
  const { code, output } = await runScript('node node_modules/typescript-7/bin/tsc -p .', folder);
  const counts = pages.map((page, index) => `${blocks[index]?.length} of ${page}`);
  process.stdout.write(`${output}types of code blocks checked: ${counts.join(', ')}\n`);
  process.exitCode = code === 0 && blocks.every(({ length }) => length > 0) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
