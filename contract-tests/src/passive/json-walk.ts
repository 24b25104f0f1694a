import type { JsonValue } from '../../../specs/src/index.ts';

/** Whether an object at any depth has a member of that name. */
export function hasMember(value: JsonValue, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasMember(one, name));
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) || Object.values(value).some((one) => hasMember(one, name));
}
