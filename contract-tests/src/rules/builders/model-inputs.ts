import { compileSchema, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { DiscoveredModel } from '../../definitions/discovery.ts';
import { NoOccasion } from '../../definitions/errors.ts';
import type { ProbeRequest } from '../../definitions/probe.ts';

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

/** Another input that the schema accepts. Throws `NoOccasion` when no small change of the first one gives any. */
export function otherInputOf(model: DiscoveredModel): JsonObject {
  const changed = Object.entries(model.input).flatMap(([name, value]) => {
    const other = otherScalar(value);
    return other === undefined ? [] : [{ ...model.input, [name]: other }];
  });
  const candidates = [...changed, { ...model.input, note_of_another_call: 'changed' }];
  const openapi = String(model.document['openapi']).startsWith('3.0') ? '3.0' : '3.1';
  const violationsOf = compileSchema(model.inputSchema, { root: model.document, openapi, side: 'input' });
  const found = candidates.find((input) => violationsOf(input).length === 0);
  if (found === undefined) throw new NoOccasion(`no second input of ${model.id} could be made`);
  return found;
}

function otherScalar(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') return `${value} again`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : undefined;
}
