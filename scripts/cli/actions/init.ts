import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import { findAbove, makeFolder, readPackageVersion } from '../../../specs/src/index.ts';
import { askForScope, nearestScope, parseScope } from '../arrange-output.ts';
import { UsageError } from '../errors.ts';
import { type Edit, planEdits } from '../init/plan-edits.ts';
import { dependsOn, type InitChoices, type Project, readProject } from '../init/project.ts';
import type { CommandIo } from '../io.ts';
import { createGet } from '../load-settings.ts';
import type { Flags } from '../settings.ts';
import { address, readValue } from '../values.ts';

type InitFlags = Flags<'init'>;

/** Shows what it would write, and writes it when asked to; 1 when a write is due and was not asked for. */
export async function runInit(flags: InitFlags, io: CommandIo): Promise<number> {
  const project = readProject(io.workingFolder);
  const choices = await choose(project, flags, io);
  const { edits, notes } = planEdits(project, choices);
  const due = edits.filter(({ isReplacement }) => !isReplacement || flags.force === true);
  for (const edit of due) io.out(renderEdit(edit, io));
  for (const edit of edits)
    if (!due.includes(edit)) io.out(`${io.style('warn', 'left as it is')} ${edit.path}: --force replaces it\n`);
  for (const note of notes) io.out(`${io.style('warn', 'note')} ${note}\n`);
  if (due.length === 0) {
    io.out('nothing to write\n');
    return 0;
  }
  if (!flags.yes && !/^y(?:es)?$/i.test((await io.ask?.('write these files? (y/N) ')) ?? '')) {
    io.out('nothing was written; --yes writes it\n');
    return 1;
  }
  for (const { path, after } of due) {
    makeFolder(dirname(join(project.folder, path)));
    writeFileSync(join(project.folder, path), after);
  }
  const steps = listSteps(project, choices).map((step, index) => `  ${index + 1}. ${step}\n`);
  io.out(`wrote ${due.map(({ path }) => path).join(', ')}\n\nNext:\n${steps.join('')}`);
  return 0;
}

async function choose(project: Project, flags: InitFlags, io: CommandIo): Promise<InitChoices> {
  /** Undefined where nobody can answer, or the answer is empty. */
  const ask = async (question: string): Promise<string | undefined> => (await io.ask?.(question)) || undefined;
  const stated = createGet(flags, { config: {}, folder: io.workingFolder }, io)('routerUrl');
  const routerUrl = stated ?? (await ask('base address of the Model Router: '));
  if (routerUrl === undefined)
    throw new UsageError(
      'no address of a Model Router: give --router-url or SWITCHYARD_ROUTER_URL; to try it without one, npx openapi-switchyard sandbox serves one at http://127.0.0.1:4010',
    );
  const scope = await chooseScope(project, flags, io);
  const folder = scope === undefined && project.read('src/index.ts') !== undefined ? 'src/generated' : 'generated';
  const out = flags.out ?? (await ask(`folder of the generated files (${folder}): `)) ?? folder;
  const usual = project.ci ?? 'none';
  const ci = flags.ci ?? (await ask(`CI file: github, gitlab or none (${usual}): `)) ?? usual;
  if (ci !== 'github' && ci !== 'gitlab' && ci !== 'none')
    throw new UsageError(`a CI file is for github, gitlab or none; got ${JSON.stringify(ci)}`);
  return { routerUrl: String(readValue(address, routerUrl, '--router-url', '')), scope, out: folderWithin(out), ci };
}

/** Packages make sense where a workspace links them. */
async function chooseScope(
  { folder, isWorkspace }: Project,
  flags: InitFlags,
  io: CommandIo,
): Promise<string | undefined> {
  if (flags.layout === 'folder') return undefined;
  if (flags.scope !== undefined) return parseScope(flags.scope);
  if (!isWorkspace && flags.layout === undefined) return undefined;
  const scope = await askForScope(io, nearestScope(join(folder, 'generated')));
  if (scope === undefined && flags.layout === 'packages')
    throw new UsageError('the packages need a scope: give --scope @NAME');
  return scope;
}

function folderWithin(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/^(?:\.\/)+|\/+$/g, '');
  if (/^[\w@.-]+(?:\/[\w@.-]+)*$/.test(plain) && !plain.split('/').includes('..')) return plain;
  throw new UsageError(`--out takes a folder within the project, such as src/generated; got ${JSON.stringify(path)}`);
}

/** The lines that differ, with two around them. */
function renderEdit({ path, why, before, after }: Edit, io: CommandIo): string {
  const lines = diff(splitLines(before ?? ''), splitLines(after));
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - 2), index + 3).some(([kind]) => kind !== 0);
  const shown = lines.flatMap(([kind, text], index) => {
    if (!isNear(index)) return isNear(index - 1) ? [io.style('dim', '  …')] : [];
    if (kind === 0) return [io.style('dim', `  ${text}`)];
    return [kind < 0 ? io.style('good', `+ ${text}`) : io.style('bad', `- ${text}`)];
  });
  const title = io.style('strong', `${before === undefined ? 'new file' : 'change'} ${path}`);
  return `${title}: ${why}\n${shown.join('\n')}\n\n`;
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

// In this order: a workspace names packages that exist only once they are generated.
function listSteps(project: Project, { scope, out }: InitChoices): string[] {
  const { manifest, isWorkspace, manager } = project;
  const npx = `npx --yes openapi-switchyard@${readPackageVersion()}`;
  const install = `${manager.name} install`;
  const addsPackages = scope !== undefined && !isWorkspace && manager.range !== undefined;
  const isInstalled = project.read('node_modules/openapi-switchyard/package.json') !== undefined;
  // Yarn 4 runs no script of a package that lists dependencies it has not installed, such as those added for a new workspace.
  const isReady = isInstalled && dependsOn('openapi-switchyard', manifest) && !addsPackages;
  const installsFirst = manifest !== undefined && scope === undefined && !isReady;
  const generate = isReady || installsFirst ? `${manager.name} run switchyard:generate` : `${npx} generate`;
  const verify = manifest === undefined ? `${npx} verify` : `${manager.run} openapi-switchyard verify`;
  const steps = [`SWITCHYARD_API_KEY=… ${generate}`];
  if (installsFirst) steps.unshift(install);
  if (scope !== undefined && isWorkspace)
    steps.push(
      `list the packages in each package.json that imports them, such as "${scope}/model-router": "${manager.range ?? '*'}"`,
    );
  if (scope !== undefined && manifest !== undefined) steps.push(install);
  if (findAbove(project.folder, (folder) => existsSync(join(folder, '.git'))) !== undefined)
    steps.push(`commit ${out}/ with the files above: "${verify}" checks it without a credential`);
  return steps;
}
