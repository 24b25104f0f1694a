/** An absolute address of http or https without a user name. */
export const reachable = /^https?:\/\/[^/@]+(\/|$)/i;

/** The parts of an address; empty where it cannot be read. */
export function parseAddress(address: string, base?: string): Partial<URL> {
  try {
    return new URL(address, base);
  } catch {
    return {};
  }
}

/** The origin of an address to which requests go. `what` names it in the error. */
export function readOrigin(address: string, what: string): string {
  const { href = '', origin = '' } = parseAddress(address);
  if (reachable.test(href)) return origin;
  throw new TypeError(`${what} must be an absolute http or https address without a user name`);
}

/** The address to which paths are added. `added` is the part that every path begins with. */
export function readBaseUrl(address: string, added: string, client: string): string {
  const what = `${client}: baseUrl`;
  readOrigin(address, what);
  const baseUrl = address.trim().replace(/\/+$/, '');
  const right = baseUrl.replace(/\/*[?#].*/, '').replace(new RegExp(`${added}/*$`), '');
  if (right === baseUrl) return baseUrl;
  throw new TypeError(`${what} ends with ${baseUrl.slice(right.length)}, and ${added} is added to it: give ${right}`);
}

/** True for a text that can be a part of a path. A URL drops `.` and `..`, so they would reach another one. */
export function isSegment(text: string): boolean {
  try {
    return !/^\.{0,2}$/.test(text) && encodeURIComponent(text) !== '';
  } catch {
    return false; // half of a character
  }
}

type NodeProcess = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly versions?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: 'events'): { setMaxListeners(count: number, signal: AbortSignal): void } | undefined;
};

/** The members of Node's `process` that the client uses; undefined in browsers. */
export const readProcess = (): NodeProcess | undefined => Reflect.get(globalThis, 'process');

/** A variable of the environment; undefined in browsers, and where it is empty. */
export const readVariable = (name: string): string | undefined => readProcess()?.env?.[name] || undefined;

/** Names the client to the service. Browsers name themselves, and would ask the service first whether another name may be sent. */
export function nameAgent(name: string): Record<string, string> {
  const isBrowser = 'document' in globalThis || 'importScripts' in globalThis;
  return isBrowser ? {} : { 'User-Agent': `${name}-client` };
}
