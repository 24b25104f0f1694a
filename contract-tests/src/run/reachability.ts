import { SetupFailure } from '../contract/endings.ts';
import { HarnessError } from '../contract/errors.ts';
import { readMediaType, readMember } from '../contract/evidence.ts';
import type { Exchange, NoResponse, WireResponse } from '../contract/exchange.ts';
import type { ApiName, Target } from '../contract/target.ts';
import type { Hook } from '../requires.ts';
import { isDownPage } from '../wire/proxy-pages.ts';
import { sendOwnCall } from '../wire/send.ts';
import type { Check, Reachability } from './check.ts';

const stoppedClock =
  'the clock of the target is stopped, so anything that takes time would never end; use --clock real, which can be advanced as well';

/**
 * Calls both APIs, and lists the test hooks of the target. Configured hooks that don't work make the target
 * unreachable, because otherwise fewer rules would run unnoticed.
 */
export async function reach(check: Check): Promise<{ reachability: Reachability; offer: readonly Hook[] }> {
  const { record, ports, target } = check;
  const reachable = { reachability: { kind: 'reachable' }, offer: [] } as const;
  const unreachable = (because: string) => ({ reachability: { kind: 'unreachable', because }, offer: [] }) as const;
  if (check.isRecorded) return reachable;
  const apis = (['router', 'workflow'] as const).filter((api) => target[api] !== undefined);
  if (apis.length === 0) throw new HarnessError('the target has no URL of either API');
  for (const api of apis) {
    const exchange = await askFirst(api, check);
    const because = explainNoAnswer(exchange) ?? explainWrongAnswer(exchange, target);
    if (because !== undefined) return unreachable(because);
  }
  if (ports.hooks === undefined) return reachable;
  const at = 'the test hooks';
  const skipped = record.findSkipReason(at);
  if (skipped !== undefined) return unreachable(`${at} ${skipped}`);
  record.addStart(at);
  try {
    const offer = await ports.hooks.offered();
    const isStopped = offer.includes('clock') && (await ports.hooks.isStopped?.());
    return isStopped ? unreachable(stoppedClock) : { ...reachable, offer };
  } catch (error) {
    if (error instanceof SetupFailure) return unreachable(`${at} cannot be used: ${error.message}`);
    throw error;
  }
}

export async function explainUnreachable(api: ApiName, check: Check): Promise<string | undefined> {
  return explainNoAnswer(await askFirst(api, check));
}

function askFirst(api: ApiName, check: Check): Promise<Exchange | undefined> {
  const to =
    api === 'router' ? '/v2/models?limit=1' : `/api/v2/jobs/${check.target.workflow?.jobs.save ?? 'unknown'}/workflow`;
  const anonymous = check.target[api]?.credentials.main === undefined ? { credentials: [] } : {};
  return sendOwnCall({ api, method: 'GET', to, ...anonymous }, check);
}

function explainNoAnswer(exchange: Exchange | undefined): string | undefined {
  if (exchange?.result.kind === 'response' && isDownPage(exchange))
    return `${exchange.request.method} ${exchange.request.url} returned ${exchange.result.status} with a page of a proxy or gateway in front of the service (is the service behind it running?)`;
  if (exchange?.result.kind !== 'no-response') return undefined;
  const { because, detail } = exchange.result;
  const inOneLine = detail.replace(/\s+/g, ' ').trim();
  const isCoding = because === 'malformed' && inOneLine.startsWith('Content-Encoding');
  const hint = isCoding ? 'is the body compressed as this header specifies, and only once?' : advice[because];
  return `${exchange.request.method} ${exchange.request.url}: ${inOneLine} (${hint})`;
}

/** Explains that a different service responds, or that the credential is rejected, more clearly than rules would. */
function explainWrongAnswer(exchange: Exchange | undefined, target: Target): string | undefined {
  if (target.kind !== 'live' || exchange?.result.kind !== 'response') return undefined;
  const { api, request, result } = exchange;
  const asked = `${request.method} ${request.url} returned ${result.status}`;
  const { status } = result;
  const mediaType = readMediaType(result) ?? '';
  if (status >= 300 && status < 400)
    return `${asked}: a redirect, for example to a login page or to a different host (is the base URL the final one?)`;
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml')
    return `${asked} with a page, such as a login page of a proxy, or of a different server (is the base URL right, and does a gateway need http.headers or http.cert?)`;
  if (status === 407) return `${asked}: the proxy requires a credential (HTTPS_PROXY)`;
  if (status === 401 || status === 403) {
    const isRouter = api === 'router';
    const sources = isRouter
      ? 'SWITCHYARD_API_KEY, SWITCHYARD_TOKEN or conform.live.credentials.router.main'
      : 'SWITCHYARD_WORKFLOW_TOKEN or conform.live.credentials.workflow.main';
    const scheme = isRouter ? '; conform.live.scheme selects whether it is sent as a key or a token' : '';
    const rejection =
      target[api]?.credentials.main === undefined
        ? `no ${api} credential "main" is configured (set ${sources})`
        : `the ${api} credential "main" is rejected (set ${sources} to a credential of this deployment${scheme})`;
    // A rejection without the API's error envelope may come from a gateway.
    const isOwn = readMember(result, isRouter ? '/error_type' : '/error') !== undefined;
    return `${asked}: ${rejection}${isOwn ? '' : ', or a gateway requires something else (http.headers, http.cert)'}`;
  }
  if (isOwnAnswer(exchange, result)) return undefined;
  // The most common mistake: the base URL repeats the beginning of every path.
  const added = api === 'router' ? /^(.+?)(\/v2)\/*$/ : /^(.+?)(\/api\/v2|\/api)\/*$/;
  const [, right, surplus] = added.exec(target[api]?.url ?? '') ?? [];
  const tooMuch = `the base URL must not end with ${surplus}, which is appended automatically: use ${right}`;
  return `${asked}, but the response does not look like the API (${surplus === undefined ? baseAddressHint : tooMuch})`;
}

export const baseAddressHint = 'is the base URL right? Paths are appended to it';

/** True if the response comes from this API, even if it is wrong: a list of models in a member other than `data` is a defect for rules. */
function isOwnAnswer({ api }: Exchange, result: WireResponse): boolean {
  const { status } = result;
  const has = (pointer: string): boolean => readMember(result, pointer) !== undefined;
  if (api === 'workflow') return status !== 404 || has('/error');
  if (status !== 200) return status !== 404;
  const body = readMember(result, '');
  const lists = [body, ...Object.values(Object(body))].filter((value) => Array.isArray(value));
  const listsModels = lists.some((list) => list.some((entry) => typeof Object(entry).id === 'string'));
  return has('/data') || has('/error_type') || listsModels;
}

const advice: Readonly<Record<NoResponse['because'], string>> = {
  refused: 'is the target running, and is the port right?',
  unresolved: 'is the host name right?',
  tls: 'does the target use https, and is its certificate right? To trust your own CA, set NODE_EXTRA_CA_CERTS or http.ca',
  malformed: 'does the target use HTTP/1.1, and not https?',
  reset: 'does the target use http at this port, keep running, and complete each response?',
  timeout: 'is the target overloaded, or does something else listen at this port?',
  'too-large': 'is this the base URL of the API?',
  proxy: 'is the proxy right, or should NO_PROXY contain the host?',
};
