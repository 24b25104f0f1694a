import { join, relative } from 'node:path';
import {
  listFirst,
  lockName,
  nodePorts,
  renderDifferences,
  type Verification,
  verifyOutput,
} from '../../../generator/src/index.ts';
import type { Flags } from '../commands.ts';
import { CommandFailure } from '../errors.ts';
import { type CommandIo, type CommandResult, formatCommand } from '../io.ts';
import { resolveOutputFolder } from '../load-settings.ts';

/** Compares an output with its lockfile; needs no credential, cache or network. */
export async function runVerify(
  flags: Flags<'verify'>,
  io: CommandIo,
  folder?: string,
): Promise<CommandResult<Verification>> {
  const outDir = await resolveOutputFolder(folder, flags, io);
  const { files } = nodePorts();
  const mend = formatCommand(['generate', '--out', relative(io.workingFolder, outDir) || '.']);
  if (files.read(join(outDir, lockName), outDir) === undefined)
    throw new CommandFailure(
      `${outDir} contains no generated output: it has no ${lockName}. Run ${mend}, and commit the lockfile together with the files.`,
    );
  const report = verifyOutput(outDir, files);
  return { report, more: { mend }, code: report.isSound ? 0 : 1, text: () => render(report, mend, io) };
}

const maxUnlisted = 20;

function render({ counts, differences, unlisted, isSound }: Verification, mend: string, io: CommandIo): string {
  const listed = `${counts.files} files of ${counts.models} models`;
  // Generate never overwrites changed files, because they may have been edited by hand.
  const isEdited = differences.files.some(({ kind }) => kind === 'changed');
  const first = isEdited ? 'delete or restore the changed files, then run ' : '';
  const conclusion = isSound
    ? `${io.style('good', 'matches the lockfile')}: ${listed}`
    : `${io.style('bad', 'differs from the lockfile')}: ${differences.files.length} of ${listed}\nto fix: ${first}${mend}`;
  const others = listFirst(unlisted, maxUnlisted).map((path) => `  ${path}\n`);
  return [
    renderDifferences(differences),
    ...(unlisted.length === 0 ? [] : ['not in the lockfile, perhaps left over from a merge:\n', ...others]),
    `${conclusion}\n`,
    'This detects accidental changes, not tampering: it misses a change to both a file and the lockfile. `npx openapi-switchyard generate --check` detects that too.\n',
  ].join('');
}
