import { createRequire } from 'node:module';
import type { pino } from 'pino';
import { type Brand, headerName } from '../../specs/src/index.ts';
import { bearerOf } from './authenticate.ts';
import { systemClock } from './clock.ts';
import { routerAccounts, workflowAccounts } from './credentials.ts';
import type { App } from './faults/decorator.ts';
import type { LogFormat, Notice } from './log-line.ts';
import { matchRoute } from './match-route.ts';
import { pathOf } from './raw-target.ts';

export type RequestLog = { notice: Notice; around(app: App): App };

type Settings = { format: LogFormat; brand: Brand; write: ((line: string) => void) | undefined };

/** One line for each request: its id, who called by alias, the operation, what came of it and how long it took. */
export function createRequestLog(settings: Settings): RequestLog {
  if (settings.format === 'off') return { notice: () => undefined, around: (app) => app };
  const logger = openLogger(settings);
  const requestIdHeader = headerName(settings.brand, 'Request-Id');
  const categoryHeader = headerName(settings.brand, 'Error-Type');
  const log = (request: Request, facts: Facts): void => {
    logger.info({ ...describe(request), ...facts }, 'request');
  };
  return {
    notice: (message, facts) => logger.info(facts, message),
    around: (app) => async (request) => {
      const startedAt = systemClock.now(); // what a caller waited, whatever the sandbox's own clock says
      const lasted = (): { durationMs: number } => ({ durationMs: systemClock.now() - startedAt });
      try {
        const response = await app(request);
        const requestId = response.headers.get(requestIdHeader) ?? undefined;
        const outcome = request.signal.aborted ? 'client_disconnected' : outcomeOf(response, categoryHeader);
        log(request, { requestId, status: response.status, outcome, ...lasted() });
        return response;
      } catch (error) {
        log(request, { outcome: 'no answer', ...lasted() });
        throw error;
      }
    },
  };
}

type Facts = { requestId?: string | undefined; status?: number; outcome: string; durationMs: number };

function outcomeOf(response: Response, categoryHeader: string): string {
  if (response.headers.get('idempotent-replayed') === 'true') return 'replayed';
  return response.headers.get(categoryHeader) ?? (response.status < 400 ? 'ok' : 'failed');
}

function describe(request: Request): { credential: string; operation: string } {
  const path = pathOf(request);
  const match = matchRoute(request.method, path);
  const account = request.headers.get('x-api-key') ?? bearerOf(request.headers);
  const known =
    account === undefined ? undefined : (routerAccounts.get(account) ?? workflowAccounts.get(account))?.alias;
  return {
    credential: known ?? (account === undefined ? 'none' : 'unknown'),
    operation: match.kind === 'route' ? `${match.route.method} ${match.route.path}` : match.kind,
  };
}

const standardError = 2;

/** Loaded on demand: most sandboxes log nothing, and loading takes longer than the rest of a start. */
function openLogger({ format, write }: Settings): pino.Logger {
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
  const told = Object.entries(facts).map(
    ([name, value]) => `${name}=${/\s/.test(String(value)) ? JSON.stringify(value) : String(value)}`,
  );
  return `${clockTime(Number(time))} ${[msg, ...told].join(' ')}\n`;
}

function clockTime(ms: number): string {
  const pad = (value: number, width: number = 2): string => String(value).padStart(width, '0');
  const seconds = Math.floor(ms / 1000);
  return `${pad(Math.floor(seconds / 3600) % 24)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${pad(ms % 1000, 3)}`;
}
