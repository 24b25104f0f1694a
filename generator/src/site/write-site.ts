import { toDigest } from '../content.ts';
import { openDeadline } from '../deadline.ts';
import { GeneratorError } from '../diagnostics.ts';
import { diffModels } from '../diff/diff-outputs.ts';
import { readShippedModels } from '../diff/documents.ts';
import { readPackageSources } from '../emit/package-sources.ts';
import { type GenerateConfig, previewOutput } from '../generate.ts';
import { refuseOtherOutput, sitePart } from '../output/lockfile.ts';
import { openOutput, openOutputStaging } from '../output/output-folder.ts';
import { readOutputTree } from '../output/output-tree.ts';
import { countWrites, planWrites } from '../output/plan-writes.ts';
import type { Ports, Progress } from '../ports.ts';
import type { GenerationReport } from '../report/report.ts';
import { describeModelPage, type ModelPage } from './model-page.ts';
import { readPageTemplates } from './page-templates.ts';
import { generateSitePages, type SiteConfig } from './site-pages.ts';

export type SiteReport = Readonly<Pick<GenerationReport, 'files' | 'refused' | 'diagnostics'>> & {
  readonly models: number;
  /** Numbers of models, as in the report of `generate`. */
  readonly counts: GenerationReport['models'];
  /** Models without a page, because their document could not be read. */
  readonly failed: readonly string[];
};

/**
 * Writes a static site about the models of a catalog and both APIs. Throws GeneratorError if the source can't be read or if the
 * folder contains generated packages.
 */
export async function writeSite(
  config: SiteConfig,
  ports: Ports,
  onProgress: Progress = () => {},
): Promise<SiteReport> {
  const { files } = ports;
  const staging = await openOutputStaging(config.outDir, files, onProgress);
  try {
    const output = openOutput(config.outDir, { files, staging }, { outputs: new Map(), code: toDigest('') });
    refuseOtherOutput(config.outDir, output.lock, 'site');
    const templates = await readPageTemplates(files);
    const { models, changes, diagnostics, counts } = await readModels(config.source, ports, onProgress);
    const { version } = readPackageSources(files);
    const failed = diagnostics.flatMap(({ severity, model }) =>
      severity === 'error' && model !== undefined ? [model] : [],
    );
    const site = {
      pages: models.sort((left, right) => (left.id < right.id ? -1 : 1)),
      failed: [...new Set(failed)].sort(),
      changes,
    };
    const printed = [];
    for (const file of generateSitePages(config, site, { templates, generatorVersion: version })) {
      printed.push(output.print(file));
      onProgress('pages', { done: printed.length });
    }
    const packages = new Map([[sitePart, { files: Object.fromEntries(printed) }]]);
    const newOutput = { generator: version, brand: config.source.specs.settings.brand, packages, models: new Map() };
    const plan = planWrites(newOutput, output);
    output.apply(plan);
    return {
      models: models.length,
      failed: site.failed,
      files: countWrites(plan),
      refused: plan.writes.flatMap(({ kind, path }) => (kind === 'refuse' ? [path] : [])),
      diagnostics,
      counts,
    };
  } finally {
    staging.close();
  }
}

/** Reads the models of a catalog as pages, with their changes since the earlier output. */
async function readModels(source: GenerateConfig, ports: Ports, onProgress: Progress) {
  const deadline = openDeadline(source.deadlineMs, ports.clock);
  const before = await readOutputTree(source.outDir, ports.files).catch((error: unknown) => {
    if (error instanceof GeneratorError && error.code === 'output-missing') return undefined;
    throw error;
  });
  const { packageNames: names, parts, outputLayout } = source;
  const settings = { names, layout: outputLayout.layout, hasDescriptors: parts !== 'types' };
  const models: ModelPage[] = [];
  return previewOutput(
    source,
    ports,
    ({ tree, report }) => ({
      models,
      changes: before && diffModels(readShippedModels(before), readShippedModels(tree), deadline.isOver),
      diagnostics: report.diagnostics,
      counts: report.models,
    }),
    { onProgress, onModel: (model) => models.push(describeModelPage(model, settings)) },
  );
}
