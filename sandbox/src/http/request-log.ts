import { createRequire } from 'node:module';
import type { pino } from 'pino';
import { type Brand, headerName } from '../../../specs/src/index.ts';
import { systemClock } from '../clock.ts';
import { callerAlias } from './authentication.ts';
import type { App, ServerReply, ServerRequest } from './messages.ts';

export type LogFormat = 'json' | 'text' | 'off';
/** Facts only: no header, body, key or credential ever becomes part of a line. */
export type Notice = (message: string, facts: Readonly<Record<string, string | number | undefined>>) => void;
export type RequestLog = { notice: Notice; around(app: App): App };

type LogOptions = {
  format: LogFormat;
  brand: Brand;
  write: ((line: string) => void) | undefined;
  /** The operation a request is for, as method and path template. */
  operationOf(request: ServerRequest): string;
};

/** One line for each request: its id, the caller's alias, the operation, the outcome and the duration. */
export function createRequestLog({ format, brand, write, operationOf }: LogOptions): RequestLog {
  if (format === 'off') return { notice: () => undefined, around: (app) => app };
  const logger = openLogger(format, write);
  const requestIdHeader = headerName(brand, 'Request-Id');
  const categoryHeader = headerName(brand, 'Error-Type');
  return {
    notice: (message, facts) => logger.info(facts, message),
    around: (app) => async (request) => {
      const startedAt = systemClock.now(); // what a caller waited, whatever the sandbox's own clock says
      const log = (facts: object): void => {
        const caller = { credential: callerAlias(request.headers), operation: operationOf(request) };
        logger.info({ ...caller, ...facts, durationMs: systemClock.now() - startedAt }, 'request');
      };
      try {
        const reply = await app(request);
        const outcome = request.signal.aborted ? 'client_disconnected' : outcomeOf(reply, categoryHeader);
        log({ requestId: headerOf(reply, requestIdHeader), status: reply.status, outcome });
        return reply;
      } catch (error) {
        log({ outcome: 'no answer' });
        throw error;
      }
    },
  };
}

function outcomeOf(reply: ServerReply, categoryHeader: string): string {
  if (headerOf(reply, 'idempotent-replayed') === 'true') return 'replayed';
  return headerOf(reply, categoryHeader) ?? (reply.status < 400 ? 'ok' : 'failed');
}

function headerOf({ headers }: ServerReply, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

const standardError = 2;

/** Loaded on demand: most sandboxes log nothing, and loading takes longer than the rest of a start. */
function openLogger(format: LogFormat, write: LogOptions['write']): pino.Logger {
  // The type of a module that is loaded by name is not known to the compiler.
  const load = createRequire(import.meta.url)('pino') as typeof pino;
  const toLine = write ?? toStandardError(load);
  const destination = { write: format === 'json' ? toLine : (line: string) => toLine(asText(line)) };
  return load({ base: null, level: 'info', formatters: { level: (label) => ({ level: label }) } }, destination);
}

function toStandardError(load: typeof pino): (line: string) => void {
  const destination = load.destination({ fd: standardError, sync: true });
  return (line) => {
    destination.write(line);
  };
}

/** `12:00:00.000 request credential=main operation="GET /v2/models" …` */
function asText(line: string): string {
  const { time, msg, level: _, ...facts }: Record<string, unknown> = JSON.parse(line);
  const shown = Object.entries(facts).map(
    ([name, value]) => `${name}=${/\s/.test(String(value)) ? JSON.stringify(value) : String(value)}`,
  );
  return `${timeOfDay(Number(time))} ${[msg, ...shown].join(' ')}\n`;
}

function timeOfDay(ms: number): string {
  const pad = (value: number, width: number = 2): string => String(value).padStart(width, '0');
  const seconds = Math.floor(ms / 1000);
  return `${pad(Math.floor(seconds / 3600) % 24)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${pad(ms % 1000, 3)}`;
}
