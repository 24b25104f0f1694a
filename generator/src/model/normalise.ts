import {
  type Brand,
  type CanonicalSchema,
  createSchemaReader,
  type DefinitionName,
  type Definitions,
  extensionKey,
  findBrandWords,
  listBodyKinds,
  type ModelOperation,
  usesBrand,
} from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { createDiagnosticList, type Diagnostic, listFirst, maxDiagnostics } from '../diagnostics.ts';
import type { SchemaSnapshot } from '../documents/open-documents.ts';
import {
  bytesType,
  joinTypes,
  listTypeNames,
  measureType,
  openObject,
  readDocs,
  stringType,
  type TsType,
  unknownType,
} from '../typing/ts-type.ts';
import { createTyping, type Typing } from '../typing/typing.ts';
import type { ModelBinding, NamedType } from './model-binding.ts';
import { createTypeNames } from './names.ts';
import { readOperationFacts } from './operation-facts.ts';
import {
  type Problem,
  parseSchemaDocument,
  readDetails,
  readExtensions,
  type SchemaDocument,
  UnusableDocument,
  type Warn,
} from './schema-document.ts';

const maxParts = 200_000;

/**
 * Converts a schema document to the format that the emitters read. Never throws for a broken document: then `binding` is
 * undefined, and the diagnostics contain the error.
 */
export function normalise(snapshot: SchemaSnapshot, entry: CatalogEntry, brand: Brand) {
  const list = createDiagnosticList(maxDiagnostics.document, entry.id);
  const report = (severity: Diagnostic['severity'], problem: Problem): void =>
    list.add({ severity, ...problem, model: entry.id });
  let words: readonly string[] = [];
  let binding: ModelBinding | undefined;
  try {
    const document = parseSchemaDocument(snapshot.bytes, entry.id);
    words = findBrandWords(document.root);
    if (!usesBrand(brand, words)) {
      const message = `the extension keys of this document have the brand ${words.join(', ')}, but this run uses ${brand}`;
      throw new UnusableDocument({ code: 'brand-differs', pointer: '', message });
    }
    const warn: Warn = (code, message, pointer = '') => report('warning', { code, pointer, message });
    binding = makeBinding(snapshot, entry, document, brand, warn);
  } catch (error) {
    // Known limits are checked earlier. An unexpected error, such as a stack overflow, must not affect other models.
    const code = error instanceof RangeError ? 'document-too-deep' : 'document-not-openapi';
    const message = `the schema document cannot be read: ${error}`;
    report('error', error instanceof UnusableDocument ? error.problem : { code, pointer: '', message });
  }
  return {
    binding,
    diagnostics: list.all(),
    /** Brand words in the document's extension keys. */
    brandWords: words,
  };
}

function makeBinding(
  snapshot: SchemaSnapshot,
  entry: CatalogEntry,
  document: SchemaDocument,
  brand: Brand,
  warn: Warn,
): ModelBinding {
  const extensions = readExtensions(document, { modelId: entry.id, brand, warn });
  const { operation, uncheckedPatterns, ...schemas } = readSchemas(document, warn);
  const typing = createTyping(schemas.definitions, [schemas.input]);
  const { input: json, inputMediaTypes, extension } = document.operation;
  const isUnauthored = extension(extensionKey(brand, 'input-schema-authored')) === false;
  if (json === undefined && inputMediaTypes.length > 0 && !isUnauthored) {
    const message = `the request body is only described as ${listFirst(inputMediaTypes, 3).join(', ')}, but the router takes JSON, so the generated types accept any object`;
    warn('input-missing', message, `${document.operation.place.post.pointer}/requestBody`);
  } else if (extensions.inputAuthored && json?.schema === undefined)
    warn('input-missing', 'the document has no schema for a JSON input, so the generated types accept any object');
  // The router only accepts JSON objects (MR-RUN-15).
  const described: CanonicalSchema = { type: ['object'], allOf: [schemas.input] };
  const input = typing.finalise(
    extensions.inputAuthored ? typing.readType(described, { includesArrayLengths: false }) : openObject,
  );
  if (input.kind === 'never') {
    const message =
      'no JSON object is valid against the input schema: it excludes objects, or its parts contradict each other';
    warn('input-impossible', message, document.operation.input?.pointer);
  }
  const output = typing.finalise(readOutputType(schemas, typing));
  const types = listNamedTypes([input, output], typing, schemas.definitions);
  if (typing.isExhausted()) {
    const message =
      'the schemas combine into too many alternatives to merge all of them; some types are looser than the document';
    warn('schema-too-large', message);
  }
  const all = [input, output, ...types.map(({ type }) => type)];
  const sizes = new Map<TsType, number>();
  if (all.reduce((sum, type) => sum + measureType(type, sizes), 0) > maxParts) {
    const message = `the types of this document have more than ${maxParts} parts`;
    throw new UnusableDocument({ code: 'document-too-large', pointer: '', message });
  }
  const onlyOutput = schemas.outputs.length === 1 ? schemas.outputs[0]?.schema : undefined;
  return {
    modelId: entry.id,
    entityTag: snapshot.entityTag,
    digest: snapshot.digest,
    deprecated: document.operation.place.post.value['deprecated'] === true,
    ...extensions,
    chargesOnPolicyRejection: entry.chargesOnPolicyRejection,
    outputMediaTypes: document.operation.outputs.map(({ mediaType }) => mediaType),
    details: readDetails(document, schemas, brand),
    operation,
    schemas,
    uncheckedPatterns,
    input: { type: input, docs: readDocs(schemas.input) },
    output: { type: output, docs: onlyOutput === undefined ? {} : readDocs(onlyOutput) },
    types,
  };
}

type DocumentSchemas = ModelBinding['schemas'] & Pick<ModelBinding, 'operation' | 'uncheckedPatterns'>;

function readSchemas({ root, operation, integers }: SchemaDocument, warn: Warn): DocumentSchemas {
  const claimName = createTypeNames();
  const reader = createSchemaReader(root, {
    claimName,
    integers,
    report(problem) {
      // The model would get wrong types if some of its schemas were missing.
      if (problem.code === 'schema-too-large') throw new UnusableDocument({ ...problem, code: 'document-too-large' });
      warn(problem.code, problem.message, problem.pointer);
    },
  });
  const read = (content: ModelOperation['input']): CanonicalSchema =>
    content?.schema === undefined ? {} : reader.read(content.schema, content.pointer);
  const input = read(operation.input);
  const outputs = operation.outputs.map(read);
  const facts = readOperationFacts(operation.place, { root, read: reader.read });
  const inputs = [input, ...facts.parameters.map(({ schema }) => schema)];
  const sides = reader.bySide({ inputs, outputs }, (name, side) =>
    claimName(`${name}${side === 'input' ? 'Input' : 'Output'}`),
  );
  const [ownInput = {}, ...parameters] = sides.inputs;
  return {
    input: ownInput,
    outputs: operation.outputs.map(({ mediaType }, index) => ({ mediaType, schema: sides.outputs[index] ?? {} })),
    definitions: sides.definitions,
    uncheckedPatterns: [...reader.unsupportedPatterns()].sort(),
    operation: {
      ...facts,
      parameters: facts.parameters.map((one, index) => ({ ...one, schema: parameters[index] ?? {} })),
    },
  };
}

/**
 * Returns one type for all media types of the response: the schema's type for JSON, a string for text, and bytes for anything
 * else. A wildcard media type may be any of them (MR-SCH-35).
 */
function readOutputType({ outputs, definitions }: ModelBinding['schemas'], typing: Typing): TsType {
  if (outputs.length === 0) return unknownType;
  return joinTypes(
    outputs.flatMap(({ mediaType, schema }) =>
      listBodyKinds(mediaType, { schema, definitions }).map((kind) =>
        kind === 'json'
          ? typing.readType(schema, { includesArrayLengths: true })
          : { text: stringType, bytes: bytesType }[kind],
      ),
    ),
  );
}

function listNamedTypes(roots: readonly TsType[], typing: Typing, definitions: Definitions): NamedType[] {
  const found = new Map<DefinitionName, NamedType>();
  const pending = roots.flatMap((root) => listTypeNames(root));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    const type = typing.finalise(typing.declared(name));
    found.set(name, { name, type, docs: readDocs(definitions.get(name) ?? {}) });
    pending.push(...listTypeNames(type));
  }
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
