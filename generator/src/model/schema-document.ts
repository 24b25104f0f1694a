import {
  asObject,
  type Brand,
  type CanonicalSchema,
  extensionKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LargeIntegers,
  type ModelOperation,
  parseWithLargeIntegers,
  readModelOperation,
} from '../../../specs/src/index.ts';
import { type ModelId, splitModelId } from '../catalog/model-id.ts';
import { parseJsonBody } from '../content.ts';
import type { Diagnostic, DiagnosticCode } from '../diagnostics.ts';
import type { ModelBinding } from './model-binding.ts';

/** An OpenAPI document with the operation that runs its model. */
export type SchemaDocument = {
  readonly root: JsonObject;
  readonly operation: ModelOperation;
  readonly integers: LargeIntegers;
};
export type Problem = Omit<Diagnostic, 'severity' | 'model'>;
/** Reports a problem that leaves the model usable. */
export type Warn = (code: DiagnosticCode, message: string, pointer?: string) => void;

/** Thrown for a document that can't be used at all. */
export class UnusableDocument extends Error {
  override readonly name = 'UnusableDocument';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Parses an OpenAPI 3 document with one model operation. Throws UnusableDocument. */
export function parseSchemaDocument(bytes: Uint8Array, modelId: ModelId): SchemaDocument {
  const makeError = (code: DiagnosticCode, pointer: string, message: string) =>
    new UnusableDocument({ code, pointer, message });
  let integers: LargeIntegers = new Map();
  const body = parseJsonBody(bytes, undefined, (text) => {
    const parsed = parseWithLargeIntegers(text);
    integers = parsed.integers;
    return parsed.value;
  });
  if (body.kind === 'not-json')
    throw makeError('document-not-json', '', `the schema document is not JSON: ${body.because}`);
  const root = body.value;
  if (!isJsonObject(root) || typeof root['openapi'] !== 'string')
    throw makeError('document-not-openapi', '', 'the schema document is not an OpenAPI 3 document');
  if (!/^3\.\d+/.test(root['openapi']))
    throw makeError('document-not-openapi', '/openapi', `OpenAPI ${JSON.stringify(root['openapi'])} is not supported`);
  const operation = readModelOperation(root, modelId);
  if (operation === undefined)
    throw makeError('operation-missing', '/paths', 'the schema document has no POST operation for the model');
  return { root, operation, integers };
}

type Extensions = Pick<ModelBinding, 'inputAuthored' | 'outputAuthored' | 'providers' | 'aliasOf'>;

/** Reads the document's extensions. A schema without the flag is treated as authored. */
export function readExtensions(
  { operation }: SchemaDocument,
  { modelId, brand, warn }: { modelId: ModelId; brand: Brand; warn: Warn },
): Extensions {
  const find = (suffix: string): JsonValue | undefined => operation.extension(extensionKey(brand, suffix));
  const readFlag = (suffix: string, fallback: boolean): boolean => {
    const value = find(suffix);
    if (typeof value === 'boolean') return value;
    if (value !== undefined)
      warn('flag-malformed', `${extensionKey(brand, suffix)} is not a boolean; using ${fallback}`);
    return fallback;
  };
  const hasOutput = operation.outputs.some(({ mediaType }) => mediaType !== '*/*');
  const alias = find('router-alias-of');
  const listed = find('router-alt-providers');
  const alternates = (Array.isArray(listed) ? listed : []).flatMap((entry) => {
    if (!isJsonObject(entry) || typeof entry['provider'] !== 'string') return [];
    const id = entry['model_id'];
    return [{ provider: entry['provider'], modelId: typeof id === 'string' ? id : '' }];
  });
  return {
    inputAuthored: readFlag('input-schema-authored', operation.input?.schema !== undefined),
    outputAuthored: readFlag('output-schema-authored', hasOutput),
    aliasOf: typeof alias === 'string' ? alias : undefined,
    providers: { default: splitModelId(modelId)[0], alternates },
  };
}

/** Reads the title, description and modalities of a model, and the first example of its input and output. */
export function readDetails(
  { root, operation }: SchemaDocument,
  { input, outputs, definitions }: ModelBinding['schemas'],
  brand: Brand,
): JsonObject {
  const { title, description } = asObject(root['info']);
  const readWords = (suffix: string): string[] | undefined => {
    const value = operation.extension(extensionKey(brand, suffix));
    const listed = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
    return listed.length === 0 ? undefined : listed;
  };
  const findFirstExample = (contents: readonly ModelOperation['input'][], schemas: readonly CanonicalSchema[]) => {
    const named = schemas.map((schema) => (schema.ref === undefined ? undefined : definitions.get(schema.ref)));
    return [...contents, ...schemas, ...named].flatMap((one) => one?.examples ?? [])[0];
  };
  const details = {
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : undefined,
    inputModalities: readWords('router-input-modalities'),
    outputModalities: readWords('router-output-modalities'),
    exampleInput: findFirstExample([operation.input], [input]),
    exampleOutput: findFirstExample(
      operation.outputs,
      outputs.map(({ schema }) => schema),
    ),
  };
  const defined = Object.entries(details).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(defined);
}
