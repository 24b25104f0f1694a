import {
  type Brand,
  brandWords,
  type CanonicalSchema,
  createSchemaReader,
  type DefinitionName,
  listBodyKinds,
  type ModelOperation,
} from '../../../specs/src/index.ts';
import { isOfBrand } from '../brand-watch.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { createDiagnosticList, type Diagnostic, keptAtMost } from '../diagnostics.ts';
import type { SchemaSnapshot } from '../documents/fetch-documents.ts';
import {
  bytesType,
  measureType,
  namesIn,
  openObject,
  readDocs,
  stringType,
  type TypeModel,
  unknownType,
} from '../typing/type-model.ts';
import { createTyping, type Typing } from '../typing/typing.ts';
import { joinTypes } from '../typing/unions.ts';
import { endlessDefinitions } from './endless-definitions.ts';
import type { ModelBinding, NamedType } from './model-binding.ts';
import { createTypeNames } from './names.ts';
import { readOperationFacts } from './operation-facts.ts';
import {
  type Problem,
  parseSchemaDocument,
  type Report,
  readDetails,
  readExtensions,
  type SchemaDocument,
} from './schema-document.ts';

/** Without a binding, the error among the diagnostics says why. */
export type Normalised = {
  binding: ModelBinding | undefined;
  diagnostics: readonly Diagnostic[];
  /** In the document's extension keys. */
  brandWords: readonly string[];
};

const partsAtMost = 200_000;

/** A snapshot in the form that the emitters read; a broken document costs its own model only. */
export function normalise(
  snapshot: SchemaSnapshot,
  entry: CatalogEntry,
  brand: Brand,
  { inputTuples }: { readonly inputTuples: boolean },
): Normalised {
  const list = createDiagnosticList(keptAtMost.document, entry.id);
  const report: Report = (diagnostic) => list.add({ ...diagnostic, model: entry.id });
  const refuse = (problem: Problem): Normalised => {
    report({ severity: 'error', ...problem });
    return { binding: undefined, diagnostics: list.all(), brandWords: words };
  };
  let words: readonly string[] = [];
  const parsed = parseSchemaDocument(snapshot.bytes, entry.id);
  if ('problem' in parsed) return refuse(parsed.problem);
  words = brandWords(parsed.document.root);
  if (!isOfBrand(brand, words)) {
    const message = `the extension keys of this document are those of the brand ${words.join(', ')}, and this generation is for ${brand}`;
    const help = 'What they say would be missed, so the model is left out.';
    return refuse({ code: 'brand-differs', pointer: '', message, help });
  }
  try {
    const binding = bind({ snapshot, entry, document: parsed.document, brand, inputTuples }, report);
    if (countParts(binding) <= partsAtMost) return { binding, diagnostics: list.all(), brandWords: words };
    const message = `the types of this document have more than ${partsAtMost} parts`;
    return refuse({ code: 'document-too-large', pointer: '', message });
  } catch (error) {
    if (error instanceof BeyondBound) return refuse(error.problem);
    // Depth and forms are bounded where they are foreseen; a document that cannot be read all the same costs its model alone.
    const code = error instanceof RangeError ? 'document-too-deep' : 'document-not-openapi';
    return refuse({ code, pointer: '', message: `the schema document cannot be read: ${error}` });
  }
}

/** Ends the reading of a document. */
class BeyondBound extends Error {
  override readonly name = 'BeyondBound';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

function countParts({ input, output, types }: ModelBinding): number {
  const known = new Map<TypeModel, number>();
  return [input, output, ...types].reduce((sum, { type }) => sum + measureType(type, known), 0);
}

type Input = {
  snapshot: SchemaSnapshot;
  entry: CatalogEntry;
  document: SchemaDocument;
  brand: Brand;
  inputTuples: boolean;
};

function bind({ snapshot, entry, document, brand, inputTuples }: Input, report: Report): ModelBinding {
  const extensions = readExtensions(document, { modelId: entry.id, brand, report });
  const { operation, uncheckedPatterns, ...schemas } = readSchemas(document, report);
  const typing = createTyping(schemas.definitions, inputTuples ? [] : [schemas.input]);
  if (extensions.inputAuthored && document.operation.input?.schema === undefined) {
    const message = 'the document describes no JSON input; any object is accepted in the generated types';
    report({ severity: 'warning', code: 'input-missing', pointer: '', message });
  }
  // The router takes JSON objects only (MR-RUN-15).
  const described: CanonicalSchema = { type: ['object'], allOf: [schemas.input] };
  const input = typing.finalise(
    extensions.inputAuthored ? typing.readType(described, { isCounted: inputTuples }) : openObject,
  );
  if (input.kind === 'never') {
    const message = 'no JSON object meets the schema of the input: it takes no object, or its parts exclude each other';
    report({
      severity: 'warning',
      code: 'input-impossible',
      pointer: document.operation.input?.pointer ?? '',
      message,
    });
  }
  const output = typing.finalise(readOutputType(schemas, typing));
  const types = namedTypes([input, output], typing, schemas.definitions);
  for (const name of endlessDefinitions(schemas.definitions)) {
    const message = `the schema ${name} refers to itself for the same value; validators refuse every value that reaches it`;
    report({ severity: 'warning', code: 'reference-circular', pointer: '', message });
  }
  if (typing.isExhausted()) {
    const message =
      'the schemas combine into more alternatives than are merged; some types are looser than the document';
    report({ severity: 'warning', code: 'schema-too-large', pointer: '', message });
  }
  const onlyOutput = schemas.outputs.length === 1 ? schemas.outputs[0]?.schema : undefined;
  return {
    modelId: entry.id,
    entityTag: snapshot.entityTag,
    digest: snapshot.digest,
    deprecated: document.operation.operation['deprecated'] === true,
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

type Read = ModelBinding['schemas'] & Pick<ModelBinding, 'operation' | 'uncheckedPatterns'>;

function readSchemas({ root, operation }: SchemaDocument, report: Report): Read {
  const claimName = createTypeNames();
  const reader = createSchemaReader(root, {
    claimName,
    report(problem) {
      // With a part of its schemas unread, a model would be described wrongly.
      if (problem.code === 'schema-too-large') throw new BeyondBound({ ...problem, code: 'document-too-large' });
      report({ severity: 'warning', ...problem });
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
    uncheckedPatterns: [...reader.unreadPatterns()].sort(),
    operation: {
      ...facts,
      parameters: facts.parameters.map((one, index) => ({ ...one, schema: parameters[index] ?? {} })),
    },
  };
}

/**
 * One type over all media types of the response: JSON as its schema describes it, text as string, everything else as bytes.
 * A wildcard may be any of them (MR-SCH-35).
 */
function readOutputType({ outputs, definitions }: ModelBinding['schemas'], typing: Typing): TypeModel {
  if (outputs.length === 0) return unknownType;
  return joinTypes(
    outputs.flatMap(({ mediaType, schema }) =>
      listBodyKinds(mediaType, { schema, definitions }).map((kind) =>
        kind === 'json' ? typing.readType(schema, { isCounted: true }) : { text: stringType, bytes: bytesType }[kind],
      ),
    ),
  );
}

function namedTypes(
  roots: readonly TypeModel[],
  typing: Typing,
  definitions: ModelBinding['schemas']['definitions'],
): NamedType[] {
  const found = new Map<DefinitionName, NamedType>();
  const pending = roots.flatMap((root) => namesIn(root));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    const type = typing.finalise(typing.declared(name));
    found.set(name, { name, type, docs: readDocs(definitions.get(name) ?? {}) });
    pending.push(...namesIn(type));
  }
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
