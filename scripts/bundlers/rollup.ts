// The entry point of `import … from 'openapi-switchyard/rollup'`.
export type { SwitchyardPluginOptions } from './generation.ts';
export { rollup as switchyard } from './plugin.ts';
