export const httpUrlPattern = /^https?:\/\/[^/@]+(\/|$)/i;

type UrlParts = {
  readonly href: string;
  readonly origin: string;
  readonly pathname: string;
  readonly search: string;
  readonly hasUserName: boolean;
};

const httpUrlParts =
  /^(https?:)\/\/([^/?#@\\]*@)?([^\s/?#@\\:[\]]+|\[[\da-f:.]+\])(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?(?:#.*)?$/is;

/**
 * Splits an http or https URL, or a path on the origin of `base`. Returns an empty object for other texts. Doesn't use the
 * platform's `URL`, because that of React Native appends slashes and lacks members.
 */
export function parseUrl(url: string, base = ''): Partial<UrlParts> {
  const baseOrigin = base === '' ? '' : (parseUrl(base).origin ?? '');
  const text = url.trim();
  const isPath = text.startsWith('/');
  const start = !isPath ? '' : text.startsWith('//') ? baseOrigin.replace(/\/\/.*/, '') : baseOrigin;
  const [, scheme = '', userName = '', host = '', port = '', pathname = '', search = ''] =
    httpUrlParts.exec(start + text) ?? [];
  if (host === '') return {};
  const isDefaultPort = port === '' || Number(port) === (/^https/i.test(scheme) ? 443 : 80);
  const origin = `${scheme}//${host}${isDefaultPort ? '' : `:${Number(port)}`}`.toLowerCase();
  return {
    href: `${scheme}//${userName}${host}${port && `:${port}`}${pathname}${search}`,
    origin,
    pathname,
    search,
    hasUserName: userName !== '',
  };
}

/** Decodes a path for a comparison, because servers differ in which characters they escape. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the origin of a URL that requests are sent to. `what`: name of the URL in errors. */
export function readOrigin(url: string, what: string): string {
  const { href = '', origin = '' } = parseUrl(url);
  if (httpUrlPattern.test(href)) return origin;
  throw new TypeError(`${what} must be an absolute http or https URL without a user name`);
}

/** Returns the URL that paths are appended to. `added`: the prefix of all paths. `what`: name of the URL in errors. */
export function readBaseUrl(url: string, added: string, what: string): string {
  readOrigin(url, what);
  const baseUrl = url.trim().replace(/\/+$/, '');
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
