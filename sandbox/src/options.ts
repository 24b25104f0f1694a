import { type Brand, type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import { type Clock, systemClock } from './clock.ts';

/** A model as a catalog holds it: `bytes` is its schema document exactly as served while the brand is `Service`. */
export type CatalogModel = { id: string; billing: string; bytes: Uint8Array };

export type SandboxOptions = {
  specs: EffectiveSpecs;
  /** What is listed and run; the own catalog by default. */
  catalog?: readonly CatalogModel[];
  clock?: Clock;
  seed?: number;
  faults?: readonly string[];
  variants?: readonly string[];
  /** `required` (a hosted deployment, the default) or `optional` (self-hosted): whether a bearer must be sent at all. */
  workflowAuth?: 'required' | 'optional';
  /** How long a queued request waits and runs, and how long a synchronous run holds, in milliseconds. */
  timings?: Partial<Timings>;
  bodyLimitBytes?: number;
};

export type Timings = { waitingMs: number; runningMs: number; holdMs: number };

export type SandboxConfig = {
  brand: Brand;
  queueStatuses: readonly [waiting: string, running: string];
  catalog: readonly CatalogModel[];
  clock: Clock;
  seed: number;
  workflowAuth: 'required' | 'optional';
  timings: Timings;
  bodyLimitBytes: number;
};

const defaultTimings: Timings = { waitingMs: 150, runningMs: 250, holdMs: 0 };
/** The ceiling is not documented: NS-11. */
const defaultBodyLimitBytes = 10 * 1024 * 1024;

/** Every default of the sandbox is decided here. */
export function resolveOptions(options: SandboxOptions): SandboxConfig {
  return {
    brand: options.specs.settings.brand,
    queueStatuses: options.specs.settings.queueStatuses,
    catalog: options.catalog ?? ownCatalog(),
    clock: options.clock ?? systemClock,
    seed: options.seed ?? 1,
    workflowAuth: options.workflowAuth ?? 'required',
    timings: { ...defaultTimings, ...options.timings },
    bodyLimitBytes: options.bodyLimitBytes ?? defaultBodyLimitBytes,
  };
}

function ownCatalog(): CatalogModel[] {
  const encoder = new TextEncoder();
  return readOwnCatalog().map((model) => ({
    id: model.id,
    billing: model.charges_on_policy_rejection,
    bytes: encoder.encode(`${JSON.stringify(model.document, null, 2)}\n`),
  }));
}
