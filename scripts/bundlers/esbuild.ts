// The entry point of `import … from 'openapi-switchyard/esbuild'`.
import { type BundlerPlugin, plugins } from './plugin.ts';

export type { SwitchyardPluginOptions } from './generation.ts';

/**
 * Returns a plugin for `plugins` in an esbuild call. It generates before the build, and again in development when
 * the settings change. With `frozen`, the build fails if the output is out of date.
 */
export const switchyard: BundlerPlugin<'esbuild'> = (options) => plugins().esbuild(options);
