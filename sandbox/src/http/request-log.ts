import { type Brand, headerName, visibleText } from '../../../specs/src/index.ts';
import { systemClock, timeOfDay } from '../clock.ts';
import { findCallerAlias } from './authentication.ts';
import { type Reply, replyHeader, type ServerRequest } from './messages.ts';

export type LogFormat = 'json' | 'text' | 'off';
/** Named values of a log line. Headers, bodies, keys and credentials are never logged. */
type LogValues = Readonly<Record<string, string | number | undefined>>;
export type WriteNotice = (message: string, values: LogValues) => void;
export type RequestLog = {
  /** Logs a message that is not about a request. */
  readonly notice: WriteNotice;
  /** Logs a request; undefined if the log is off. `reply` is undefined if a fault or a handler threw instead of replying. */
  readonly logReply: ((request: ServerRequest, reply: Reply | undefined, durationMs: number) => void) | undefined;
};

/** Creates a log with one line per request: its id, the caller's alias, the operation, the outcome and the duration. */
export function createRequestLog(
  format: LogFormat,
  brand: Brand,
  describeOperation: (request: ServerRequest) => string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): RequestLog {
  if (format === 'off') return { notice: (): void => undefined, logReply: undefined };
  const requestIdHeader = headerName(brand, 'Request-Id');
  const categoryHeader = headerName(brand, 'Error-Type');
  const formatAsJson = (msg: string, values: LogValues) =>
    JSON.stringify({ level: 'info', time: systemClock.now(), ...values, msg });
  const line = format === 'json' ? formatAsJson : formatAsText;
  // Makes lines safe for a terminal, because values may contain text of documents.
  const notice: WriteNotice = (message, values) => write(`${visibleText(line(message, values))}\n`);
  return {
    notice,
    logReply: (request, reply, durationMs) => {
      const caller = { credential: findCallerAlias(request.headers), operation: describeOperation(request) };
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
function formatAsText(message: string, values: LogValues): string {
  const shown = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`${name}=${/\s/.test(String(value)) ? JSON.stringify(value) : value}`];
  });
  return [timeOfDay(systemClock.now()), message, ...shown].join(' ');
}
