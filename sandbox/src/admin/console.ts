import { packageRoot, readRequirements, readText, redactTree } from '../../../specs/src/index.ts';
import { faults } from '../faults/index.ts';
import type { ServerReply } from '../http/messages.ts';
import type { AdminRoutes } from './admin.ts';
import { stubWords } from './stub-routes.ts';

/** The files of the page, below `templates/`; the style begins with that of reports and sites. */
const files: ReadonlyMap<string, { type: string; parts: readonly string[] }> = new Map([
  ['page.html', { type: 'text/html', parts: ['console/page.html'] }],
  ['page.css', { type: 'text/css', parts: ['look.css', 'console/page.css'] }],
  ['page.js', { type: 'text/javascript', parts: ['console/page.js'] }],
]);
const read = new Map<string, string>();

// Texts of callers and documents are shown: nothing but the page's own files may run, and no text becomes markup.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** A file of the page; undefined for any other name. */
export function serveConsole(name: string): ServerReply | undefined {
  const file = files.get(name);
  if (file === undefined) return undefined;
  const body = read.get(name) ?? file.parts.map((part) => readText(`${packageRoot()}/templates/${part}`)).join('');
  read.set(name, body);
  return uncached(file.type, body, { 'Content-Security-Policy': policy, Vary: 'Accept' });
}

function uncached(type: string, body: string, more: Record<string, string> = {}): ServerReply {
  const guarded = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin', ...more };
  return {
    status: 200,
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store', ...guarded },
    body,
  };
}

/** What the page at `/__sandbox/` reads; it acts through the other routes. */
export const consoleRoutes: AdminRoutes = {
  'GET /__sandbox/console/{file}': {
    description: 'the files of the console, the page that a browser gets at /__sandbox/',
    serve: ({ params }) => serveConsole(params['file'] ?? ''),
  },
  // One event a reply: a reader comes back for the next one, and the application stays a function of plain data (ADR 44).
  'GET /__sandbox/events': {
    description: 'server-sent events: exchanges without bodies and credentials, clock, ledger, stubs and faults',
    serve: async ({ request: { headers, signal } }, { world, exchanges, deviations }) => {
      const wanted = AbortSignal.any([signal, world.closing]);
      const { redact, position, ...news } = await exchanges.wait(headers['last-event-id'] ?? '', wanted);
      const now = world.config.clock.now();
      const pending = world.stubs.pending().map((stub) => ({ ...stub.wanted, times: stub.times }));
      const state = redactTree({ now, ledger: world.records.ledger(now, 100), pending, ...deviations() }, redact);
      return uncached(
        'text/event-stream',
        `retry: 200\nid: ${position}\ndata: ${JSON.stringify({ ...news, ...state })}\n\n`,
      );
    },
  },
  'GET /__sandbox/switches': {
    description: 'what can be switched on: each fault with what it breaks, and what stubbed responses can say',
    handle: (_, { operations }) => {
      const statements = new Map(readRequirements().map(({ id, statement }) => [id, statement]));
      const inWords = (id: string) => ({ id, statement: statements.get(id) ?? '' });
      return {
        operations: operations.map(({ api, operation }) => ({ api, operation })),
        stubs: stubWords,
        faults: faults.map(({ id, description, requirements }) => ({
          id,
          description,
          breaks: requirements.map(inWords),
        })),
      };
    },
  },
};
