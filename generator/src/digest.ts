import { createHash, hash } from 'node:crypto';

/** `sha256:` and 64 hex digits. */
export type Digest = `sha256:${string}`;

export function toDigest(content: string | Uint8Array): Digest {
  return `sha256:${hash('sha256', content)}`;
}

/** The same of content in parts: gives each part on, then the digest of all. */
export function createDigest(): { over(parts: Iterable<string>): Iterable<string>; end(): Digest } {
  const hash = createHash('sha256');
  return {
    *over(parts) {
      for (const part of parts) {
        hash.update(part);
        yield part;
      }
    },
    end: () => `sha256:${hash.digest('hex')}`,
  };
}

const digestPattern = /^sha256:[0-9a-f]{64}$/;

export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && digestPattern.test(value);
}
