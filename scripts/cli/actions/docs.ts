import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodePorts, type SiteReport, writeSite } from '../../../generator/src/index.ts';
import { readTls } from '../access.ts';
import { UsageError } from '../errors.ts';
import { type DocsFlags, redocPackage } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { createGet } from '../load-settings.ts';
import { withPhases, withSourceBrand } from './generate.ts';

type Outcome = { readonly report: SiteReport; readonly outDir: string; readonly hasRenderer: boolean };

/** `findRenderer` gives the text of Redoc's bundle, as a project folder has it. */
export async function runDocs(
  { out, packages, ...given }: DocsFlags,
  io: CommandIo,
  findRenderer: (folder: string) => string | undefined = readRenderer,
): Promise<number> {
  const flags = { ...given, check: true, ...(packages === undefined ? {} : { out: packages }) };
  const outcome = await withSourceBrand(flags, io, async (loaded, source): Promise<Outcome> => {
    const outDir = createGet({ out }, loaded, io)('docs.out');
    if (outDir === source.outDir)
      throw new UsageError('--out names the folder of the generated packages: give the site a folder of its own');
    const renderer = findRenderer(loaded.folder);
    const ports = nodePorts(await readTls(loaded, io));
    const report = await withPhases(io, (onProgress) => writeSite({ source, outDir, renderer }, ports, onProgress));
    return { report, outDir, hasRenderer: renderer !== undefined };
  });
  const { report } = outcome;
  if (flags.json) io.out(`${JSON.stringify({ ...report, folder: outcome.outDir, hasApis: outcome.hasRenderer })}\n`);
  else printOutcome(outcome, io);
  return report.refused.length > 0 ? 1 : 0;
}

/** Redoc is an optional peer: it is looked for in the project, then beside this package. */
function readRenderer(folder: string): string | undefined {
  for (const from of [join(folder, 'package.json'), import.meta.url]) {
    try {
      return readFileSync(createRequire(from).resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
    } catch {
      // Not here, or a version without this file.
    }
  }
  return undefined;
}

function printOutcome({ report, outDir, hasRenderer }: Outcome, io: CommandIo): void {
  const { models, failed, files, refused } = report;
  const written = `${files.created} files created, ${files.replaced} replaced, ${files.removed} removed, ${files.kept} kept`;
  io.out(`${models} models; ${written}\n`);
  for (const { severity, model, message } of report.diagnostics)
    if (severity === 'error') io.err(`${model === undefined ? '' : `${model}: `}${message}\n`);
  if (failed.length > 0) io.out(`${failed.length} models have no page: ${failed.join(', ')}\n`);
  for (const path of refused)
    io.err(`${path} was left alone: it is not as switchyard wrote it; move it away or delete it\n`);
  if (!hasRenderer) io.out(`The two APIs have no pages: npm install --save-dev ${redocPackage}\n`);
  io.out(`${io.style('good', pathToFileURL(join(outDir, 'index.html')).href)}\n`);
}
