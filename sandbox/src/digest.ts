import { hash, randomUUID } from 'node:crypto';

export type Bytes = Uint8Array<ArrayBuffer>;

export const newId: () => string = randomUUID;

export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** Signs a text with a shortened digest. The digest begins and ends with the secret, so that a signed text cannot be extended. */
export function sign(secret: string, text: string): string {
  return hash('sha256', `${secret}\n${text}\n${secret}`, 'base64url').slice(0, 22);
}
