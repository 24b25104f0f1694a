/** An option that names nothing the sandbox has, or a catalog that cannot be read. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** The body of a request broke off: its caller has gone, and nobody hears an answer. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';
}
