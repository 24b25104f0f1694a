import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SiteReport, writeSite } from '../../../generator/src/index.ts';
import type { DocsFlags } from '../commands.ts';
import { UsageError } from '../errors.ts';
import { findLockDate } from '../git-output.ts';
import { type CommandIo, type CommandResult, withProgress } from '../io.ts';
import { createUnreadFailure, withSourceBrand } from './generate.ts';

/** Writes the site. `findRenderer` returns the text of Redoc's bundle in a project folder. */
export async function runDocs(
  { out, packages, ...given }: DocsFlags,
  io: CommandIo,
  findRenderer = readRenderer,
): Promise<CommandResult<SiteReport>> {
  const flags = { ...given, check: true, ...(packages === undefined ? {} : { out: packages }) };
  return withSourceBrand(flags, io, async (loaded, source, ports) => {
    const outDir = out === undefined ? join(loaded.folder, '.switchyard/docs') : resolve(io.workingFolder, out);
    if (outDir === source.outDir)
      throw new UsageError('--out is the folder of the generated packages: use a separate folder for the site');
    const renderer = findRenderer(loaded.folder);
    const day = await findLockDate(source.outDir);
    const look = {
      name: loaded.config.docs.name,
      colour: loaded.config.docs.colour,
      logo: readLogo(loaded.config.docs.logo),
      since: day ?? 'the last generated packages',
    };
    const report = await withProgress(io, (show) => writeSite({ source, outDir, renderer, look }, ports, show));
    const hasApis = renderer !== undefined;
    return {
      report,
      more: { folder: outDir, hasApis },
      code: report.refused.length > 0 ? 1 : 0,
      text: () => describe(report, outDir, hasApis, io),
      failure: createUnreadFailure(report.counts, loaded, report),
    };
  });
}

function describe(
  { models, failed, files, refused, diagnostics }: SiteReport,
  outDir: string,
  hasApis: boolean,
  io: CommandIo,
): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const lines = [
    `${models} models; ${files.created} files created, ${files.replaced} replaced, ${files.removed} removed, ${files.kept} kept`,
    ...errors.map(({ model, message }) => (model === undefined ? message : `${model}: ${message}`)),
    ...(failed.length > 0 ? [`${failed.length} models have no page: ${failed.join(', ')}`] : []),
    ...refused.map((path) => `${path} was not replaced, because it was edited by hand: move or delete it`),
    ...(hasApis ? [] : [`To add pages for the two APIs, run npm install --save-dev redoc@2.5.4`]),
    io.style('good', pathToFileURL(join(outDir, 'index.html')).href),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const imageTypesByExtension: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};
const largestLogo = 200_000;

/** Returns the picture as a data URL, because pages must not load anything from other hosts. */
function readLogo(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const type = imageTypesByExtension[extname(file).toLowerCase()];
  if (type === undefined) throw new UsageError(`docs.logo must be .svg, .png, .jpg or .webp, got ${file}`);
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size === undefined) throw new UsageError(`docs.logo: ${file} does not exist`);
  if (size > largestLogo)
    throw new UsageError(`docs.logo: ${file} must have at most ${largestLogo} bytes, but has ${size}`);
  return `data:${type};base64,${readFileSync(file).toString('base64')}`;
}

/** Reads Redoc, an optional peer dependency, from the project, or else from the folder of this package. */
function readRenderer(folder: string): string | undefined {
  for (const from of [join(folder, 'package.json'), import.meta.url]) {
    try {
      return readFileSync(createRequire(from).resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
    } catch {
      // Redoc is not installed here, or its version lacks this file.
    }
  }
  return undefined;
}
