import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/** A model's subpath has two parts and a schema beside it; the manifest names them by a pattern, which no tool follows. */
function modelSubpaths(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.flatMap((file) => /^(.+)\.schema\.json$/.exec(file)?.[1] ?? []);
}

function checkTypes(folder: string): Promise<boolean> {
  const subpaths = modelSubpaths(folder);
  const include = subpaths.length > 0 ? ['--include-entrypoints', ...subpaths] : [];
  const options = ['--pack', folder, '--profile', 'esm-only', ...include];
  return runTool({ packageName: '@arethetypeswrong/cli', file: 'dist/index.js' }, options);
}

// What a registry's users would trip over: exports that resolve for nobody, declarations that do not fit their code.
const packages = ['model-router', 'workflow-execution', 'models'].map((name) => join('generated', name));
const results = await Promise.all(
  packages.map(async (folder) => ({
    folder,
    passed:
      existsSync(join(folder, 'package.json')) &&
      (await runTool({ packageName: 'publint', file: 'src/cli.js' }, [folder, '--strict'])) &&
      (await checkTypes(folder)),
  })),
);
for (const { folder, passed } of results) process.stdout.write(`${folder}: ${passed ? 'sound' : 'unsound'}\n`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
