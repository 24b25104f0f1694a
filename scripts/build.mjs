// Compiles the published code to dist/: Node does not strip types below node_modules.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';

const noChildProcess = '/no-child-process';

// An import of a built-in module touches all its exports, which loads more modules; getBuiltinModule does not.
const lighterBuiltins = {
  name: 'lighter-builtins',
  resolveId: (id) => (id === 'node:child_process' ? noChildProcess : undefined),
  // The argument parser can start programs for subcommands; ours are functions.
  load: (id) => (id === noChildProcess ? 'export default {};' : undefined),
  renderChunk: (code) => code.replace(/^import (.+) from "(node:\w+)";$/gm, (_, names, id) => getBuiltin(names, id)),
};

/** `names` as they stand in an import: a default, names in braces, or both. */
function getBuiltin(names, id) {
  const [, whole, some] = /^([\w$]+)?(?:, )?(\{.+\})?$/.exec(names) ?? [];
  const builtin = `process.getBuiltinModule("${id}")`;
  return [whole, some?.replaceAll(' as ', ': ')]
    .flatMap((pattern) => (pattern === undefined ? [] : [`const ${pattern} = ${builtin};`]))
    .join(' ');
}

/**
 * Makes one file of a built module and what it imports, in its place.
 * @param {string} file path of the module
 * @param {(id: string) => boolean} external whether an import stays one
 */
async function bundle(file, external) {
  const input = resolve(file);
  const isExternal = (id) => external(id) && id !== 'node:child_process';
  const made = await rolldown({ input, platform: 'node', external: isExternal, plugins: [lighterBuiltins] });
  await made.write({ file: input, format: 'esm', codeSplitting: false });
}

rmSync('dist', { recursive: true, force: true });
for (const script of [
  ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json'],
  ['dist/scripts/prebuild.js'],
]) {
  const { status } = spawnSync(process.execPath, script, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 3);
}

// `generate` runs in every build of its users, mostly to find that nothing changed: starting must cost next to nothing.
const bundled = ['commander', 'p-map'];
// The actions of other commands are not called from there and drop out; git is run for few settings.
const isOtherAction = (id) => /\/actions\/(?!generate\.)|\/git-output\./.test(id);
await bundle(
  'dist/scripts/cli/generate-program.js',
  (id) => isOtherAction(id) || (!/^[./]/.test(id) && !bundled.includes(id)),
);
await bundle('dist/scripts/switchyard.js', (id) => id.endsWith('program.js') || !/^[./]/.test(id));
// HTTP alone loads a whole fetch for the exports that nobody here reads; every process of a command would wait for it.
for (const file of globSync('dist/**/*.js')) {
  const code = readFileSync(file, 'utf8');
  const lighter = code.replace(/^import (.+) from '(node:https?)';$/gm, (_, names, id) => getBuiltin(names, id));
  if (lighter !== code) writeFileSync(file, lighter);
}
for (const name of bundled) {
  const licence = name === 'commander' ? 'LICENSE' : 'license';
  copyFileSync(`node_modules/${name}/${licence}`, `dist/scripts/cli/${name}.LICENSE.txt`);
}
