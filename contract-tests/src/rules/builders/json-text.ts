import { parseJson } from '../../contract/evidence.ts';

/** The texts of a JSON array in one layer of JSON or two (C-26); undefined for anything else. */
export function textsIn(value: string): readonly string[] | undefined {
  const once = parseJson(value);
  const list = typeof once === 'string' ? parseJson(once) : once;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}
