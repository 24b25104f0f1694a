// The entry point of `import … from 'openapi-switchyard/rolldown'`.
export type { SwitchyardPluginOptions } from './generation.ts';
export { rolldown as switchyard } from './plugin.ts';
