import type { CatalogModel } from '../catalog-folder.ts';
import type { Notice } from '../http/request-log.ts';
import type { SandboxConfig } from '../options.ts';
import { createBehaviours } from '../provider/behaviours.ts';
import { buildCatalog } from './catalog.ts';
import { createJobs } from './jobs.ts';
import type { RateWindow } from './quotas.ts';
import { openRecords } from './records.ts';
import { createStubs } from './stubs.ts';

/** The whole state of a sandbox, as handlers work on it; runs, replies and keys are in its records. */
export type World = ReturnType<typeof createWorld>;

/** Throws SandboxError when the database file cannot be used. */
export function createWorld(config: SandboxConfig, notice: Notice) {
  const records = openRecords(config.db, config.clock.now());
  if (config.resumesClock) config.clock.advance(Math.max(0, records.foundUpTo - config.clock.now()));
  const closing = new AbortController();
  let generation = 0;
  const world = {
    config,
    catalog: buildCatalog(config.catalog, config.brand),
    records,
    /** By scope. */
    windows: new Map<string, RateWindow>(),
    settings: config.settings,
    jobs: createJobs(config.clock.now()),
    stubs: createStubs(),
    behaviours: createBehaviours(config.seed),
    /** Writes a line to the log. */
    notice,
    /** Aborted when the sandbox closes, so that no held run outlives it. */
    closing: closing.signal,
    /** Takes effect at once: cursors of the build before become invalid. */
    rebuildCatalog: (models: readonly CatalogModel[]): void => {
      generation += 1;
      world.replaceDocuments(models);
    },
    /** Replaces the documents of models that stay listed. The catalog isn't rebuilt, so cursors stay valid. */
    replaceDocuments: (models: readonly CatalogModel[]): void => {
      world.catalog = buildCatalog(models, config.brand, generation);
    },
    /** As after the start, without anything that an earlier process left; the clock keeps its time. */
    reset: (): void => {
      world.records.clear();
      world.windows.clear();
      world.settings = config.settings;
      world.stubs.clear();
      world.behaviours.clear();
      world.jobs = createJobs(config.clock.now());
      world.rebuildCatalog(config.catalog);
    },
    close: (): void => {
      closing.abort();
      records.close();
    },
  };
  return world;
}
