// Compiles the published code to dist/: Node does not strip types below node_modules.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const noChildProcess = '/no-child-process';
const isParser = (file) => file?.includes('/commander/') === true;

// An import of a built-in module touches all its exports, which loads more modules, HTTP a whole fetch; getBuiltinModule does not.
const lighterBuiltins = {
  name: 'lighter-builtins',
  resolveId: (id, importer) => (id === 'node:child_process' && isParser(importer) ? noChildProcess : undefined),
  // The argument parser can start programs for subcommands; ours are functions.
  load: (id) => (id === noChildProcess ? 'export default {};' : undefined),
  renderChunk: (code) => code.replace(/^import (.+) from "(node:[\w/]+)";$/gm, (_, names, id) => getBuiltin(names, id)),
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
  const isExternal = (id, importer) => external(id) && !(id === 'node:child_process' && isParser(importer));
  const made = await rolldown({ input, platform: 'node', external: isExternal, plugins: [lighterBuiltins] });
  await made.write({ file: input, format: 'esm', codeSplitting: false });
}

// Threads and processes load these by their place, which a bundle must keep.
const loadedByPlace = [
  'contract-tests/src/conform',
  'contract-tests/src/prove/worker',
  'contract-tests/src/record/child',
  'contract-tests/src/record/engine-thread',
  'scripts/cli/system-under-test',
];

/** In chunks, `import.meta` means the place that the module had before. */
const keepPlaces = {
  name: 'keep-places',
  transform: (code, id) => {
    const place = posix.relative(resolve('dist'), id);
    return code
      .replaceAll('import.meta.url', `new URL(PLACE("${place}"), import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + "/" + PLACE("${posix.dirname(place)}"))`);
  },
  renderChunk: (code, { fileName }) =>
    code.replace(/PLACE\("([^"]+)"\)/g, (_, place) => JSON.stringify(posix.relative(posix.dirname(fileName), place))),
};

/**
 * Makes few files of all other modules and of the declarations, and removes what they were made of.
 * @param {string[]} kept files that stay as they are; what they import by a path is kept as an entry
 */
async function packRest(kept) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const exported = Object.values(manifest.exports).flatMap(
    ({ types = '' }) => /^\.\/dist\/(.+)\.d\.ts$/.exec(types)?.[1] ?? [],
  );
  const imported = kept.flatMap((file) =>
    [...readFileSync(join('dist', file), 'utf8').matchAll(/\bawait import\("(\.[^"]+)\.js"\)/g)]
      .map(([, path = '']) => posix.join(posix.dirname(file), path))
      .filter((path) => !kept.includes(`${path}.js`)),
  );
  const inputs = (names, ending) => Object.fromEntries(names.map((name) => [name, resolve('dist', name + ending)]));
  const isExternal = (id) => !/^[./]/.test(id);

  const names = [...new Set([...exported, ...imported, ...loadedByPlace])];
  const code = await rolldown({
    input: inputs(names, '.js'),
    platform: 'node',
    external: isExternal,
    plugins: [keepPlaces, lighterBuiltins],
  });
  const written = await code.write({ dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
  const types = await rollup({
    input: inputs(exported, '.d.ts'),
    external: isExternal,
    plugins: [dts()],
    logLevel: 'silent',
  });
  const typings = { entryFileNames: '[name].d.ts', chunkFileNames: 'chunks/[name]-[hash].d.ts' };
  const declared = await types.write({ dir: 'dist', ...typings });

  const outputs = [...written.output, ...declared.output].map(({ fileName }) => fileName);
  const wanted = new Set([...kept, ...outputs]);
  for (const file of globSync('**/*.{js,d.ts}', { cwd: 'dist' })) if (!wanted.has(file)) rmSync(join('dist', file));
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
// The actions of other commands, and renderers of reports, are not called from there and drop out; git is run for few settings.
const isOtherAction = (id) =>
  /\/actions\/(?!generate\.)|\/git-output\.|contract-tests\/src\/report\/(?!formats\.)/.test(id);
await bundle(
  'dist/scripts/cli/generate-program.js',
  (id) => isOtherAction(id) || (!/^[./]/.test(id) && !bundled.includes(id)),
);
await bundle('dist/scripts/switchyard.js', (id) => id.endsWith('program.js') || !/^[./]/.test(id));
await packRest(['scripts/switchyard.js', 'scripts/cli/generate-program.js']);
for (const name of bundled) {
  const licence = name === 'commander' ? 'LICENSE' : 'license';
  copyFileSync(`node_modules/${name}/${licence}`, `dist/scripts/cli/${name}.LICENSE.txt`);
}
