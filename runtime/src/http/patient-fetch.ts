import { readProcess } from './base-url.ts';

type Dispatcher = { dispatch(options: object, handler: object): boolean };

/**
 * `fetch` without the five minutes that Node waits for a head or a part of a body, since a run may be held for ten.
 * On platforms without Node's dispatcher it is their plain `fetch`.
 */
export function createPatientFetch(): (url: string, init: RequestInit) => Promise<Response> {
  // Node keeps the dispatcher of its own `fetch` here, by generation. One of another generation, which a package may have added, does
  // not understand this `fetch`.
  const generation = Number.parseInt(readProcess()?.versions?.['undici'] ?? '', 10) >= 8 ? 2 : 1;
  const place = Symbol.for(`undici.globalDispatcher.${generation}`);
  let known: Dispatcher | undefined;
  let dispatcher: Dispatcher | undefined;
  return (url, init) => {
    // Node makes its dispatcher when the first of these is read, and the first call of a program may be its only one.
    const current: Dispatcher | undefined = globalThis.Headers && Reflect.get(globalThis, place);
    if (current !== known) dispatcher = current && withoutLimits(current); // the program may replace it
    known = current;
    const options: object = { ...init, ...(dispatcher && { dispatcher }) }; // an option of Node
    return globalThis.fetch(url, options);
  };
}

/**
 * The limits are given with each request. A dispatcher of our own would lose the proxy, the certificates and the
 * interceptors of the program's, and a program under test would reach, and pay, the real service past its mock.
 */
function withoutLimits(current: Dispatcher): Dispatcher {
  // The value that the program set for its own dispatcher stays; agents keep it under a symbol.
  const place = Object.getOwnPropertySymbols(current).find(({ description }) => description === 'options');
  const { bodyTimeout = 0 }: { bodyTimeout?: unknown } = Object(place && Reflect.get(current, place));
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
  return Object.create(current, { dispatch: { value: dispatch } });
}
