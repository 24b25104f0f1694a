/** An option or an admin call that cannot be carried out, or a catalog or database that cannot be read. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** Throws SandboxError: a mistyped name would otherwise be ignored unnoticed. */
export function refuseUnknown(value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new SandboxError(`${JSON.stringify(unknown)} is unknown; known are ${names.join(', ')}`);
}
