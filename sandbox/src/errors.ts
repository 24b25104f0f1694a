/** Thrown for an invalid option, an invalid admin call, or an unreadable catalog. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** Throws SandboxError if `value` has a member that is not in `names`, which may be misspelt. */
export function rejectUnknownNames(value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new SandboxError(`${JSON.stringify(unknown)} is unknown; it must be one of ${names.join(', ')}`);
}

export function parseInteger(name: string, value: unknown, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to) return value;
  const upTo = to === Number.MAX_SAFE_INTEGER ? 'up' : `to ${to}`;
  throw new SandboxError(`${name} must be an integer from ${from} ${upTo}`);
}

export function parseWord<Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new SandboxError(`${name} must be one of ${words.join(', ')}`);
}
