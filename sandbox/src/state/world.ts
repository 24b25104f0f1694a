import type { Notice } from '../http/request-log.ts';
import type { CatalogModel } from '../models/served-model.ts';
import type { SandboxConfig } from '../options.ts';
import { type Behaviours, createBehaviours } from '../provider/behaviours.ts';
import { buildCatalog, type Catalog } from './catalog.ts';
import { createJobs, type Job } from './jobs.ts';
import type { RateWindow } from './quotas.ts';
import { openRecords, type Records } from './records.ts';
import type { Settings } from './settings.ts';
import { createStubs, type Stubs } from './stubs.ts';

/** The whole state of a sandbox, as handlers work on it; runs, replies and keys are in its records. */
export type World = {
  readonly config: SandboxConfig;
  catalog: Catalog;
  readonly records: Records;
  /** By scope. */
  readonly windows: Map<string, RateWindow>;
  settings: Settings;
  jobs: ReadonlyMap<string, Job>;
  readonly stubs: Stubs;
  readonly behaviours: Behaviours;
  /** Writes a line to the log. */
  readonly notice: Notice;
  /** Aborted when the sandbox closes, so that no held run outlives it. */
  readonly closing: AbortSignal;
  /** Takes effect at once: cursors of the build before become invalid. */
  rebuildCatalog(models: readonly CatalogModel[]): void;
  /** Replaces the documents of models that stay listed. The catalog isn't rebuilt, so cursors stay valid. */
  replaceDocuments(models: readonly CatalogModel[]): void;
  /** As after the start, without anything that an earlier process left; the clock keeps its time. */
  reset(): void;
  close(): void;
};

/** Throws SandboxError when the database file cannot be used. */
export function createWorld(config: SandboxConfig, notice: Notice): World {
  const records = openRecords(config.db, config.clock.now());
  if (config.resumesClock) config.clock.advance(Math.max(0, records.foundUpTo - config.clock.now()));
  const closing = new AbortController();
  let generation = 0;
  const world: World = {
    config,
    catalog: buildCatalog(config.catalog, config.brand),
    records,
    windows: new Map(),
    settings: config.settings,
    jobs: createJobs(config.clock.now()),
    stubs: createStubs(),
    behaviours: createBehaviours(config.seed),
    notice,
    closing: closing.signal,
    rebuildCatalog: (models) => {
      generation += 1;
      world.replaceDocuments(models);
    },
    replaceDocuments: (models) => {
      world.catalog = buildCatalog(models, config.brand, generation);
    },
    reset: () => {
      world.records.clear();
      world.windows.clear();
      world.settings = config.settings;
      world.stubs.clear();
      world.behaviours.clear();
      world.jobs = createJobs(config.clock.now());
      world.rebuildCatalog(config.catalog);
    },
    close: () => {
      closing.abort();
      records.close();
    },
  };
  return world;
}
