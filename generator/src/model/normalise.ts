import type { Brand } from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { SchemaSnapshot } from '../documents/schema-snapshot.ts';
import type { CanonicalSchema } from '../schema/canonical-schema.ts';
import { canonicalise } from '../schema/canonicalise.ts';
import { type DocumentReading, startAt } from '../schema/place.ts';
import { createReferences, type Target } from '../schema/references.ts';
import { docsOf } from '../typing/docs.ts';
import { openObject, type TypeModel } from '../typing/type-model.ts';
import { createTyping, type Typing } from '../typing/typing.ts';
import { namesIn, sizeOf } from '../typing/walk-type.ts';
import { readExtensionFacts } from './extension-facts.ts';
import type { TypeName } from './identifiers.ts';
import type { ModelBinding, NamedType } from './model-binding.ts';
import { outputTypeOf } from './output-type.ts';
import { parseSchemaDocument, type SchemaDocument } from './schema-document.ts';

/** Without a binding, the error among the diagnostics says why. */
export type Normalised = { binding: ModelBinding | undefined; diagnostics: readonly Diagnostic[] };

const schemasAtMost = 50_000;
const partsAtMost = 200_000;

/** A snapshot as the emitters want it; whatever is wrong with a document stays with its model. */
export function normalise(snapshot: SchemaSnapshot, entry: CatalogEntry, brand: Brand): Normalised {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Omit<Diagnostic, 'model'>): void => {
    diagnostics.push({ ...diagnostic, model: entry.id });
  };
  const parsed = parseSchemaDocument(snapshot.bytes, entry.id);
  if ('problem' in parsed) {
    report({ severity: 'error', ...parsed.problem });
    return { binding: undefined, diagnostics };
  }
  try {
    const binding = bind({ snapshot, entry, document: parsed.document, brand }, report);
    if (sizesOf(binding) <= partsAtMost) return { binding, diagnostics };
    report({
      severity: 'error',
      code: 'document-too-large',
      pointer: '',
      message: 'the types of this document are too large to print',
    });
    return { binding: undefined, diagnostics };
  } catch (error) {
    // Depth is bounded where it is foreseen; the stack is the last fence, and a document that gets there is at fault.
    if (!(error instanceof RangeError)) throw error;
    report({
      severity: 'error',
      code: 'document-too-deep',
      pointer: '',
      message: 'the schema document is nested too deeply',
    });
    return { binding: undefined, diagnostics };
  }
}

function sizesOf({ input, output, types }: ModelBinding): number {
  const known = new Map<TypeModel, number>();
  return [input, output, ...types].reduce((sum, { type }) => sum + sizeOf(type, known), 0);
}

type Input = { snapshot: SchemaSnapshot; entry: CatalogEntry; document: SchemaDocument; brand: Brand };

function bind({ snapshot, entry, document, brand }: Input, report: DocumentReading['report']): ModelBinding {
  const facts = readExtensionFacts(document, entry.id, brand);
  facts.diagnostics.forEach(report);
  const schemas = readSchemas(document, report);
  const typing = createTyping(schemas.definitions);
  // The router takes JSON objects only (MR-RUN-15).
  const asked = typing.typeOf({ type: ['object'], allOf: [schemas.input] });
  const made = facts.inputAuthored ? inputTypeOf(document, asked, report) : openObject;
  const input = typing.seal(made);
  const output = typing.seal(outputTypeOf(schemas.outputs, (schema) => typing.typeOf(schema)));
  const types = namedTypes([input, output], typing, schemas.definitions);
  reportTyping(typing, report);
  const onlyOutput = schemas.outputs.length === 1 ? schemas.outputs[0]?.schema : undefined;
  return {
    modelId: entry.id,
    entityTag: snapshot.entityTag,
    digest: snapshot.digest,
    inputAuthored: facts.inputAuthored,
    outputAuthored: facts.outputAuthored,
    chargesOnPolicyRejection: entry.chargesOnPolicyRejection,
    providers: facts.providers,
    aliasOf: facts.aliasOf,
    outputMediaTypes: document.outputs.map(({ mediaType }) => mediaType),
    schemas,
    input: { type: input, docs: docsOf(schemas.input) },
    output: { type: output, docs: onlyOutput === undefined ? {} : docsOf(onlyOutput) },
    types,
  };
}

function readSchemas(document: SchemaDocument, report: DocumentReading['report']): ModelBinding['schemas'] {
  const pending: Target[] = [];
  const met = new Set<TypeName>();
  const reading: DocumentReading = {
    references: createReferences(document.root),
    refer(target) {
      if (met.has(target.name)) return;
      met.add(target.name);
      pending.push(target);
    },
    report,
    budget: schemasAtMost,
  };
  const at = (pointer: string) => startAt(pointer, reading);
  const input = document.input === undefined ? {} : canonicalise(document.input.schema, at(document.input.pointer));
  const outputs = document.outputs.map(({ mediaType, schema, pointer }) => ({
    mediaType,
    schema: schema === undefined ? {} : canonicalise(schema, at(pointer)),
  }));
  const definitions = new Map<TypeName, CanonicalSchema>();
  for (let target = pending.shift(); target !== undefined; target = pending.shift()) {
    definitions.set(target.name, canonicalise(target.value, at(target.pointer)));
  }
  return { input, outputs, definitions };
}

// A schema that says nothing is an open object, never `unknown`.
function inputTypeOf(document: SchemaDocument, type: TypeModel, report: DocumentReading['report']): TypeModel {
  if (document.input === undefined) {
    const message = 'the document describes no JSON input; any object is accepted in the generated types';
    report({ severity: 'warning', code: 'input-missing', pointer: '', message });
  }
  const saysNothing = type.kind === 'object' && type.fields.size === 0 && type.rest === 'unsaid';
  return saysNothing ? { ...type, rest: openObject.rest } : type;
}

function reportTyping(typing: Typing, report: DocumentReading['report']): void {
  for (const name of typing.circular) {
    const message = `the schema ${name} is defined by itself alone; that part accepts any value`;
    report({ severity: 'warning', code: 'reference-circular', pointer: '', message });
  }
  if (typing.exhausted()) {
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
  const found = new Map<TypeName, NamedType>();
  const pending = roots.flatMap((root) => namesIn(root));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    const type = typing.seal(typing.declared(name));
    found.set(name, { name, type, docs: docsOf(definitions.get(name) ?? {}) });
    pending.push(...namesIn(type));
  }
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
