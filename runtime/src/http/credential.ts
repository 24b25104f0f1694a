import { createRedactor, toUtf8 } from './redactor.ts';

/** A secret, or a function that returns the current one. */
export type Secret = string | (() => string | Promise<string>);

export type Access = { readonly secret: string; readonly headers: Readonly<Record<string, string>> };

export type Credential = {
  read(): Promise<Access>;
  /** Returns the scope, a fingerprint of a fixed secret, or a random name for this client. */
  owner(): Promise<string>;
  /** Redacts the three latest secrets, and those that a call has sent. */
  redact(text: string, sent: ReadonlySet<string>): string;
};

/** `header`: `Authorization` for a bearer token, or the header of an API key. Without `secret`, no credential is sent. */
export function createCredential({
  header,
  secret: given,
  scope,
}: {
  readonly header: string;
  readonly secret: Secret | undefined;
  readonly scope?: string | undefined;
}): Credential {
  const recent: string[] = [];
  let redactRecent = createRedactor([]);
  let owner: Promise<string> | undefined;
  let latest: Access = { secret: '', headers: {} };
  return {
    async read() {
      if (given === undefined) return latest;
      // Headers drop white space around a value, such as the newline of a secret that was read from a file.
      const text: unknown = typeof given === 'function' ? await given() : given;
      if (typeof text !== 'string') throw new TypeError('its function returned no string');
      const secret = text.trim();
      if (secret === latest.secret) return latest;
      latest = { secret, headers: { [header]: header === 'Authorization' ? `Bearer ${secret}` : secret } };
      recent.unshift(secret);
      recent.splice(3);
      redactRecent = createRedactor(recent);
      return latest;
    },
    redact(text, sent) {
      const older = [...sent].filter((secret) => !recent.includes(secret));
      return older.length === 0 ? redactRecent(text) : createRedactor([...older, ...recent])(text);
    },
    owner() {
      owner ??= (async () => {
        if (scope !== undefined || given === undefined) return scope ?? '';
        // A function may return a different owner's secret later, and insecure contexts have no `crypto.subtle`.
        if (typeof given === 'function' || globalThis.crypto?.subtle === undefined) return randomKey();
        const bytes = Uint8Array.from(toUtf8(given.trim()), (byte) => byte.charCodeAt(0));
        const digest = await crypto.subtle.digest('SHA-256', bytes);
        return toHex(new Uint8Array(digest, 0, 16));
      })();
      return owner;
    },
  };
}

export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a random UUID. Insecure contexts have no `randomUUID`. */
export function randomKey(): string {
  const crypto: Partial<Crypto> | undefined = globalThis.crypto;
  if (crypto?.getRandomValues === undefined)
    throw new TypeError('this platform has no crypto.getRandomValues: load a polyfill');
  if (crypto.randomUUID) return crypto.randomUUID();
  const hex = toHex(crypto.getRandomValues(new Uint8Array(16)));
  return hex.replace(/(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}
