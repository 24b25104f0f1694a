import { readCategory } from './categories.ts';
import { type CallIdentity, fail, failAnswered } from './failures.ts';
import type { InputValidator } from './options.ts';
import type { AnyModel } from './router-types.ts';

/** The body of a run. What JSON would change without a word is refused: the run would be another one, and billed. */
export function printInput(input: unknown, call: CallIdentity): string {
  const paths = new Map<unknown, string>();
  let lost: string | undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(input, function (this: Readonly<Record<string, unknown>>, name, written: unknown) {
      const value = this[name];
      const outer = paths.get(this);
      const path = outer === undefined ? 'input' : Array.isArray(this) ? `${outer}[${name}]` : `${outer}.${name}`;
      const isLeftOut = value === undefined && !Array.isArray(this);
      if (!isLeftOut && !isJson(value)) lost ??= `${path} is ${nameKind(value)}`;
      if (typeof written === 'object') paths.set(written, path);
      return lost === undefined ? written : undefined;
    });
  } catch (cause) {
    throw fail(call, 'the input cannot be written as JSON', { cause });
  }
  if (lost !== undefined) throw fail(call, `${lost}, which JSON cannot hold; toDataUrl makes text of a file`);
  if (text?.startsWith('{')) return text;
  throw fail(call, 'an input is a JSON object');
}

const nameKind = (value: unknown): string =>
  typeof value === 'number' ? `${value}` : `of the kind ${Object.prototype.toString.call(value).slice(8, -1)}`;

/** Whether JSON has words for a value, its parts aside. What a `toJSON` of its own gives is meant. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  const isMeant = 'toJSON' in Object(value) && !ArrayBuffer.isView(value);
  return isMeant || /kind (?:Object|Array|String|Number|Boolean|Null)$/.test(nameKind(value));
}

/** Refuses what the service would refuse, with the same error. An input that the router does not check has no schema. */
export async function refuseInvalid(
  sent: string,
  validate: true | InputValidator['validate'],
  { loadValidator, ...call }: CallIdentity & Pick<AnyModel, 'loadValidator'>,
): Promise<void> {
  let check = validate;
  if (check === true) {
    if (loadValidator === undefined && call.inputAuthored === false) return;
    if (loadValidator === undefined) throw fail(call, 'validate needs the facts of the model, not its id alone');
    const { validator } = await loadValidator().catch((cause: unknown) => {
      throw fail(call, 'the schema is not in this bundle: give validate the validateInput of the model', { cause });
    });
    check = (input) => validator.validate(input);
  }
  const result = check(JSON.parse(sent));
  if (result.valid) return;
  const body = { kind: 'json', value: { detail: result.detail } } as const;
  const category = readCategory('', 'invalid_input', String);
  const answered = { status: 422, body, facts: { replayed: false }, category };
  throw failAnswered({ ...call, inputAuthored: true }, answered, { redact: String });
}
