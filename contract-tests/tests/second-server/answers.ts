import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findDocument, type Model } from './models.ts';

export type Headers = Readonly<Record<string, string | number>>;
export type Answer = { readonly status: number; readonly headers: Headers; readonly body?: Buffer | string };
export type Input = Readonly<Record<string, unknown>>;

/** An error response. A 422 has one entry for each invalid field, and its category only in the header. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly errorType: string;
  readonly detail: string | readonly Input[];
  readonly headers: Headers;
  constructor(status: number, errorType: string, detail: Refusal['detail'], headers: Headers = {}) {
    super(`${status} ${errorType}`);
    this.status = status;
    this.errorType = errorType;
    this.detail = detail;
    this.headers = headers;
  }
}

/** Creates a JSON response. It is indented, because clients must accept any white space. */
export const json = (status: number, value: unknown, headers: Headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: `${JSON.stringify(value, null, 2)}\n`,
});

/** Sends a response: a text in chunks, bytes with a Content-Length. */
export function send(response: ServerResponse, { status, headers, body = '' }: Answer): void {
  const length = typeof body === 'string' ? {} : { 'content-length': body.length };
  response.writeHead(status, { ...headers, ...length });
  if (typeof body === 'string' && body !== '') response.write(body);
  response.end(typeof body === 'string' ? '' : body);
}

const maximumBody = 2 ** 20;

/** Reads a JSON object. */
export async function readInput(request: IncomingMessage): Promise<Input> {
  const body = await buffer(request);
  if (body.length > maximumBody)
    throw new Refusal(413, 'invalid_input', `The body is larger than ${maximumBody} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal(400, 'invalid_input', 'The body is not JSON.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input;
  throw new Refusal(400, 'invalid_input', 'The body has to be a JSON object.');
}

const validators = new Map<Model, ValidateFunction>();

/** Rejects an input with one entry for each invalid field. An input without an authored schema is not checked. */
export function checkInput(model: Model, input: Input): void {
  const { input: schema, components, isAuthored } = findDocument(model);
  if (isAuthored === false) return;
  const ajv = () => new Ajv2020({ strict: false, allErrors: true, verbose: true }).compile({ ...schema, components });
  const validate = validators.get(model) ?? ajv();
  validators.set(model, validate);
  if (validate(input)) return;
  const problems = (validate.errors ?? []).map(describe);
  const byPlace = new Map(problems.toReversed().map((problem) => [JSON.stringify(problem.loc), problem]));
  throw new Refusal(422, 'invalid_input', [...byPlace.values()]);
}

function describe({ keyword, params, instancePath, message, data }: ErrorObject) {
  const path = instancePath.split('/').slice(1);
  const loc = path.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const named = params['missingProperty'] ?? params['additionalProperty'];
  const problem = { msg: `The value ${message ?? 'is not valid'}.`, type: keyword, ctx: params };
  return named === undefined ? { loc, ...problem, input: data } : { loc: [...loc, named], ...problem };
}

export function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
