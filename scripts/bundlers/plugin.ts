import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { UnpluginInstance, UnpluginOptions } from 'unplugin';
import { callSettings } from '../cli/flags.ts';
import { type Kind, setting } from '../cli/kinds.ts';
import { checkOptions } from '../cli/load-settings.ts';
import type { Mode, SwitchyardPluginOptions } from './generation.ts';

type Plugins = UnpluginInstance<SwitchyardPluginOptions | undefined, false>;
/** The plugin function of one bundler. */
export type BundlerPlugin<Bundler extends keyof Plugins> = Plugins[Bundler];

/** The plugins of all bundlers. `unplugin` is a peer that only their users need. */
export function plugins(): Plugins {
  return loadUnplugin().createUnplugin((options = {}) => connectBundlers(createSession(options)));
}

// At once, since a plugin is made in a call that cannot wait.
function loadUnplugin(): typeof import('unplugin') {
  try {
    return createRequire(import.meta.url)('unplugin');
  } catch (cause) {
    throw new Error('the bundler plugin needs the package unplugin: npm install --save-dev unplugin@3.7.0', { cause });
  }
}

type Session = { begin(mode: Mode): Promise<void>; end(): void };

const { check: _, ...flags } = callSettings;
const orLockfile: Kind<boolean | 'lockfile'> = {
  type: "boolean | 'lockfile'",
  schema: { enum: [true, false, 'lockfile'] },
  must: "be true, false or 'lockfile'",
  read: (given) => given,
};
// Without a pause it would do nothing but ask.
const secondsOrNever: Kind<number | false> = {
  type: 'number | false',
  schema: { anyOf: [{ enum: [false] }, { type: 'number', minimum: 1, maximum: 86_400 }] },
  must: 'be seconds from 1 to 86400, or false',
  read: (given) => given,
};
const known = {
  ...flags,
  frozen: setting(orLockfile, 'fails the build where the output is not up to date'),
  watch: setting(secondsOrNever, 'seconds between two looks at the router'),
};

/** A bundler may begin several builds with one plugin, such as for server and client: these generate once. */
function createSession(options: SwitchyardPluginOptions): Session {
  checkOptions('the plugin', options, known);
  let begun: Promise<void> | undefined;
  let stop = new AbortController();
  const beginGeneration = async (mode: Mode): Promise<void> => {
    stop = new AbortController();
    const { signal } = stop;
    // The generator is loaded when a build starts, not when a configuration is read.
    const { begin } = await import('./generation.ts');
    await begin(options, mode, signal);
  };
  const end = (): void => {
    stop.abort();
    begun = undefined;
  };
  return {
    begin(mode) {
      begun ??= beginGeneration(mode).catch((error: unknown) => {
        end();
        throw error;
      });
      return begun;
    },
    end,
  };
}

type RollupContext = { readonly meta: { readonly watchMode: boolean } };
/** Of webpack and Rspack. */
type Compiler = {
  readonly hooks: {
    readonly beforeRun: { tapPromise(name: string, hook: () => Promise<void>): void };
    readonly watchRun: { tapPromise(name: string, hook: () => Promise<void>): void };
    readonly watchClose: { tap(name: string, hook: () => void): void };
  };
};

const name = 'switchyard';

function connectBundlers({ begin, end }: Session): UnpluginOptions {
  let isServer = false;
  const buildStart = function (this: RollupContext): Promise<void> {
    return begin(this.meta.watchMode ? 'development' : 'build');
  };
  const rollup = { buildStart, closeWatcher: end };
  // The build start of unplugin comes beside the first modules here, and these hooks before them.
  const webpack = ({ hooks }: Compiler): void => {
    hooks.beforeRun.tapPromise(name, () => begin('build'));
    hooks.watchRun.tapPromise(name, () => begin('development'));
    hooks.watchClose.tap(name, end);
  };
  return {
    name,
    rollup,
    rolldown: rollup,
    vite: {
      ...rollup,
      // Tests have the output that is there: they need no router.
      buildStart(this: RollupContext) {
        return process.env['VITEST'] === undefined ? buildStart.call(this) : undefined;
      },
      configureServer() {
        isServer = true;
      },
      hotUpdate: reloadOnce(),
      // Of a server this is its end, of a build that of one of several.
      buildEnd() {
        if (isServer) end();
      },
    },
    webpack,
    rspack: webpack,
    esbuild: {
      setup(build) {
        build.onStart(() => begin('unknown'));
        build.onDispose(end);
      },
    },
  };
}

/** What Vite passes to `hotUpdate`, and what `this` is there. */
type Update = { readonly file: string; readonly modules: readonly unknown[] };
type Context = { readonly environment: { readonly hot: { send(payload: { type: 'full-reload' }): void } } };

/** A generation writes its files within milliseconds, and a watcher reports them one after the other. */
const quietMs = 300;

/** The hook `hotUpdate` of Vite: one reload for all files of a generation, where Vite would reload for each. */
function reloadOnce(): (this: Context, update: Update) => [] | undefined {
  const timers = new Map<Context['environment'], NodeJS.Timeout>();
  return function (this: Context, { file, modules }) {
    if (modules.length === 0 || !isGenerated(dirname(file))) return undefined;
    const { environment } = this;
    clearTimeout(timers.get(environment));
    timers.set(
      environment,
      setTimeout(() => environment.hot.send({ type: 'full-reload' }), quietMs),
    );
    return [];
  };
}

/** Whether the folder, or one above it, holds the lockfile of a generation: the configuration may name another one by now. */
function isGenerated(folder: string): boolean {
  if (existsSync(join(folder, 'switchyard.lock.json'))) return true;
  return dirname(folder) !== folder && isGenerated(dirname(folder));
}
