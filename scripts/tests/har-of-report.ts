import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Lines = readonly (readonly [name: string, value: string])[];
type ExchangeRecord = {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly request: { readonly method: string; readonly url: string; readonly headers: Lines };
  readonly response: {
    readonly kind: string;
    readonly status: number;
    readonly headers: Lines;
    readonly body: {
      readonly kind: string;
      readonly text?: string;
      readonly isCut?: boolean;
      readonly sizeBytes?: number;
    };
  };
};

/** Converts the exchanges in a report folder to recorded traffic (HAR 1.2). */
export function harOfReport(folder: string): string {
  const lines = (headers: Lines) => headers.map(([name, value]) => ({ name, value }));
  const texts = readdirSync(join(folder, 'exchanges'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, 'exchanges', name), 'utf8'));
  const entries = texts.flatMap((text) => {
    const exchanges: readonly ExchangeRecord[] = JSON.parse(text);
    return exchanges.flatMap(({ request, response, startedAtMs, durationMs }) => {
      if (response.kind !== 'response') return [];
      const { status, headers, body } = response;
      const content = body.kind === 'text' ? { text: body.text, ...(body.isCut && { size: body.sizeBytes }) } : {};
      return {
        startedDateTime: new Date(startedAtMs).toISOString(),
        time: durationMs,
        request: { method: request.method, url: request.url, headers: lines(request.headers) },
        response: { status, headers: lines(headers), content },
      };
    });
  });
  return JSON.stringify({ log: { version: '1.2', entries } });
}
