import { createHash, hash } from 'node:crypto';

/** `sha256:` and 64 hex digits. */
export type Digest = `sha256:${string}`;

export function digestOf(content: string | Uint8Array): Digest {
  return `sha256:${hash('sha256', content)}`;
}

/** The same of content that comes in parts. */
export function createDigest(): { update(part: Uint8Array): void; end(): Digest } {
  const hash = createHash('sha256');
  return { update: (part) => void hash.update(part), end: () => `sha256:${hash.digest('hex')}` };
}

export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}
