import { createForcedAnswers, type ForcedAnswers } from '../operator/forced-answers.ts';
import type { CatalogModel, SandboxConfig } from '../options.ts';
import { buildCatalog, type Catalog } from './catalog.ts';
import { createJobs, type Job } from './jobs.ts';
import type { RateWindow } from './quotas.ts';
import { openRecords, type Records, recordTables } from './records.ts';
import type { Settings } from './settings.ts';
import { openStore, type Store, unusable } from './store.ts';

/** The whole state of a sandbox; runs, answers and keys lie in its store. */
export type World = {
  catalog: Catalog;
  records: Records;
  /** By scope. */
  windows: Map<string, RateWindow>;
  settings: Settings;
  jobs: ReadonlyMap<string, Job>;
  /** What the operator has answered in place of the handlers. */
  forced: ForcedAnswers;
  /** Takes effect at once: cursors of the build before are of no use any more. */
  rebuildCatalog(models: readonly CatalogModel[]): void;
  /** As after the start, without anything that an earlier process left. */
  reset(): void;
  close(): void;
};

function findRecords(store: Store, { clock, db }: SandboxConfig): Records {
  try {
    return openRecords(store, clock.now(), db !== undefined);
  } catch (cause) {
    store.close();
    throw unusable(db, cause); // it opened, and what it holds cannot be read
  }
}

/** Throws SandboxError when the database file cannot be used. */
export function createWorld(config: SandboxConfig): World {
  const store = openStore(config.db, recordTables);
  const records = findRecords(store, config);
  if (config.resumesClock) config.clock.advance(Math.max(0, records.foundUpTo - config.clock.now()));
  let generation = 0;
  const world: World = {
    catalog: buildCatalog(config.catalog, config.brand),
    records,
    windows: new Map(),
    settings: config.settings,
    jobs: createJobs(config.clock.now()),
    forced: createForcedAnswers(),
    rebuildCatalog: (models) => {
      generation += 1;
      world.catalog = buildCatalog(models, config.brand, generation);
    },
    reset: () => {
      world.records.clear();
      world.windows.clear();
      world.settings = config.settings;
      world.forced.clear();
      world.jobs = createJobs(config.clock.now());
      world.rebuildCatalog(config.catalog);
    },
    close: () => store.close(),
  };
  return world;
}
