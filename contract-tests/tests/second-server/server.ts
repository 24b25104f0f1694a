import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveLocally } from '../local-servers.ts';
import { type Answer, json, Refusal, readBearer, readInput, send } from './answers.ts';
import { listModels, readDocument, readModel } from './catalog.ts';
import { cancelRequest, collectResult, readStatus, submitRequest } from './queue.ts';
import { runModel } from './runs.ts';
import { graphText, jobs, makeWorkflowKeys, savedText, serveWorkflow } from './workflow.ts';
import { type Account, type BugId, type Call, makeAccounts, type World } from './world.ts';

// A server of both APIs that was written from the API reference and shares no code with the sandbox. If the reference leaves
// a behaviour open, the server often does something unusual. A correct gate finds no defect in it.

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

type Route = readonly [method: string, path: RegExp, handle: (call: Call) => Answer | Promise<Answer>];

const at = (tail: string): RegExp => new RegExp(`^/v2/models/([^/]+)/([^/]+)${tail}$`);
const routes: readonly Route[] = [
  ['GET', /^\/v2\/models$/, listModels],
  ['GET', at(''), readModel],
  ['POST', at(''), runModel],
  ['GET', at('/openapi\\.json'), readDocument],
  ['POST', at('/requests'), submitRequest],
  ['GET', at('/requests/([^/]+)'), collectResult],
  ['GET', at('/requests/([^/]+)/status'), readStatus],
  ['PUT', at('/requests/([^/]+)/cancel'), cancelRequest],
];

async function serveRouter(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await serve(world, request).catch(refuse);
  // Header names are in lower case.
  send(response, {
    ...answer,
    headers: { ...answer.headers, 'x-service-request-id': `call-${randomUUID()}`, 'server-timing': 'app;dur=1' },
  });
}

function refuse(error: unknown): Answer {
  const failed = new Refusal(500, 'internal_error', 'The router could not complete the request.');
  const { status, errorType, detail, headers } = error instanceof Refusal ? error : failed;
  const body = status === 422 ? { detail } : { detail, error_type: errorType };
  return json(status, body, { ...headers, 'x-service-error-type': errorType });
}

async function serve(world: World, request: IncomingMessage): Promise<Answer> {
  const url = new URL(world.origin() + (request.url?.startsWith('/') ? request.url : '/'));
  const header = (name: string): string | undefined => request.headers[name]?.toString();
  const cached = world.entries.get(url.pathname);
  if (request.method === 'GET' && cached !== undefined) return cached;
  const account = authenticate(world, header);
  const candidates = routes.filter(([, path]) => path.test(url.pathname));
  const [method, path, handle] = candidates.find(([one]) => one === request.method) ?? [];
  if (method === undefined || path === undefined || handle === undefined) {
    if (candidates.length === 0) throw new Refusal(404, 'not_a_route', 'There is nothing at this path.');
    const allow = candidates.map(([one]) => one).join(', ');
    throw new Refusal(405, 'invalid_input', 'This path does not know the method.', { allow });
  }
  const names = (path.exec(url.pathname) ?? []).slice(1).map(decode);
  const call = { world, account, method, path: url.pathname, query: url.searchParams, names, header };
  return handle({ ...call, input: () => readInput(request) });
}

/** Finds the account of a caller. `X-API-Key` has precedence. A key may also be sent as a bearer token. */
function authenticate({ accounts }: World, header: Call['header']): Account {
  const key = header('x-api-key')?.trim();
  const bearer = readBearer(header('authorization'));
  const credential = key || bearer;
  const account = accounts.find(
    ({ apiKey, token }) => credential === apiKey || (credential === bearer && credential === token),
  );
  if (credential === undefined || account === undefined) {
    const headers = { 'www-authenticate': 'Bearer realm="models"' };
    throw new Refusal(401, 'unauthorized', 'A valid API key or token is needed.', headers);
  }
  if (account.refusedAs) throw new Refusal(403, account.refusedAs, 'This account may not use the service.');
  return account;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'invalid_input', 'The path is not valid percent-encoding.');
  }
}
