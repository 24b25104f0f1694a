import { relative, resolve } from 'node:path';
import {
  type DiffReport,
  diffOutputs,
  nodePorts,
  type OutputTree,
  outputTreeOf,
  previewOutput,
  readOutputTree,
  renderDiffJson,
  renderDiffMarkdown,
  renderDiffText,
} from '../../../generator/src/index.ts';
import { BrandMismatch } from '../../../specs/src/index.ts';
import { tlsOf } from '../access.ts';
import { UsageError } from '../errors.ts';
import type { DiffFlags } from '../flags.ts';
import { readOutputAt } from '../git-output.ts';
import type { CommandIo } from '../io.ts';
import { loadSettings, outputFolder } from '../load-settings.ts';
import { resolveGenerateConfig, withSourceBrand } from './generate.ts';

const renderers = { text: renderDiffText, markdown: renderDiffMarkdown, json: renderDiffJson };

export async function runDiff(
  { before, after }: { before: string | undefined; after: string | undefined },
  flags: DiffFlags,
  io: CommandIo,
): Promise<number> {
  if (flags.base !== undefined) {
    if (after !== undefined) throw new UsageError('--base compares one folder with its own past: leave out AFTER');
    const folder = await outputFolder(before, flags, io);
    const sides = [await readOutputAt(flags.base, folder), await readOutputTree(folder, nodePorts().files)] as const;
    const name = shortName(folder, io);
    return compare(sides, [`${name} at ${flags.base}`, name], flags, io);
  }
  const folder = await outputFolder(before, flags, io);
  // Settings are refused before anything is read.
  const given = { ...flags, out: folder };
  if (after === undefined) await resolveGenerateConfig(given, await loadSettings(given, io), io);
  const earlier = await readOutputTree(folder, nodePorts().files);
  const later =
    after === undefined
      ? await preview(folder, flags, io)
      : await readOutputTree(resolve(io.workingFolder, after), nodePorts().files);
  return compare([earlier, later], [shortName(folder, io), after ?? 'what generate would write now'], flags, io);
}

type Sides = readonly [earlier: OutputTree, later: OutputTree];

function shortName(folder: string, io: CommandIo): string {
  return relative(io.workingFolder, folder) || '.';
}

async function compare(
  [earlier, later]: Sides,
  names: readonly [before: string, after: string],
  flags: DiffFlags,
  io: CommandIo,
): Promise<number> {
  await refuseOtherBrands([earlier, later], flags, io);
  const report: DiffReport = diffOutputs(earlier, later);
  io.out(`${renderers[flags.json ? 'json' : (flags.format ?? 'text')](report, names).trimEnd()}\n`);
  return report.verdict === 'breaking' ? 1 : 0;
}

// Where none is set, outputs of two brands may be compared.
async function refuseOtherBrands(trees: readonly OutputTree[], flags: DiffFlags, io: CommandIo): Promise<void> {
  const { settings, isBrandSet } = await loadSettings(flags, io);
  const assumed = settings.brand;
  for (const { lock } of isBrandSet ? trees : [])
    if (lock.brand !== undefined && lock.brand.toLowerCase() !== assumed.toLowerCase())
      throw new UsageError(new BrandMismatch(assumed, lock.brand).message);
}

// A model that fails now keeps its last good output in the comparison.
async function preview(outDir: string, flags: DiffFlags, io: CommandIo): Promise<OutputTree> {
  return withSourceBrand({ ...flags, out: outDir, check: true }, io, async (loaded, config) =>
    outputTreeOf((await previewOutput(config, nodePorts(await tlsOf(loaded, io)))).files),
  );
}
