import {
  compileSchema,
  type EffectiveSpecs,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOperations,
  type Operation,
  type ResolvedResponse,
  type Schema,
} from '../../../specs/src/index.ts';
import { parseBody, parseJson, readHeader } from '../contract/evidence.ts';
import type { WireResponse } from '../contract/probe.ts';
import { listWrongValues } from '../rules/builders/wrong-values.ts';

/** A response of one operation and status that breaks one statement of the documents. */
export type DerivedFault = {
  readonly id: string;
  readonly operation: Operation;
  /** Undefined for each error that the operation does not list (`default`). */
  readonly status: number | undefined;
  /** Undefined where the response gives no occasion. */
  readonly change: (response: WireResponse) => WireResponse | undefined;
};
type Named = Pick<DerivedFault, 'change'> & { readonly name: string };

/** Every statement of the effective specifications about a response, broken by itself, in their order. */
export function deriveFaults(specs: EffectiveSpecs): readonly DerivedFault[] {
  return listOperations(specs).flatMap((operation) => {
    const root = operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution;
    return Object.entries(operation.responses).flatMap(([key, response]) => {
      const status = key === 'default' ? undefined : Number(key);
      return [
        ...Object.entries(response.headers).flatMap(([name, header]) => breakHeader(name, header, root)),
        ...breakBody(response, root, isError(status)),
        ...breakStatus(operation, status),
      ].map(({ name, change }) => ({ id: `${operation.operationId} ${key} ${name}`, operation, status, change }));
    });
  });
}

function breakHeader(
  name: string,
  { required, schema = true }: ResolvedResponse['headers'][string],
  root: JsonObject,
): readonly Named[] {
  const dropped: Named = {
    name: `${name} dropped`,
    change: (response) => (readHeader(response, name) === undefined ? undefined : withHeader(response, name)),
  };
  const texts = listWrongTexts(schema, root).map((text) => ({
    name: `${name} ${JSON.stringify(text)}`,
    // Also where it was left out: a header that may be missing is wrong all the same.
    change: (response: WireResponse) => withHeader(response, name, text),
  }));
  return required ? [dropped, ...texts] : texts;
}

function listWrongTexts(schema: Schema, root: JsonObject): readonly string[] {
  const list = (of: Schema, right: JsonValue) =>
    listWrongValues(of, root).flatMap(({ change }) => [change(right)].filter((value) => value !== undefined));
  const content = isJsonObject(schema) ? schema['contentSchema'] : undefined;
  if (isJsonObject(content)) return ['no JSON', ...list(content, ['a text']).map((value) => JSON.stringify(value))];
  const check = compileSchema(schema, { root });
  // The schema is of the value, which only some headers write as JSON.
  const isWrong = (text: string): boolean => [text, parseJson(text) ?? text].every((one) => check(one).length > 0);
  return [...new Set(list(schema, '').map(String))].filter(isWrong);
}

function isError(status: number | undefined): boolean {
  return status === undefined || status >= 400;
}

function breakBody({ content }: ResolvedResponse, root: JsonObject, ofError: boolean): readonly Named[] {
  const types = Object.keys(content);
  const schema = content['application/json'];
  if (types.length === 0) return [{ name: 'a body', change: (response) => ({ ...response, body: encode('{}') }) }];
  if (schema === undefined) return [];
  const values = listWrongValues(schema, root).map(({ name, change }) => ({ name, change: onJson(change) }));
  const whole: readonly Named[] = [
    { name: 'body empty', change: onLabelled((response) => ({ ...response, body: new Uint8Array() })) },
    { name: 'body cut', change: onLabelled((response) => ({ ...response, body: response.body.slice(0, -2) })) },
    { name: 'a page', change: (response) => ({ ...withHeader(response, 'Content-Type', 'text/html'), body: page }) },
    // No media type is given for errors (NS-41).
    ...(ofError ? [] : [asText]),
  ];
  // Where any media type is allowed, a label breaks nothing.
  return [...values, ...(types.includes('*/*') ? whole.slice(0, 2) : whole)];
}

const asText: Named = {
  name: 'labelled as text',
  change: onLabelled((response) => withHeader(response, 'Content-Type', 'text/plain')),
};
const page = encode('<html><body>Bad gateway</body></html>');

/** Statuses of success that an operation may be thought to have; 299 and 599 stand for all others. */
const successes = [200, 201, 202, 204, 299, 599];

/** Another status with the same body: any for a success; errors may have any status of errors (NS-71). */
function breakStatus({ responses }: Operation, status: number | undefined): readonly Named[] {
  const listed = Object.keys(responses)
    .map(Number)
    .filter((one) => one < 400);
  const others = isError(status) ? [299] : [...new Set([...successes, ...listed])].filter((one) => one !== status);
  return others.map((one) => ({
    name: `status ${one}`,
    change: (response) =>
      one === 204
        ? { ...withHeader(response, 'Content-Type'), status: one, body: new Uint8Array() }
        : { ...response, status: one },
  }));
}

function onJson(change: (body: JsonValue) => JsonValue | undefined): Named['change'] {
  return onLabelled((response) => {
    const before = parseBody(response);
    const after = before.kind === 'json' ? change(before.value) : undefined;
    return after === undefined ? undefined : { ...response, body: encode(JSON.stringify(after)) };
  });
}

/** A result may be a file. */
function onLabelled(change: Named['change']): Named['change'] {
  return (response) => (/json/.test(readHeader(response, 'Content-Type') ?? '') ? change(response) : undefined);
}

/** Without a value the header is dropped. */
function withHeader(response: WireResponse, name: string, value?: string): WireResponse {
  const kept = response.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...response, headers: value === undefined ? kept : [...kept, [name, value]] };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
