import type { Transport } from './transport.ts';

type Dispatcher = { dispatch(options: object, handler: object): boolean };

/**
 * Where Node keeps the dispatcher of its own `fetch`, by generation. One of another generation, which a package may have
 * put beside it, does not understand this `fetch`.
 */
function placeOfDispatcher(): symbol {
  const { process } = globalThis as { process?: { versions?: { undici?: string } } }; // absent in browsers
  const generation = Number.parseInt(process?.versions?.undici ?? '', 10) >= 8 ? 2 : 1;
  return Symbol.for(`undici.globalDispatcher.${generation}`);
}

/**
 * `fetch` without the five minutes that Node waits for a head or a part of a body, since a run may be held for ten.
 * On platforms without Node's dispatcher it is their plain `fetch`.
 */
export function createPatientFetch(): Transport {
  const place = placeOfDispatcher();
  let known: Dispatcher | undefined;
  let dispatcher: Dispatcher | undefined;
  return (url, init) => {
    // Node makes its dispatcher when the first of these is asked for, and the first call of a program may be its only one.
    const current = globalThis.Headers && (globalThis as { [place: symbol]: Dispatcher | undefined })[place];
    if (current !== known) dispatcher = current && withoutLimits(current); // the program may replace it
    known = current;
    return globalThis.fetch(url, { ...init, ...(dispatcher && { dispatcher }) } as RequestInit); // Node's own option
  };
}

/**
 * The limits are given with each request. A dispatcher of our own would lose the proxy, the certificates and the
 * interceptors of the program's, and a program under test would reach, and pay, the real service past its mock.
 */
function withoutLimits(current: Dispatcher): Dispatcher {
  const bodyTimeout = readBodyTimeout(current);
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
  return Object.create(current, { dispatch: { value: dispatch } });
}

/** What the program set for its own dispatcher stays; agents keep it under a symbol. */
function readBodyTimeout(dispatcher: Dispatcher): unknown {
  const place = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'options');
  const options = place && (dispatcher as { [name: symbol]: { bodyTimeout?: unknown } | undefined })[place];
  return options?.bodyTimeout ?? 0;
}
