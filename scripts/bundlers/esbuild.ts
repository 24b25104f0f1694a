// The entry point of `import … from 'openapi-switchyard/esbuild'`.
import { type BundlerPlugin, plugins } from './plugin.ts';

export type { SwitchyardPluginOptions } from './generation.ts';

/** For `plugins` of an esbuild call: generates before the build, fails it on drift with `frozen`, and watches in development. */
export const switchyard: BundlerPlugin<'esbuild'> = (options) => plugins().esbuild(options);
