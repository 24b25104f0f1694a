import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import { type ModelId, pathOf } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { parseJsonBody } from '../json-body.ts';

/** A model's operation within its document; pointers lead to what is read from it. */
export type SchemaDocument = {
  root: JsonObject;
  operation: JsonObject;
  input: { schema: JsonValue; pointer: string } | undefined;
  outputs: readonly { mediaType: string; schema: JsonValue | undefined; pointer: string }[];
};
type Problem = Omit<Diagnostic, 'severity' | 'model'>;
type Located = { value: JsonObject; pointer: string };

const documentHelp = 'The model keeps its last good output, if it has one; the other models are not affected.';

/** The bytes as an OpenAPI 3 document with one model operation, or what it lacks. */
export function parseSchemaDocument(
  bytes: Uint8Array,
  modelId: ModelId,
): { document: SchemaDocument } | { problem: Problem } {
  const body = parseJsonBody(bytes, undefined);
  if (body.kind === 'not-json')
    return { problem: problem('document-not-json', '', `the schema document is not JSON: ${body.because}`) };
  const root = body.value;
  if (!isJsonObject(root) || typeof root['openapi'] !== 'string') {
    return { problem: problem('document-not-openapi', '', 'the schema document is no OpenAPI 3 document') };
  }
  if (!/^3\.\d+/.test(root['openapi'])) {
    return {
      problem: problem(
        'document-not-openapi',
        '/openapi',
        `OpenAPI ${JSON.stringify(root['openapi'])} is not supported`,
      ),
    };
  }
  const operation = findOperation(root, modelId);
  if (operation === undefined) {
    return {
      problem: problem('operation-missing', '/paths', 'the schema document has no POST operation for the model'),
    };
  }
  return {
    document: {
      root,
      operation: operation.value,
      input: readInput(root, operation),
      outputs: readOutputs(root, operation),
    },
  };
}

function problem(code: string, pointer: string, message: string): Problem {
  return { code, pointer, message, help: documentHelp };
}

// The model's own path first; a document that names it otherwise but has a single operation is still clear.
function findOperation(root: JsonObject, modelId: ModelId): Located | undefined {
  const paths = root['paths'];
  if (!isJsonObject(paths)) return undefined;
  const posts = Object.keys(paths).flatMap((path): { path: string; post: Located }[] => {
    const item = follow(root, { value: paths[path] ?? null, pointer: `/paths/${escapePart(path)}` });
    const post = item?.value['post'];
    return item !== undefined && isJsonObject(post)
      ? [{ path, post: { value: post, pointer: `${item.pointer}/post` } }]
      : [];
  });
  const own = posts.find(({ path }) => path.endsWith(`/${modelId}`) || path.endsWith(`/${pathOf(modelId)}`));
  return own?.post ?? (posts.length === 1 ? posts[0]?.post : undefined);
}

function readInput(root: JsonObject, operation: Located): SchemaDocument['input'] {
  const body = follow(root, {
    value: operation.value['requestBody'] ?? null,
    pointer: `${operation.pointer}/requestBody`,
  });
  const contents = body === undefined ? [] : readContent(body);
  // As precise as can be: the router is sent `application/json`.
  const chosen =
    contents.find(({ mediaType }) => essenceOf(mediaType) === 'application/json') ??
    contents.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    contents.find(({ mediaType }) => isWildcard(mediaType));
  return chosen?.schema === undefined ? undefined : { schema: chosen.schema, pointer: chosen.pointer };
}

function readOutputs(root: JsonObject, operation: Located): SchemaDocument['outputs'] {
  const responses = operation.value['responses'];
  if (!isJsonObject(responses)) return [];
  const status = ['200', '2XX', ...Object.keys(responses).filter((key) => /^2\d\d$/.test(key))].find((key) =>
    Object.hasOwn(responses, key),
  );
  if (status === undefined) return [];
  const response = follow(root, {
    value: responses[status] ?? null,
    pointer: `${operation.pointer}/responses/${status}`,
  });
  return response === undefined ? [] : readContent(response);
}

function readContent(holder: Located): { mediaType: string; schema: JsonValue | undefined; pointer: string }[] {
  const content = holder.value['content'];
  if (!isJsonObject(content)) return [];
  return Object.entries(content).map(([mediaType, entry]) => ({
    mediaType,
    schema: isJsonObject(entry) ? entry['schema'] : undefined,
    pointer: `${holder.pointer}/content/${escapePart(mediaType)}/schema`,
  }));
}

/** Local references of responses, bodies and path items; a few hops, since honest ones take one. */
function follow(root: JsonObject, start: { value: JsonValue; pointer: string }): Located | undefined {
  let { value, pointer } = start;
  for (let hops = 0; hops < 10; hops++) {
    if (!isJsonObject(value)) return undefined;
    const reference: JsonValue | undefined = value['$ref'];
    if (typeof reference !== 'string') return { value, pointer };
    if (!reference.startsWith('#/')) return undefined;
    pointer = reference.slice(1);
    value = resolvePointer(root, pointer) ?? null;
  }
  return undefined;
}

/** Behind which JSON may stand as well as anything else. */
export function isWildcard(mediaType: string): boolean {
  return ['*/*', 'application/*'].includes(essenceOf(mediaType));
}

/** Without parameters, as media types are compared. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonMediaType(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  return essence === 'application/json' || essence.endsWith('+json') || essence === 'text/json';
}

function escapePart(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
