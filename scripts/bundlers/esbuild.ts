// The entry point of `import … from 'openapi-switchyard/esbuild'`.
export type { SwitchyardPluginOptions } from './generation.ts';
export { esbuild as switchyard } from './plugin.ts';
