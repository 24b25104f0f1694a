import {
  type EffectiveSpecs,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOperations,
  type OpenApiDocument,
  type Operation,
  type ResolvedResponse,
  resolvePointer,
  type Schema,
} from '../../specs/src/index.ts';

/** A response taken apart; `body` is undefined where it is no JSON. */
export type Mutable = { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer>; body: JsonValue | undefined };

/** One place of one documented response, changed so that the documents no longer allow it. */
export type Mutation = {
  readonly id: string;
  readonly operation: Operation;
  /** The documented status, or undefined for each error that has no entry of its own (`default`). */
  readonly status: number | undefined;
  readonly change: (response: Mutable) => Mutable;
};

type Spot = { readonly pointer: readonly string[]; readonly schema: JsonObject; readonly isRequired: boolean };

/** Every single-place mutation that the effective specifications make nameable, in their order. */
export function listMutations(specs: EffectiveSpecs): readonly Mutation[] {
  return listOperations(specs).flatMap((operation) => {
    const root = operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution;
    return Object.entries(operation.responses).flatMap(([status, response]) => {
      const place = { operation, status: status === 'default' ? undefined : Number(status) };
      const named = [
        ...mutateHeaders(response),
        ...mutateBody(response, root),
        ...mutateWhole(response, place.status === undefined || place.status >= 400),
      ];
      return named.map(({ name, change }) => ({ id: `${operation.operationId} ${status} ${name}`, ...place, change }));
    });
  });
}

type Named = { readonly name: string; readonly change: Mutation['change'] };

function mutateHeaders({ headers }: ResolvedResponse): readonly Named[] {
  return Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const set = (how: string, value: string): Named => ({
      name: `${name} ${how}`,
      // Only what is there is made worse: an optional header may be missing.
      change: (response) => (response.headers.has(name) ? withHeader(response, name, value) : response),
    });
    const dropped: Named = { name: `${name} dropped`, change: (response) => withHeader(response, name, undefined) };
    const type = isJsonObject(schema) ? schema['type'] : undefined;
    return [
      ...(required ? [dropped] : []),
      ...(type === 'integer' ? [set('in words', 'soon'), set('negative', '-1'), set('with a fraction', '1.5')] : []),
      ...(type === 'boolean' ? [set('in words', 'perhaps')] : []),
      ...(type === 'string' && required ? [set('empty', '')] : []),
    ];
  });
}

function withHeader(response: Mutable, name: string, value: string | undefined): Mutable {
  const headers = new Headers(response.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return { ...response, headers };
}

function mutateWhole({ content }: ResolvedResponse, isError: boolean): readonly Named[] {
  const isJson = content['application/json'] !== undefined;
  const page = new TextEncoder().encode('<html><body>Bad gateway</body></html>');
  return [
    { name: 'status 299', change: (response) => ({ ...response, status: 299 }) },
    // Errors of a status that is not listed are possible (NS-71), results are not.
    ...(isError ? [] : [{ name: 'status 599', change: (response: Mutable) => ({ ...response, status: 599 }) }]),
    ...(isJson
      ? [
          {
            name: 'body empty',
            change: (response: Mutable) => ({ ...response, bytes: new Uint8Array(), body: undefined }),
          },
          {
            name: 'body cut',
            change: (response: Mutable) => ({ ...response, bytes: response.bytes.slice(0, -2), body: undefined }),
          },
          { name: 'body an array', change: (response: Mutable) => ({ ...response, body: [response.body ?? null] }) },
          {
            name: 'a page',
            change: (response: Mutable) => ({
              ...withHeader(response, 'content-type', 'text/html'),
              bytes: page,
              body: undefined,
            }),
          },
        ]
      : []),
  ];
}

function mutateBody({ content }: ResolvedResponse, root: OpenApiDocument): readonly Named[] {
  const schema = content['application/json'];
  if (schema === undefined) return [];
  return spotsIn(schema, root, []).flatMap(({ pointer, schema: at, isRequired }) =>
    wrongValues(at, isRequired).map(({ how, value }) => ({
      name: `/${pointer.join('/')} ${how}`,
      change: (response: Mutable) => ({ ...response, body: changedAt(response.body, pointer, value) }),
    })),
  );
}

/** Members to a depth of four; of arrays the first item. */
function spotsIn(schema: Schema, root: OpenApiDocument, pointer: readonly string[]): readonly Spot[] {
  const target = followed(schema, root);
  if (target === undefined || pointer.length > 3) return [];
  const required = Array.isArray(target['required']) ? target['required'] : [];
  const parts = Array.isArray(target['allOf']) ? target['allOf'].flatMap((part) => listSpots(part, root, pointer)) : [];
  const members = isJsonObject(target['properties']) ? Object.entries(target['properties']) : [];
  const items = target['items'];
  return [
    ...parts,
    ...members.flatMap(([name, member]) => {
      const own = followed(asSchema(member), root);
      if (own === undefined) return [];
      const at = [...pointer, name];
      return [{ pointer: at, schema: own, isRequired: required.includes(name) }, ...spotsIn(own, root, at)];
    }),
    ...(items === undefined ? [] : spotsIn(asSchema(items), root, [...pointer, '0'])),
  ];
}

function listSpots(part: JsonValue, root: OpenApiDocument, pointer: readonly string[]): readonly Spot[] {
  return spotsIn(asSchema(part), root, pointer);
}

function asSchema(value: JsonValue): Schema {
  return isJsonObject(value) || typeof value === 'boolean' ? value : true;
}

function followed(schema: Schema, root: OpenApiDocument): JsonObject | undefined {
  if (typeof schema === 'boolean') return undefined;
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  // The document is a JSON object; its type only names what is known of it.
  const target = resolvePointer(root as unknown as JsonValue, reference.slice(1));
  return isJsonObject(target) ? target : undefined;
}

type Wrong = { readonly how: string; readonly value: (now: JsonValue) => JsonValue | undefined };

function wrongValues(schema: JsonObject, isRequired: boolean): readonly Wrong[] {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  const wrong = (how: string, value: JsonValue | undefined): Wrong => ({ how, value: () => value });
  const allowsNull = types.includes('null') || schema['nullable'] === true || types.length === 0;
  return [
    ...(isRequired ? [wrong('dropped', undefined)] : []),
    ...(allowsNull ? [] : [wrong('null', null)]),
    ...mutateType(types, wrong),
    ...(Array.isArray(schema['enum']) ? [wrong('no such word', 'NO_SUCH_WORD')] : []),
    ...(schema['format'] === 'uri' ? [wrong('relative', '/v2/models')] : []),
    ...(schema['format'] === 'uuid' || schema['pattern'] !== undefined ? [wrong('malformed', 'Not A Match!')] : []),
    ...(typeof schema['minimum'] === 'number' ? [wrong('too small', schema['minimum'] - 1)] : []),
    ...(typeof schema['maximum'] === 'number' ? [wrong('too large', schema['maximum'] + 1)] : []),
    ...(typeof schema['maxLength'] === 'number' ? [wrong('too long', 'a'.repeat(schema['maxLength'] + 1))] : []),
    ...(typeof schema['minLength'] === 'number' && schema['minLength'] > 0 ? [wrong('empty', '')] : []),
  ];
}

function mutateType(types: readonly string[], wrong: (how: string, value: JsonValue) => Wrong): readonly Wrong[] {
  if (types.includes('string')) return [wrong('a number', 7)];
  if (types.includes('integer')) return [wrong('a text', '7'), wrong('a fraction', 7.5)];
  if (types.includes('boolean')) return [wrong('a text', 'true')];
  if (types.includes('array')) return [wrong('an object', {})];
  return types.includes('object') ? [wrong('a text', 'text')] : [];
}

/** Changes a member that is there; anything else stays as it is. */
function changedAt(
  body: JsonValue | undefined,
  pointer: readonly string[],
  value: Wrong['value'],
): JsonValue | undefined {
  const [first, ...rest] = pointer;
  if (first === undefined || typeof body !== 'object' || body === null) return body;
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(body);
  const changed = entries.flatMap(([name, member]): (readonly [string, JsonValue])[] => {
    if (name !== first) return [[name, member]];
    const next = rest.length === 0 ? value(member) : changedAt(member, rest, value);
    return next === undefined ? [] : [[name, next]];
  });
  return Array.isArray(body) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}
