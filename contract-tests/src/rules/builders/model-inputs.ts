import type { DiscoveredModel } from '../../contract/discovery.ts';
import { NoOccasion } from '../../contract/errors.ts';
import { literalBody } from './router-steps.ts';

/** Cut off, so that no lenient parser takes it for an object. */
export const malformedBody = literalBody('{"prompt": "half a');

/** Input that the model's own schema refuses. Throws `NoOccasion` when the schema refuses nothing. */
export function requireInvalidInput(model: DiscoveredModel): unknown {
  if (model.invalidInput === undefined) throw new NoOccasion(`the schema of ${model.id} refuses no object`);
  return model.invalidInput;
}
