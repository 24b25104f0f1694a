import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { UnpluginInstance, UnpluginOptions } from 'unplugin';
import { callSchemas } from '../cli/commands.ts';
import { checkOptions } from '../cli/load-settings.ts';
import { choice } from '../cli/values.ts';
import type { Mode, SwitchyardPluginOptions } from './generation.ts';

type Plugins = UnpluginInstance<SwitchyardPluginOptions | undefined, false>;
/**
 * Creates the plugin of one bundler. It generates before the build, and again in development when the settings change.
 * With `frozen`, the build fails if the output is out of date.
 */
export type BundlerPlugin<Bundler extends keyof Plugins> = Plugins[Bundler];

/** The plugin for `plugins` in a Vite configuration. */
export const vite: BundlerPlugin<'vite'> = (options) => createPlugins().vite(options);
/** The plugin for `plugins` in a Rollup configuration. */
export const rollup: BundlerPlugin<'rollup'> = (options) => createPlugins().rollup(options);
/** The plugin for `plugins` in a Rolldown configuration. */
export const rolldown: BundlerPlugin<'rolldown'> = (options) => createPlugins().rolldown(options);
/** The plugin for `plugins` in a webpack configuration. */
export const webpack: BundlerPlugin<'webpack'> = (options) => createPlugins().webpack(options);
/** The plugin for `plugins` in an Rspack configuration. */
export const rspack: BundlerPlugin<'rspack'> = (options) => createPlugins().rspack(options);
/** The plugin for `plugins` in an esbuild call. */
export const esbuild: BundlerPlugin<'esbuild'> = (options) => createPlugins().esbuild(options);

/** `unplugin` is a peer that only users of a plugin need. It is loaded synchronously, like plugins are created. */
function createPlugins(): Plugins {
  let unplugin: typeof import('unplugin');
  try {
    unplugin = createRequire(import.meta.url)('unplugin');
  } catch (cause) {
    throw new Error('the bundler plugin needs the package unplugin: npm install --save-dev unplugin@3.7.0', { cause });
  }
  return unplugin.createUnplugin((options = {}) => connectBundlers(createSession(options)));
}

const { check: _, ...schemas } = callSchemas;
const optionSchemas = { ...schemas, frozen: choice<boolean | 'lockfile'>(true, false, 'lockfile') };

/** Generates if needed. Returns the files for the bundler to watch: if one of them changes, it must generate again. */
type GenerateIfNeeded = (mode: Mode) => Promise<readonly string[]>;

/** Generates once for all builds that a bundler starts with one plugin, such as those for server and client. */
function createSession(options: SwitchyardPluginOptions): GenerateIfNeeded {
  checkOptions('the plugin', options, optionSchemas);
  let generation: Promise<readonly string[]> | undefined;
  const modificationTimes = new Map<string, number>();
  const generate = async (mode: Mode): Promise<readonly string[]> => {
    // Load the generator when a build starts, not when a configuration is read.
    const { generateForBuild, listSettingsFiles } = await import('./generation.ts');
    const files = await listSettingsFiles(options);
    for (const file of files) modificationTimes.set(file, readModificationTime(file));
    await generateForBuild(options, mode);
    return files;
  };
  return (mode) => {
    if ([...modificationTimes].some(([file, time]) => readModificationTime(file) !== time)) {
      generation = undefined;
      modificationTimes.clear();
    }
    generation ??= generate(mode).catch((error: unknown) => {
      generation = undefined;
      throw error;
    });
    return generation;
  };
}

function readModificationTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

type RollupContext = { readonly meta: { readonly watchMode: boolean }; addWatchFile(file: string): void };
/** What the plugin uses of the compiler of webpack and Rspack. */
type Compiler = {
  readonly hooks: {
    readonly beforeRun: { tapPromise(name: string, hook: () => Promise<unknown>): void };
    readonly watchRun: { tapPromise(name: string, hook: () => Promise<void>): void };
    readonly afterCompile: { tap(name: string, hook: (compilation: Compilation) => void): void };
  };
};
type Compilation = { readonly fileDependencies: { add(file: string): unknown } };

const name = 'switchyard';

function connectBundlers(generateIfNeeded: GenerateIfNeeded): UnpluginOptions {
  const buildStart = async function (this: RollupContext): Promise<void> {
    for (const file of await generateIfNeeded(this.meta.watchMode ? 'development' : 'build')) this.addWatchFile(file);
  };
  const rollupHooks = { buildStart };
  // In webpack, unplugin's build start runs concurrently with the first modules; these hooks run before them.
  const tapCompiler = ({ hooks }: Compiler): void => {
    let files: readonly string[] = [];
    hooks.beforeRun.tapPromise(name, () => generateIfNeeded('build'));
    hooks.watchRun.tapPromise(name, async () => {
      files = await generateIfNeeded('development');
    });
    hooks.afterCompile.tap(name, ({ fileDependencies }) => {
      for (const file of files) fileDependencies.add(file);
    });
  };
  // In Vitest, use the existing output, so that tests need no router.
  const isInTests = (): boolean => process.env['VITEST'] !== undefined;
  return {
    name,
    rollup: rollupHooks,
    rolldown: rollupHooks,
    vite: {
      async buildStart(this: RollupContext) {
        if (!isInTests()) await buildStart.call(this);
      },
      // A Vite server only calls the build start once.
      async watchChange(this: RollupContext) {
        if (!isInTests()) await generateIfNeeded('development');
      },
    },
    webpack: tapCompiler,
    rspack: tapCompiler,
    esbuild: {
      setup(build) {
        let files: readonly string[] = [];
        let mode: Mode = 'build'; // A second build is always in development: only a watching context builds again.
        build.onStart(async () => {
          files = await generateIfNeeded(mode);
          mode = 'development';
        });
        build.onResolve({ filter: /./ }, ({ kind }) =>
          kind === 'entry-point' ? { watchFiles: [...files] } : undefined,
        );
      },
    },
  };
}
