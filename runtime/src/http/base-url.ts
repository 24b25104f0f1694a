/** The origin of an absolute address of http or https without a user name; undefined for any other text. */
export function readOrigin(address: string): string | undefined {
  const { protocol = '', origin, username } = URL.canParse(address) ? new URL(address) : {};
  return /^https?:$/.test(protocol) && username === '' ? origin : undefined;
}

/** The address to which paths are added, or what is wrong with it. `added` is the part that every path begins with. */
export function readBaseUrl(address: string, added: string): { baseUrl: string } | { mistake: string } {
  if (readOrigin(address) === undefined)
    return { mistake: 'baseUrl is no absolute address of http or https without a user name' };
  const baseUrl = address.replace(/\/+$/, '');
  const right = baseUrl.replace(/\/*[?#].*/, '').replace(new RegExp(`${added}/*$`), '');
  return right === baseUrl
    ? { baseUrl }
    : { mistake: `baseUrl ends with ${baseUrl.slice(right.length)}, and ${added} is added to it: give ${right}` };
}

/** A variable of the environment; absent in browsers, and where it is empty. */
export function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

/** Names the client to the service. Browsers name themselves, and would ask the service first whether another name may be sent. */
export function nameAgent(name: string): Record<string, string> {
  const isBrowser = 'document' in globalThis || 'importScripts' in globalThis;
  return isBrowser ? {} : { 'User-Agent': `${name}-client` };
}
