import { headerName } from '../../specs/src/index.ts';
import { assetPrefix, serveAsset } from './assets/asset-links.ts';
import { newId } from './digest.ts';
import { type RouterAccount, routerAccountOf, type WorkflowAccount, workflowAccountOf } from './http/authentication.ts';
import { type Call, type Reply, toServerReply, withServiceHeaders } from './http/handler.ts';
import type { App, ServerRequest } from './http/messages.ts';
import { createRouter, type Match, splitTarget } from './http/router.ts';
import { withSpend } from './model-router/admission.ts';
import { listModels, readModel, readSchemaDocument } from './model-router/catalog.ts';
import * as routerErrors from './model-router/errors.ts';
import { cancelRequest, collectRequest, readStatus } from './model-router/queued-requests.ts';
import { runModel } from './model-router/run-model.ts';
import { submitRequest } from './model-router/submit-request.ts';
import { HandlerError } from './provider/behaviours.ts';
import type { World } from './state/world.ts';
import * as workflow from './workflow-execution/read-workflow.ts';

type Handler<Account> = (call: Call<Account>, world: World) => Reply | Promise<Reply>;
/** `operation` is the id that the specification gives; it does not know the bare job lookup (NS-54). */
type OperationEntry<Api, Account> = {
  readonly api: Api;
  readonly operation: string;
  readonly route: string;
  readonly handle: Handler<Account>;
};
type RouterOperation = OperationEntry<'model-router', RouterAccount>;
type WorkflowOperation = OperationEntry<'workflow-execution', WorkflowAccount>;

const ofRouter = (operation: string, route: string, handle: Handler<RouterAccount>): RouterOperation => ({
  api: 'model-router',
  operation,
  route,
  handle,
});
const ofWorkflow = (operation: string, route: string, handle: Handler<WorkflowAccount>): WorkflowOperation => ({
  api: 'workflow-execution',
  operation,
  route,
  handle,
});

const models = '/v2/models';
const model = `${models}/{provider}/{model}`;
const request = `${model}/requests/{request_id}`;
const job = '/api/v2/jobs/{id}';

export const operations: readonly (RouterOperation | WorkflowOperation)[] = [
  ofRouter('listModels', `GET ${models}`, listModels),
  ofRouter('readModel', `GET ${model}`, readModel),
  ofRouter('runModel', `POST ${model}`, runModel),
  ofRouter('readSchemaDocument', `GET ${model}/openapi.json`, readSchemaDocument),
  ofRouter('submitRequest', `POST ${model}/requests`, submitRequest),
  ofRouter('collectRequest', `GET ${request}`, collectRequest),
  ofRouter('readStatus', `GET ${request}/status`, readStatus),
  ofRouter('cancelRequest', `PUT ${request}/cancel`, cancelRequest),
  ofWorkflow('lookUpJob', `GET ${job}`, workflow.lookUpJob),
  ofWorkflow('readJobWorkflow', `GET ${job}/workflow`, workflow.readJobWorkflow),
];
const router = createRouter(operations);

/** The route of a request, or the kind of mismatch. */
export function describeOperation({ method, target }: ServerRequest): string {
  const match = router.match(method, splitTarget(target).path);
  return match.kind === 'found' ? match.entry.route : match.kind;
}

/** A request with its target taken apart and its operation looked up. */
type Routed = {
  readonly request: ServerRequest;
  readonly path: string;
  readonly query: string;
  readonly match: Match<RouterOperation | WorkflowOperation>;
};

/** The healthy application: every request gets a reply in its API's envelope, unless a test's own handler throws. */
export function createApp(world: World): App {
  const { brand, seed } = world.config;
  const headerNames = new Map<string, string>();
  const nameOf = (suffix: string): string => {
    const name = headerNames.get(suffix) ?? headerName(brand, suffix);
    headerNames.set(suffix, name);
    return name;
  };
  return async (request) => {
    const { path, query } = splitTarget(request.target);
    if (path.startsWith(assetPrefix)) {
      const asset = { method: request.method, path, query };
      return toServerReply(serveAsset(asset, { seed, now: world.config.clock.now() }), nameOf);
    }
    const routed = { request, path, query, match: router.match(request.method, path) };
    if (apiOf(path) === 'workflow-execution') return toServerReply(await serveWorkflow(routed, world), nameOf);
    const reply = withValidHeaders(await serveRouter(routed, world));
    if (reply.isProxied === true) return toServerReply(reply, nameOf);
    return toServerReply(withServiceHeaders(reply, { 'Request-Id': newId() }), nameOf); // a new id per request: MR-HDR-03
  };
}

/** A catalog may have brought any text into a header; the caller gets a reply still. */
function withValidHeaders(reply: Reply): Reply {
  const values = [...Object.values(reply.headers), ...Object.values(reply.serviceHeaders)];
  return values.every((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) ? reply : routerErrors.internalError;
}

/** The API whose envelope an unknown path gets. */
export function apiOf(path: string): 'model-router' | 'workflow-execution' {
  return path === '/api' || path.startsWith('/api/') ? 'workflow-execution' : 'model-router';
}

// Order of checks: NS-31. An unknown path still needs a credential.
async function serveRouter({ match, ...routed }: Routed, world: World): Promise<Reply> {
  try {
    const account = routerAccountOf(routed.request.headers);
    if (account === undefined) return routerErrors.unauthorized;
    const refusal = routerErrors.accessErrors[account.access];
    if (refusal !== undefined) return refusal;
    if (match.kind === 'wrong-method') return routerErrors.methodNotAllowed(match.allowed);
    if (match.kind === 'unknown-path' || match.entry.api !== 'model-router') return routerErrors.pathNotFound;
    const { entry, params } = match;
    const call = { ...routed, params, account };
    const reply = await world.stubs.replyOr(entry, () => entry.handle(call, world));
    // Each 429 of a run has the spend headers, a stubbed one too (MR-RUN-52).
    return reply.status === 429 && entry.operation === 'runModel' ? withSpend(reply, call, world) : reply;
  } catch (error) {
    if (error instanceof HandlerError) throw error;
    return routerErrors.internalError; // the cause may hold input or state: nothing of it is shown
  }
}

async function serveWorkflow({ match, ...routed }: Routed, world: World): Promise<Reply> {
  try {
    const account = workflowAccountOf(routed.request.headers, world.config.workflowAuth);
    if (account === undefined) return workflow.unauthorized;
    const refusal = workflow.refuseAccount(account, world);
    if (refusal !== undefined) return refusal;
    if (match.kind === 'wrong-method') return workflow.methodNotAllowed(match.allowed);
    if (match.kind === 'unknown-path' || match.entry.api !== 'workflow-execution') return workflow.notFound;
    const { entry, params } = match;
    return await world.stubs.replyOr(entry, () => entry.handle({ ...routed, params, account }, world));
  } catch {
    return workflow.upstreamError;
  }
}
