import type { RawHeaders } from '../contract/probe.ts';

/** Of one connection; a proxy has its own. */
const hopByHop: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'host',
  ],
]);
export const ofEncodedBody: ReadonlySet<string> = new Set([...hopByHop, 'content-length', 'content-encoding']);

/** Name, value, name, value: without the lines of these names. */
export function kept(raw: readonly string[], without: ReadonlySet<string> = hopByHop): string[] {
  return raw.filter((_, index) => !without.has(raw[index - (index % 2)]?.toLowerCase() ?? ''));
}

export function linesOf(raw: readonly string[]): RawHeaders {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}
