export { checkSpecs, type SpecsCheckReport } from './checks/check-specs.ts';
export * from './connections.ts';
export { listOperations, methods, type Operation, type ResolvedResponse } from './documents/operations.ts';
export { readOwnCatalog } from './documents/own-catalog.ts';
export { printPaths } from './documents/print-paths.ts';
export type { OpenApiDocument, Schema } from './documents/read-document.ts';
export { type FoundObject, findMember, findMembers, nameParameter } from './documents/references.ts';
export {
  buildEffectiveSpecs,
  type EffectiveSpecs,
  type WantedSettings,
  writeEffectiveSpecs,
} from './effective-specs.ts';
export * from './errors.ts';
export * from './files.ts';
export * from './json.ts';
export * from './markdown.ts';
export * from './recognise-brand.ts';
export * from './requirements/requirements.ts';
export * from './schema/canonical-schema.ts';
export { flattenSchema } from './schema/flatten-schema.ts';
export { checkedFormats, formatSamples, listBodyKinds } from './schema/formats.ts';
export * from './schema/large-integers.ts';
export { linearPattern } from './schema/linear-pattern.ts';
export * from './schema/model-operation.ts';
export { findText } from './schema/pattern-search.ts';
export { bundleJsonSchema, printInputSchema, printJsonSchema, requireObject } from './schema/print-json-schema.ts';
export { createSampler, type Sampler } from './schema/sample-values.ts';
export { compileSchema, type SchemaCheck, type Violation } from './schema/schema-check.ts';
export { schemasOfValue, schemasReached } from './schema/schema-parts.ts';
export { createSchemaReader, pointerAsName, readSchema, type SchemaReader } from './schema/schema-reader.ts';
export * from './schema/work.ts';
export * from './secrets/header-secrets.ts';
export * from './secrets/redactor.ts';
export * from './settings.ts';
export { compileTemplates, markAsHtml, type RenderPage } from './templates.ts';
