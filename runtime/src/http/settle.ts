/** An outcome as a value: the members of the result, or the error. */
export type Settled<Result, Failure> =
  | ({ readonly ok: true; readonly error?: undefined } & Result)
  | { readonly ok: false; readonly error: Failure };

/** Returns an error of a client as a value. Rejects for every other error, which is a mistake in the program. */
export async function settle<Result extends object, Failure>(
  work: Promise<Result>,
  isFailure: (error: unknown) => error is Failure,
): Promise<Settled<Result, Failure>> {
  try {
    return { ok: true, ...(await work) };
  } catch (error) {
    if (isFailure(error)) return { ok: false, error };
    throw error;
  }
}
