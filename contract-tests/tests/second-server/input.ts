import type { IncomingMessage } from 'node:http';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type FieldProblem, InvalidFields, Refusal } from './answers.ts';
import { type Model, printDocument } from './models.ts';

// From the bytes of a request to an input that the model's own document accepts.

export type Input = Record<string, unknown>;

export const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export async function readBody(request: IncomingMessage, maximum: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= maximum) chunks.push(chunk);
  }
  if (length <= maximum) return Buffer.concat(chunks);
  throw new Refusal(413, 'invalid_input', `The body is larger than ${maximum} bytes.`);
}

export function parseInput(body: Buffer): Input {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal(400, 'invalid_input', 'The body is not JSON.');
  }
  if (!isObject(value)) throw new Refusal(400, 'invalid_input', 'The body has to be a JSON object.');
  return value;
}

const validators = new Map<string, ValidateFunction | 'anything'>();

function findValidator(model: Model): ValidateFunction | 'anything' {
  const known = validators.get(model.id);
  if (known) return known;
  const document = JSON.parse(printDocument(model, 'Service'));
  const [path = ''] = Object.keys(document.paths);
  const pointer = ['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(document, 'https://models.example/document');
  const made =
    document['x-service-input-schema-authored'] === true
      ? ajv.compile({ $ref: `https://models.example/document#/${pointer}` })
      : 'anything';
  validators.set(model.id, made);
  return made;
}

/** One entry for each failing field; an input whose schema is not authored is left to the provider. */
export function checkInput(model: Model, input: Input): void {
  const validate = findValidator(model);
  if (validate === 'anything' || validate(input)) return;
  const problems = new Map<string, FieldProblem>();
  for (const error of validate.errors ?? []) {
    const problem = describe(error, input);
    const place = JSON.stringify(problem.loc);
    if (!problems.has(place)) problems.set(place, problem);
  }
  throw new InvalidFields([...problems.values()]);
}

const kinds: Record<string, [type: string, bound?: string]> = {
  required: ['missing'],
  additionalProperties: ['extra_forbidden'],
  type: ['wrong_type'],
  enum: ['not_in_list', 'allowedValues'],
  const: ['not_in_list', 'allowedValue'],
  minimum: ['greater_than_equal', 'limit'],
  exclusiveMinimum: ['greater_than', 'limit'],
  maximum: ['less_than_equal', 'limit'],
  minLength: ['string_too_short', 'limit'],
  maxLength: ['string_too_long', 'limit'],
  minItems: ['too_short', 'limit'],
  maxItems: ['too_long', 'limit'],
  pattern: ['string_pattern_mismatch', 'pattern'],
};

function describe(error: ErrorObject, input: Input): FieldProblem {
  const [type, bound] = kinds[error.keyword] ?? ['value_error'];
  const named = error.params['missingProperty'] ?? error.params['additionalProperty'];
  const { loc, value } = locate(error.instancePath, input);
  return {
    loc: named === undefined ? loc : [...loc, named],
    msg: `The value ${error.message ?? 'is not valid'}.`,
    type,
    ...(bound !== undefined && { ctx: { [bound]: error.params[bound] } }),
    ...(named === undefined && { input: value }),
  };
}

function locate(pointer: string, input: unknown): { loc: (string | number)[]; value: unknown } {
  let value = input;
  const loc: (string | number)[] = [];
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    loc.push(Array.isArray(value) ? Number(name) : name);
    value = (value as Record<string, unknown>)[name];
  }
  return { loc, value };
}
