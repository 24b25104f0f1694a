// The entry point of `import … from 'openapi-switchyard/rspack'`.
import { type BundlerPlugin, plugins } from './plugin.ts';

export type { SwitchyardPluginOptions } from './generation.ts';

/** For `plugins` of an Rspack configuration: generates before the build, fails it on drift with `frozen`, and watches in development. */
export const switchyard: BundlerPlugin<'rspack'> = (options) => plugins().rspack(options);
