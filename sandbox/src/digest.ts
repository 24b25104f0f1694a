import { hash, randomUUID } from 'node:crypto';

export type Bytes = Uint8Array<ArrayBuffer>;

/** A lowercase UUID, fresh on every call. */
export const newId: () => string = randomUUID;

export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** `secret` on both sides and a shortened digest: without it nothing can be signed, and nothing appended to a signed text. */
export function sign(secret: string, text: string): string {
  return hash('sha256', `${secret}\n${text}\n${secret}`, 'base64url').slice(0, 22);
}
