/**
 * As the platform's `fetch` is called, with what is used of its options. A `Request` in their place would be copied, which takes
 * longer than all else that a call does, and packages that have a `fetch` of their own do not know the platform's.
 */
export type Transport = (url: string, init: TransportOptions) => Promise<Response>;
export type TransportOptions = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly redirect: 'manual';
  /** Of a read, where the platform has it: some of them cache what is asked for. */
  readonly cache?: 'no-store';
  readonly signal: AbortSignal;
};

/** Headers by name; `undefined` counts as left out. */
export type GivenHeaders = Readonly<Record<string, string | undefined>>;

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers of a request, of which a later one replaces an earlier one of its name, or the name of one that no platform sends. Looked
 * at here, since the platform's `Headers` and `Request` take longer than the rest of the call.
 */
export function mergeHeaders(...parts: readonly (GivenHeaders | undefined)[]): Record<string, string> | string {
  const all: Record<string, string> = {};
  for (const part of parts)
    for (const name of Object.keys(part ?? {})) {
      const value: unknown = part?.[name];
      if (value === undefined) continue;
      if (!headerName.test(name) || typeof value !== 'string' || !headerValue.test(value.trim())) return name;
      all[name.toLowerCase()] = value.trim();
    }
  return all;
}
