import type { CanonicalSchema, DefinitionName, Definitions, JsonObject } from '../../../specs/src/index.ts';
import type { Charges } from '../catalog/catalog-entry.ts';
import type { ModelId } from '../catalog/model-id.ts';
import type { Digest } from '../content.ts';
import type { Docs, TsType } from '../typing/ts-type.ts';
import type { OperationFacts } from './operation-facts.ts';

export type NamedType = { readonly name: DefinitionName; readonly type: TsType; readonly docs: Docs };

/** A normalised model: the only input of the emitters. */
export type ModelBinding = {
  readonly modelId: ModelId;
  readonly entityTag: string | undefined;
  /** Digest of the schema document's bytes. */
  readonly digest: Digest;
  readonly inputAuthored: boolean;
  readonly outputAuthored: boolean;
  readonly chargesOnPolicyRejection: Charges;
  readonly providers: { readonly default: string; readonly alternates: { provider: string; modelId: string }[] };
  readonly deprecated: boolean;
  /** The id of the original model if this model is an alias. */
  readonly aliasOf: string | undefined;
  /** Title, description, examples and similar facts, in the format of the generated type `ModelDetails`. */
  readonly details: JsonObject;
  readonly outputMediaTypes: readonly string[];
  readonly operation: OperationFacts;
  /** The canonical schemas from which the types were created. */
  readonly schemas: {
    readonly input: CanonicalSchema;
    readonly outputs: readonly { readonly mediaType: string; readonly schema: CanonicalSchema }[];
    readonly definitions: Definitions;
  };
  /** Patterns that validators don't check; the server does. */
  readonly uncheckedPatterns: readonly string[];
  readonly input: { readonly type: TsType; readonly docs: Docs };
  readonly output: { readonly type: TsType; readonly docs: Docs };
  /** All named types of input and output, sorted by name. */
  readonly types: readonly NamedType[];
};
