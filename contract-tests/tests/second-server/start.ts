import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeRouterAccounts, makeWorkflowAccounts } from './accounts.ts';
import { send } from './answers.ts';
import { Clock } from './clock.ts';
import { galleryModels } from './gallery.ts';
import { Faults, hooksPath, serveHook } from './hooks.ts';
import { makeJobs } from './jobs.ts';
import { Keys } from './keys.ts';
import { Limits, Quota } from './limits.ts';
import { catalogModels, hookedModels } from './models.ts';
import { Queue } from './queue.ts';
import { serveRouter } from './router.ts';
import type { Site } from './site.ts';
import { serveWorkflow, type WorkflowWorld } from './workflow.ts';
import type { World } from './world.ts';

// A server of both APIs, written from their reference alone and sharing nothing with the sandbox. Where the reference
// leaves something open it often chooses the unusual: a correct checker finds nothing wrong with it.

export type ServerOptions = {
  readonly bugs?: ReadonlySet<string>;
  readonly brand?: string;
  readonly routerPort?: number;
  readonly workflowPort?: number;
  readonly callsInFlight?: number;
  readonly maximumBody?: number;
  /** Serves the Workflow Execution API without a credential, as its main account. */
  readonly openWorkflow?: boolean;
  /** Offers the test hooks of docs/reference/test-hooks.md, for callers with this credential. */
  readonly hooks?: boolean;
  readonly hooksCredential?: string;
  /** The API key of the router's main account; a random one by default. */
  readonly routerKey?: string;
  readonly log?: (line: string) => void;
};

export async function startServer(options: ServerOptions = {}) {
  const bugs = options.bugs ?? new Set<string>();
  const log = options.log ?? (() => {});
  const clock = new Clock();
  const accounts = { router: makeRouterAccounts(options.routerKey), workflow: makeWorkflowAccounts() };
  const jobs = makeJobs(accounts.workflow, clock.now());

  const faults = new Faults();
  const site: Site = {
    brand: { word: options.brand ?? 'Service' },
    clock,
    faults,
    models: options.hooks ? [...catalogModels, ...hookedModels, ...galleryModels] : catalogModels,
    bugs,
    accounts: Object.values(accounts.router),
    ledger: { dispatched: [], billed: [] },
    maximumBody: options.maximumBody ?? 2 ** 20,
    origin: () => readAddress(router),
    log,
  };
  const limits = new Limits(clock, bugs, options.callsInFlight ?? 16);
  const world: World = { ...site, keys: new Keys(site), limits, queue: new Queue(site) };
  const workflowWorld: WorkflowWorld = {
    clock,
    faults,
    bugs,
    accounts: Object.values(accounts.workflow),
    openTo: options.openWorkflow ? accounts.workflow.main : undefined,
    quota: new Quota(clock),
    jobs: Object.values(jobs),
    log,
  };

  const hooks = { clock, faults, credential: options.hooksCredential };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (options.hooks && request.url?.startsWith(hooksPath)) send(response, await serveHook(hooks, request));
    else await serveRouter(world, request, response);
  };
  const router = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log(String(error));
      response.destroy();
    });
  });
  const workflow = createServer((request, response) => serveWorkflow(workflowWorld, request, response));
  await Promise.all([listen(router, options.routerPort), listen(workflow, options.workflowPort)]);

  return {
    routerUrl: readAddress(router),
    workflowUrl: readAddress(workflow),
    hooksUrl: options.hooks ? readAddress(router) + hooksPath : undefined,
    accounts,
    jobs: Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.id])) as Record<
      keyof typeof jobs,
      string
    >,
    /** What the workflow API shows of those jobs. */
    graphs: {
      save: jobs.saved.pinned?.text ?? '',
      api: jobs.submitted.graph,
      unreadable: jobs.unreadableVersion.graph,
      deleted: jobs.deletedWorkflow.graph,
    },
    ledger: () => structuredClone(world.ledger),
    advance: (ms: number) => clock.advance(ms),
    close: async () => {
      clock.close();
      await Promise.all([stop(router), stop(workflow)]);
    },
  };
}

const readAddress = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const listen = (server: Server, port = 0) =>
  new Promise<void>((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done));

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => void server.close(() => done()));
}
