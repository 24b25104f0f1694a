import type { DiscoveredModel } from '../../contract/discovery.ts';
import { NoOccasion } from '../../contract/errors.ts';
import type { ProbeRequest } from '../../contract/probe.ts';

/** Cut off, so that no lenient parser takes it for an object. */
export const malformedBody: NonNullable<ProbeRequest['body']> = {
  kind: 'bytes',
  bytes: new TextEncoder().encode('{"prompt": "half a'),
  mediaType: 'application/json',
};

/** Input that the model's own schema refuses. Throws `NoOccasion` when the schema refuses nothing. */
export function invalidInputOf(model: DiscoveredModel): unknown {
  if (model.invalidInput === undefined) throw new NoOccasion(`the schema of ${model.id} refuses no object`);
  return model.invalidInput;
}
