import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { EmitSettings } from '../emit/emitted-file.ts';
import type { DocumentFacts } from '../schemas/schema-snapshot.ts';

/**
 * One digest over everything that a model's files depend on: the generator (version and texts), the settings, the
 * catalog's facts and the document. Files whose digest is this one need not be made again.
 */
export function createModelInputs(generator: Digest, settings: EmitSettings & { readonly brand: string }) {
  const constant = JSON.stringify([generator, settings]);
  return ({ id, chargesOnPolicyRejection }: CatalogEntry, { entityTag, digest }: DocumentFacts): Digest =>
    digestOf(`${constant}${JSON.stringify([id, chargesOnPolicyRejection, entityTag ?? null, digest])}`);
}
