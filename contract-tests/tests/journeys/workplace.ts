import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installProgram, node, type Program } from '../runtimes/runtimes.ts';
import { type Manager, npm } from './managers.ts';
import { openShell, type Shell } from './shell.ts';

type Settings = {
  /** Temporary folder for projects, programs and caches. */
  readonly folder: string;
  readonly registryUrl: string;
  /** Version of Node; undefined for the Node of this process. */
  readonly nodeVersion: string | undefined;
};

/** Opens a shell in an empty folder, with only Node and a package manager. Returns the problem if a program cannot be installed. */
export async function openWorkplace(manager: Manager, settings: Settings): Promise<Shell | { problem: string }> {
  const { folder, registryUrl, nodeVersion } = settings;
  const place = mkdtempSync(join(folder, `${manager.name}-`));
  const programs = join(folder, 'programs');
  // Every Node includes npx, so also install npm.
  const wanted = [manager, npm, ...(nodeVersion ? [node(nodeVersion)] : [])];
  const links = new Map([['node', process.execPath]]);
  for (const program of wanted) {
    const found = await installOnce(program, programs);
    if ('problem' in found) return found;
    links.set('command' in program ? program.command : 'node', found.executable);
  }
  links.set('npx', join(dirname(links.get('npm') ?? ''), 'npx-cli.js'));
  mkdirSync(join(place, 'bin'));
  for (const [name, file] of links) symlinkSync(realpathSync(file), join(place, 'bin', name));
  const project = join(place, 'project');
  mkdirSync(project);
  const path = [join(place, 'bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  return openShell(project, { PATH: path, ...registryVariables(registryUrl), ...cacheVariables(folder, place) });
}

const installations = new Map<string, ReturnType<typeof installProgram>>();

/** Installs a program at most once, because journeys run at the same time and share it. */
function installOnce(program: Program, parent: string): ReturnType<typeof installProgram> {
  const started = installations.get(program.package) ?? installProgram(program, parent);
  installations.set(program.package, started);
  return started;
}

/** Sets the registry for all managers, each of which reads a different variable. */
function registryVariables(url: string): Record<string, string> {
  return {
    npm_config_registry: url,
    pnpm_config_registry: url,
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    BUN_CONFIG_REGISTRY: url,
  };
}

/** Sets temporary caches. The contents of the packed product change without its version, so a cache of this machine could be outdated. */
function cacheVariables(shared: string, folder: string): Record<string, string> {
  return {
    npm_config_cache: join(shared, 'cache-npm'),
    pnpm_config_store_dir: join(folder, 'cache/pnpm'),
    YARN_CACHE_FOLDER: join(folder, 'cache/yarn'),
    YARN_GLOBAL_FOLDER: join(folder, 'cache/yarn-global'),
    YARN_ENABLE_TELEMETRY: '0',
    BUN_INSTALL_CACHE_DIR: join(folder, 'cache/bun'),
  };
}
