import type { ModelId } from '../catalog/model-id.ts';
import type { Digest } from '../digest.ts';

/** The bytes of a model's schema document as they came, with the entity tag over them. */
export type SchemaSnapshot = {
  readonly modelId: ModelId;
  /** Quotes and all; undefined when the source sent none. */
  readonly entityTag: string | undefined;
  readonly read: () => Uint8Array;
  readonly digest: Digest;
  readonly origin: 'fetched' | 'unchanged' | 'offline';
};

/** A document known by its tag and digest; its bytes are read when they are needed. */
export type DocumentFacts = Pick<SchemaSnapshot, 'entityTag' | 'digest'>;
