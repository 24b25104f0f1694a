import type { JsonObject } from '../../specs/src/index.ts';
import { SandboxError } from './errors.ts';

/** Throws SandboxError: a name that is mistyped would otherwise change nothing, or too much. */
export function refuseUnknown(value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new SandboxError(`${JSON.stringify(unknown)} is none of ${names.join(', ')}`);
}

export function listOf(body: JsonObject, name: string): string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new SandboxError(`${name} must be a list of strings`);
  }
  return value;
}
