import { RouterError } from './router-error.ts';
import type { Settled } from './router-types.ts';

type Methods = { readonly [name: string]: (...args: never[]) => Promise<object> };
type SettledMethods<Of extends Methods> = {
  [Name in keyof Of]: (...args: Parameters<Of[Name]>) => Promise<Settled<Awaited<ReturnType<Of[Name]>>>>;
};

/** The same methods, with their errors as values. */
export function settled<Of extends Methods>(methods: Of): SettledMethods<Of> {
  const entries = Object.entries(methods).map(([name, method]) => [name, settle(method)]);
  return Object.fromEntries(entries) as SettledMethods<Of>; // fromEntries forgets the names
}

function settle(method: (...args: never[]) => Promise<object>) {
  return async (...args: never[]) => {
    try {
      return { ok: true, ...(await method(...args)) };
    } catch (error) {
      if (error instanceof RouterError) return { ok: false, error };
      throw error; // a mistake in the program, not an outcome of a call
    }
  };
}
