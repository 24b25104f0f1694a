import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import { findAbove, makeFolder } from '../../../specs/src/index.ts';
import { findNearestScope } from '../arrange-output.ts';
import type { Flags } from '../commands.ts';
import { UsageError } from '../errors.ts';
import { type Choices, type Edit, npx, pathToRepository, planEdits } from '../init-edits.ts';
import type { CommandIo } from '../io.ts';
import { type Project, readProject } from '../project.ts';
import * as values from '../values.ts';
import { isLoopback, readValue } from '../values.ts';

/** Shows the files to write, and writes them if the user agrees. Returns 1 if the user declines. */
export async function runInit(flags: Flags<'init'>, io: CommandIo): Promise<number> {
  const project = readProject(io.workingFolder);
  const choices = await choose(project, flags, io);
  const edits = await planEdits(project, choices);
  const keptEdits = edits.filter(({ isReplacement, before }) => isReplacement && before !== undefined && !flags.force);
  const dueEdits = edits.filter((edit) => !keptEdits.includes(edit));
  const warn = (word: string, text: string): void => io.out(`${io.style('warn', word)} ${text}\n`);
  for (const edit of dueEdits) io.out(renderEdit(edit, io));
  for (const { path } of keptEdits) warn('not replaced', `${path}: use --force to replace it`);
  if (choices.scope !== undefined && project.manifest === undefined)
    warn(
      'note',
      'packages can only be imported by name in a workspace, and this folder has no package.json: run npm init and then init again, or remove --scope',
    );
  if (choices.ci !== 'none' && isLoopback(new URL(choices.routerUrl).hostname))
    warn(
      'note',
      `a CI job cannot reach ${choices.routerUrl}: before you commit, change routerUrl to a URL that it can reach`,
    );
  if (dueEdits.length === 0) {
    io.out('nothing to write\n');
    return 0;
  }
  if (!flags.yes && !/^y(?:es)?$/i.test((await io.ask?.('write these files? (y/N) ')) ?? '')) {
    io.out('nothing was written; use --yes to write the files\n');
    return 1;
  }
  for (const { path, after } of dueEdits) {
    makeFolder(dirname(join(project.folder, path)));
    writeFileSync(join(project.folder, path), after);
  }
  const steps = listSteps(project, choices, io).map((step, index) => `  ${index + 1}. ${step}\n`);
  io.out(`wrote ${dueEdits.map(({ path }) => path).join(', ')}\n\nNext:\n${steps.join('')}`);
  return 0;
}

/** Uses the flags, or else what the folder contains. On a terminal, only asks for the URL and the scope. */
async function choose(project: Project, flags: Flags<'init'>, io: CommandIo): Promise<Choices> {
  const { folder, isWorkspace, read } = project;
  const { SWITCHYARD_ROUTER_URL } = io.env;
  const routerUrl = flags.routerUrl || SWITCHYARD_ROUTER_URL || (await io.ask?.('base URL of the Model Router: '));
  if (!routerUrl)
    throw new UsageError(
      'no base URL for the Model Router: set --router-url or SWITCHYARD_ROUTER_URL; to try switchyard without a router, run npx openapi-switchyard sandbox, which serves one at http://127.0.0.1:4010',
    );
  let scope: string | undefined;
  if (flags.layout !== 'folder' && flags.scope !== undefined) scope = flags.scope;
  else if (flags.layout === 'packages' || (flags.layout === undefined && isWorkspace)) {
    scope = findNearestScope(join(folder, 'generated'));
    const defaultScope = scope ?? 'plain files without packages';
    const answer = await io.ask?.(`npm scope of the packages, such as @acme (empty: ${defaultScope}): `);
    if (answer) scope = readValue(values.scope, answer.replace(/^@?/, '@'), '--scope');
  }
  if (scope !== undefined && !isWorkspace && project.memberOf !== undefined)
    throw new UsageError(
      `this folder is in the workspace of ${project.memberOf}, which links the packages: run init there, or give --layout folder here for plain files`,
    );
  if (scope === undefined && flags.layout === 'packages')
    throw new UsageError('the packages need a scope: add --scope @NAME');
  const usualOut = scope === undefined && read('src/index.ts') !== undefined ? 'src/generated' : 'generated';
  const out = (flags.out ?? usualOut).replaceAll('\\', '/').replace(/^(?:\.\/)+|\/+$/g, '');
  if (!/^[\w@.-]+(?:\/[\w@.-]+)*$/.test(out) || out.split('/').includes('..'))
    throw new UsageError(
      `--out must be a folder within the project, such as src/generated, got ${JSON.stringify(flags.out)}`,
    );
  const toRoot = pathToRepository(folder);
  const hasGitlab = read(`${toRoot}.gitlab-ci.yml`) !== undefined;
  const ci = flags.ci ?? (existsSync(join(folder, toRoot, '.github')) ? 'github' : hasGitlab ? 'gitlab' : 'none');
  return { routerUrl: readValue(values.address, routerUrl, '--router-url'), scope, out, ci };
}

/** Prints the added and removed lines of a file. */
function renderEdit({ path, why, before, after }: Edit, io: CommandIo): string {
  const split = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
  const shown = diff(split(before ?? ''), split(after)).flatMap(([kind, text]) => {
    if (kind === 0) return [];
    return [kind < 0 ? io.style('good', `+ ${text}`) : io.style('bad', `- ${text}`)];
  });
  const title = io.style('strong', `${before === undefined ? 'new file' : 'change'} ${path}`);
  return `${title}: ${why}\n${shown.join('\n')}\n\n`;
}

function listSteps(project: Project, { scope, out }: Choices, { env }: CommandIo): string[] {
  const { folder, manifest, isWorkspace, manager } = project;
  const credential = env['SWITCHYARD_API_KEY'] || env['SWITCHYARD_TOKEN'] ? '' : 'SWITCHYARD_API_KEY=… ';
  const install = `${manager.name} install`;
  const isInstalled = existsSync(join(folder, 'node_modules/openapi-switchyard'));
  const steps: string[] = [];
  if (manifest !== undefined && scope === undefined) {
    if (!isInstalled) steps.push(install);
    steps.push(`${credential}${manager.name} run switchyard:generate`);
  } else steps.push(`${credential}${isInstalled ? 'npx openapi-switchyard' : npx} generate`);
  if (scope !== undefined && isWorkspace)
    steps.push(
      `list the packages in each package.json that imports them, such as "${scope}/model-router": "${manager.range ?? '*'}"`,
    );
  // After generate, because the packages that the workspace lists don't exist before.
  if (manifest !== undefined && scope !== undefined) steps.push(install);
  const verify = manifest === undefined ? `${npx} verify` : `${manager.run} openapi-switchyard verify`;
  if (findAbove(folder, (one) => existsSync(join(one, '.git'))) !== undefined)
    steps.push(`commit ${out}/ together with the files above; "${verify}" checks it without a credential`);
  return steps;
}
