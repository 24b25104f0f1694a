import type { WriteNotice } from '../http/request-log.ts';
import { buildCatalog, type Catalog, type CatalogModel } from '../models/served-model.ts';
import type { SandboxConfig } from '../options.ts';
import { type Behaviours, createBehaviours } from '../provider/behaviours.ts';
import { createJobs, type Job } from './jobs.ts';
import { Records } from './records.ts';
import type { RateWindow, Settings } from './settings.ts';

/** The state of a sandbox, which its handlers read and change. Runs, replies and keys are in `records`. */
export type World = {
  readonly config: SandboxConfig;
  catalog: Catalog;
  readonly records: Records;
  readonly windows: Map<string, RateWindow>;
  settings: Settings;
  jobs: ReadonlyMap<string, Job>;
  /** Failures that the test hook `script` has set for the next calls of operations. */
  scripted: readonly ScriptedFailure[];
  readonly behaviours: Behaviours;
  readonly notice: WriteNotice;
  /** Aborted when the sandbox closes, so that waiting calls end. */
  readonly closing: AbortSignal;
  /** Removes the next scripted failure of an operation and returns it, if there is one. */
  takeFailure(operation: string): Failure | undefined;
  /** Rebuilds the catalog, which makes all earlier cursors invalid. */
  rebuildCatalog(models: readonly CatalogModel[]): void;
  /** Restores the initial state and removes all records. Keeps the clock. */
  reset(): void;
  close(): void;
};

export function createWorld(config: SandboxConfig, notice: WriteNotice): World {
  const closing = new AbortController();
  let generation = 0;
  const world: World = {
    config,
    catalog: buildCatalog(config.catalog, config.brand),
    records: new Records(),
    windows: new Map(),
    settings: config.settings,
    jobs: createJobs(config.clock.now()),
    scripted: [],
    behaviours: createBehaviours(config.seed),
    notice,
    closing: closing.signal,
    takeFailure: (operation) => {
      const next = world.scripted.find((one) => one.operation === operation);
      world.scripted = world.scripted.filter((one) => one !== next);
      return next?.failure;
    },
    rebuildCatalog: (models) => {
      generation += 1;
      world.catalog = buildCatalog(models, config.brand, generation);
    },
    reset: () => {
      world.records.clear();
      world.windows.clear();
      world.settings = config.settings;
      world.scripted = [];
      world.behaviours.clear();
      world.jobs = createJobs(config.clock.now());
      world.rebuildCatalog(config.catalog);
    },
    close: () => closing.abort(),
  };
  return world;
}

/** Failures that the test hook `script` can cause, by the API of the operation. */
export const scriptedFailures = {
  'model-router': ['internal_error', 'service_unavailable'],
  'workflow-execution': ['upstream_error'],
} as const;
type Failure = (typeof scriptedFailures)[keyof typeof scriptedFailures][number];
type ScriptedFailure = { readonly operation: string; readonly failure: Failure };
