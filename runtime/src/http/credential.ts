/** A secret, or a function that gives the current one. */
export type Secret = string | (() => string | Promise<string>);

export type Credential = {
  /** The header of the next attempt, and who sends it. */
  current(): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly owner: string }>;
  /** Replaces every secret that was sent so far, plain or percent-encoded, by `[redacted]`. */
  redact(text: string): string;
};

export type CredentialSource = {
  /** `Authorization`, which takes a bearer token, or the header of an API key. */
  readonly header: string;
  readonly secret: Secret;
  /** Names the owner where secrets change; without it each secret is an owner of its own. */
  readonly scope?: string | undefined;
};

export function createCredential(source: CredentialSource | undefined): Credential {
  const sent = new Map<string, string>();
  return {
    async current() {
      if (source === undefined) return { headers: {}, owner: '' };
      const secret = typeof source.secret === 'string' ? source.secret : await source.secret();
      const owner = sent.get(secret) ?? source.scope ?? (await fingerprintOf(secret));
      sent.set(secret, owner);
      const value = source.header === 'Authorization' ? `Bearer ${secret}` : secret;
      return { headers: { [source.header]: value }, owner };
    },
    redact: (text) => [...sent.keys()].reduce(withoutSecret, text),
  };
}

function withoutSecret(text: string, secret: string): string {
  if (secret === '') return text;
  return [secret, encodeURIComponent(secret)].reduce((rest, form) => rest.split(form).join('[redacted]'), text);
}

/** Tells secrets apart without holding one: the first 128 bits of SHA-256, in hex. */
async function fingerprintOf(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
