import { createRedactor, redactTree, replacement } from '../../../specs/src/index.ts';
import { systemClock } from '../clock.ts';
import { callerAlias, sandboxCredentials } from './authentication.ts';
import type { App, Reply, ServerRequest } from './messages.ts';
import type { RequestLog } from './request-log.ts';

/** Without bodies, which can be long. A duration without a reply is a call without an answer. */
type Head = Pick<ServerRequest, 'method' | 'target' | 'headers'>;
type Answer = { reply?: Pick<Reply, 'status' | 'headers'>; durationMs?: number };
type Exchange = Head & Answer & { id: number; version: number; at: number };
export type Exchanges = ReturnType<typeof watchExchanges>;

const keptAtMost = 100;
const newsEveryMs = 400;
const secretHeaders = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

type Watching = Pick<RequestLog, 'answered'> & { now(): number; describeOperation(request: Head): string };

/** The app with its newest exchanges kept for those who watch; each is logged. */
export function watchExchanges(app: App, { now, answered, describeOperation }: Watching) {
  // So that the position of a reader is hardly ever one of an earlier sandbox too.
  const first = systemClock.now();
  let version = first; // of all changes to them
  const exchanges = new Set<Exchange>();

  const watched: App = async (request) => {
    const { method, target, headers } = request;
    const startedAt = systemClock.now(); // what a caller waited, at any speed of the sandbox's own clock
    version += 1;
    const exchange = { id: version, version, at: now(), method, target, headers };
    exchanges.add(exchange);
    for (const oldest of exchanges) if (exchanges.size > keptAtMost) exchanges.delete(oldest);
    let reply: Reply | undefined;
    try {
      reply = await app(request);
      return reply;
    } finally {
      const durationMs = systemClock.now() - startedAt;
      version += 1;
      const answer = reply && { status: reply.status, headers: reply.headers };
      Object.assign(exchange, { version, durationMs, reply: answer });
      answered?.(request, reply, durationMs);
    }
  };

  /** What has changed since a position, without credentials; nothing is news too, because time alone moves runs on. */
  const wait = async (position: number, signal: AbortSignal) => {
    if (position === version) await systemClock.sleep(newsEveryMs, signal);
    const secrets = [...exchanges].flatMap(({ headers }) => secretHeaders.map((name) => headers[name] ?? ''));
    const known = Object.values(sandboxCredentials).flatMap((group) => Object.values(group));
    const redact = createRedactor([...new Set([...known, ...secrets.flatMap((value) => value.split(/[\s,;=]+/))])]);
    const isAll = !(position >= first && position <= version);
    const shown = [...exchanges].flatMap((one) => {
      if (!isAll && one.version <= position) return [];
      const hidden = secretHeaders.filter((name) => name in one.headers).map((name) => [name, replacement]);
      const headers = { ...one.headers, ...Object.fromEntries(hidden) };
      return [{ ...one, caller: callerAlias(one.headers), route: describeOperation(one), headers }];
    });
    return { position: version, isAll, exchanges: redactTree(shown, redact), redact };
  };

  return { app: watched, wait };
}
