import { createRedactor } from './redactor.ts';

/** A secret, or a function that gives the current one. */
export type Secret = string | (() => string | Promise<string>);

/** The secret of an attempt, and the headers that carry it. */
export type Access = { readonly secret: string; readonly headers: Readonly<Record<string, string>> };

export type Credential = {
  /** True for a secret that is the same in every attempt. */
  readonly isFixed: boolean;
  /** The current secret. Rejects as the function does that gives it. */
  read(): Promise<Access>;
  /**
   * Names the owner of its calls: the scope where there is one, a fingerprint of a fixed secret, and otherwise this client only, since a
   * later secret may have another owner.
   */
  owner(): Promise<string>;
  /** Takes out of a text the latest three secrets that were read, and those that a call has sent, which may be older. */
  redact(text: string, sent: ReadonlySet<string>): string;
};

export type CredentialSource = {
  /** `Authorization`, which takes a bearer token, or the header of an API key. */
  readonly header: string;
  /** Without one, nothing is sent. */
  readonly secret: Secret | undefined;
  readonly scope?: string | undefined;
};

export function createCredential({ header, secret: given, scope }: CredentialSource): Credential {
  const recent: string[] = [];
  let redactRecent = createRedactor([]);
  let owner: Promise<string> | undefined;
  let latest: Access = { secret: '', headers: {} };
  return {
    isFixed: typeof given !== 'function',
    async read() {
      if (given === undefined) return latest;
      // A header drops the white space around its value, as a secret read from a file has it.
      const secret = (typeof given === 'function' ? await given() : given).trim();
      if (secret === latest.secret) return latest;
      latest = { secret, headers: { [header]: header === 'Authorization' ? `Bearer ${secret}` : secret } };
      recent.unshift(secret);
      recent.length = Math.min(recent.length, 3);
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
        // Pages that were not served securely have no SHA-256; a random name tells secrets apart as long as the page lives.
        if (typeof given === 'function' || globalThis.crypto?.subtle === undefined) return randomKey();
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given.trim()));
        return toHex(new Uint8Array(digest, 0, 16));
      })();
      return owner;
    },
  };
}

export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A UUID; pages that were not served securely have no `randomUUID`. The digits in between say that it is made by chance. */
export function randomKey(): string {
  const crypto: Partial<Crypto> | undefined = globalThis.crypto;
  if (crypto?.getRandomValues === undefined)
    throw new TypeError(
      'this platform has no crypto.getRandomValues, of which keys are made: load a polyfill of it first',
    );
  if (crypto.randomUUID) return crypto.randomUUID();
  const hex = toHex(crypto.getRandomValues(new Uint8Array(16)));
  return hex.replace(/(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}
