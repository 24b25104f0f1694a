import { relative, resolve } from 'node:path';
import {
  type DiffReport,
  diffOutputs,
  type GenerateConfig,
  lockName,
  nodePorts,
  type OutputTree,
  openDeadline,
  type Ports,
  previewOutput,
  readOutputTree,
  renderDiffMarkdown,
  renderDiffText,
  selectUsed,
} from '../../../generator/src/index.ts';
import { BrandMismatch } from '../../../specs/src/index.ts';
import type { DiffFlags } from '../commands.ts';
import { UsageError } from '../errors.ts';
import { findOutputAt } from '../git-output.ts';
import type { CommandIo, CommandResult } from '../io.ts';
import { type LoadedSettings, loadSettings, resolveOutputFolder } from '../load-settings.ts';
import { createUnreadFailure, resolveGeneration, withSourceBrand } from './generate.ts';

type Names = readonly [before: string, after: string];

export async function runDiff(
  flags: DiffFlags,
  io: CommandIo,
  before?: string,
  after?: string,
): Promise<CommandResult<DiffReport>> {
  if (flags.base !== undefined && after !== undefined)
    throw new UsageError('--base compares one folder with a git revision of it: remove AFTER');
  if (flags.usedOnly && flags.usedBy === undefined)
    throw new UsageError('--used-only needs --used-by, which selects the files');
  const folder = await resolveOutputFolder(before, flags, io);
  const name = relative(io.workingFolder, folder) || '.';
  const { files, clock } = nodePorts();
  const loaded = await loadSettings(flags, io);
  const { specs, config } = loaded;
  const deadline = openDeadline(config.generate.deadline, clock);

  const compare = (
    earlier: OutputTree,
    later: OutputTree,
    names: Names,
    outputs = [folder],
  ): CommandResult<DiffReport> => {
    const { brand } = specs.settings;
    // If no brand is configured, outputs of two different brands may be compared.
    for (const { lock } of config.brand === undefined ? [] : [earlier, later])
      if (lock.brand !== undefined && lock.brand.toLowerCase() !== brand.toLowerCase())
        throw new UsageError(new BrandMismatch(brand, lock.brand).message);
    const render = flags.format === 'markdown' ? renderDiffMarkdown : renderDiffText;
    const conclude = (report: DiffReport): CommandResult<DiffReport> => {
      const { verdict } = flags.usedOnly ? (report.used ?? report) : report;
      return { report, code: verdict === 'breaking' ? 1 : 0, text: () => `${render(report, names).trimEnd()}\n` };
    };
    const report = diffOutputs(earlier, later, deadline.isOver);
    if (flags.usedBy === undefined) return conclude(report);
    const manifests = [earlier, later].map((tree) => tree.json('models/package.json')?.['name']);
    const packages = manifests.filter((one) => typeof one === 'string');
    const models = [earlier, later].flatMap(({ lock }) => Object.keys(lock.models));
    const search = { workingFolder: io.workingFolder, glob: flags.usedBy, packages, outputs, models };
    return conclude({ ...report, used: selectUsed(report, search) });
  };

  if (flags.base !== undefined) {
    const earlier = await findOutputAt(flags.base, folder);
    if (earlier === undefined)
      throw new UsageError(`${folder} has no readable ${lockName} at ${flags.base}: use a later revision`);
    return compare(earlier, await readOutputTree(folder, files), [`${name} at ${flags.base}`, name]);
  }
  // Reject wrong settings before reading anything.
  const previewFlags = { ...flags, out: folder };
  if (after === undefined) await resolveGeneration(previewFlags, await loadSettings(previewFlags, io), io);
  const earlier = await readOutputTree(folder, files);
  if (after !== undefined) {
    const later = resolve(io.workingFolder, after);
    return compare(earlier, await readOutputTree(later, files), [name, after], [folder, later]);
  }
  const now = [name, 'what generate would write now'] as const;
  // Preview with the settings that the folder was generated with, because they affect the output.
  const { overlays, ...locked } = earlier.lock.settings ?? {};
  if (overlays !== undefined && config.overlays.length === 0)
    throw new UsageError(`${name} was generated with overlays: add them with --overlay, or in the configuration`);
  // A model that fails is compared with its last good output.
  const preview = (settings: LoadedSettings, config: GenerateConfig, ports: Ports) =>
    previewOutput(config, ports, ({ tree, report }) => {
      return { ...compare(earlier, tree, now), failure: createUnreadFailure(report.models, settings, report) };
    });
  return withSourceBrand({ ...previewFlags, check: true }, io, preview, locked);
}
