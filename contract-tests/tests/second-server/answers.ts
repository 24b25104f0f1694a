import type { ServerResponse } from 'node:http';

// What a handler returns, what it throws to refuse, and how both reach the wire.

export type Headers = Record<string, string | number>;
export type Answer = { readonly status: number; readonly headers: Headers; readonly body?: Buffer | string };

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly errorType: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;

  constructor(status: number, errorType: string, detail: string, more: { headers?: Headers; body?: object } = {}) {
    super(detail);
    this.status = status;
    this.errorType = errorType;
    this.headers = more.headers ?? {};
    this.body = { detail, error_type: errorType, ...more.body };
  }
}

export type FieldProblem = { loc: (string | number)[]; msg: string; type: string; ctx?: object; input?: unknown };

/** A 422: one entry for each failing field; its category is in the header only. */
export class InvalidFields extends Refusal {
  override readonly body: Record<string, unknown>;
  readonly problems: readonly FieldProblem[];

  constructor(problems: readonly FieldProblem[], headers: Headers = {}) {
    super(422, 'invalid_input', 'Some fields are not valid.', { headers });
    this.problems = problems;
    this.body = { detail: problems };
  }
}

/** Names with the maker's brand; this server writes all header names in lower case. */
export type Brand = { readonly word: string };
export const branded = (brand: Brand, name: string): string => `x-${brand.word}-${name}`.toLowerCase();

// Two spaces of indentation: legal JSON that no reader may object to.
export const jsonAnswer = (status: number, value: unknown, headers: Headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: `${JSON.stringify(value, null, 2)}\n`,
});

export function refusalAnswer(refusal: Refusal, brand: Brand, silentType: boolean): Answer {
  const type: Headers = silentType ? {} : { [branded(brand, 'error-type')]: refusal.errorType };
  return jsonAnswer(refusal.status, refusal.body, { ...refusal.headers, ...type });
}

/** Text leaves in two chunks, bytes with their length. */
export function send(response: ServerResponse, answer: Answer): void {
  const { body } = answer;
  if (body === undefined) {
    response.writeHead(answer.status, answer.headers).end();
  } else if (typeof body === 'string') {
    const bytes = Buffer.from(body);
    response.writeHead(answer.status, answer.headers);
    response.write(bytes.subarray(0, bytes.length / 2));
    response.end(bytes.subarray(bytes.length / 2));
  } else {
    response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length }).end(body);
  }
}
