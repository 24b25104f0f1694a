import {
  type Brand,
  extensionKey,
  followReference,
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../specs/src/index.ts';
import { type ModelId, pathOf, segmentsOf } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { parseJsonBody } from '../source/json-body.ts';
import type { ModelBinding } from './model-binding.ts';

/** A model's operation within its document, with pointers to its schemas. */
export type SchemaDocument = {
  root: JsonObject;
  operation: JsonObject;
  input: { schema: JsonValue; pointer: string } | undefined;
  outputs: readonly { mediaType: string; schema: JsonValue | undefined; pointer: string }[];
};
export type Problem = Omit<Diagnostic, 'severity' | 'model'>;
export type Report = (diagnostic: Omit<Diagnostic, 'model'>) => void;
type Located = { value: JsonObject; pointer: string };

const documentHelp = 'The model keeps its last good output, if it has one; the other models are not affected.';

/** Parses an OpenAPI 3 document with one model operation. */
export function parseSchemaDocument(
  bytes: Uint8Array,
  modelId: ModelId,
): { document: SchemaDocument } | { problem: Problem } {
  const refuse = (code: string, pointer: string, message: string) => {
    return { problem: { code, pointer, message, help: documentHelp } };
  };
  const body = parseJsonBody(bytes, undefined);
  if (body.kind === 'not-json') {
    return refuse('document-not-json', '', `the schema document is not JSON: ${body.because}`);
  }
  const root = body.value;
  if (!isJsonObject(root) || typeof root['openapi'] !== 'string') {
    return refuse('document-not-openapi', '', 'the schema document is not an OpenAPI 3 document');
  }
  if (!/^3\.\d+/.test(root['openapi'])) {
    return refuse('document-not-openapi', '/openapi', `OpenAPI ${JSON.stringify(root['openapi'])} is not supported`);
  }
  const operation = findOperation(root, modelId);
  if (operation === undefined) {
    return refuse('operation-missing', '/paths', 'the schema document has no POST operation for the model');
  }
  const [input, outputs] = [readInput(root, operation), readOutputs(root, operation)];
  return { document: { root, operation: operation.value, input, outputs } };
}

// The model's own path first; a document with another path but a single operation is still clear.
function findOperation(root: JsonObject, modelId: ModelId): Located | undefined {
  const paths = memberOf({ value: root, pointer: '' }, 'paths', root);
  if (paths === undefined) return undefined;
  const posts = Object.keys(paths.value).flatMap((path) => {
    const item = memberOf(paths, path, root);
    const post = item && memberOf(item, 'post', root);
    return post === undefined ? [] : [{ path, post }];
  });
  const own = posts.find(({ path }) => path.endsWith(`/${modelId}`) || path.endsWith(`/${pathOf(modelId)}`));
  return own?.post ?? (posts.length === 1 ? posts[0]?.post : undefined);
}

function readInput(root: JsonObject, operation: Located): SchemaDocument['input'] {
  const contents = readContent(memberOf(operation, 'requestBody', root));
  // Clients send `application/json`.
  const chosen =
    contents.find(({ mediaType }) => essenceOf(mediaType) === 'application/json') ??
    contents.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    contents.find(({ mediaType }) => isWildcard(mediaType));
  return chosen?.schema === undefined ? undefined : { schema: chosen.schema, pointer: chosen.pointer };
}

function readOutputs(root: JsonObject, operation: Located): SchemaDocument['outputs'] {
  const responses = memberOf(operation, 'responses', root);
  if (responses === undefined) return [];
  const successes = Object.keys(responses.value).filter((key) => /^2\d\d$/.test(key));
  const status = ['200', '2XX', ...successes].find((key) => Object.hasOwn(responses.value, key));
  return status === undefined ? [] : readContent(memberOf(responses, status, root));
}

function readContent(holder: Located | undefined): SchemaDocument['outputs'] {
  const content = holder?.value['content'];
  if (holder === undefined || !isJsonObject(content)) return [];
  return Object.entries(content).map(([mediaType, entry]) => ({
    mediaType,
    schema: isJsonObject(entry) ? entry['schema'] : undefined,
    pointer: `${holder.pointer}${formatPointer(['content', mediaType, 'schema'])}`,
  }));
}

// The object under a key, or the object that a reference there leads to.
function memberOf({ value, pointer }: Located, key: string, root: JsonObject): Located | undefined {
  const followed = followReference(root, value[key], `${pointer}${formatPointer([key])}`);
  if (followed.kind === 'problem' || !isJsonObject(followed.value)) return undefined;
  return { value: followed.value, pointer: followed.pointer };
}

/** Whether the media type may be JSON as well as anything else. */
export function isWildcard(mediaType: string): boolean {
  return ['*/*', 'application/*'].includes(essenceOf(mediaType));
}

/** A media type without parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonMediaType(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  return essence === 'application/json' || essence.endsWith('+json') || essence === 'text/json';
}

type Extensions = Pick<ModelBinding, 'inputAuthored' | 'outputAuthored' | 'providers' | 'aliasOf'>;

/** Extension keys, searched in the root, then `info`, then the operation. Without a flag, a schema counts as authored. */
export function readExtensions(
  document: SchemaDocument,
  { modelId, brand, report }: { modelId: ModelId; brand: Brand; report: Report },
): Extensions {
  const find = (suffix: string): JsonValue | undefined => findExtension(document, extensionKey(brand, suffix));
  const readFlag = (suffix: string, fallback: boolean): boolean => {
    const value = find(suffix);
    if (typeof value === 'boolean') return value;
    if (value !== undefined) {
      const message = `${extensionKey(brand, suffix)} is not a boolean; taken as ${fallback}`;
      report({ severity: 'warning', code: 'flag-malformed', pointer: '', message });
    }
    return fallback;
  };
  const hasOutput = document.outputs.some(({ mediaType }) => mediaType !== '*/*');
  const alias = find('router-alias-of');
  return {
    inputAuthored: readFlag('input-schema-authored', document.input !== undefined),
    outputAuthored: readFlag('output-schema-authored', hasOutput),
    aliasOf: typeof alias === 'string' ? alias : undefined,
    providers: { default: segmentsOf(modelId)[0], alternates: readAlternates(find('router-alt-providers')) },
  };
}

function findExtension({ root, operation }: SchemaDocument, key: string): JsonValue | undefined {
  const holders = [root, root['info'], operation].filter(isJsonObject);
  return holders.find((holder) => Object.hasOwn(holder, key))?.[key];
}

function readAlternates(value: JsonValue | undefined): Extensions['providers']['alternates'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    if (!isJsonObject(entry) || typeof entry['provider'] !== 'string') return [];
    const modelId = entry['model_id'];
    return [{ provider: entry['provider'], modelId: typeof modelId === 'string' ? modelId : '' }];
  });
}
