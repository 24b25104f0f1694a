import type { JsonObject } from '../../../specs/src/index.ts';
import type { ServedModel } from '../models/served-model.ts';

export function catalogEntry(model: ServedModel): JsonObject {
  return {
    id: model.id,
    provider: model.provider,
    model: model.model,
    billing: { charges_on_policy_rejection: model.billing },
  };
}

/** The path of a model, or of something under it, with each segment encoded and the slash kept (C-45). */
export function modelPath(model: ServedModel, ...rest: readonly string[]): string {
  return ['/v2/models', ...[model.provider, model.model, ...rest].map(encodeURIComponent)].join('/');
}
