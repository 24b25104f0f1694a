import { readCategory } from './categories.ts';
import { answeredFailure, type CallIdentity, localFailure } from './failures.ts';
import type { AnyModel, InputValidator, SubmitOptions } from './router-types.ts';

/** The body of a run. What JSON would change without a word is refused: the run would be another one, and billed. */
export function printInput(input: unknown, call: CallIdentity): string {
  const paths = new Map<unknown, string>();
  let text: string | undefined;
  try {
    text = JSON.stringify(input, function (this: Record<string, unknown>, name, value: unknown) {
      const path = paths.has(this) ? `${paths.get(this)}${Array.isArray(this) ? `[${name}]` : `.${name}`}` : 'input';
      if (isLost(this[name], value, Array.isArray(this))) throw localFailure(call, explainLoss(path, this[name]));
      if (typeof value === 'object') paths.set(value, path);
      return value;
    });
  } catch (cause) {
    if (Object(cause).kind === 'local') throw cause;
    throw localFailure(call, 'the input cannot be written as JSON', { cause });
  }
  if (text?.startsWith('{')) return text;
  throw localFailure(call, 'an input is a JSON object');
}

/** Whether JSON would leave a value out of a list, or write another one. What a `toJSON` of its own gives is meant. */
function isLost(raw: unknown, value: unknown, isItem: boolean): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object')
    return typeof value === 'function' || typeof value === 'symbol' || (isItem && value === undefined);
  return (
    ArrayBuffer.isView(raw) || !/^\[object (Object|Array|Null|String|Number|Boolean)]$/.test(String(tag.call(value)))
  );
}

const tag = Object.prototype.toString;

function explainLoss(path: string, value: unknown): string {
  const what = typeof value === 'object' ? `of the kind ${tag.call(value).slice(8, -1)}` : String(value);
  return `${path} is ${what}, which JSON cannot hold; toDataUrl of the subpath assets makes text of a file`;
}

/** Refuses what the service would refuse, with the same error. An input that the router does not check has no schema. */
export async function validateInput(
  sent: string,
  validate: SubmitOptions['validate'],
  { loadValidator, ...call }: CallIdentity & Pick<AnyModel, 'loadValidator'>,
): Promise<void> {
  if (validate === undefined || validate === false) return;
  const check = typeof validate === 'function' ? validate : await load(loadValidator, call);
  const result = check?.(JSON.parse(sent)) ?? { valid: true };
  if (result.valid) return;
  const body = { kind: 'json', value: { detail: result.detail } } as const;
  const answered = {
    status: 422,
    body,
    facts: { replayed: false },
    category: readCategory('', 'invalid_input', String),
  };
  const known = { attempts: 0, isRetryable: false, isSuccess: false, redact: String };
  throw answeredFailure({ ...call, inputAuthored: true }, answered, known);
}

async function load(
  loadValidator: AnyModel['loadValidator'],
  call: CallIdentity,
): Promise<((input: unknown) => ReturnType<InputValidator['validate']>) | undefined> {
  if (loadValidator === undefined && call.inputAuthored === false) return undefined;
  try {
    const found = await loadValidator?.();
    if (found !== undefined) return (input) => found.validator.validate(input);
  } catch (cause) {
    throw localFailure(call, 'the schema is not in this bundle: give validate the validateInput of the model', {
      cause,
    });
  }
  throw localFailure(call, 'validate needs the facts of the model, not its id alone');
}
