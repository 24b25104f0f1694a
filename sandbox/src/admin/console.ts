import { packageRoot, readText, redactTree } from '../../../specs/src/index.ts';
import type { Exchanges } from '../http/exchanges.ts';
import type { App, Reply, ServerRequest } from '../http/messages.ts';
import { adminPrefix, splitTarget } from '../http/router.ts';
import type { Admin } from './admin.ts';
import { showStubs } from './stub-routes.ts';

/** The type of each file of the page, and its parts below `templates/`; the style begins with that of reports and sites. */
const files: ReadonlyMap<string, readonly string[]> = new Map([
  [`${adminPrefix}/`, ['text/html', 'console/page.html']],
  [`${adminPrefix}/page.css`, ['text/css', 'look.css', 'console/page.css']],
  [`${adminPrefix}/page.js`, ['text/javascript', 'console/page.js']],
]);
const read = new Map<string, string>();

// It shows texts of callers and documents: nothing but the page's own files may run, and no text becomes markup.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Serves the page to browsers, and what it shows; it acts through the admin routes, and programs get those alone. */
export function withConsole(routes: App, admin: Admin, exchanges: Exchanges): App {
  return async (request) => {
    const { path } = splitTarget(request.target);
    if (path === `${adminPrefix}/events`) return send('text/event-stream', await readEvent(request, admin, exchanges));
    const [type, ...parts] = (request.method === 'GET' && files.get(path)) || [];
    const isWanted = type !== 'text/html' || request.headers['accept']?.includes(type);
    if (type === undefined || !isWanted) return routes(request);
    const text = read.get(path) ?? parts.map((part) => readText(`${packageRoot()}/templates/${part}`)).join('');
    read.set(path, text);
    return send(type, text);
  };
}

/** One a reply: its reader comes back for the next one, and the application stays a function of plain data (ADR 44). */
async function readEvent({ headers, signal }: ServerRequest, { world, deviations }: Admin, exchanges: Exchanges) {
  const ended = AbortSignal.any([signal, world.closing]);
  const { redact, ...news } = await exchanges.wait(Number(headers['last-event-id']), ended);
  const now = world.config.clock.now();
  const state = { now, ledger: world.records.ledger(now, 50), ...showStubs(world), ...deviations() };
  const event = { ...news, ...redactTree(state, redact) };
  return `retry: 200\nid: ${news.position}\ndata: ${JSON.stringify(event)}\n\n`;
}

function send(type: string, body: string): Reply {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body };
}
