import type { Brand } from '../../specs/src/index.ts';
import { createApp } from './app.ts';
import { checkOptions } from './check-options.ts';
import { type ClientFetch, clientFetch } from './client-fetch.ts';
import type { ManualClock } from './clock.ts';
import type { Context } from './context.ts';
import { type SandboxCredentials, sandboxCredentials } from './credentials.ts';
import { sha256 } from './digest.ts';
import { SandboxError } from './errors.ts';
import type { FaultContext, Middleware } from './faults/builders/fault.ts';
import { createTargetMatcher } from './faults/builders/operations.ts';
import type { App } from './faults/decorator.ts';
import { faults, variants } from './faults/index.ts';
import type * as messages from './http/messages.ts';
import { type Deviations, isOperatorPath, type Operator, operate } from './operator/operator.ts';
import { operatorRoutes } from './operator/routes.ts';
import { resolveOptions, type SandboxConfig, type SandboxOptions } from './options.ts';
import { isOutcomeModel } from './provider/outcome-model.ts';
import { createRandom } from './random.ts';
import { pathOf, rememberRawTarget } from './raw-target.ts';
import { readLimited } from './request-body.ts';
import { createRequestLog } from './request-log.ts';
import { type SandboxJobs, sandboxJobs } from './state/jobs.ts';
import type { Ledger } from './state/ledger.ts';
import { createWorld } from './state/world.ts';
import { sendOnWire } from './wire-answer.ts';

/** Both APIs on one origin, as a function from request to response. */
export type Sandbox = {
  /** For clients in the same process. */
  fetch: ClientFetch;
  /** For whoever passes calls on, as a socket does: rejects only where a fault wants it so. */
  serve: App;
  /** Only a manual clock can be advanced, by milliseconds or by `90s`, `15m`, `25h`; any other throws SandboxError then. */
  clock: ManualClock;
  brand: Brand;
  /** The first model of the catalog, for whoever needs one to try; undefined in an empty catalog. */
  exampleModel: string | undefined;
  credentials: SandboxCredentials;
  jobs: SandboxJobs;
  /** Whether the operator routes were switched on or off; undefined leaves it to where the sandbox listens. */
  operator: boolean | undefined;
  /** Whether this `serve` is the sandbox's own and nothing stands between it and the application: no deviation, no log. */
  isPlain(serve: App): boolean;
  /** Loads and opens what the first calls would otherwise wait for. */
  prepare(): void;
  /** A fresh one of the same specification, to try calls on that nobody is to see. */
  understudy(): Sandbox;
  /** What was dispatched, billed and replayed so far: in total, by key and run by run. */
  ledger(): Ledger;
  /** Ends what is held and closes the database. */
  close(): void;
};

/** Throws SandboxError for an option that is none, an unknown fault or variant, and a database that cannot be used. */
export function createSandbox(options: SandboxOptions): Sandbox {
  checkOptions(options);
  const config = resolveOptions(options);
  const initial = { faults: options.faults ?? [], variants: options.variants ?? [] };
  const middlewares = middlewaresOf(initial); // before anything is opened
  const closing = new AbortController();
  const log = createRequestLog({ format: options.log ?? 'off', brand: config.brand, write: options.writeLog });
  const world = createWorld(config);
  const cursorSecret = sha256(`cursors ${config.seed}`);
  const context: Context = { config, world, cursorSecret, closing: closing.signal, notice: log.notice };
  const deviating = createDeviatingApp(createApp(context), middlewares, { options, config, initial });
  const operator: Operator = { context, deviations: deviating.deviations, deviate: deviating.deviate };
  const logged = log.around(deviating.app);
  const serve: App = (request) =>
    options.operator !== false && isOperatorPath(pathOf(request))
      ? operate(request, operatorRoutes, operator)
      : logged(request);
  return {
    fetch: clientFetch(serve),
    serve,
    clock: config.clock,
    brand: config.brand,
    exampleModel: config.catalog[0]?.id,
    credentials: sandboxCredentials,
    jobs: sandboxJobs,
    operator: options.operator,
    isPlain: (used) => used === serve && deviating.isHealthy() && (options.log ?? 'off') === 'off',
    prepare: () => {
      const { models } = world.catalog;
      for (const model of models) if (model === models[0] || isOutcomeModel(model.id)) model.checkInput();
      world.records.ledger(config.clock.now());
    },
    understudy: () =>
      createSandbox({ specs: options.specs, catalog: config.catalog.filter(({ id }) => isOutcomeModel(id)) }),
    ledger: () => world.records.ledger(config.clock.now()),
    close: () => {
      closing.abort();
      world.close();
    },
  };
}

type Wrapping = { options: SandboxOptions; config: SandboxConfig; initial: Deviations };

/** The first named fault sits closest to the healthy application; another choice starts with middleware that remembers nothing. */
function createDeviatingApp(healthy: App, middlewares: readonly Middleware[], { options, config, initial }: Wrapping) {
  const wrap = (chosen: readonly Middleware[]): App => {
    if (chosen.length === 0) return healthy;
    const context: FaultContext = {
      brand: config.brand,
      clock: config.clock,
      specs: options.specs,
      random: createRandom(`faults ${config.seed}`),
      targetOf: createTargetMatcher(options.specs),
    };
    return bridge(healthy, config.bodyLimitBytes, (app) =>
      chosen.reduce((inner, middleware) => middleware(inner, context), app),
    );
  };
  let current = { app: wrap(middlewares), deviations: initial };
  return {
    app: (request: Request): Promise<Response> => current.app(request),
    deviations: (): Deviations => current.deviations,
    isHealthy: (): boolean => current.deviations.faults.length + current.deviations.variants.length === 0,
    deviate: (wanted: Deviations): void => {
      current = { app: wrap(middlewaresOf(wanted)), deviations: wanted };
    },
  };
}

/** BRIDGE: wraps plain-data middleware around an application of Request and Response. Delete it when `createApp` is an `App` of http/messages.ts. */
function bridge(healthy: App, limitBytes: number, wrap: (app: messages.App) => messages.App): App {
  const wrapped = wrap(async ({ method, origin, target, headers, body, signal }) => {
    const announced = body === 'too-large' ? { 'content-length': String(limitBytes + 1) } : {};
    const sent = method === 'GET' || method === 'HEAD' || body.length === 0 || body === 'too-large' ? null : body;
    const init = { method, headers: { ...headers, ...announced }, body: sent, signal };
    const request = new Request(origin + target, init);
    rememberRawTarget(request, target);
    const response = await healthy(request);
    const { 'content-length': _, ...kept } = Object.fromEntries(response.headers);
    return { status: response.status, headers: kept, body: new Uint8Array(await response.arrayBuffer()) };
  });
  return async (request) => {
    const { origin, search } = new URL(request.url);
    const reply = await wrapped({
      method: request.method,
      origin,
      target: pathOf(request) + search,
      headers: Object.fromEntries(request.headers),
      body: (await readLimited(request, limitBytes)) ?? 'too-large',
      signal: request.signal,
    });
    const hasBody = reply.body.length > 0 && ![204, 205, 304].includes(reply.status);
    const response = new Response(hasBody ? reply.body : null, { status: reply.status, headers: reply.headers });
    return reply.raw === undefined ? response : sendOnWire(response, reply.raw);
  };
}

function middlewaresOf(wanted: Deviations): Middleware[] {
  return [...chosen('fault', faults, wanted.faults), ...chosen('variant', variants, wanted.variants)];
}

type Named = { id: string; middleware: Middleware };

function chosen(kind: string, known: readonly Named[], ids: readonly string[]): Middleware[] {
  return ids.map((id) => {
    const found = known.find((one) => one.id === id);
    if (found === undefined) throw new SandboxError(`there is no ${kind} called ${JSON.stringify(id)}`);
    return found.middleware;
  });
}

export type FaultEntry = {
  id: string;
  requirements: readonly string[];
  description: string;
  alsoViolates?: readonly string[];
};
export type VariantEntry = Omit<FaultEntry, 'alsoViolates'>;

export function listFaults(): readonly FaultEntry[] {
  return faults.map(({ id, requirements, description, alsoViolates }) => ({
    id,
    requirements,
    description,
    ...(alsoViolates === undefined ? {} : { alsoViolates }),
  }));
}

export function listVariants(): readonly VariantEntry[] {
  return variants.map(({ id, requirements, description }) => ({ id, requirements, description }));
}
