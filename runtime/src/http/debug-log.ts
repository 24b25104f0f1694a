import type { Part } from './observers.ts';

/** A function that receives the lines of the debug log, or true for `console.debug`. */
export type Debug = boolean | ((line: string) => void);

type LoggedEvent = {
  readonly callId: string;
  readonly operation: string;
  readonly model?: string;
  readonly jobId?: string;
  readonly attempt: number;
  readonly durationMs: number;
  readonly waitMs: number;
  readonly reason: string;
  readonly error?: Error;
  readonly attributes: Readonly<Record<string, unknown>>;
};

/** Creates observers that log each attempt, wait and end. Their events contain no bodies and no credentials. */
export function createDebugLog(client: string, debug: Debug): Part {
  const write = typeof debug === 'function' ? debug : (line: string): void => globalThis.console.debug(line);
  const line =
    (describe: (event: LoggedEvent) => string) =>
    (event: LoggedEvent): void => {
      const { callId, operation, model = event.jobId ?? '' } = event;
      write(`${client} ${callId.slice(0, 8)} ${operation} ${model}: ${describe(event)}`);
    };
  return {
    onRequest: line(
      ({ attempt, attributes: to }) => `attempt ${attempt}: ${to['http.request.method']} ${to['url.full']}`,
    ),
    onResponse: line(
      ({ attempt, durationMs, attributes: { 'http.response.status_code': status, 'error.type': type } }) => {
        const outcome = [status ?? 'no response', type].filter(Boolean).join(' ');
        return `attempt ${attempt}: ${outcome} after ${Math.round(durationMs)} ms`;
      },
    ),
    onRetry: line(({ waitMs, reason }) => `waits ${Math.round(waitMs)} ms after ${reason}`),
    onEnd: line(
      ({ durationMs, error }) => `${error ? `failed: ${error.message}` : 'done'} (${Math.round(durationMs)} ms)`,
    ),
  };
}
