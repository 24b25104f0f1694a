import { listOperations, type Operation, type ResolvedResponse } from '../../src/documents/operations.ts';
import type { Schema } from '../../src/documents/read-document.ts';
import type { EffectiveSpecs } from '../../src/effective-specs.ts';
import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../src/json.ts';
import { compileSchema } from '../../src/schema/schema-check.ts';

/** Both documents in the forms that the rows read. */
export type Specification = { router: JsonObject; workflow: JsonObject; operations: readonly Operation[] };

/** A claim about the documents that requirements make. */
export type StaticRow = {
  ids: readonly string[];
  claim: string;
  read: (specification: Specification) => unknown;
  want: unknown;
};

export function readSpecification(specs: EffectiveSpecs): Specification {
  return {
    router: specs.modelRouter,
    workflow: specs.workflowExecution,
    operations: listOperations(specs),
  };
}

export function operation({ operations }: Specification, operationId: string): Operation | undefined {
  return operations.find((one) => one.operationId === operationId);
}

export function routerOperations({ operations }: Specification): readonly Operation[] {
  return operations.filter(({ api }) => api === 'model-router');
}

/** Method and path of an operation: `GET /v2/models`. */
export function line(specification: Specification, operationId: string): string | undefined {
  const found = operation(specification, operationId);
  return found && `${found.method} ${found.path}`;
}

export type ParameterFacts = { in: string; required: boolean; accepts: readonly JsonValue[] };

/** The location of a parameter, whether it is required, and which of the values its schema accepts. */
export function parameter(
  specification: Specification,
  [operationId, name]: readonly [operationId: string, name: string],
  values: readonly JsonValue[],
): ParameterFacts | undefined {
  const found = operation(specification, operationId)?.parameters.find((one) => one.name === name);
  if (found === undefined) return undefined;
  const accepts = accepted(specification.router, found.schema, values);
  return { in: found.in, required: found.required === true, accepts };
}

export function accepted(root: JsonObject, schema: Schema | undefined, values: readonly JsonValue[]): JsonValue[] {
  const check = compileSchema(schema ?? true, { root });
  return values.filter((value) => check(value).length === 0);
}

/** The values that the schema at a pointer accepts. */
export function acceptedAt(root: JsonObject, pointer: string, values: readonly JsonValue[]): JsonValue[] {
  return accepted(root, { $ref: `#${pointer}` }, values);
}

export function schemaNamed(root: JsonObject, name: string): JsonObject {
  const schema = resolvePointer(root, `/components/schemas/${name}`);
  return isJsonObject(schema) ? schema : {};
}

/** The known values of an open set. */
export function knownWords(root: JsonObject, name: string): JsonValue[] {
  const branches = schemaNamed(root, name)['anyOf'];
  const lists = Array.isArray(branches) ? branches.map((branch) => (isJsonObject(branch) ? branch['enum'] : [])) : [];
  return lists.flatMap((list) => (Array.isArray(list) ? list : []));
}

/** Every failure response of the general shape: not 422, not the outcome of cancel. */
export function generalFailures(operations: readonly Operation[]): ResolvedResponse[] {
  return operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const failure = status === 'default' || Number(status) >= 400;
      const special = status === '422' || (operationId === 'cancelRequest' && status === '409');
      return failure && !special ? [response] : [];
    }),
  );
}

/** The names of all properties in a document. */
export function propertyNames(document: JsonObject): string[] {
  const visit = (value: JsonValue): string[] => {
    if (Array.isArray(value)) return value.flatMap(visit);
    if (!isJsonObject(value)) return [];
    const own = isJsonObject(value['properties']) ? Object.keys(value['properties']) : [];
    return [...own, ...Object.values(value).flatMap(visit)];
  };
  return [...new Set(visit(document))];
}
