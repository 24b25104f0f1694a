/** A specification, overlay or setting that cannot be used; `place` is a file or a JSON pointer. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly place: string | undefined;
  constructor(message: string, options: { place?: string; cause?: unknown } = {}) {
    super(options.place === undefined ? message : `${options.place}: ${message}`, { cause: options.cause });
    this.place = options.place;
  }
}
