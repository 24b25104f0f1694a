import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../specs/src/index.ts';
import { run } from './run-node.ts';

// Writes what goes beside a release: what the published package brings (CycloneDX), the licences of that, and the sizes of
// all packages. Ends with exit code 1 when a licence is missing or is not one that the product may pass on.
type Component = { name: string; version: string; licenses?: { license?: { id?: string }; expression?: string }[] };
type Bill = { metadata: { component: { name: string } }; components: Component[] };
type Packed = { name: string; size: number; unpackedSize: number; entryCount: number };

const passedOn = new Set([
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'Python-2.0', 'BlueOak-1.0.0', 'CC0-1.0'],
  '(MIT OR CC0-1.0)',
]);
const root = packageRoot();
const out = join(root, '.switchyard', 'release');
const work = mkdtempSync(join(tmpdir(), 'switchyard-release-'));

async function succeed(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, out: printed, err } = await run(program, args, { cwd });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${err}`);
  return printed;
}

/** Of the package as it is installed: development dependencies are left out before npm resolves the others. */
async function readBill(file: string): Promise<string> {
  const folder = join(work, 'openapi-switchyard'); // npm names the subject of the bill after the folder
  mkdirSync(folder);
  await succeed('tar', ['-xzf', file, '--strip-components=1'], folder);
  const { devDependencies: _, ...published } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(published));
  await succeed('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], folder);
  return succeed('npm', ['sbom', '--sbom-format', 'cyclonedx'], folder);
}

function licenceOf({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => expression ?? license?.id ?? '').join(' AND ');
}

function licenceTable(components: readonly Component[]): string {
  const rows = components.map((one) => `| ${one.name} | ${one.version} | ${licenceOf(one)} |`).sort();
  return ['| package | version | licence |', '|---|---|---|', ...rows, ''].join('\n');
}

async function sizeTable(file: string): Promise<string> {
  const generated = ['model-router', 'workflow-execution', 'models'].map((name) => join(root, 'generated', name));
  const rows: string[] = [];
  for (const place of [file, ...generated]) {
    const [packed]: Packed[] = JSON.parse(await succeed('npm', ['pack', place, '--dry-run', '--json'], work));
    if (packed !== undefined)
      rows.push(`| ${packed.name} | ${packed.entryCount} | ${packed.size} | ${packed.unpackedSize} |`);
  }
  const models = join(root, 'generated/models');
  const imports = globSync('*/**/*.schema.json', { cwd: models }).map((path) => path.replace(/\.schema\.json$/, ''));
  const lines = await Promise.all([
    largestImport('`model` alone', imports, (path) => `export { model } from './${path}.js'`),
    largestImport('with its validators', imports, (path) => `export * from './${path}.js'`),
  ]);
  return [
    '| package | files | packed, bytes | unpacked, bytes |\n|---|--:|--:|--:|',
    ...rows,
    '\nLargest import of a model, bundled and minified:\n',
    ...lines,
    '',
  ].join('\n');
}

async function largestImport(label: string, paths: readonly string[], code: (path: string) => string): Promise<string> {
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const stdin = { contents: code(path), resolveDir: join(root, 'generated/models') };
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
      return { path, bytes: outputFiles[0]?.contents.length ?? 0 };
    }),
  );
  const { path, bytes } = sizes.reduce((most, one) => (one.bytes > most.bytes ? one : most));
  return `- ${label}: ${bytes} bytes, ${path}`;
}

try {
  mkdirSync(out, { recursive: true });
  const packed = await succeed('npm', ['pack', '--silent', '--pack-destination', work], root);
  const tarball = join(work, packed.trim().split('\n').at(-1) ?? '');
  const text = await readBill(tarball);
  const { components }: Bill = JSON.parse(text);
  const sizes = await sizeTable(tarball);
  writeFileSync(join(out, 'sbom.cdx.json'), text);
  writeFileSync(join(out, 'licences.md'), licenceTable(components));
  writeFileSync(join(out, 'sizes.md'), sizes);
  const refused = components.filter((one) => !passedOn.has(licenceOf(one)));
  for (const one of refused) process.stdout.write(`${one.name} has the licence ${JSON.stringify(licenceOf(one))}\n`);
  process.stdout.write(`${sizes}${components.length} packages, ${refused.length} of them with a licence to look at\n`);
  process.stdout.write(`wrote ${out}: sbom.cdx.json, licences.md, sizes.md\n`);
  process.exitCode = refused.length === 0 && components.length > 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
