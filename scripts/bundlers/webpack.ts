// The entry point of `import … from 'openapi-switchyard/webpack'`.
export type { SwitchyardPluginOptions } from './generation.ts';
export { webpack as switchyard } from './plugin.ts';
