import { type Brand, type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import { type AssetFamily, ownAssetFamilies } from './assets/hosted-assets.ts';
import { type ClockChoice, type ManualClock, resolveClock } from './clock.ts';
import { sandboxCredentials, type WorkflowAuth } from './http/authentication.ts';
import type { LogFormat } from './http/request-log.ts';
import type { Limits } from './state/quotas.ts';
import { changeSettings, defaultSettings, type Settings, type Timings } from './state/settings.ts';

/** A model of the catalog: `bytes` is its schema document exactly as served while the brand is `Service`. */
export type CatalogModel = { id: string; billing: string; bytes: Uint8Array };

export type SandboxOptions = {
  specs: EffectiveSpecs;
  /** What is listed and run; the own catalog by default. */
  catalog?: readonly CatalogModel[];
  /** `real` time (the default), a clock that moves only when it is advanced (`manual`), or one of your own. */
  clock?: ClockChoice;
  seed?: number;
  faults?: readonly string[];
  variants?: readonly string[];
  /**
   * Who may call the workflow API. A hosted deployment: `accounts`, also written `required` (the default). A self-hosted one:
   * `none` (everyone), `static` (callers with the one token), or `optional` (no credential, or else a valid account key).
   */
  workflowAuth?: 'required' | 'accounts' | 'none' | 'static' | 'optional';
  /** The token of `static`; that of the fixed credentials by default. */
  workflowToken?: string;
  /** The models whose assets are copied to service storage; the families of the own catalog by default. */
  assetFamilies?: readonly AssetFamily[];
  /** A file that keeps admitted requests, results and keys over restarts; without it they last as long as the sandbox. */
  db?: string;
  timings?: Partial<Timings>;
  limits?: Partial<Limits>;
  /** Whether the status route answers 200 (the default) or 410 for a request that failed at request level. */
  statusOfFailed?: Settings['statusOfFailed'];
  bodyLimitBytes?: number;
  /** The routes under `/__sandbox/`; by default they are served in process, and on a socket to loopback peers alone. */
  adminRoutes?: boolean;
  /** One line for each request, as JSON or as text; off by default. */
  log?: LogFormat;
  /** Where log lines go; standard error by default. */
  writeLog?: (line: string) => void;
};

export type SandboxConfig = {
  brand: Brand;
  queueStatuses: readonly [waiting: string, running: string];
  catalog: readonly CatalogModel[];
  clock: ManualClock;
  seed: number;
  workflowAuth: WorkflowAuth;
  assetFamilies: readonly AssetFamily[];
  db: string | undefined;
  /** A manual clock goes on from the newest run in the file, so that nothing in it is in the future. */
  resumesClock: boolean;
  settings: Settings;
  bodyLimitBytes: number;
};

/** The ceiling is not documented: NS-11. */
const defaultBodyLimitBytes = 10 * 1024 * 1024;

/** Every default of the sandbox is set here. Throws SandboxError for an invalid timing or limit. */
export function resolveOptions(options: SandboxOptions): SandboxConfig {
  const { timings = {}, limits = {}, statusOfFailed = defaultSettings.statusOfFailed } = options;
  return {
    brand: options.specs.settings.brand,
    queueStatuses: options.specs.settings.queueStatuses,
    catalog: options.catalog ?? ownCatalog(),
    clock: resolveClock(options.clock ?? 'real'),
    seed: options.seed ?? 1,
    workflowAuth: resolveWorkflowAuth(options),
    assetFamilies: options.assetFamilies ?? ownAssetFamilies,
    db: options.db,
    resumesClock: options.db !== undefined && options.clock === 'manual',
    settings: changeSettings(defaultSettings, { timings, limits, statusOfFailed }),
    bodyLimitBytes: options.bodyLimitBytes ?? defaultBodyLimitBytes,
  };
}

function resolveWorkflowAuth({ workflowAuth = 'accounts', workflowToken }: SandboxOptions): WorkflowAuth {
  if (workflowAuth === 'static') return { mode: 'static', token: workflowToken ?? sandboxCredentials.workflow.static };
  return { mode: workflowAuth === 'required' ? 'accounts' : workflowAuth };
}

function ownCatalog(): CatalogModel[] {
  const encoder = new TextEncoder();
  return readOwnCatalog().map((model) => ({
    id: model.id,
    billing: model.charges_on_policy_rejection,
    bytes: encoder.encode(`${JSON.stringify(model.document, null, 2)}\n`),
  }));
}
