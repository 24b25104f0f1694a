// The entry point of `import … from 'openapi-switchyard/vite'`.
import { type BundlerPlugin, plugins } from './plugin.ts';

export type { SwitchyardPluginOptions } from './generation.ts';

/**
 * Returns the plugin for `plugins` of a Vite configuration. It generates before the build, and in development also when the settings
 * change. With `frozen`, it fails the build if the output is outdated.
 */
export const switchyard: BundlerPlugin<'vite'> = (options) => plugins().vite(options);
