export { type Assumption, readAssumptions } from './assumptions.ts';
export { applyBrand, type Brand, defaultBrand, extensionKey, headerName, parseBrand } from './brand.ts';
export { checkSpecs, type SpecsCheckReport } from './checks/check-specs.ts';
export type { SpecProblem } from './checks/problem.ts';
export type {
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
  Schema,
} from './document.ts';
export { buildEffectiveSpecs, type EffectiveSpecs, prebuildDocuments } from './effective-specs.ts';
export { SpecError } from './errors.ts';
export { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
export { formatPointer, parsePointer, resolvePointer } from './json-pointer.ts';
export { printPaths } from './openapi-types.ts';
export { listOperations, type Operation, type ResolvedResponse } from './operations.ts';
export { type OwnCatalogModel, readOwnCatalog } from './own-catalog.ts';
export { packageRoot } from './package-root.ts';
export { type Prebuilt, prebuiltName, readPrebuilt } from './prebuilt.ts';
export { followReference } from './references.ts';
export { type Requirement, type RequirementId, readRequirements } from './requirements.ts';
export {
  anything,
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  type Discriminator,
  isNothing,
  type JsonTypeName,
  nothing,
  type SchemaWithDefinitions,
} from './schema/canonical-schema.ts';
export { createSchemaReader, pointerAsName, readSchema, type SchemaReader } from './schema/canonicalise.ts';
export { flattenSchema } from './schema/flatten-schema.ts';
export { readModelOperation } from './schema/model-operation.ts';
export { bundleJsonSchema, printJsonSchema } from './schema/print-json-schema.ts';
export { sampleValues } from './schema/sample-values.ts';
export type { SchemaProblem } from './schema/schema-location.ts';
export { compileSchema, type SchemaCheck, type SchemaCheckOptions, type Violation } from './schema-check.ts';
export { defaultSpecSettings, type SpecSettings } from './settings.ts';
export { writeEffectiveSpecs } from './write-specs.ts';
