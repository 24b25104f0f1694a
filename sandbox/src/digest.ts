import { createHash, hash, randomUUID } from 'node:crypto';

export type Bytes = Uint8Array<ArrayBuffer>;

/** A lowercase UUID, fresh on every call. */
export const newId: () => string = () => randomUUID();

export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** `secret` on both sides and part of the digest left out: nobody else can sign, or make more of what was signed. */
export function sign(secret: string, text: string): string {
  return hash('sha256', `${secret}\n${text}\n${secret}`, 'base64url').slice(0, 22);
}
