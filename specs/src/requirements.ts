import { join } from 'node:path';
import { SpecError } from './errors.ts';
import { readText } from './files.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import { packageRoot } from './package-root.ts';
import { parseYaml } from './read-document.ts';

/** `MR-RUN-06`, `WX-JWF-02`: API, area, number; frozen for ever. */
export type RequirementId = string;
const levels = ['must', 'may', 'note'] as const;
const observations = ['static', 'exchange', 'scenario', 'client', 'none'] as const;
const costs = ['free', 'billed'] as const;
const parties = ['spec', 'server', 'client', 'generator'] as const;

export type Requirement = {
  id: RequirementId;
  level: (typeof levels)[number];
  section: string;
  statement: string;
  parties: readonly (typeof parties)[number][];
  /** Where a breach shows: in the documents, one exchange, several, only in a client, or nowhere. */
  observe: (typeof observations)[number];
  /** What provoking it costs on a real endpoint. */
  cost: (typeof costs)[number];
  provoke: string;
};

const registers = ['model-router.yaml', 'workflow-execution.yaml'];

/** The whole register, router first. Throws SpecError on a malformed entry or an id used twice. */
export function readRequirements(): readonly Requirement[] {
  const all = registers.flatMap((name) => {
    const path = join(packageRoot(), 'specs', 'requirements', name);
    return parseRequirements(parseYaml(readText(path), path), path);
  });
  const seen = new Set<string>();
  for (const { id } of all) {
    if (seen.has(id)) throw new SpecError(`${id} stands twice in the register`);
    seen.add(id);
  }
  return all;
}

export function parseRequirements(value: JsonValue, place: string): Requirement[] {
  if (!Array.isArray(value)) throw new SpecError('is not a list', { place });
  return value.map((entry, index) => parseRequirement(entry, `${place}[${index}]`));
}

function parseRequirement(value: JsonValue, place: string): Requirement {
  if (!isJsonObject(value)) throw new SpecError('is not an object', { place });
  const text = (name: string): string => {
    const member = value[name];
    if (typeof member !== 'string' || member === '') throw new SpecError(`${name} must be a text`, { place });
    return member;
  };
  const id = text('id');
  if (!/^(?:MR|WX)-[A-Z]{3}-\d{2}$/.test(id)) throw new SpecError(`${id} is not a requirement id`, { place });
  const named = value['parties'];
  if (!Array.isArray(named) || named.length === 0) throw new SpecError('parties must be a list', { place: id });
  return {
    id,
    level: oneOf(levels, text('level'), id),
    section: text('section'),
    statement: text('statement'),
    parties: named.map((party) => oneOf(parties, party, id)),
    observe: oneOf(observations, text('observe'), id),
    cost: oneOf(costs, text('cost'), id),
    provoke: text('provoke'),
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: JsonValue, place: string): T {
  const found = allowed.find((word) => word === value);
  if (found === undefined) throw new SpecError(`${JSON.stringify(value)} is none of ${allowed.join(', ')}`, { place });
  return found;
}
