export { hooksPath } from './admin/routes.ts';
export type { AssetFamily, AssetPlace } from './assets/hosted-assets.ts';
export {
  type CatalogFolder,
  collectCatalog,
  type FolderModel,
  readCatalogFolder,
} from './catalog-folder.ts';
export type { ClockChoice, SandboxClock } from './clock.ts';
export { type FaultEntry, listFaults, listVariants, type VariantEntry } from './deviations.ts';
export { SandboxError } from './errors.ts';
export { type SandboxCredentials, sandboxCredentials } from './http/authentication.ts';
export { type Listening, type ListenOptions, listen, type Timeouts } from './http/listen.ts';
export type { App, Reply, ServerRequest } from './http/messages.ts';
export type { LogFormat } from './http/request-log.ts';
export type { CatalogModel } from './models/served-model.ts';
export { defaultBodyLimitBytes, type SandboxOptions } from './options.ts';
export { recogniseCatalogBrand, withOutcomeModels } from './own-catalog.ts';
export {
  type FailureDetails,
  HandlerError,
  type ModelAnswer,
  type ModelBehaviour,
  type ModelHandler,
  modelFailure,
  modelFile,
  type TypedHandler,
  type TypedModel,
} from './provider/behaviours.ts';
export type { FailureName } from './provider/provider-response.ts';
export { createSandbox, type Sandbox } from './sandbox.ts';
export { type SandboxJobs, sandboxGraphs, sandboxJobs } from './state/jobs.ts';
export type { Ledger, LedgerKey, LedgerRun } from './state/run.ts';
export type { Limits, Timings } from './state/settings.ts';
