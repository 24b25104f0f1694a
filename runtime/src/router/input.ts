import { readCategory } from './categories.ts';
import { type CallIdentity, fail, failAs } from './failures.ts';
import type { ValidateInput } from './options.ts';

/** The body of a run. What JSON would change without a word is refused: the run would be another one, and billed. */
export function printInput(input: unknown, call: CallIdentity): string {
  let lost: string | undefined;
  let text: string | undefined;
  try {
    lost = findLost(input, 'input');
    text = JSON.stringify(input);
  } catch (cause) {
    throw fail(call, 'the input cannot be written as JSON', { cause });
  }
  if (lost !== undefined) throw fail(call, `${lost}, which JSON cannot hold; toDataUrl makes text of a file`);
  if (text?.startsWith('{')) return text;
  throw fail(call, 'an input is a JSON object');
}

/** What of a value JSON has no words for, its parts included. What a `toJSON` of its own gives is meant. */
function findLost(value: unknown, path: string): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return `${path} is ${value}`;
  const isMeant = 'toJSON' in Object(value) && !ArrayBuffer.isView(value);
  const written: unknown = isMeant ? (value as { toJSON(): unknown }).toJSON() : value;
  const kind = Object.prototype.toString.call(written).slice(8, -1);
  if (!isMeant && !/^(Object|Array|String|Number|Boolean|Null)$/.test(kind)) return `${path} is of the kind ${kind}`;
  if (typeof written !== 'object' || written === null) return undefined;
  const parts = Array.isArray(written)
    ? Array.from(written, (part, index) => findLost(part, `${path}[${index}]`))
    : Object.entries(written).map(([name, part]) => (part === undefined ? part : findLost(part, `${path}.${name}`)));
  return parts.find((lost) => lost !== undefined);
}

/** Refuses what the service would refuse, with the same error. */
export function refuseInvalid(sent: string, validate: ValidateInput, call: CallIdentity): void {
  if (typeof validate !== 'function') throw fail(call, 'validate must be the function validateInput of the model');
  const result = validate(JSON.parse(sent));
  if (result.valid) return;
  const answered = { category: readCategory('', 'invalid_input', String), facts: { replayed: false } };
  throw failAs({ ...call, inputAuthored: true }, 422, result.detail, answered);
}
