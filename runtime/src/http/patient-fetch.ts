import { readProcess } from './base-url.ts';

type Dispatcher = { dispatch(options: object, handler: object): boolean };

/** Returns options that remove the five-minute timeouts of Node's `fetch`: the router may hold a run for ten minutes. */
export function removeTimeouts(): object {
  // Use the dispatcher of Node's own `fetch`: a package may have set one of a different, incompatible version.
  const generation = Number.parseInt(readProcess()?.versions?.['undici'] ?? '', 10) >= 8 ? 2 : 1;
  const place = Symbol.for(`undici.globalDispatcher.${generation}`);
  // Reading `Headers` makes Node create its dispatcher, so that it also exists in the first call of a program.
  const current: Dispatcher | undefined = globalThis.Headers && Reflect.get(globalThis, place);
  if (current === undefined) return {};
  // Keep a `bodyTimeout` that the program has set; agents store it under a symbol.
  const optionsSymbol = Object.getOwnPropertySymbols(current).find(({ description }) => description === 'options');
  const { bodyTimeout = 0 }: { bodyTimeout?: unknown } = Object(optionsSymbol && Reflect.get(current, optionsSymbol));
  // Set the timeouts for each request. Replacing the dispatcher would lose the program's proxy, certificates and
  // interceptors: a test would call the real service instead of its mock, and pay for it.
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    current.dispatch({ ...options, headersTimeout: 0, bodyTimeout }, handler);
  return { dispatcher: Object.create(current, { dispatch: { value: dispatch } }) };
}
