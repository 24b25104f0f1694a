import {
  type Brand,
  type CanonicalSchema,
  createSchemaReader,
  type DefinitionName,
  essenceOf,
  isJsonMediaType,
  isWildcard,
  type ModelOperation,
} from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { SchemaSnapshot } from '../documents/schema-snapshot.ts';
import {
  bytesType,
  docsOf,
  namesIn,
  openObject,
  sizeOf,
  stringType,
  type TypeModel,
  unknownType,
} from '../typing/type-model.ts';
import { createTyping, type Typing } from '../typing/typing.ts';
import { unionOf } from '../typing/unions.ts';
import { createTypeNames } from './identifiers.ts';
import type { ModelBinding, NamedType } from './model-binding.ts';
import {
  type Problem,
  parseSchemaDocument,
  type Report,
  readExtensions,
  type SchemaDocument,
} from './schema-document.ts';

/** Without a binding, the error among the diagnostics says why. */
export type Normalised = { binding: ModelBinding | undefined; diagnostics: readonly Diagnostic[] };

const partsAtMost = 200_000;

/** A snapshot in the form that the emitters read; a broken document costs its own model only. */
export function normalise(snapshot: SchemaSnapshot, entry: CatalogEntry, brand: Brand): Normalised {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => {
    diagnostics.push({ ...diagnostic, model: entry.id });
  };
  const refuse = (problem: Problem): Normalised => {
    report({ severity: 'error', ...problem });
    return { binding: undefined, diagnostics };
  };
  const parsed = parseSchemaDocument(snapshot.bytes, entry.id);
  if ('problem' in parsed) return refuse(parsed.problem);
  try {
    const binding = bind({ snapshot, entry, document: parsed.document, brand }, report);
    if (countParts(binding) <= partsAtMost) return { binding, diagnostics };
    const message = 'the types of this document are too large to print';
    return refuse({ code: 'document-too-large', pointer: '', message });
  } catch (error) {
    // Depth is bounded where it is foreseen; a document that overflows the stack all the same is at fault.
    if (!(error instanceof RangeError)) throw error;
    return refuse({ code: 'document-too-deep', pointer: '', message: 'the schema document is nested too deeply' });
  }
}

function countParts({ input, output, types }: ModelBinding): number {
  const known = new Map<TypeModel, number>();
  return [input, output, ...types].reduce((sum, { type }) => sum + sizeOf(type, known), 0);
}

type Input = { snapshot: SchemaSnapshot; entry: CatalogEntry; document: SchemaDocument; brand: Brand };

function bind({ snapshot, entry, document, brand }: Input, report: Report): ModelBinding {
  const extensions = readExtensions(document, { modelId: entry.id, brand, report });
  const schemas = readSchemas(document, report);
  const typing = createTyping(schemas.definitions);
  // The router takes JSON objects only (MR-RUN-15).
  const described = typing.typeOf({ type: ['object'], allOf: [schemas.input] });
  const input = typing.finalise(extensions.inputAuthored ? inputTypeOf(document, described, report) : openObject);
  const output = typing.finalise(outputTypeOf(schemas.outputs, typing));
  const types = namedTypes([input, output], typing, schemas.definitions);
  reportTyping(typing, report);
  const onlyOutput = schemas.outputs.length === 1 ? schemas.outputs[0]?.schema : undefined;
  return {
    modelId: entry.id,
    entityTag: snapshot.entityTag,
    digest: snapshot.digest,
    ...extensions,
    chargesOnPolicyRejection: entry.chargesOnPolicyRejection,
    outputMediaTypes: document.operation.outputs.map(({ mediaType }) => mediaType),
    schemas,
    input: { type: input, docs: docsOf(schemas.input) },
    output: { type: output, docs: onlyOutput === undefined ? {} : docsOf(onlyOutput) },
    types,
  };
}

function readSchemas({ root, operation }: SchemaDocument, report: Report): ModelBinding['schemas'] {
  const reader = createSchemaReader(root, {
    claimName: createTypeNames(),
    report: (problem) => report({ severity: 'warning', ...problem }),
  });
  const read = (content: ModelOperation['input']): CanonicalSchema =>
    content?.schema === undefined ? {} : reader.read(content.schema, content.pointer);
  const input = read(operation.input);
  const outputs = operation.outputs.map((content) => ({ mediaType: content.mediaType, schema: read(content) }));
  return { input, outputs, definitions: reader.definitions() };
}

// A schema without constraints is an open object, never `unknown`.
function inputTypeOf(document: SchemaDocument, type: TypeModel, report: Report): TypeModel {
  if (document.operation.input?.schema === undefined) {
    const message = 'the document describes no JSON input; any object is accepted in the generated types';
    report({ severity: 'warning', code: 'input-missing', pointer: '', message });
  }
  const isAnyObject = type.kind === 'object' && type.fields.size === 0 && type.rest === 'unspecified';
  return isAnyObject ? { ...type, rest: openObject.rest } : type;
}

type OutputSchemas = ModelBinding['schemas']['outputs'];

/**
 * One type over all media types of the response: JSON as its schema describes it, text as string, everything else as bytes.
 * A wildcard may be any of them (MR-SCH-35), so it gives the schema's type, string and bytes.
 */
function outputTypeOf(outputs: OutputSchemas, typing: Typing): TypeModel {
  if (outputs.length === 0) return unknownType;
  return unionOf(
    outputs.flatMap(({ mediaType, schema }) => {
      if (isJsonMediaType(mediaType)) return [typing.typeOf(schema)];
      if (isWildcard(mediaType)) return [...(isBinary(schema) ? [] : [typing.typeOf(schema)]), stringType, bytesType];
      return [essenceOf(mediaType).startsWith('text/') ? stringType : bytesType];
    }),
  );
}

function isBinary({ limits, type }: CanonicalSchema): boolean {
  return limits?.get('format') === 'binary' && type?.length === 1 && type[0] === 'string';
}

function reportTyping(typing: Typing, report: Report): void {
  for (const name of typing.circular) {
    const message = `the schema ${name} is defined by itself alone; that part accepts any value`;
    report({ severity: 'warning', code: 'reference-circular', pointer: '', message });
  }
  if (typing.isExhausted()) {
    const message =
      'the schemas combine into more alternatives than are merged; some types are looser than the document';
    report({ severity: 'warning', code: 'schema-too-large', pointer: '', message });
  }
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
    found.set(name, { name, type, docs: docsOf(definitions.get(name) ?? {}) });
    pending.push(...namesIn(type));
  }
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
