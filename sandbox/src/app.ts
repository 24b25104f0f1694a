import { assetPrefix, serveAsset } from './assets/hosted-assets.ts';
import { newId } from './digest.ts';
import {
  findRouterAccount,
  findWorkflowAccount,
  type RouterAccount,
  type WorkflowAccount,
} from './http/authentication.ts';
import { type App, type Reply, requestId, withHeaders } from './http/messages.ts';
import { type Call, createRouter, type SplitRequest, splitTarget } from './http/router.ts';
import { listModels, readModel, readSchemaDocument } from './model-router/catalog.ts';
import { cancelRequest, collectRequest, readStatus } from './model-router/queued-requests.ts';
import { accessErrors, methodNotAllowed, routerErrors } from './model-router/replies.ts';
import { runModel, submitRequest } from './model-router/start-run.ts';
import { HandlerError } from './provider/behaviours.ts';
import type { scriptedFailures, World } from './state/world.ts';
import * as workflow from './workflow-execution/read-workflow.ts';

type Api = keyof typeof scriptedFailures;
/** `operation`: operation id in the specifications. Only `lookUpJob` is not in them (OP-054). */
type Operation<Account> = {
  readonly operation: string;
  readonly route: string;
  handle(call: Call<Account>, world: World): Reply | Promise<Reply>;
};

const models = '/v2/models';
const model = `${models}/{provider}/{model}`;
const request = `${model}/requests/{request_id}`;
const job = '/api/v2/jobs/{id}';

const routerOperations: readonly Operation<RouterAccount>[] = [
  { operation: 'listModels', route: `GET ${models}`, handle: listModels },
  { operation: 'readModel', route: `GET ${model}`, handle: readModel },
  { operation: 'runModel', route: `POST ${model}`, handle: runModel },
  { operation: 'readSchemaDocument', route: `GET ${model}/openapi.json`, handle: readSchemaDocument },
  { operation: 'submitRequest', route: `POST ${model}/requests`, handle: submitRequest },
  { operation: 'collectRequest', route: `GET ${request}`, handle: collectRequest },
  { operation: 'readStatus', route: `GET ${request}/status`, handle: readStatus },
  { operation: 'cancelRequest', route: `PUT ${request}/cancel`, handle: cancelRequest },
];
const workflowOperations: readonly Operation<WorkflowAccount>[] = [
  { operation: 'lookUpJob', route: `GET ${job}`, handle: workflow.lookUpJob },
  { operation: 'readJobWorkflow', route: `GET ${job}/workflow`, handle: workflow.readJobWorkflow },
];
const addApi = (api: Api) => (one: { operation: string; route: string }) => ({ api, ...one });
export const operations: readonly { api: Api; operation: string; route: string }[] = [
  ...routerOperations.map(addApi('model-router')),
  ...workflowOperations.map(addApi('workflow-execution')),
];
const routerRoutes = createRouter(routerOperations);
const workflowRoutes = createRouter(workflowOperations);

export function describeOperation({ method, target }: { method: string; target: string }): string {
  const { path } = splitTarget(target);
  const match = (findApi(path) === 'model-router' ? routerRoutes : workflowRoutes).match(method, path);
  return match.kind === 'found' ? match.entry.route : match.kind;
}

/** Creates the application without faults. Its promise only rejects if a handler of a test, set with `on`, throws. */
export function createApp(world: World): App {
  const { seed, clock } = world.config;
  return async (request) => {
    const { path, query } = splitTarget(request.target);
    if (path.startsWith(assetPrefix))
      return serveAsset({ method: request.method, path, query }, { seed, now: clock.now() });
    const sent = { request, path, query };
    if (findApi(path) === 'workflow-execution') return serveWorkflow(sent, world);
    const routerReply = await serveRouter(sent, world);
    // Headers may contain text of the catalog, such as a media type, with characters that are not allowed in headers.
    const isValid = Object.values(routerReply.headers).every((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value));
    const reply = isValid ? routerReply : routerErrors.internalError;
    return reply.isProxied === true ? reply : withHeaders(reply, { [requestId]: newId() }); // MR-HDR-03
  };
}

/** Returns the API that a path belongs to, which decides the form of its errors. Also works for unknown paths. */
export function findApi(path: string): Api {
  return path === '/api' || path.startsWith('/api/') ? 'workflow-execution' : 'model-router';
}

// Checks the credential, then the access, then the path (OP-031), so that even an unknown path requires a credential.
async function serveRouter(sent: SplitRequest, world: World): Promise<Reply> {
  try {
    const account = findRouterAccount(sent.request.headers);
    if (account === undefined) return routerErrors.unauthorized;
    const refusal = accessErrors[account.access];
    if (refusal !== undefined) return refusal;
    const match = routerRoutes.match(sent.request.method, sent.path);
    if (match.kind === 'wrong-method') return methodNotAllowed(match.allowed);
    if (match.kind === 'unknown-path') return routerErrors.pathNotFound;
    const { entry, params } = match;
    const failure = world.takeFailure(entry.operation);
    if (failure !== undefined)
      return failure === 'internal_error' ? routerErrors.internalError : routerErrors.serviceUnavailable;
    return await entry.handle({ ...sent, params, account }, world);
  } catch (error) {
    if (error instanceof HandlerError) throw error;
    return routerErrors.internalError; // Without the cause, which may contain input or state of the sandbox.
  }
}

async function serveWorkflow(sent: SplitRequest, world: World): Promise<Reply> {
  try {
    const account = findWorkflowAccount(sent.request.headers, world.config.workflowAuth);
    if (account === undefined) return workflow.unauthorized;
    const refusal = workflow.checkAccount(account, world);
    if (refusal !== undefined) return refusal;
    const match = workflowRoutes.match(sent.request.method, sent.path);
    if (match.kind === 'wrong-method') return workflow.methodNotAllowed(match.allowed);
    if (match.kind === 'unknown-path') return workflow.notFound;
    const { entry, params } = match;
    if (world.takeFailure(entry.operation) !== undefined) return workflow.upstreamError;
    return await entry.handle({ ...sent, params, account }, world);
  } catch {
    return workflow.upstreamError;
  }
}
