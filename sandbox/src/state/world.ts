import type { SandboxConfig } from '../options.ts';
import { buildCatalog, type Catalog } from './catalog.ts';
import type { KeyRecords } from './idempotency.ts';
import { createJobs, type Job } from './jobs.ts';
import { createQueue, type Queue } from './queue.ts';

/** The whole state of a sandbox. */
export type World = {
  catalog: Catalog;
  queue: Queue;
  /** By scope and key. */
  keys: KeyRecords;
  /** Synchronous runs under way, by scope. */
  heldRuns: Map<string, number>;
  jobs: ReadonlyMap<string, Job>;
};

export function createWorld(config: SandboxConfig): World {
  return {
    catalog: buildCatalog(config.catalog, config.brand),
    queue: createQueue(),
    keys: new Map(),
    heldRuns: new Map(),
    jobs: createJobs(config.clock.now()),
  };
}

export function addHeldRun(world: World, scope: string, difference: 1 | -1): void {
  const count = (world.heldRuns.get(scope) ?? 0) + difference;
  if (count > 0) world.heldRuns.set(scope, count);
  else world.heldRuns.delete(scope);
}
