import { headerName } from '../../specs/src/index.ts';
import { type Answer, type HeaderNames, toResponse, withServiceHeaders } from './answer.ts';
import { serveAsset } from './assets/serve-asset.ts';
import { assetSecret } from './assets/signed-url.ts';
import { authenticateRouter, authenticateWorkflow } from './authenticate.ts';
import type { Context } from './context.ts';
import { type Bytes, newId } from './digest.ts';
import { exchangeOf, sendDirectly } from './direct-exchange.ts';
import { CallerGoneError } from './errors.ts';
import type { App } from './faults/decorator.ts';
import { apiOf, matchRoute } from './match-route.ts';
import { withSpend } from './model-router/admission.ts';
import * as router from './model-router/refusals.ts';
import { answerUnlessForced } from './operator/forced-answers.ts';
import { pathOf } from './raw-target.ts';
import { readLimited } from './request-body.ts';
import { refuseWorkflowCall } from './workflow-execution/admission.ts';
import * as workflow from './workflow-execution/refusals.ts';

type Incoming = { request: Request; url: URL; path: string };

/** The healthy application: every call gets an answer in its API's envelope, whatever happens inside. */
export function createApp(context: Context): App {
  const { brand } = context.config;
  const headerNames = new Map<string, string>();
  const nameOf = (suffix: string): string => {
    const name = headerNames.get(suffix) ?? headerName(brand, suffix);
    headerNames.set(suffix, name);
    return name;
  };
  const secret = assetSecret(context.config.seed);
  return async (request) => {
    const incoming = { request, url: new URL(request.url), path: pathOf(request) };
    const respond = (answer: Answer, otherwise: Answer): Response =>
      sendDirectly(request, answer, nameOf) ?? responseOf(answer, otherwise, nameOf);
    const asset = serveAsset(
      { method: request.method, url: incoming.url },
      { secret, now: context.config.clock.now() },
    );
    if (asset !== undefined) return respond(asset, router.internalError);
    if (apiOf(incoming.path) === 'workflow-execution') {
      return respond(await answerWorkflow(incoming, context), workflow.upstreamError);
    }
    const id = { 'Request-Id': newId() }; // anew for each call: MR-HDR-03
    const answer = await answerRouter(incoming, context);
    const complete = answer.isForeign === true ? answer : withServiceHeaders(answer, id);
    return respond(complete, withServiceHeaders(router.internalError, id));
  };
}

// Whatever text a catalog brought into a header, a caller gets an answer.
function responseOf(answer: Answer, otherwise: Answer, nameOf: HeaderNames): Response {
  try {
    return toResponse(answer, nameOf);
  } catch {
    return toResponse(otherwise, nameOf);
  }
}

// Order of checks: NS-31. What no route serves still needs a credential.
async function answerRouter(incoming: Incoming, context: Context): Promise<Answer> {
  const { request, path } = incoming;
  try {
    const account = authenticateRouter(request.headers);
    if (account.kind === 'stop') return account.answer;
    const match = matchRoute(request.method, path);
    if (match.kind === 'wrong-method') return router.methodNotAllowed(match.allowed);
    if (match.kind === 'unknown-path' || match.route.api !== 'model-router') return router.pathNotFound;
    const call = { ...callOf(incoming, context), params: match.params, account: account.value };
    const { route } = match;
    const answer = await answerUnlessForced(context.world.forced, route, () => route.handle(call, context));
    // Whoever refuses a run with 429, the spend headers go with it (MR-RUN-52).
    return answer.status === 429 && route.operation === 'runModel' ? withSpend(answer, call, context) : answer;
  } catch (error) {
    if (error instanceof CallerGoneError) return router.clientDisconnected; // for the log
    return router.internalError; // the cause may hold input or state: nothing of it is shown
  }
}

async function answerWorkflow(incoming: Incoming, context: Context): Promise<Answer> {
  const { request, path } = incoming;
  try {
    const account = authenticateWorkflow(request.headers, context.config.workflowAuth);
    if (account.kind === 'stop') return account.answer;
    const refusal = refuseWorkflowCall(account.value, context);
    if (refusal !== undefined) return refusal;
    const match = matchRoute(request.method, path);
    if (match.kind === 'wrong-method') return workflow.methodNotAllowed(match.allowed);
    if (match.kind === 'unknown-path' || match.route.api !== 'workflow-execution') return workflow.notFound;
    const call = { ...callOf(incoming, context), params: match.params, account: account.value };
    const { route } = match;
    return await answerUnlessForced(context.world.forced, route, () => route.handle(call, context));
  } catch {
    return workflow.upstreamError;
  }
}

function callOf({ request, url }: Incoming, { config }: Context) {
  return {
    method: request.method,
    url,
    headers: request.headers,
    signal: request.signal,
    readBody: () => readBody(request, config.bodyLimitBytes),
  };
}

async function readBody(request: Request, limitBytes: number): Promise<Bytes | undefined> {
  try {
    return await (exchangeOf(request)?.readBody(limitBytes) ?? readLimited(request, limitBytes));
  } catch (cause) {
    throw new CallerGoneError('the body of the request broke off', { cause });
  }
}
