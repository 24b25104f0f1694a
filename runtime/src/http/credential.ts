import { createRedactor, type Redactor } from './redactor.ts';

/** A secret, or a function that gives the current one. */
export type Secret = string | (() => string | Promise<string>);

type Owned = { readonly headers: Readonly<Record<string, string>>; readonly owner: string };

export type Credential = {
  /** Whether the secret is at hand, so that nothing has to be waited for. */
  readonly isFixed: boolean;
  /** Of one that is at hand, as soon as it was current once. */
  readonly known: Owned | undefined;
  /** The header of the next attempt, and who sends it. */
  current(): Promise<Owned>;
  /** Replaces the secrets that were sent so far, the latest hundred of them, by `[redacted]`. */
  readonly redact: Redactor;
};

export type CredentialSource = {
  /** `Authorization`, which takes a bearer token, or the header of an API key. */
  readonly header: string;
  /** Without one, nothing is sent. */
  readonly secret: Secret | undefined;
  /** Names the owner where secrets change; without it each secret is an owner of its own. */
  readonly scope?: string | undefined;
};

// Renewed tokens must not pile up: a program may run for years.
const remembered = 100;

export function createCredential({ header, secret: given, scope }: CredentialSource): Credential {
  const owners = new Map<string, string>();
  let redact = createRedactor([]);
  const credential = {
    isFixed: typeof given !== 'function',
    known: undefined as Owned | undefined,
    async current() {
      if (given === undefined) return { headers: {}, owner: '' };
      // A header drops the white space around its value, as a secret read from a file has it.
      const secret = (typeof given === 'function' ? await given() : given).trim();
      const owner = owners.get(secret) ?? scope ?? (await fingerprint(secret));
      if (!owners.has(secret)) {
        owners.set(secret, owner);
        const [oldest = secret] = owners.keys();
        if (owners.size > remembered) owners.delete(oldest);
        redact = createRedactor([...owners.keys()]);
      }
      const current = { headers: { [header]: header === 'Authorization' ? `Bearer ${secret}` : secret }, owner };
      if (credential.isFixed) credential.known = current;
      return current;
    },
    redact: (text: string) => redact(text),
  };
  return credential;
}

/**
 * Tells secrets apart without holding one: the first 128 bits of SHA-256, in hex. Pages that were not served securely have
 * no SHA-256; a random name tells them apart as long as the page lives.
 */
async function fingerprint(secret: string): Promise<string> {
  if (crypto.subtle === undefined) return randomKey();
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret)), 0, 16));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A UUID; pages that were not served securely have no `randomUUID`. The digits in between say that it is made by chance. */
export function randomKey(): string {
  const digits = '$1-$2-4$3-a$4-';
  return (
    crypto.randomUUID?.() ??
    toHex(crypto.getRandomValues(new Uint8Array(16))).replace(/(.{8})(.{4}).(.{3}).(.{3})/, digits)
  );
}
