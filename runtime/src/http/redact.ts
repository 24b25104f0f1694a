/** A text without secrets. */
export type Redact = (text: string) => string;

/** Replaces secrets by `[redacted]`, the longest first, as a server may repeat them. */
export function redactText(text: string, secrets: Iterable<string>): string {
  const forms = [...new Set(secrets)].sort((one, other) => other.length - one.length).map(matchForms);
  return forms.reduce((rest, form) => rest.replace(form, '[redacted]'), text);
}

/** As a server may repeat it: each sign plain, or escaped as in addresses, JSON or HTML, in any letter case. */
function matchForms(secret: string): RegExp {
  const signs = Array.from(secret.toWellFormed(), (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    const hex = code.toString(16).padStart(2, '0');
    const percent = code < 128 ? `%(?:25){0,4}${hex}` : encodeURIComponent(sign);
    const escapes = `${percent}|\\\\{1,4}(?:x|u00)${hex}|&#(?:x0{0,8}${hex}|0{0,8}${code});`;
    return `(?:\\\\{0,4}${sign.replace(/\W/, '\\$&')}|${escapes})`;
  });
  // A short secret may be a part of the word that stands for another one, so that stays as it is.
  return new RegExp(`\\[redacted]${secret === '' ? '' : '|'}${signs.join('')}`, 'gi');
}

/** A value without secrets in its texts and in the names of its members. */
export function redactValue(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 100) return '[nested too deep]'; // far from the end of any stack
  const redactPart = (part: unknown): unknown => redactValue(part, redact, depth + 1);
  if (Array.isArray(value)) return value.map(redactPart);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), redactPart(part)]));
}

/** A cause as it came, or its words alone where it may hold a secret: a handed-in `fetch` may repeat what it was given. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  return isClean(cause, redact, new Set()) ? cause : new Error(redact(String(cause)));
}

/** Whether all that belongs to a value can be read, and holds no secret. */
function isClean(value: unknown, redact: Redact, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return redact(value) === value;
  if (typeof value !== 'object' || value === null || seen.has(value)) return typeof value !== 'function';
  seen.add(value);
  if (value instanceof Uint8Array) return isClean(new TextDecoder().decode(value), redact, seen);
  const isReadable =
    value instanceof Error || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return (
    isReadable &&
    Reflect.ownKeys(value).every(
      (name) => isClean(String(name), redact, seen) && isClean(Reflect.get(value, name), redact, seen),
    )
  );
}
