import { createRedactor, type JsonValue, type Redactor, redactTree, replacement } from '../../../specs/src/index.ts';
import { systemClock } from '../clock.ts';
import { newId } from '../digest.ts';
import { callerAlias, sandboxCredentials } from './authentication.ts';
import type { App, ServerReply, ServerRequest } from './messages.ts';
import { isAdminTarget } from './router.ts';

/** Without bodies, which can be long. There is no status while a call is held; a duration without one is a call without an answer. */
type Exchange = {
  id: number;
  version: number;
  at: number;
  method: string;
  target: string;
  headers: ServerRequest['headers'];
  status?: number;
  replyHeaders?: ServerReply['headers'];
  durationMs?: number;
};
/** What a reader at an earlier position lacks; `isAll` for one that has seen nothing of this sandbox. */
export type News = { position: string; isAll: boolean; exchanges: JsonValue; redact: Redactor };
/** The newest exchanges, for those who watch. */
export type Exchanges = {
  around(app: App): App;
  /** Settles with the next exchange; after a second also without one, because time alone moves a run on. */
  wait(position: string, signal: AbortSignal): Promise<News>;
};

const keptAtMost = 100;
const secretHeaders = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

export function createExchanges(
  now: () => number,
  nameOperation: (request: Exchange) => string | undefined,
): Exchanges {
  const [prefix, kept, waiting] = [`${newId()}.`, new Set<Exchange>(), new Set<AbortController>()];
  let version = 0;
  const touch = (exchange: Exchange): void => {
    version += 1;
    exchange.version = version;
    for (const one of waiting) one.abort();
  };
  const show = ({ headers, ...rest }: Exchange) => ({
    ...rest,
    caller: callerAlias(headers),
    operation: nameOperation({ headers, ...rest }),
    headers: { ...headers, ...Object.fromEntries(listSecrets(headers).map(([name]) => [name, replacement])) },
  });
  return {
    around: (app) => async (request) => {
      const { method, target, headers } = request;
      if (method === 'GET' && isAdminTarget(target)) return app(request); // a reader would see itself read
      const exchange: Exchange = { id: version, version, at: now(), method, target, headers };
      const startedAt = systemClock.now();
      kept.add(exchange);
      for (const oldest of kept) if (kept.size > keptAtMost) kept.delete(oldest);
      touch(exchange);
      try {
        const reply = await app(request);
        Object.assign(exchange, { status: reply.status, replyHeaders: reply.headers });
        return reply;
      } finally {
        exchange.durationMs = systemClock.now() - startedAt;
        touch(exchange);
      }
    },
    wait: async (position, signal) => {
      const seen = position.startsWith(prefix) ? Number(position.slice(prefix.length)) : -1;
      if (seen === version) {
        const next = new AbortController();
        waiting.add(next);
        await systemClock.sleep(1000, AbortSignal.any([next.signal, signal]));
        waiting.delete(next);
      }
      const sent = [...kept].flatMap(({ headers }) => listSecrets(headers));
      const known = Object.values(sandboxCredentials).flatMap((group) => Object.values(group));
      const redact = createRedactor([...new Set([...known, ...sent.flatMap(([, value]) => value.split(/[\s,;=]+/))])]);
      const exchanges = redactTree([...kept].filter((one) => one.version > seen).map(show), redact);
      return { position: `${prefix}${version}`, isAll: seen < 0, exchanges, redact };
    },
  };
}

function listSecrets(headers: ServerRequest['headers']): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => secretHeaders.includes(name));
}
