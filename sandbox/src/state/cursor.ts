import { sign } from '../digest.ts';

/** Where a traversal stands: a place in one build of the catalog, good until `expiresAt` (ms). */
export type CursorState = { buildId: string; position: number; expiresAt: number };

const lifetimeMs = 60 * 60 * 1000; // not documented: NS-20

export function writeCursor(secret: string, place: { buildId: string; position: number }, now: number): string {
  const text = `${place.buildId}.${place.position}.${now + lifetimeMs}`;
  return btoa(`${text}.${sign(secret, text)}`)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Undefined for whatever this sandbox did not write. */
export function readCursor(secret: string, cursor: string): CursorState | undefined {
  if (cursor.length < 1 || cursor.length > 512 || !/^[\w-]+$/.test(cursor)) return undefined;
  const match = /^(\w+)\.(\d+)\.(\d+)\.([\w-]+)$/.exec(decode(cursor));
  if (match === null) return undefined;
  const [, buildId = '', position = '', expiresAt = '', signature = ''] = match;
  if (sign(secret, `${buildId}.${position}.${expiresAt}`) !== signature) return undefined;
  return { buildId, position: Number(position), expiresAt: Number(expiresAt) };
}

function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
