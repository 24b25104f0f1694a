// The entry point of `import … from 'openapi-switchyard/vite'`.
export type { SwitchyardPluginOptions } from './generation.ts';
export { vite as switchyard } from './plugin.ts';
