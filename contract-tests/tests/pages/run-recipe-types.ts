import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks } from './code-blocks.ts';
import { runScript } from './project.ts';

// Checks the types of the recipes in docs/sandbox.md, under this repository's strict options; Storybook's types are not installed here.
const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'switchyard-types-'));
const recipes = codeBlocks('docs/sandbox.md').filter(
  ({ language, name }) => language === 'ts' && name !== '' && !name.startsWith('.storybook/'),
);
const options = {
  noEmit: true,
  types: ['node'],
  paths: {
    'openapi-switchyard': [join(root, 'scripts/library.ts')],
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
  for (const { name, text } of recipes) writeFileSync(join(folder, name), text);
  const { code, output } = await runScript('node node_modules/typescript-7/bin/tsc -p .', folder);
  process.stdout.write(`${output}docs/sandbox.md: types of ${recipes.length} recipes checked\n`);
  process.exitCode = code === 0 && recipes.length > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
