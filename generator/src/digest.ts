import { createHash } from 'node:crypto';

/** `sha256:` and 64 hex digits. */
export type Digest = `sha256:${string}`;

export function digestOf(content: string | Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}
