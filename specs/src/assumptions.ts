import { join } from 'node:path';
import { SpecError } from './errors.ts';
import { readText } from './files.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import { packageRoot } from './package-root.ts';
import { parseYaml } from './read-document.ts';

/** One choice made where the description of an API leaves a point open. */
export type Assumption = { id: string; section: string; choice: string; why: string; override: string };

/** The list of assumptions. Throws SpecError on a malformed entry or an id used twice. */
export function readAssumptions(): readonly Assumption[] {
  const path = join(packageRoot(), 'specs', 'assumptions.yaml');
  return parseAssumptions(parseYaml(readText(path), path), path);
}

export function parseAssumptions(value: JsonValue, place: string): readonly Assumption[] {
  if (!Array.isArray(value)) throw new SpecError('is not a list', { place });
  const seen = new Set<string>();
  return value.map((entry, index) => {
    const assumption = parseAssumption(entry, `${place}[${index}]`);
    if (seen.has(assumption.id)) throw new SpecError(`${assumption.id} stands twice`, { place });
    seen.add(assumption.id);
    return assumption;
  });
}

function parseAssumption(value: JsonValue, place: string): Assumption {
  if (!isJsonObject(value)) throw new SpecError('is not an object', { place });
  const text = (name: string): string => {
    const member = value[name];
    if (typeof member !== 'string' || member.trim() === '') throw new SpecError(`${name} must be a text`, { place });
    return member;
  };
  const id = text('id');
  if (!/^NS-\d{2,}$/.test(id)) throw new SpecError(`${id} is not the id of an assumption`, { place });
  return { id, section: text('section'), choice: text('choice'), why: text('why'), override: text('override') };
}
