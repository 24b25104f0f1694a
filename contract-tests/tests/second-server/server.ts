import { serveLocally } from '../local-servers.ts';
import { send } from './answers.ts';
import type { BugId } from './bugs.ts';
import { serveRouter } from './router.ts';
import { graphText, jobs, makeWorkflowKeys, savedText, serveWorkflow } from './workflow.ts';
import { makeAccounts, type World } from './world.ts';

// A server of both APIs that was written from their reference and shares nothing with the sandbox. Where the reference leaves
// something open it often does what is unusual: a correct gate finds nothing wrong with it.

type Options = {
  readonly bugs?: readonly BugId[];
  readonly routerPort?: number;
  /** API key of the main account of the router; a random one by default. */
  readonly routerKey?: string;
};

export type SecondServer = Awaited<ReturnType<typeof startServer>>;

export async function startServer({ bugs = [], routerPort = 0, routerKey }: Options = {}) {
  const has = (bug: BugId): boolean => bugs.includes(bug);
  const accounts = makeAccounts(routerKey);
  const workflowKeys = makeWorkflowKeys();
  const world: World = {
    has,
    accounts: Object.values(accounts),
    origin: () => router.url,
    dispatched: [],
    cursors: new Map(),
    entries: new Map(),
    keys: new Map(),
    requests: new Map(),
    reserved: new Map(),
  };
  const router = await serveLocally((request, response) => void serveRouter(world, request, response), routerPort);
  const workflow = await serveLocally((request, response) =>
    send(response, serveWorkflow({ has, keys: workflowKeys }, request)),
  );
  return {
    routerUrl: router.url,
    workflowUrl: workflow.url,
    accounts,
    workflowKeys,
    jobs,
    graphs: { save: savedText, api: graphText, unreadable: graphText, deleted: graphText },
    dispatched: world.dispatched as readonly string[],
    close: async () => void (await Promise.all([router.close(), workflow.close()])),
  };
}
