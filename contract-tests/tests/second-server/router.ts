import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Account, findAccount } from './accounts.ts';
import { type Answer, branded, Refusal, refusalAnswer, send } from './answers.ts';
import type { Call } from './call.ts';
import { listModels, readDocument, readModel } from './catalog.ts';
import { DependencyDown } from './hooks.ts';
import { readBody } from './input.ts';
import { serveFile } from './links.ts';
import { cancelRequest, collectResult, readStatus, submitRequest } from './queued-runs.ts';
import { runModel } from './run.ts';
import type { World } from './world.ts';

// From a request on the wire to a handler and back.

type Route = {
  readonly operation: string;
  readonly method: string;
  readonly path: RegExp;
  readonly handle: (call: Call) => Answer | Promise<Answer>;
};

const segment = '([^/]+)';
const model = `/v2/models/${segment}/${segment}`;
const at = (path: string) => new RegExp(`^${path}$`);

const routes: readonly Route[] = [
  { operation: 'listModels', method: 'GET', path: at('/v2/models'), handle: listModels },
  { operation: 'readModel', method: 'GET', path: at(model), handle: readModel },
  { operation: 'runModel', method: 'POST', path: at(model), handle: runModel },
  { operation: 'readSchemaDocument', method: 'GET', path: at(`${model}/openapi\\.json`), handle: readDocument },
  { operation: 'submitRequest', method: 'POST', path: at(`${model}/requests`), handle: submitRequest },
  { operation: 'collectRequest', method: 'GET', path: at(`${model}/requests/${segment}`), handle: collectResult },
  { operation: 'readStatus', method: 'GET', path: at(`${model}/requests/${segment}/status`), handle: readStatus },
  { operation: 'cancelRequest', method: 'PUT', path: at(`${model}/requests/${segment}/cancel`), handle: cancelRequest },
];

const connectionIds = new WeakMap<object, string>();

function makeRequestId(world: World, request: IncomingMessage): string {
  const fresh = `call-${randomUUID()}`;
  if (!world.bugs.has('request-id-per-connection')) return fresh;
  const id = connectionIds.get(request.socket) ?? fresh;
  connectionIds.set(request.socket, id);
  return id;
}

export async function serveRouter(world: World, request: IncomingMessage, response: ServerResponse) {
  const id = makeRequestId(world, request);
  const answer = await serve(world, request, response).catch((error: unknown) => refuse(world, error));
  if (response.destroyed) return;
  const extra = { [branded(world.brand, 'request-id')]: id, 'server-timing': 'app;dur=1' };
  send(response, { ...answer, headers: { ...answer.headers, ...extra } });
}

const cachedEntries = new WeakMap<World, Map<string, Answer>>();

/** Read by one of the bugs only. */
function findEntries(world: World): Map<string, Answer> {
  const entries = cachedEntries.get(world) ?? new Map<string, Answer>();
  cachedEntries.set(world, entries);
  return entries;
}

const failed = () => new Refusal(500, 'internal_error', 'The router could not complete the request.');
const unavailable = () =>
  new Refusal(503, 'service_unavailable', 'Please try again later.', { headers: { 'retry-after': 5 } });

function refuse(world: World, error: unknown): Answer {
  const known = error instanceof Refusal;
  if (!known) world.log(String(error));
  const refusal = known ? error : error instanceof DependencyDown ? unavailable() : failed();
  return refusalAnswer(refusal, world.brand, refusal.status === 422 && world.bugs.has('error-type-missing-on-422'));
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse) {
  const origin = world.origin();
  const url = new URL(origin + (request.url?.startsWith('/') ? request.url : '/'));
  if (url.pathname.startsWith('/files/')) return serveFile(world, url);
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const entry = findEntries(world).get(url.pathname);
  if (request.method === 'GET' && entry && world.bugs.has('read-cached-for-all')) return entry;
  const account = authenticate(world, header);
  const { route, names } = findRoute(request.method ?? 'GET', url.pathname);
  if (names.length > 1 && `${names[0]}/${names[1]}` === account.barredFrom)
    throw new Refusal(403, 'forbidden', 'This account may not use the model.');
  world.faults.meet(route.operation);
  const gone = new Promise<void>((done) => {
    response.once('close', () => void (response.writableEnded || done()));
  });
  const answer = await route.handle({
    world,
    account,
    method: route.method,
    path: url.pathname,
    query: url.searchParams,
    names,
    origin,
    header,
    body: () => readBody(request, world.maximumBody),
    gone,
  });
  if (route.operation === 'readModel') findEntries(world).set(url.pathname, answer);
  return answer;
}

function authenticate(world: World, header: Call['header']): Account {
  const credentials = { apiKey: header('x-api-key'), authorization: header('authorization') };
  const account = findAccount(world.accounts, credentials, world.bugs.has('auth-bearer-first'));
  if (!account) {
    const headers = { 'www-authenticate': 'Bearer realm="models"' };
    throw new Refusal(401, 'unauthorized', 'A valid API key or token is needed.', { headers });
  }
  if (account.access === 'none') throw new Refusal(403, 'forbidden', 'This account may not use the service.');
  if (account.access === 'not-enabled')
    throw new Refusal(403, 'not_enabled', 'The service is not enabled for this account.');
  if (account.access === 'outage') throw new DependencyDown('the workspace is in maintenance');
  return account;
}

function findRoute(method: string, path: string): { route: Route; names: string[] } {
  const candidates = routes.filter((one) => one.path.test(path));
  const route = candidates.find((one) => one.method === method);
  if (route) {
    const names = (route.path.exec(path) ?? []).slice(1).map(decode);
    return { route, names };
  }
  const [first] = candidates;
  if (!first) throw new Refusal(404, 'not_a_route', 'There is nothing at this path.');
  const headers = { allow: candidates.map((one) => one.method).join(', ') };
  throw new Refusal(405, 'invalid_input', 'This path does not know the method.', { headers });
}

function decode(segmentText: string): string {
  try {
    return decodeURIComponent(segmentText);
  } catch {
    throw new Refusal(400, 'invalid_input', 'The path is not valid percent-encoding.');
  }
}
