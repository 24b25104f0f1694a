import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks } from './code-blocks.ts';
import { runScript } from './project.ts';

// Checks the types of the recipes in docs/sandbox.md and of the test in docs/client.md, and of the configurations that other pages show, under this repository's strict options; Storybook's types are not installed here.
const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'switchyard-types-'));
const recipes = ['docs/sandbox.md', 'docs/client.md']
  .flatMap(codeBlocks)
  .filter(({ language, name }) => language === 'ts' && name !== '' && !name.startsWith('.storybook/'));
const configurations = ['docs/generate.md', 'docs/conform.md'].flatMap((page) =>
  codeBlocks(page)
    .filter(({ language, text }) => language === 'ts' && text.includes('export default'))
    .map(({ line, text }) => ({ name: `${page.replace(/\W/g, '-')}-${line}.ts`, text })),
);
/** The recipes import the packages of this repository by the scope `@acme`, and these import each other by their own. */
const generatedPackages = (scope: string): [name: string, paths: string[]][] => [
  [`${scope}/model-router`, [join(root, 'generated/model-router/index.d.ts')]],
  [`${scope}/models/*`, [join(root, 'generated/models/*.d.ts')]],
];
const options = {
  noEmit: true,
  types: ['node'],
  paths: {
    'openapi-switchyard': [join(root, 'scripts/library.ts')],
    ...Object.fromEntries(['@acme', '@switchyard'].flatMap(generatedPackages)),
    playwright: [join(root, 'node_modules/playwright-core/index.d.ts')],
  },
};
try {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['*.ts'] }),
  );
  for (const { name, text } of [...recipes, ...configurations]) writeFileSync(join(folder, name), text);
  const { code, output } = await runScript('node node_modules/typescript-7/bin/tsc -p .', folder);
  process.stdout.write(
    `${output}types of ${recipes.length} recipes and ${configurations.length} configurations checked\n`,
  );
  process.exitCode = code === 0 && recipes.length > 0 && configurations.length > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
