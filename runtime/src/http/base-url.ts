export const reachable = /^https?:\/\/[^/@]+(\/|$)/i;

export function parseAddress(address: string, base?: string): Partial<URL> {
  try {
    return new URL(address, base);
  } catch {
    return {};
  }
}

/** Returns the origin of a URL that requests are sent to. `what`: name of the URL in errors. */
export function readOrigin(address: string, what: string): string {
  const { href = '', origin = '' } = parseAddress(address);
  if (reachable.test(href)) return origin;
  throw new TypeError(`${what} must be an absolute http or https URL without a user name`);
}

/** Returns the URL that paths are appended to. `added`: the prefix of all paths. `what`: name of the URL in errors. */
export function readBaseUrl(address: string, added: string, what: string): string {
  readOrigin(address, what);
  const baseUrl = address.trim().replace(/\/+$/, '');
  const right = baseUrl.replace(/\/*[?#].*/, '').replace(new RegExp(`${added}/*$`), '');
  if (right === baseUrl) return baseUrl;
  throw new TypeError(`${what} ends with ${baseUrl.slice(right.length)}, and ${added} is added to it: use ${right}`);
}

/** True if the text can be a path segment. `.` and `..` would change the path. */
export function isSegment(text: string): boolean {
  try {
    return !/^\.{0,2}$/.test(text) && encodeURIComponent(text) !== '';
  } catch {
    return false; // The text has a lone surrogate.
  }
}

type NodeProcess = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly versions?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: 'events'): { setMaxListeners(count: number, signal: AbortSignal): void } | undefined;
};

export const readProcess = (): NodeProcess | undefined => Reflect.get(globalThis, 'process');

/** Returns an environment variable; undefined in browsers, or if it is empty. */
export const readVariable = (name: string): string | undefined => readProcess()?.env?.[name] || undefined;
