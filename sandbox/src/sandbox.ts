import type { Brand } from '../../specs/src/index.ts';
import { type AdminContext, createAdminApp } from './admin/admin.ts';
import { type CallHistory, withConsole } from './admin/console.ts';
import { adminRoutes } from './admin/routes.ts';
import { createApp, describeOperation } from './app.ts';
import { type SandboxClock, systemClock } from './clock.ts';
import { type Deviations, withDeviations } from './deviations.ts';
import { SandboxError } from './errors.ts';
import { type SandboxCredentials, sandboxCredentials } from './http/authentication.ts';
import { withCors } from './http/cors.ts';
import { type Fetch, toFetch } from './http/fetch.ts';
import type { App, Reply } from './http/messages.ts';
import { createRequestLog, type RequestLog } from './http/request-log.ts';
import { isAdminTarget } from './http/router.ts';
import { resolveOptions, type SandboxOptions } from './options.ts';
import type { ModelBehaviour, ModelHandler, TypedHandler, TypedModel } from './provider/behaviours.ts';
import { type SandboxJobs, sandboxJobs } from './state/jobs.ts';
import type { Ledger } from './state/run.ts';
import { createWorld } from './state/world.ts';

/** A sandbox that serves both APIs on one origin. */
export type Sandbox = {
  /** `fetch` for clients in the same process. */
  fetch: Fetch;
  /** The application, for adapters such as `listen`. Its promise only rejects if a fault or a handler of `on` throws. */
  handle: App;
  clock: SandboxClock;
  brand: Brand;
  /** Id of the first model of the catalog, for example calls; undefined if the catalog is empty. */
  exampleModel: string | undefined;
  credentials: SandboxCredentials;
  jobs: SandboxJobs;
  /** True to serve the admin routes, false not to; undefined lets the adapter decide. */
  adminRoutes: boolean | undefined;
  /** Maximum length of the body of a request to this target, in bytes. */
  bodyLimit(target: string): number;
  /** Counts the dispatched, billed and replayed runs so far: in total, by key and by run. */
  ledger(): Ledger;
  /**
   * Sets the output of a catalog model, its duration and how often it fails, until `reset` or until the returned
   * function is called. The handler of a queued request is called at its submission. If a handler throws, `fetch`
   * rejects with a HandlerError. Throws SandboxError for an unknown model or an invalid behaviour. With a model of the
   * generated packages instead of an id, the handler is typed with its input and output.
   */
  on(model: string, handler: ModelHandler, behaviour?: ModelBehaviour): () => void;
  on(model: string | { readonly id: string }, behaviour: ModelBehaviour): () => void;
  on<Input, Output>(
    model: TypedModel<Input, Output>,
    handler: TypedHandler<NoInfer<Input>, NoInfer<Output>>,
    behaviour?: ModelBehaviour,
  ): () => void;
  /**
   * Removes runs, requests, keys, rate windows, the ledger, scripted failures and handlers set with `on`, and restores
   * settings, jobs and the catalog, like `POST /__sandbox/reset`. Keeps the clock, faults, variants, and calls that
   * wait for the clock.
   */
  reset(): void;
  /** Ends the calls that wait for the result of a run. */
  close(): void;
};

const adminBodyLimitBytes = 64 * 1024 * 1024;

/** Throws SandboxError for an invalid option, and for an unknown fault or variant. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const config = resolveOptions(options);
  let deviations: Deviations = { faults: options.faults ?? [], variants: options.variants ?? [] };
  const log = createRequestLog(options.log ?? 'off', config.brand, describeOperation, options.writeLog);
  const world = createWorld(config, log.notice);
  const healthy = createApp(world);
  let appWithDeviations = withDeviations(healthy, deviations, config);
  // Starts at the current time, so that ids of events of an earlier sandbox are unlikely to be valid in this one.
  const first = systemClock.now();
  const history: CallHistory = { exchanges: new Set(), first, version: first };
  const recordedApp = recordCalls((request) => appWithDeviations(request), history, config.clock, log.logReply);
  const apis = withCors(recordedApp, options.cors ?? []);
  const actions: AdminContext = {
    world,
    deviations: () => deviations,
    setDeviations: (wanted) => {
      appWithDeviations = withDeviations(healthy, wanted, config);
      deviations = wanted;
    },
  };
  const admin = withConsole(createAdminApp(adminRoutes, actions), actions, history);
  const isAdmin = (target: string): boolean => options.adminRoutes !== false && isAdminTarget(target);
  const bodyLimit = (target: string): number => (isAdmin(target) ? adminBodyLimitBytes : config.bodyLimitBytes);
  const handle: App = (request) => {
    const { target, headers, body } = request;
    const bytes = Math.max(Number(headers['content-length'] ?? '0'), body.length);
    const limited = bytes > bodyLimit(target) ? { ...request, body: 'too-large' as const } : request;
    return isAdmin(target) ? admin(limited) : apis(limited);
  };
  return {
    fetch: toFetch(handle),
    handle,
    clock: config.clock,
    brand: config.brand,
    exampleModel: config.catalog[0]?.id,
    credentials: sandboxCredentials,
    jobs: sandboxJobs,
    adminRoutes: options.adminRoutes,
    bodyLimit,
    ledger: () => world.records.ledger(config.clock.now()),
    on: (
      model: string | { readonly id: string },
      first: ModelHandler | ModelBehaviour,
      second: ModelBehaviour = {},
    ) => {
      const id = typeof model === 'string' ? model : model.id;
      if (!world.catalog.byId.has(id)) throw new SandboxError(`the catalog has no model ${JSON.stringify(id)}`);
      return typeof first === 'function'
        ? world.behaviours.set(id, first, second)
        : world.behaviours.set(id, undefined, first);
    },
    reset: () => world.reset(),
    close: () => world.close(),
  };
}

const maxExchanges = 100;

/** Records each call for the console, and logs it. */
function recordCalls(app: App, history: CallHistory, clock: SandboxClock, answered: RequestLog['logReply']): App {
  const { exchanges } = history;
  return async (request) => {
    const { method, target, headers } = request;
    const startedAt = systemClock.now(); // The real time, because a caller waits in real time.
    history.version += 1;
    const exchange = { id: history.version, version: history.version, at: clock.now(), method, target, headers };
    exchanges.add(exchange);
    for (const oldest of exchanges) if (exchanges.size > maxExchanges) exchanges.delete(oldest);
    let reply: Reply | undefined;
    try {
      reply = await app(request);
      return reply;
    } finally {
      const durationMs = systemClock.now() - startedAt;
      history.version += 1;
      const answer = reply && { status: reply.status, headers: reply.headers };
      Object.assign(exchange, { version: history.version, durationMs, reply: answer });
      answered?.(request, reply, durationMs);
    }
  };
}
