import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject, packageRoot } from '../../../specs/src/index.ts';
import { HarnessError } from '../errors.ts';

/** Why no black-box client could show a breach of a requirement. */
export type Reason = { readonly id: string; readonly because: string };

const reasonsAtMost = 60;
/** Shorter than that, a reason says "it cannot be seen" and not why. */
const shortestReason = 40;

/** The written reasons. Throws `HarnessError` on a malformed entry, an id given twice, or more reasons than sixty. */
export function readUnobservable(): readonly Reason[] {
  const text = readFileSync(join(packageRoot(), 'contract-tests/unobservable.yaml'), 'utf8');
  return parseUnobservable(parse(text));
}

export function parseUnobservable(value: unknown): readonly Reason[] {
  if (!Array.isArray(value)) throw new HarnessError('unobservable.yaml is not a list');
  const reasons = value.map(parseReason);
  if (reasons.length > reasonsAtMost)
    throw new HarnessError(`unobservable.yaml gives ${reasons.length} reasons; ${reasonsAtMost} at most`);
  const twice = reasons.find(({ id }, index) => reasons.findIndex((one) => one.id === id) !== index);
  if (twice !== undefined) throw new HarnessError(`unobservable.yaml gives two reasons for ${twice.id}`);
  return reasons;
}

function parseReason(entry: unknown): Reason {
  const [id, because] = isJsonObject(entry) ? [entry['id'], entry['because']] : [];
  if (typeof id !== 'string' || typeof because !== 'string')
    throw new HarnessError(`unobservable.yaml: an entry lacks id or because: ${JSON.stringify(entry)}`);
  if (because.trim().length < shortestReason)
    throw new HarnessError(`unobservable.yaml: the reason for ${id} says too little`);
  return { id, because: because.replace(/\s+/g, ' ').trim() };
}
