// The entry point of `import … from 'openapi-switchyard'`: the typed configuration, the generator, and the sandbox for tests.
import type { SwitchyardConfig } from './cli/settings.ts';

export type { DiffReport, GenerationReport, SiteReport, Verification } from '../generator/src/index.ts';
export {
  type CatalogFolder,
  type CatalogModel,
  createSandbox,
  HandlerError,
  type Listening,
  type ListenOptions,
  listen,
  type ModelBehaviour,
  type ModelHandler,
  modelFailure,
  modelFile,
  readCatalogFolder,
  type Sandbox,
  type SandboxOptions,
  sandboxCredentials,
  type TypedHandler,
  type TypedModel,
  withOutcomeModels,
} from '../sandbox/src/index.ts';
export {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  type JsonObject,
  type JsonValue,
  parseBrand,
  type SpecSettings,
  type WantedSettings,
} from '../specs/src/index.ts';
export {
  type CallOptions,
  type DiffOptions,
  type DocsOptions,
  diff,
  docs,
  type GenerateOptions,
  generate,
  type VerifyOptions,
  verify,
} from './cli/library-commands.ts';
export type { SwitchyardConfig } from './cli/settings.ts';

/** Adds types to a `switchyard.config.ts`; returns its argument. */
export function defineConfig(config: SwitchyardConfig): SwitchyardConfig {
  return config;
}
