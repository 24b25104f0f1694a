/** An error in a specification, overlay or setting; `place` is a file or a JSON pointer. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly place: string | undefined;
  constructor(message: string, options: { place?: string; cause?: unknown } = {}) {
    super(options.place === undefined ? message : `${options.place}: ${message}`, { cause: options.cause });
    this.place = options.place;
  }
}

/** Returns the system's code of an error, such as `ENOENT`; empty for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Thrown if a source uses a different brand from the assumed one. */
export class BrandMismatch extends Error {
  override readonly name = 'BrandMismatch';
  readonly assumed: string;
  readonly found: string;
  constructor(assumed: string, found: string) {
    super(`the brand is set to ${assumed}, but the source uses ${found} in its extension keys or headers`);
    this.assumed = assumed;
    this.found = found;
  }
}
