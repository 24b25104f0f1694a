// The entry point of `import … from 'openapi-switchyard/rspack'`.
export type { SwitchyardPluginOptions } from './generation.ts';
export { rspack as switchyard } from './plugin.ts';
