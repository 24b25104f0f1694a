import { createHash, createHmac, randomUUID } from 'node:crypto';

export type Bytes = Uint8Array<ArrayBuffer>;

/** A lowercase UUID, fresh on every call. */
export const newId: () => string = () => randomUUID();

export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);
}
