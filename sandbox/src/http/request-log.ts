import { type Brand, headerName, visibleText } from '../../../specs/src/index.ts';
import { systemClock, timeOfDay } from '../clock.ts';
import { callerAlias } from './authentication.ts';
import { type Reply, replyHeader, type ServerRequest } from './messages.ts';

export type LogFormat = 'json' | 'text' | 'off';
/** Facts only: no header, body, key or credential ever becomes part of a line. */
type Facts = Readonly<Record<string, string | number | undefined>>;
export type Notice = (message: string, facts: Facts) => void;
export type RequestLog = {
  readonly notice: Notice;
  /** Undefined when the log is off. Without a reply the connection was closed. */
  readonly answered: ((request: ServerRequest, reply: Reply | undefined, durationMs: number) => void) | undefined;
};

type LogOptions = {
  format: LogFormat;
  brand: Brand;
  write: ((line: string) => void) | undefined;
  /** The operation a request is for, as method and path template. */
  describeOperation(request: ServerRequest): string;
};

/** One line for each request: its id, the caller's alias, the operation, the outcome and the duration. */
export function createRequestLog({
  format,
  brand,
  write = (line) => void process.stderr.write(line),
  describeOperation,
}: LogOptions): RequestLog {
  if (format === 'off') return { notice: (): void => undefined, answered: undefined };
  const requestIdHeader = headerName(brand, 'Request-Id');
  const categoryHeader = headerName(brand, 'Error-Type');
  const asJson = (msg: string, facts: Facts) =>
    JSON.stringify({ level: 'info', time: systemClock.now(), ...facts, msg });
  const line = format === 'json' ? asJson : asText;
  // Facts hold texts of documents, and a terminal may show the lines.
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
      if (reply === undefined) outcome = 'no answer';
      const requestId = reply && replyHeader(reply, requestIdHeader);
      notice('request', { ...caller, requestId, status: reply?.status, outcome, durationMs });
    },
  };
}

/** `12:00:00.000 request credential=main operation="GET /v2/models" …` */
function asText(message: string, facts: Facts): string {
  const shown = Object.entries(facts).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`${name}=${/\s/.test(String(value)) ? JSON.stringify(value) : value}`];
  });
  return [timeOfDay(systemClock.now()), message, ...shown].join(' ');
}
