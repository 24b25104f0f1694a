import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../specs/src/index.ts';
import { run } from './run-node.ts';

// Writes what goes beside a release: what the published package brings (CycloneDX), and the licences of that. Ends with exit
// code 1 when a licence is missing or is not one that the product may pass on.
type Component = { name: string; version: string; licenses?: { license?: { id?: string }; expression?: string }[] };
type Bill = { metadata: { component: { name: string } }; components: Component[] };

const passedOn = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Python-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
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

function readLicence({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => expression ?? license?.id ?? '').join(' AND ');
}

function licenceTable(components: readonly Component[]): string {
  const rows = components.map((one) => `| ${one.name} | ${one.version} | ${readLicence(one)} |`).sort();
  return ['| package | version | licence |', '|---|---|---|', ...rows, ''].join('\n');
}

try {
  mkdirSync(out, { recursive: true });
  const packed = await succeed('npm', ['pack', '--silent', '--pack-destination', work], root);
  const tarball = join(work, packed.trim().split('\n').at(-1) ?? '');
  const text = await readBill(tarball);
  const { components }: Bill = JSON.parse(text);
  writeFileSync(join(out, 'sbom.cdx.json'), text);
  writeFileSync(join(out, 'licences.md'), licenceTable(components));
  const refused = components.filter((one) => !passedOn.has(readLicence(one)));
  for (const one of refused) process.stdout.write(`${one.name} has the licence ${JSON.stringify(readLicence(one))}\n`);
  process.stdout.write(`${components.length} packages, ${refused.length} of them with a licence to look at\n`);
  process.stdout.write(`wrote ${out}: sbom.cdx.json, licences.md\n`);
  process.exitCode = refused.length === 0 && components.length > 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
