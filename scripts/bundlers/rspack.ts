// The entry point of `import … from 'openapi-switchyard/rspack'`.
import { type BundlerPlugin, plugins } from './plugin.ts';

export type { SwitchyardPluginOptions } from './generation.ts';

/**
 * Returns the plugin for `plugins` of an Rspack configuration: it generates before the build, fails it on drift with `frozen`, and generates again
 * in development when the settings change.
 */
export const switchyard: BundlerPlugin<'rspack'> = (options) => plugins().rspack(options);
