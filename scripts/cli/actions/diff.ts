import { relative, resolve } from 'node:path';
import {
  type Deadline,
  type DiffReport,
  diffOutputs,
  type GenerateConfig,
  nodePorts,
  type OutputTree,
  openDeadline,
  openPreviewTree,
  type Ports,
  previewOutput,
  readOutputTree,
  renderDiffMarkdown,
  renderDiffText,
  selectUsed,
} from '../../../generator/src/index.ts';
import { BrandMismatch, type JsonObject } from '../../../specs/src/index.ts';
import { type CommandFailure, UsageError } from '../errors.ts';
import { readOutputAt } from '../git-output.ts';
import type { CommandIo } from '../io.ts';
import { type Loaded, loadSettings, outputFolder } from '../load-settings.ts';
import type { DiffFlags } from '../settings.ts';
import { findUnread, resolveGeneration, withSourceBrand } from './generate.ts';

type Folders = readonly [before?: string | undefined, after?: string | undefined];
type Compared = {
  readonly report: DiffReport;
  readonly names: readonly [before: string, after: string];
  /** Documents that could not be read. */
  readonly failure?: CommandFailure | undefined;
};

export async function runDiff(flags: DiffFlags, io: CommandIo, ...folders: Folders): Promise<number> {
  const { report, names, failure } = await compareOutputs(flags, io, ...folders);
  const render = flags.format === 'markdown' ? renderDiffMarkdown : renderDiffText;
  io.out(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : `${render(report, names).trimEnd()}\n`);
  if (failure !== undefined) throw failure;
  const { verdict } = flags.usedOnly ? (report.used ?? report) : report;
  return verdict === 'breaking' ? 1 : 0;
}

/** The comparison, without its report printed. */
export async function compareOutputs(flags: DiffFlags, io: CommandIo, ...[before, after]: Folders): Promise<Compared> {
  if (flags.base !== undefined && after !== undefined)
    throw new UsageError('--base compares one folder with its own past: leave out AFTER');
  if (flags.usedOnly && flags.usedBy === undefined)
    throw new UsageError('--used-only needs --used-by, which names the files');
  const folder = await outputFolder(before, flags, io);
  const name = relative(io.workingFolder, folder) || '.';
  const { files, clock } = nodePorts();
  const loaded = await loadSettings(flags, io);
  const by = { flags, io, loaded, deadline: openDeadline(loaded.get('generate.deadline'), clock) };
  if (flags.base !== undefined) {
    const sides = [await readOutputAt(flags.base, folder), await readOutputTree(folder, files)] as const;
    return compare(sides, [`${name} at ${flags.base}`, name], [folder], by);
  }
  // Settings are refused before anything is read.
  const given = { ...flags, out: folder };
  if (after === undefined) await resolveGeneration(given, await loadSettings(given, io), io);
  const earlier = await readOutputTree(folder, files);
  if (after !== undefined) {
    const later = resolve(io.workingFolder, after);
    return compare([earlier, await readOutputTree(later, files)], [name, after], [folder, later], by);
  }
  // The result of generate depends on the settings that made the folder.
  const { overlays, ...locked } = earlier.lock.settings ?? {};
  if (overlays !== undefined && loaded.get('overlays').length === 0)
    throw new UsageError(`${name} was made with overlays: give them with --overlay, or in the configuration`);
  const { later, failure } = await preview(given, io, locked);
  return { ...compare([earlier, later], [name, 'what generate would write now'], [folder], by), failure };
}

type By = {
  readonly flags: DiffFlags;
  readonly io: CommandIo;
  readonly loaded: Loaded;
  readonly deadline: Deadline;
};

function compare(
  [earlier, later]: readonly [OutputTree, OutputTree],
  names: Compared['names'],
  outputs: readonly string[],
  { flags, io, loaded, deadline }: By,
): Compared {
  const { specs, get } = loaded;
  const assumed = specs.settings.brand;
  // Where none is set, outputs of two brands may be compared.
  for (const { lock } of get('brand') === undefined ? [] : [earlier, later])
    if (lock.brand !== undefined && lock.brand.toLowerCase() !== assumed.toLowerCase())
      throw new UsageError(new BrandMismatch(assumed, lock.brand).message);
  const report = diffOutputs(earlier, later, deadline.isOver);
  if (flags.usedBy === undefined) return { report, names };
  const manifests = [earlier, later].map((tree) => tree.json('models/package.json')?.['name']);
  const packages = manifests.filter((one) => typeof one === 'string');
  const models = [earlier, later].flatMap(({ lock }) => Object.keys(lock.models));
  const search = { workingFolder: io.workingFolder, glob: flags.usedBy, packages, outputs, models };
  return { report: { ...report, used: selectUsed(report, search) }, names };
}

// A model that fails now keeps its last good output in the comparison.
function preview(
  flags: DiffFlags,
  io: CommandIo,
  locked: JsonObject,
): Promise<{ later: OutputTree; failure: CommandFailure | undefined }> {
  const work = async (loaded: Loaded, config: GenerateConfig, ports: Ports) => {
    const { files, report } = await previewOutput(config, ports);
    return { later: openPreviewTree(files), failure: findUnread(report.models, loaded, report) };
  };
  return withSourceBrand({ ...flags, check: true }, io, work, locked);
}
