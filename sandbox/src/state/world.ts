import type { JsonObject } from '../../../specs/src/index.ts';
import type { Reply } from '../http/messages.ts';
import type { Notice } from '../http/request-log.ts';
import { buildCatalog, type Catalog, type CatalogModel } from '../models/served-model.ts';
import type { SandboxConfig } from '../options.ts';
import { type Behaviours, createBehaviours } from '../provider/behaviours.ts';
import { createJobs, type Job } from './jobs.ts';
import { Records } from './records.ts';
import type { RateWindow, Settings } from './settings.ts';

/** Complete state of a sandbox for its handlers. Runs, replies and keys are in `records`. */
export type World = {
  readonly config: SandboxConfig;
  catalog: Catalog;
  readonly records: Records;
  readonly windows: Map<string, RateWindow>;
  settings: Settings;
  jobs: ReadonlyMap<string, Job>;
  readonly stubs: Stubs;
  readonly behaviours: Behaviours;
  readonly notice: Notice;
  /** Aborted when the sandbox closes, to end held runs. */
  readonly closing: AbortSignal;
  /** Rebuilds the catalog; cursors of the previous build become invalid immediately. */
  rebuildCatalog(models: readonly CatalogModel[]): void;
  /** Restores the initial state and removes all records. Keeps the clock. */
  reset(): void;
  close(): void;
};

export function createWorld(config: SandboxConfig, notice: Notice): World {
  const closing = new AbortController();
  let generation = 0;
  const world: World = {
    config,
    catalog: buildCatalog(config.catalog, config.brand),
    records: new Records(),
    windows: new Map(),
    settings: config.settings,
    jobs: createJobs(config.clock.now()),
    stubs: new Stubs(),
    behaviours: createBehaviours(config.seed),
    notice,
    closing: closing.signal,
    rebuildCatalog: (models) => {
      generation += 1;
      world.catalog = buildCatalog(models, config.brand, generation);
    },
    reset: () => {
      world.records.clear();
      world.windows.clear();
      world.settings = config.settings;
      world.stubs.pending = [];
      world.behaviours.clear();
      world.jobs = createJobs(config.clock.now());
      world.rebuildCatalog(config.catalog);
    },
    close: () => closing.abort(),
  };
  return world;
}

export type Api = 'model-router' | 'workflow-execution';
export type KnownOperation = { readonly api: Api; readonly operation: string };

export type StubbedResponse = {
  /** Id of an operation, or `*` for all operations of the API. */
  operation: string;
  api: Api | 'both';
  times: number;
  /** `after`: the call takes effect, and only its reply is replaced. */
  stage: 'before' | 'after';
  reply: Reply;
  /** Body of the admin call that added the stub. */
  wanted: JsonObject;
};

export class Stubs {
  pending: StubbedResponse[] = [];

  /** Returns the next stubbed reply and counts it, or else calls the handler. */
  async replyOr({ api, operation }: KnownOperation, handle: () => Reply | Promise<Reply>): Promise<Reply> {
    const stub = this.pending.find(
      (one) => (one.api === 'both' || one.api === api) && (one.operation === '*' || one.operation === operation),
    );
    if (stub === undefined) return handle();
    stub.times -= 1;
    this.pending = this.pending.filter(({ times }) => times > 0);
    if (stub.stage === 'after') await handle();
    return stub.reply;
  }
}
