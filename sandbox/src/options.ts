import { createValidator } from '../../runtime/src/validation/validator.ts';
import {
  type Brand,
  buildEffectiveSpecs,
  bundleJsonSchema,
  type EffectiveSpecs,
  isJsonObject,
  linearPattern,
  listOperations,
  readSchema,
  type SpecSettings,
} from '../../specs/src/index.ts';
import { type AssetFamily, ownAssetFamilies } from './assets/hosted-assets.ts';
import { isModelId } from './catalog-folder.ts';
import { type ClockChoice, createClock, type SandboxClock } from './clock.ts';
import { rejectUnknownNames, SandboxError } from './errors.ts';
import type { WorkflowAuth } from './http/authentication.ts';
import type { LogFormat } from './http/request-log.ts';
import type { CatalogModel } from './models/served-model.ts';
import { ownCatalog, recogniseCatalogBrand } from './own-catalog.ts';
import { changeSettings, defaultSettings, type Limits, type Settings, type Timings } from './state/settings.ts';

export type SandboxOptions = {
  /** Result of `buildEffectiveSpecs`. Default: specifications with default settings and the brand in the documents of `catalog`. */
  specs?: EffectiveSpecs;
  /** Models to list and run. Default: the sandbox's own catalog. */
  catalog?: readonly CatalogModel[];
  /** `real` (default): the system clock, which tests can advance. `manual`: only moves when advanced. */
  clock?: ClockChoice;
  seed?: number;
  faults?: readonly string[];
  variants?: readonly string[];
  /**
   * Selects who may call the workflow API. `accounts` (default), as in a hosted deployment: callers with an account key. As in
   * a self-hosted one: `none` (everyone), `static` (callers with the token `static`), or `optional` (callers without a
   * credential or with an account key).
   */
  workflowAuth?: WorkflowAuth;
  /** Models whose assets are copied to service storage. Default: the families of the sandbox's own catalog. */
  assetFamilies?: readonly AssetFamily[];
  timings?: Partial<Timings>;
  limits?: Partial<Limits>;
  bodyLimitBytes?: number;
  /** Origins whose pages may call both APIs from a browser, or `*` for all. Default: none. */
  cors?: readonly string[];
  /** Serve the routes under `/__sandbox/`. Default: in process, and on a socket only to callers on this machine. */
  adminRoutes?: boolean;
  /** Format of the log, which has one line per request. Default: `off`. */
  log?: LogFormat;
  /** Receives log lines. Default: writes to standard error. */
  writeLog?: (line: string) => void;
};

/** Validated options with their defaults. */
export type SandboxConfig = {
  readonly specs: EffectiveSpecs;
  readonly brand: Brand;
  readonly queueStatuses: SpecSettings['queueStatuses'];
  readonly catalog: readonly CatalogModel[];
  readonly clock: SandboxClock;
  readonly seed: number;
  readonly workflowAuth: WorkflowAuth;
  readonly assetFamilies: readonly AssetFamily[];
  readonly settings: Settings;
  readonly bodyLimitBytes: number;
  /** True if the text is a valid Idempotency-Key according to the specification (OP-032). */
  isKey(text: string): boolean;
};

/** Default of `bodyLimitBytes`. The documents give no limit (OP-011). */
export const defaultBodyLimitBytes = 10 * 1024 * 1024;

/** Validates options and sets all defaults. Throws SandboxError for an unknown option or an invalid value. */
export function resolveOptions(options: SandboxOptions): SandboxConfig {
  checkOptions(options);
  const brand = options.specs === undefined && options.catalog && recogniseCatalogBrand(options.catalog);
  const specs = options.specs ?? buildEffectiveSpecs(brand ? { brand } : {});
  const { timings, limits } = options;
  return {
    specs,
    brand: specs.settings.brand,
    queueStatuses: specs.settings.queueStatuses,
    catalog: options.catalog ?? ownCatalog(),
    clock: createClock(options.clock ?? 'real'),
    seed: options.seed ?? 1,
    workflowAuth: options.workflowAuth ?? 'accounts',
    assetFamilies: options.assetFamilies ?? ownAssetFamilies,
    settings: changeSettings(defaultSettings, { timings, limits }),
    bodyLimitBytes: options.bodyLimitBytes ?? defaultBodyLimitBytes,
    isKey: createKeyCheck(specs),
  };
}

/** Creates the check of Idempotency-Keys from the schema of the header in the specification. */
function createKeyCheck(specs: EffectiveSpecs): (text: string) => boolean {
  const run = listOperations(specs).find(({ operationId }) => operationId === 'runModel');
  const schema = run?.parameters.find(({ name }) => name === 'Idempotency-Key')?.schema ?? true;
  const { schema: read, definitions } = readSchema(specs.modelRouter, schema, 'input');
  const printed = bundleJsonSchema(read, definitions);
  const { accepts } = createValidator(isJsonObject(printed) && printed, linearPattern);
  return (text) => accepts(text);
}

/** `expected`: what a valid value is, for the message. */
type OptionCheck = readonly [expected: string, isValid: (value: unknown) => boolean];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isOneOf = (...words: unknown[]): OptionCheck => [words.join(', '), (value) => words.includes(value)];

/** Checks of all options except `timings` and `limits`, which `changeSettings` checks. */
const checks: { readonly [Name in Exclude<keyof SandboxOptions, 'timings' | 'limits'>]-?: OptionCheck } = {
  specs: ['a result of buildEffectiveSpecs', (value) => isObject(value) && isObject(Reflect.get(value, 'settings'))],
  catalog: [
    'a list of { id, billing, bytes } with unique ids, where bytes is the schema document as a Uint8Array',
    isCatalog,
  ],
  clock: isOneOf('real', 'manual'),
  seed: ['an integer', Number.isSafeInteger],
  faults: ['a list of ids', isTextList],
  variants: ['a list of ids', isTextList],
  workflowAuth: isOneOf('accounts', 'none', 'static', 'optional'),
  assetFamilies: ['a list of families', (value) => Array.isArray(value) && value.every(isObject)],
  bodyLimitBytes: ['a non-negative integer', (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  cors: ['a list of origins, or ["*"]', isTextList],
  adminRoutes: ['true or false', (value) => typeof value === 'boolean'],
  log: isOneOf('off', 'text', 'json'),
  writeLog: ['a function', (value) => typeof value === 'function'],
};

/** Throws SandboxError for an invalid or misspelt option, which TypeScript only reports in typed code. */
function checkOptions(options: SandboxOptions): void {
  if (!isObject(options)) throw new SandboxError('the options must be an object');
  rejectUnknownNames(options, [...Object.keys(checks), 'timings', 'limits']);
  for (const [name, [expected, isValid]] of Object.entries(checks)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && !isValid(value)) throw new SandboxError(`the option ${name} must be ${expected}`);
  }
}

function isCatalog(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const isModel = (model: unknown): boolean => {
    if (!isObject(model)) return false;
    const { id, billing, bytes }: Partial<Record<keyof CatalogModel, unknown>> = model;
    return typeof id === 'string' && isModelId(id) && typeof billing === 'string' && bytes instanceof Uint8Array;
  };
  return value.every(isModel) && new Set(value.map(({ id }) => id)).size === value.length;
}
