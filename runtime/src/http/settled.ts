/** An outcome as a value: the members of the result, or the error. */
export type Settled<Result, Failure> =
  | ({ readonly ok: true; readonly error?: undefined } & Result)
  | { readonly ok: false; readonly error: Failure };

type Methods = { readonly [name: string]: (...args: never[]) => object }; // a promise, mostly
export type SettledMethods<Of extends Methods, Failure> = {
  [Name in keyof Of]: (...args: Parameters<Of[Name]>) => Promise<Settled<Awaited<ReturnType<Of[Name]>>, Failure>>;
};

/** The same methods, with the errors of their client as values. Any other one is a mistake in the program, and is thrown. */
export function settled<Of extends Methods, Failure>(
  methods: Of,
  isFailure: (error: unknown) => error is Failure,
): SettledMethods<Of, Failure> {
  const settle =
    (method: Methods[string]) =>
    async (...args: never[]) => {
      try {
        return { ok: true, ...(await method(...args)) };
      } catch (error) {
        if (isFailure(error)) return { ok: false, error };
        throw error;
      }
    };
  const all: { [name: string]: unknown } = {};
  for (const name in methods) all[name] = settle(methods[name] as Of[string]);
  return all as SettledMethods<Of, Failure>; // under the same names
}
