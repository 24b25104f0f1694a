import {
  createRedactor,
  isCredentialHeader,
  packageRoot,
  type Redactor,
  readText,
  redactTree,
  replacement,
  secretsInHeader,
} from '../../../specs/src/index.ts';
import { describeOperation } from '../app.ts';
import { systemClock } from '../clock.ts';
import { findCallerAlias, sandboxCredentials } from '../http/authentication.ts';
import type { App, Reply, ServerRequest } from '../http/messages.ts';
import { adminPrefix, splitTarget } from '../http/router.ts';
import type { AdminContext } from './admin.ts';

type ConsoleFile = { readonly mediaType: string; readonly templates: readonly string[] };
const consoleFilesByPath: ReadonlyMap<string, ConsoleFile> = new Map([
  [`${adminPrefix}/`, { mediaType: 'text/html', templates: ['console/page.html'] }],
  [`${adminPrefix}/page.css`, { mediaType: 'text/css', templates: ['look.css', 'console/page.css'] }],
  [`${adminPrefix}/page.js`, { mediaType: 'text/javascript', templates: ['console/page.js'] }],
]);

// Only the page's own scripts may run, because it displays text from callers and documents.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** A call for the console, without bodies, which can be long. A call with a duration but without a reply got no response. */
type Exchange = {
  version: number;
  id: number;
  at: number;
  method: string;
  target: string;
  headers: ServerRequest['headers'];
  reply?: { status: number; headers: Reply['headers'] } | undefined;
  durationMs?: number;
};
/** The newest calls. Each new call and each reply increments `version`, which starts at `first`. */
export type CallHistory = { exchanges: Set<Exchange>; readonly first: number; version: number };

/** Adds the console page and its events to the admin routes. `GET /__sandbox/` returns the page to browsers only. */
export function withConsole(routes: App, admin: AdminContext, history: CallHistory): App {
  return async (request) => {
    const { path } = splitTarget(request.target);
    if (path === `${adminPrefix}/events`)
      return createConsoleReply('text/event-stream', await readEvent(request, admin, history));
    const file = request.method === 'GET' ? consoleFilesByPath.get(path) : undefined;
    if (file === undefined) return routes(request);
    const { mediaType, templates } = file;
    if (mediaType === 'text/html' && !request.headers['accept']?.includes(mediaType)) return routes(request);
    return createConsoleReply(
      mediaType,
      templates.map((part) => readText(`${packageRoot()}/templates/${part}`)).join(''),
    );
  };
}

const eventIntervalMs = 400;

/** Returns one server-sent event. The browser then requests the next one, because a reply of the sandbox is always complete (ADR 8). */
async function readEvent(
  { headers, signal }: ServerRequest,
  { world, deviations }: AdminContext,
  history: CallHistory,
) {
  const position = Number(headers['last-event-id']);
  // After the wait, sends an event even if there are no new calls, because the states of runs change over time.
  if (position === history.version) await systemClock.sleep(eventIntervalMs, AbortSignal.any([signal, world.closing]));
  const { exchanges, first, version } = history;
  const isAll = !(position >= first && position <= version);
  const newExchanges = [...exchanges]
    .filter((one) => isAll || one.version > position)
    .map((one) => ({
      ...one,
      caller: findCallerAlias(one.headers),
      route: describeOperation(one),
      headers: Object.fromEntries(
        Object.entries(one.headers).map(([name, value]) => [name, isCredentialHeader(name) ? replacement : value]),
      ),
    }));
  const now = world.config.clock.now();
  const state = { now, ledger: world.records.ledger(now, 50), scripted: world.scripted, ...deviations() };
  const event = redactTree(
    { position: version, isAll, exchanges: newExchanges, ...state },
    createExchangeRedactor(exchanges),
  );
  return `retry: 200\nid: ${version}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Redacts the credentials of all calls in every text, because a caller may repeat one in a path or in another header. */
function createExchangeRedactor(exchanges: Iterable<Exchange>): Redactor {
  const sandboxKeys = Object.values(sandboxCredentials).flatMap((group) => Object.values(group));
  const sent = [...exchanges].reverse().flatMap(({ headers }) => Object.entries(headers));
  const sentSecrets = sent.flatMap(([name, value]) => (isCredentialHeader(name) ? secretsInHeader(name, value) : []));
  return createRedactor([...new Set<string>([...sandboxKeys, ...sentSecrets])]);
}

function createConsoleReply(type: string, body: string): Reply {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body };
}
