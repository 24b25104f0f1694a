import { type Brand, headerName, visibleText } from '../../../specs/src/index.ts';
import { systemClock, timeOfDay } from '../clock.ts';
import { callerAlias } from './authentication.ts';
import { type Reply, replyHeader, type ServerRequest } from './messages.ts';

export type LogFormat = 'json' | 'text' | 'off';
/** Named values of a log line. Headers, bodies, keys and credentials are never logged. */
type Facts = Readonly<Record<string, string | number | undefined>>;
export type Notice = (message: string, facts: Facts) => void;
export type RequestLog = {
  readonly notice: Notice;
  /** Undefined if the log is off. `reply` is undefined if the connection was closed. */
  readonly answered: ((request: ServerRequest, reply: Reply | undefined, durationMs: number) => void) | undefined;
};

/** Logs one line per request: its id, the caller's alias, the operation, the outcome and the duration. */
export function createRequestLog(
  format: LogFormat,
  brand: Brand,
  describeOperation: (request: ServerRequest) => string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): RequestLog {
  if (format === 'off') return { notice: (): void => undefined, answered: undefined };
  const requestIdHeader = headerName(brand, 'Request-Id');
  const categoryHeader = headerName(brand, 'Error-Type');
  const asJson = (msg: string, facts: Facts) =>
    JSON.stringify({ level: 'info', time: systemClock.now(), ...facts, msg });
  const line = format === 'json' ? asJson : asText;
  // Make lines safe for a terminal, because facts contain text from documents.
  const notice: Notice = (message, facts) => write(`${visibleText(line(message, facts))}\n`);
  return {
    notice,
    answered: (request, reply, durationMs) => {
      const caller = { credential: callerAlias(request.headers), operation: describeOperation(request) };
      const isReplayed = reply && replyHeader(reply, 'idempotent-replayed') === 'true';
      const category = reply && replyHeader(reply, categoryHeader);
      let outcome = category ?? (Number(reply?.status) < 400 ? 'ok' : 'failed');
      if (isReplayed) outcome = 'replayed';
      if (request.signal.aborted) outcome = 'client_disconnected';
      if (reply === undefined) outcome = 'no response';
      const requestId = reply && replyHeader(reply, requestIdHeader);
      notice('request', { ...caller, requestId, status: reply?.status, outcome, durationMs });
    },
  };
}

/** Formats a line such as `12:00:00.000 request credential=main operation="GET /v2/models" …`. */
function asText(message: string, facts: Facts): string {
  const shown = Object.entries(facts).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`${name}=${/\s/.test(String(value)) ? JSON.stringify(value) : value}`];
  });
  return [timeOfDay(systemClock.now()), message, ...shown].join(' ');
}
