import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks } from './code-blocks.ts';
import { runScript } from './project.ts';

// Checks the types of the blocks that use the library and of the configurations that pages show, under this repository's
// options for correctness. Storybook's types are not installed here.
const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'switchyard-types-'));
const pages = [
  'README.md',
  ...globSync('docs/how-to/*.md', { cwd: root }).filter((page) => !page.endsWith('/calls-for-many-users.md')),
];
const blocks = pages.flatMap((page) =>
  codeBlocks(page)
    .filter(({ language, name, text }) => language === 'ts' && isChecked(text) && !name.startsWith('.storybook/'))
    .map(({ line, text }) => ({ name: `${page.replace(/\W/g, '-')}-${line}.ts`, text })),
);
/** What blocks use of their reader's project. */
const surroundings = {
  'src/app.ts': 'export const app = { fetch: (request: Request): Response => new Response(request.url) };',
  'pages/surroundings.d.ts': `
declare const app: { fetch(request: Request): Response };
declare const bytes: Uint8Array<ArrayBuffer>;
declare const expect: typeof import('vitest').expect;
declare const sandbox: import('openapi-switchyard').Sandbox;
type ClientOptions = { fetch: typeof fetch; apiKey: string };
declare function createMyClient(options: ClientOptions): {
  generate(prompt: string, options: { idempotencyKey: string }): Promise<void>;
};
declare function runMyClient(options: ClientOptions): Promise<void>;
`,
};
const generated = (scope: string) => ({
  [`${scope}/model-router`]: [join(root, 'generated/model-router/index.d.ts')],
  [`${scope}/workflow-execution`]: [join(root, 'generated/workflow-execution/index.d.ts')],
  [`${scope}/models/*`]: [join(root, 'generated/models/*.d.ts')],
});
const options = {
  noEmit: true,
  noUnusedLocals: false, // a block may end before it uses what it made
  noPropertyAccessFromIndexSignature: false,
  types: ['node'],
  paths: {
    'openapi-switchyard': [join(root, 'scripts/library.ts')],
    'openapi-switchyard/*': [join(root, 'scripts/*.ts'), join(root, 'scripts/bundlers/*.ts')],
    playwright: [join(root, 'node_modules/playwright-core/index.d.ts')],
    ...generated('@acme'), // of the pages
    ...generated('@switchyard'), // of the packages themselves
  },
};

/** Other blocks about the client are programs that its own tests compile, or lines that follow them. */
function isChecked(text: string): boolean {
  return /\bfrom 'openapi-switchyard|sandbox\.|export default|ProvidedContext/.test(text);
}

try {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['**/*.ts'] }),
  );
  for (const part of ['src', 'pages']) mkdirSync(join(folder, part));
  for (const [path, text] of Object.entries(surroundings)) writeFileSync(join(folder, path), text);
  for (const { name, text } of blocks) writeFileSync(join(folder, 'pages', name), text);
  const { code, output } = await runScript('node node_modules/typescript-7/bin/tsc -p .', folder);
  process.stdout.write(`${output}types of ${blocks.length} blocks of ${pages.length} pages checked\n`);
  process.exitCode = code === 0 && blocks.length > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
