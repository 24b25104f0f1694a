import { type JsonObject, type JsonValue, parseBrand } from '../../specs/src/index.ts';
import { parseModelId } from '../src/catalog/model-id.ts';
import { toDigest } from '../src/content.ts';
import type { Diagnostic } from '../src/diagnostics.ts';
import { printType } from '../src/emit/print-type.ts';
import type { ModelBinding } from '../src/model/model-binding.ts';
import { normalise } from '../src/model/normalise.ts';
import { modelDocument } from './fake-router.ts';

type Read = { binding: ModelBinding; diagnostics: readonly Diagnostic[] };

export function normaliseModel(document: object | string, brand = 'Service'): ReturnType<typeof normalise> {
  const parsed = parseModelId('p/m');
  if ('problem' in parsed) throw new Error(parsed.problem);
  const bytes = new TextEncoder().encode(typeof document === 'string' ? document : JSON.stringify(document));
  const snapshot = { entityTag: '"t"', bytes, digest: toDigest(bytes) };
  const entry = { id: parsed.id, chargesOnPolicyRejection: 'no' as const };
  return normalise(snapshot, entry, parseBrand(brand));
}

/** Reads the document of model `p/m`. Throws an Error with the diagnostics if nothing can be generated from it. */
export function readModel(document: object | string, brand = 'Service'): Read {
  const { binding, diagnostics } = normaliseModel(document, brand);
  if (binding === undefined) throw new Error(JSON.stringify(diagnostics));
  return { binding, diagnostics };
}

/** Prints the type of a property `x` of the input, on one line and without comments. */
export function showType(schema: JsonValue, components: JsonObject = {}): string {
  const input = { type: 'object', properties: { x: schema }, required: ['x'] };
  const { binding } = normaliseModel(modelDocument('p/m', { input, components }));
  return binding === undefined ? '' : flat(printType(binding.input.type).text).replace(/^\{ x: (.*?);? \}$/, '$1');
}

/** Prints the type of an output and all named types, on one line. `x`: the schema of a property of the input. */
export function showOutput(output: JsonValue, components: JsonObject = {}, x: JsonValue = {}): string {
  const input = { type: 'object', properties: { x } };
  const { binding } = readModel(modelDocument('p/m', { input, output, components }));
  const named = binding.types.map(({ name, type }) => `${name} = ${flat(printType(type).text)}`);
  return [flat(printType(binding.output.type).text), ...named].join('; ');
}

export function flat(text: string): string {
  return text
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replaceAll(': |', ':')
    .replaceAll('; }', ' }')
    .trim();
}

/** Prints every named type of the input, on one line each. */
export function namedTypes(components: JsonObject, input: JsonValue): Record<string, string> {
  const { binding } = readModel(modelDocument('p/m', { input, components }));
  return Object.fromEntries(binding.types.map(({ name, type }) => [name, flat(printType(type).text)]));
}
