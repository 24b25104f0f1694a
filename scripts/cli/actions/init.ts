import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nearestScope, parseScope } from '../arrange-output.ts';
import { UsageError } from '../errors.ts';
import type { Flags } from '../flags.ts';
import { lineDiff } from '../init/line-diff.ts';
import {
  commandsOf,
  dependenciesOf,
  type InitChoices,
  type Project,
  readProject,
  workspaceRange,
} from '../init/project.ts';
import { type WiredFile, wireProject } from '../init/wired-files.ts';
import type { CommandIo } from '../io.ts';
import { address } from '../kinds.ts';
import { createGet } from '../load-settings.ts';
import { readPackageVersion } from '../package-version.ts';

type InitFlags = Flags<'init'>;

/** Shows what it would write, and writes it when asked to; 1 when a write is due and was not asked for. */
export async function runInit(flags: InitFlags, io: CommandIo): Promise<number> {
  const project = readProject(io.workingFolder);
  const choices = await choose(project, flags, io);
  const { files, notes } = wireProject(project, choices);
  const kept = files.filter(({ isReplacement }) => isReplacement && flags.force !== true);
  const due = files.filter((file) => !kept.includes(file));
  for (const file of due) io.out(renderFile(file, io));
  for (const { path } of kept) io.out(`${io.style('warn', 'left as it is')} ${path}: --force replaces it\n`);
  for (const note of notes) io.out(`${io.style('warn', 'note')} ${note}\n`);
  if (due.length === 0) {
    io.out('nothing to write\n');
    return 0;
  }
  if (!(await isAgreed(flags, io))) {
    io.out('nothing was written; --yes writes it\n');
    return 1;
  }
  for (const { path, after } of due) write(join(project.folder, path), after);
  io.out(`wrote ${due.map(({ path }) => path).join(', ')}\n\n${nextSteps(project, choices)}`);
  return 0;
}

async function choose(project: Project, flags: InitFlags, io: CommandIo): Promise<InitChoices> {
  const stated = createGet(flags, { config: {}, folder: io.workingFolder }, io)('routerUrl');
  const routerUrl = stated ?? (await io.ask?.('base address of the Model Router: '));
  if (routerUrl === undefined || routerUrl === '')
    throw new UsageError(
      'no address of a Model Router: give --router-url or SWITCHYARD_ROUTER_URL; to try it without one, switchyard sandbox serves one at http://127.0.0.1:4010',
    );
  const scope = await chooseScope(project, flags, io);
  const fallback = scope === undefined && project.read('src/index.ts') !== undefined ? 'src/generated' : 'generated';
  const out = flags.out ?? (await answer(io, `folder of the generated files (${fallback}): `)) ?? fallback;
  const ci = flags.ci ?? (await chooseCi(project, io));
  return { routerUrl: address.read(routerUrl, ''), scope, out: folderWithin(out), ci, version: readPackageVersion() };
}

/** Packages make sense where a workspace links them. */
async function chooseScope(project: Project, flags: InitFlags, io: CommandIo): Promise<string | undefined> {
  if (flags.layout === 'folder') return undefined;
  if (flags.scope !== undefined) return parseScope(flags.scope);
  const isWorkspace = project.workspaceFile !== undefined;
  const known = nearestScope(join(project.folder, 'generated'));
  if (!isWorkspace && flags.layout === undefined) return undefined;
  const asked = await answer(io, `npm scope of the packages (${known ?? 'empty: plain files without packages'}): `);
  const scope = asked ?? known;
  if (scope === undefined && flags.layout === 'packages')
    throw new UsageError('the packages need a scope: give --scope @NAME');
  return scope === undefined ? undefined : parseScope(scope.startsWith('@') ? scope : `@${scope}`);
}

async function chooseCi(project: Project, io: CommandIo): Promise<InitChoices['ci']> {
  const fallback = project.ci ?? 'none';
  const asked = (await answer(io, `CI file: github, gitlab or none (${fallback}): `)) ?? fallback;
  if (asked === 'github' || asked === 'gitlab' || asked === 'none') return asked;
  throw new UsageError(`a CI file is for github, gitlab or none; got ${JSON.stringify(asked)}`);
}

/** Undefined where nobody can answer, or the answer is empty. */
async function answer(io: CommandIo, question: string): Promise<string | undefined> {
  const text = await io.ask?.(question);
  return text === '' ? undefined : text;
}

function folderWithin(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/^(?:\.\/)+|\/+$/g, '');
  if (/^[\w@.-]+(?:\/[\w@.-]+)*$/.test(plain) && !plain.split('/').includes('..')) return plain;
  throw new UsageError(`--out takes a folder within the project, such as src/generated; got ${JSON.stringify(path)}`);
}

async function isAgreed({ yes }: InitFlags, io: CommandIo): Promise<boolean> {
  if (yes === true) return true;
  return /^y(?:es)?$/i.test((await io.ask?.('write these files? (y/N) ')) ?? '');
}

function renderFile({ path, before, after }: WiredFile, io: CommandIo): string {
  const styles = { '+': 'good', '-': 'bad', ' ': 'dim' } as const;
  const lines = lineDiff(before ?? '', after).map((line) => {
    const mark = line.charAt(0);
    return mark === '+' || mark === '-' ? io.style(styles[mark], line) : io.style('dim', line);
  });
  const title = io.style('strong', before === undefined ? `new file ${path}` : `change ${path}`);
  return `${title}\n${lines.join('\n')}\n\n`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function isInRepository(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (folder !== dirname(folder) && isInRepository(dirname(folder)));
}

// In this order: a workspace names packages that exist only once they are generated.
function nextSteps(project: Project, { scope, out, version }: InitChoices): string {
  const { manifest, workspaceFile, manager } = project;
  const { add, run } = commandsOf(project);
  const npx = `npx --yes openapi-switchyard@${version}`;
  const isReady = canRunScripts(project, scope);
  const installsFirst = manifest !== undefined && scope === undefined && !isReady;
  const generate = isReady || installsFirst ? `${manager} run switchyard:generate` : `${npx} generate`;
  const verify = manifest === undefined ? `${npx} verify` : run('switchyard verify');
  const range = workspaceRange(project) ?? '*';
  const steps = [
    ...(installsFirst ? [add] : []),
    `SWITCHYARD_API_KEY=… ${generate}`,
    ...(scope === undefined || workspaceFile === undefined
      ? []
      : [`list the packages in each package.json that imports them, such as "${scope}/model-router": "${range}"`]),
    ...(scope === undefined || manifest === undefined ? [] : [add]),
    ...(isInRepository(project.folder)
      ? [`commit ${out}/ with the files above: "${verify}" checks it without a credential`]
      : []),
  ];
  return `Next:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}

/** Yarn 4 runs no script of a package that lists dependencies it has not installed, such as those added for a new workspace. */
function canRunScripts(project: Project, scope: string | undefined): boolean {
  const { manifest, read, workspaceFile } = project;
  const addsPackages = scope !== undefined && workspaceFile === undefined && workspaceRange(project) !== undefined;
  const isInstalled = read('node_modules/openapi-switchyard/package.json') !== undefined;
  return isInstalled && dependenciesOf(manifest).has('openapi-switchyard') && !addsPackages;
}
