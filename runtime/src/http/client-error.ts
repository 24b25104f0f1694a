import { omitUndefined } from './omit-undefined.ts';

/** Class of a client's errors. Their members depend on `kind`, which a class can't express. */
export type ClientError<Facts> = new (message: string, facts: Facts, cause?: unknown) => Error & Facts;

// A symbol instead of `instanceof`, because a program may contain two copies of a package, each with its own class.
const readBrand = (name: string): symbol => Symbol.for(`${name} of a generated client`);

export function hasBrand(value: unknown, name: string): boolean {
  return Reflect.get(Object(value), readBrand(name)) === true;
}

export function createErrorClass<Facts extends object>(name: string): ClientError<Facts> {
  const errorClass = class extends Error {
    constructor(message: string, facts: Facts, cause?: unknown) {
      super(message, omitUndefined({ cause }));
      Object.assign(this, { name }, facts);
    }
    get [readBrand(name)](): true {
      return true;
    }
    toJSON(): object {
      return { ...this, message: this.message };
    }
  };
  // Not a static member, because some compilers would assign to the read-only property.
  Object.defineProperty(errorClass, 'name', { value: name });
  return errorClass as never; // The constructor assigns the members.
}

export type Settled<Result, Failure> =
  | ({ readonly ok: true; readonly error?: undefined } & Result)
  | { readonly ok: false; readonly error: Failure };

/** Resolves to `{ ok: false, error }` for an error of the client. Rejects for any other error, which is a bug. */
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
