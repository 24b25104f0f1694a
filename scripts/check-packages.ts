import { join } from 'node:path';
import { runTool } from './run-tool.ts';

// What a registry's users would trip over: exports that resolve for nobody, declarations that do not fit their code.
const packages = ['model-router', 'workflow-execution', 'models'].map((name) => join('generated', name));
const results = await Promise.all(
  packages.map(async (folder) => ({
    folder,
    passed:
      (await runTool({ packageName: 'publint', file: 'src/cli.js' }, [folder, '--strict'])) &&
      (await runTool({ packageName: '@arethetypeswrong/cli', file: 'dist/index.js' }, [
        '--pack',
        folder,
        '--profile',
        'esm-only',
      ])),
  })),
);
for (const { folder, passed } of results) process.stdout.write(`${folder}: ${passed ? 'sound' : 'unsound'}\n`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
