import { build } from 'tsdown';
import manifest from '../package.json' with { type: 'json' };
import { runNode } from './run-node.ts';

// Builds dist/ for the published package: Node doesn't strip types below node_modules.
const exported = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default.slice('./dist/'.length, -'.js'.length)],
);

/** Modules that the command, threads and child processes load by path (see `moduleUrl`). */
const loadedByPath = [
  'contract-tests/src/conform',
  'contract-tests/src/prove/worker',
  'contract-tests/src/record/child',
  'scripts/cli/system-under-test',
  'scripts/prebuild',
  'scripts/switchyard',
];

type BuiltFile = { readonly fileName: string; code?: string };

/** Puts each comment of a declaration on a line of its own. Otherwise, editors don't show it for the member on the next line. */
function separateComments(file: BuiltFile): void {
  if (file.code !== undefined && file.fileName.endsWith('.d.ts'))
    file.code = file.code.replace(/ (\/\*\*(?:(?!\*\/).)*\*\/)$/gm, '\n$1');
}

await build({
  config: false,
  entry: Object.fromEntries([...exported, ...loadedByPath].map((name) => [name, `${name}.ts`])),
  outDir: 'dist',
  platform: 'node',
  fixedExtension: false, // Use .js and .d.ts instead of .mjs and .d.mts.
  dts: true,
  plugins: [{ name: 'comments', generateBundle: (_, files) => Object.values(files).forEach(separateComments) }],
  logLevel: 'error',
});

// Stores results that would take too long to compute from the published files at each start.
const { code, err } = await runNode(['dist/scripts/prebuild.js']);
if (code !== 0) throw new Error(`dist/scripts/prebuild.js ended with exit code ${code}: ${err}`);
