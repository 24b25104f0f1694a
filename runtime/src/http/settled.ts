/** An outcome as a value: the members of the result, or the error. */
export type Settled<Result, Failure> =
  | ({ readonly ok: true; readonly error?: undefined } & Result)
  | { readonly ok: false; readonly error: Failure };

type Methods = { readonly [name: string]: (...args: never[]) => object }; // a promise, mostly
export type SettledMethods<All extends Methods, Failure> = {
  [Name in keyof All]: (...args: Parameters<All[Name]>) => Promise<Settled<Awaited<ReturnType<All[Name]>>, Failure>>;
};

/** The same methods, with the errors of their client as values. Any other one is a mistake in the program, and is thrown. */
export function settled<All extends Methods, Failure>(
  methods: All,
  isFailure: (error: unknown) => error is Failure,
): SettledMethods<All, Failure> {
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
  const all: object = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, settle(method)]));
  return all as SettledMethods<All, Failure>; // under the same names
}
