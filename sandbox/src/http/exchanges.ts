import { createRedactor, redactTree, replacement } from '../../../specs/src/index.ts';
import { systemClock } from '../clock.ts';
import { callerAlias, sandboxCredentials } from './authentication.ts';
import type { App, ServerReply, ServerRequest } from './messages.ts';
import type { Answered } from './request-log.ts';

/** Without bodies, which can be long. A duration without a reply is a call without an answer. */
type Head = Pick<ServerRequest, 'method' | 'target' | 'headers'>;
type Answer = { reply?: Pick<ServerReply, 'status' | 'headers'>; durationMs?: number };
type Exchange = Head & Answer & { id: number; version: number; at: number };
type Observers = { describeOperation(request: Head): string; answered: Answered | undefined };
export type Exchanges = ReturnType<typeof createExchanges>;

const keptAtMost = 100;
const newsEveryMs = 400;
const secretHeaders = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

/** Keeps the newest exchanges for those who watch, and logs each. */
export function createExchanges(now: () => number, { describeOperation, answered }: Observers) {
  const kept = new Set<Exchange>();
  const first = systemClock.now(); // so that the position of a reader is hardly ever one of an earlier sandbox too
  let version = first;
  const around =
    (app: App): App =>
    async (request) => {
      const { method, target, headers } = request;
      const startedAt = systemClock.now(); // what a caller waited, at any speed of the sandbox's own clock
      version += 1;
      const exchange: Exchange = { id: version, version, at: now(), method, target, headers };
      kept.add(exchange);
      for (const oldest of kept) if (kept.size > keptAtMost) kept.delete(oldest);
      let reply: ServerReply | undefined;
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
    const secrets = [...kept].flatMap(({ headers }) => secretHeaders.map((name) => headers[name] ?? ''));
    const known = Object.values(sandboxCredentials).flatMap((group) => Object.values(group));
    const redact = createRedactor([...new Set([...known, ...secrets.flatMap((value) => value.split(/[\s,;=]+/))])]);
    const isAll = !(position >= first && position <= version);
    const shown = [...kept].flatMap((one) => {
      if (!isAll && one.version <= position) return [];
      const hidden = secretHeaders.filter((name) => name in one.headers).map((name) => [name, replacement]);
      const headers = { ...one.headers, ...Object.fromEntries(hidden) };
      return [{ ...one, caller: callerAlias(one.headers), route: describeOperation(one), headers }];
    });
    return { position: version, isAll, exchanges: redactTree(shown, redact), redact };
  };
  return { around, wait };
}
