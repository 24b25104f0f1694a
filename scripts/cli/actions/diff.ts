import { resolve } from 'node:path';
import {
  type DiffReport,
  diffOutputs,
  type GenerateConfig,
  nodePorts,
  outputTreeOf,
  previewOutput,
  readOutputTree,
  renderDiffJson,
  renderDiffMarkdown,
  renderDiffText,
} from '../../../generator/src/index.ts';
import type { DiffFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { loadSettings } from '../settings.ts';
import { resolveGenerateConfig } from './generate.ts';

const renderers = { text: renderDiffText, markdown: renderDiffMarkdown, json: renderDiffJson };

export async function runDiff(
  { before, after }: { before: string; after: string | undefined },
  flags: DiffFlags,
  io: CommandIo,
): Promise<number> {
  const folder = resolve(io.workingFolder, before);
  const config = after === undefined ? await previewConfig(folder, flags, io) : undefined;
  const earlier = await readOutputTree(folder, nodePorts().files);
  const later =
    config === undefined
      ? await readOutputTree(resolve(io.workingFolder, after ?? ''), nodePorts().files)
      : outputTreeOf((await previewOutput(config, nodePorts())).files);
  const report: DiffReport = diffOutputs(earlier, later);
  io.out(`${renderers[flags.json ? 'json' : flags.format](report).trimEnd()}\n`);
  return report.verdict === 'breaking' ? 1 : 0;
}

// A model that fails now keeps its last good output in the comparison.
async function previewConfig(outDir: string, flags: DiffFlags, io: CommandIo): Promise<GenerateConfig> {
  return resolveGenerateConfig({ ...flags, out: outDir, check: true }, await loadSettings(flags, io), io);
}
