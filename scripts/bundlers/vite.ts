// The entry point of `import … from 'openapi-switchyard/vite'`.
import { type BundlerPlugin, plugins } from './plugin.ts';

export type { SwitchyardPluginOptions } from './generation.ts';

/**
 * Returns the plugin for `plugins` of a Vite configuration: it generates before the build, fails it on drift with `frozen`, and generates again
 * in development when the settings change.
 */
export const switchyard: BundlerPlugin<'vite'> = (options) => plugins().vite(options);
