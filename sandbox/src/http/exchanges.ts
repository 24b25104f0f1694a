import { createRedactor, redactTree, replacement } from '../../../specs/src/index.ts';
import { systemClock } from '../clock.ts';
import { callerAlias, sandboxCredentials } from './authentication.ts';
import type { Reply, ServerRequest } from './messages.ts';

/** Without bodies, which can be long. A duration without a reply is a call without an answer. */
type Head = Pick<ServerRequest, 'method' | 'target' | 'headers'>;
type Answer = { reply?: Pick<Reply, 'status' | 'headers'>; durationMs?: number };
type Exchange = Head & Answer & { id: number; version: number; at: number };
/** The newest exchanges, and how many changes there were to them since `first`. */
export type Kept = { readonly first: number; version: number; readonly exchanges: Set<Exchange> };
export type Exchanges = ReturnType<typeof watchExchanges>;

const newsEveryMs = 400;
const secretHeaders = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

/** Shows what is kept to those who watch. */
export function watchExchanges(kept: Kept, describeOperation: (request: Head) => string) {
  /** What has changed since a position, without credentials; nothing is news too, because time alone moves runs on. */
  const wait = async (position: number, signal: AbortSignal) => {
    const { first, exchanges } = kept;
    if (position === kept.version) await systemClock.sleep(newsEveryMs, signal);
    const secrets = [...exchanges].flatMap(({ headers }) => secretHeaders.map((name) => headers[name] ?? ''));
    const known = Object.values(sandboxCredentials).flatMap((group) => Object.values(group));
    const redact = createRedactor([...new Set([...known, ...secrets.flatMap((value) => value.split(/[\s,;=]+/))])]);
    const isAll = !(position >= first && position <= kept.version);
    const shown = [...exchanges].flatMap((one) => {
      if (!isAll && one.version <= position) return [];
      const hidden = secretHeaders.filter((name) => name in one.headers).map((name) => [name, replacement]);
      const headers = { ...one.headers, ...Object.fromEntries(hidden) };
      return [{ ...one, caller: callerAlias(one.headers), route: describeOperation(one), headers }];
    });
    return { position: kept.version, isAll, exchanges: redactTree(shown, redact), redact };
  };
  return { wait };
}
