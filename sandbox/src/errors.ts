/** An option that names nothing the sandbox has, or a catalog that cannot be read. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
