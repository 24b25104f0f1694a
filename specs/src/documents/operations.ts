import { SpecError } from '../errors.ts';
import { asObject, formatPointer, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { isSchema, type OpenApiDocument, type Schema } from './read-document.ts';
import { followReference } from './references.ts';

export type ApiName = 'model-router' | 'workflow-execution';
/** A response with references to responses and headers resolved; schemas keep their references. */
export type ResolvedResponse = {
  headers: Record<string, { required: boolean; schema: Schema | undefined }>;
  content: Record<string, Schema | undefined>;
};
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Schema;
  example?: JsonValue;
};
export type Operation = {
  api: ApiName;
  operationId: string;
  /** In upper case. */
  method: string;
  path: string;
  parameters: readonly Parameter[];
  requestBody: { required: boolean; content: Record<string, Schema | undefined> } | undefined;
  /** Responses by status, such as `200` or `default`. */
  responses: Record<string, ResolvedResponse>;
  security: readonly Record<string, string[]>[];
};

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Lists all operations of both documents in document order. Throws SpecError for a malformed operation. */
export function listOperations(specs: {
  modelRouter: OpenApiDocument;
  workflowExecution: OpenApiDocument;
}): readonly Operation[] {
  return [
    ...readOperations('model-router', specs.modelRouter),
    ...readOperations('workflow-execution', specs.workflowExecution),
  ];
}

export function readOperations(api: ApiName, document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = Object.hasOwn(item, method) ? item[method] : undefined;
      if (!isJsonObject(operation)) return [];
      const place = formatPointer(['paths', path, method]);
      const { operationId, responses } = operation;
      if (typeof operationId !== 'string') throw new SpecError('operationId is missing', { place });
      const body = follow(document, operation['requestBody'], `${place}/requestBody`);
      return {
        api,
        path,
        method: method.toUpperCase(),
        operationId,
        parameters: readParameters(document, [item['parameters'], operation['parameters']], place),
        requestBody: isJsonObject(body)
          ? { required: body['required'] === true, content: mapMembers(body['content'], readSchemaMember) }
          : undefined,
        responses: mapMembers(responses, (response, status) =>
          readResponse(document, response, `${place}/responses/${status}`),
        ),
        security: readSecurity(operation['security'] ?? document['security']),
      };
    }),
  );
}

/** A parameter in a later list overrides one with the same name and location (`in`) in an earlier list. */
function readParameters(root: JsonObject, lists: readonly (JsonValue | undefined)[], place: string): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const entry of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = asObject(follow(root, entry, `${place}/parameters`));
    const { name, in: location } = parameter;
    if (typeof name !== 'string' || !['path', 'query', 'header', 'cookie'].some((one) => one === location))
      throw new SpecError('a parameter has no name or no location (in)', { place });
    found.set(`${location} ${name.toLowerCase()}`, parameter as Parameter); // Its other members aren't checked.
  }
  return [...found.values()];
}

function readResponse(root: JsonObject, value: JsonValue, place: string): ResolvedResponse {
  const response = follow(root, value, place);
  if (!isJsonObject(response)) throw new SpecError('is not a response', { place });
  return {
    headers: mapMembers(response['headers'], (entry, name) => {
      const header = follow(root, entry, `${place}/headers/${name}`);
      if (!isJsonObject(header)) throw new SpecError('is not a header', { place: `${place}/headers/${name}` });
      return { required: header['required'] === true, schema: readSchemaMember(header) };
    }),
    content: mapMembers(response['content'], readSchemaMember),
  };
}

function readSchemaMember(holder: JsonValue): Schema | undefined {
  const schema = isJsonObject(holder) ? holder['schema'] : undefined;
  return isSchema(schema) ? schema : undefined;
}

function readSecurity(value: JsonValue | undefined): Record<string, string[]>[] {
  if (!Array.isArray(value)) return [];
  return value.map((alternative) =>
    mapMembers(alternative, (scopes) =>
      Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
    ),
  );
}

function follow(root: JsonObject, value: JsonValue | undefined, place: string): JsonValue | undefined {
  const followed = followReference(root, value);
  if (followed.problem !== undefined) throw new SpecError(followed.problem, { place });
  return followed.value;
}

function mapMembers<T>(value: JsonValue | undefined, read: (member: JsonValue, name: string) => T): Record<string, T> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, read(member, name)]));
}
