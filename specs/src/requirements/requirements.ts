import { join } from 'node:path';
import { prebuildYaml, readYaml } from '../documents/read-document.ts';
import { SpecError } from '../errors.ts';
import { type Prebuilt, packageRoot } from '../files.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

const levels = ['must', 'may', 'note'] as const;
const observations = ['static', 'exchange', 'scenario', 'client', 'none'] as const;
const costs = ['free', 'billed'] as const;
const parties = ['spec', 'server', 'client', 'generator'] as const;

export type Requirement = {
  /** `MR-RUN-06`, `WX-JWF-02`: API, area, number; never changed. */
  id: string;
  level: (typeof levels)[number];
  section: string;
  statement: string;
  parties: readonly (typeof parties)[number][];
  /** Where a violation shows: in the documents, one exchange, several, only in a client, or nowhere. */
  observe: (typeof observations)[number];
  /** What provoking a violation costs on a real endpoint. */
  cost: (typeof costs)[number];
  provoke: string;
};

/** A choice made where the description of an API leaves a point open. */
export type Assumption = { id: string; section: string; choice: string; why: string; override: string };

const folder = join(packageRoot(), 'specs');
const registers = ['model-router.yaml', 'workflow-execution.yaml'].map((name) => join(folder, 'requirements', name));

/** The whole register, router first. Throws SpecError on a malformed entry or an id used twice. */
export function readRequirements(): readonly Requirement[] {
  const all = registers.flatMap((path) => parseRequirements(readYaml(path), path));
  return withUniqueIds(all, 'the register');
}

/** Throws SpecError on a malformed entry or an id used twice. */
export function readAssumptions(): readonly Assumption[] {
  const path = join(folder, 'assumptions.yaml');
  return parseAssumptions(readYaml(path), path);
}

/** What the build stores: the register as JSON. */
export function prebuildRequirements(): readonly Prebuilt[] {
  return registers.map(prebuildYaml);
}

export function parseRequirements(value: JsonValue, place: string): readonly Requirement[] {
  return readEntries(value, place).map(({ entry, text }) => {
    const id = text('id');
    if (!/^(?:MR|WX)-[A-Z]{3}-\d{2}$/.test(id)) throw new SpecError(`${id} is not a requirement id`, { place });
    const named = entry['parties'];
    if (!Array.isArray(named) || named.length === 0) throw new SpecError('parties must be a list', { place: id });
    return {
      id,
      level: parseWord(levels, text('level'), id),
      section: text('section'),
      statement: text('statement'),
      parties: named.map((party) => parseWord(parties, party, id)),
      observe: parseWord(observations, text('observe'), id),
      cost: parseWord(costs, text('cost'), id),
      provoke: text('provoke'),
    };
  });
}

export function parseAssumptions(value: JsonValue, place: string): readonly Assumption[] {
  const assumptions = readEntries(value, place).map(({ text }): Assumption => {
    const id = text('id');
    if (!/^NS-\d{2,}$/.test(id)) throw new SpecError(`${id} is not the id of an assumption`, { place });
    return { id, section: text('section'), choice: text('choice'), why: text('why'), override: text('override') };
  });
  return withUniqueIds(assumptions, place);
}

function readEntries(list: JsonValue, place: string): { entry: JsonObject; text: (name: string) => string }[] {
  if (!Array.isArray(list)) throw new SpecError('is not a list', { place });
  return list.map((entry, index) => {
    const at = { place: `${place}[${index}]` };
    if (!isJsonObject(entry)) throw new SpecError('is not an object', at);
    const text = (name: string): string => {
      const member = entry[name];
      if (typeof member !== 'string' || member.trim() === '') throw new SpecError(`${name} must be a text`, at);
      return member;
    };
    return { entry, text };
  });
}

function withUniqueIds<T extends { id: string }>(entries: readonly T[], place: string): readonly T[] {
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (seen.has(id)) throw new SpecError(`${id} is used twice`, { place });
    seen.add(id);
  }
  return entries;
}

function parseWord<T extends string>(allowed: readonly T[], value: JsonValue, place: string): T {
  const found = allowed.find((word) => word === value);
  if (found !== undefined) return found;
  throw new SpecError(`${JSON.stringify(value)} must be one of ${allowed.join(', ')}`, { place });
}
