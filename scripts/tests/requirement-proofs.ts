import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject, type Requirement } from '../../specs/src/index.ts';

/** A part of the project that must meet requirements, or find their violations, and where its proofs are. */
export type Party = {
  readonly name: 'gate' | 'server' | 'generator' | 'client';
  /** Requirements shown by other means, such as a rule of the gate. */
  readonly shown: ReadonlySet<string>;
  /** Folders with tests that cite the requirements they prove. */
  readonly tests: readonly string[];
  /** JSON or YAML file: requirement id → why nothing shows it. */
  readonly reasons: string;
};

const shortestReason = 40;

/** Counts the proofs of a party. Finds requirements without a proof or a reason, unneeded reasons, and unknown requirements. */
export function checkProofs(
  { name, tests, shown, reasons: file }: Party,
  requirements: readonly Requirement[],
  root: string,
): { readonly summary: string; readonly problems: readonly string[] } {
  const cited = new Set(tests.flatMap((folder) => findCitations(join(root, folder))));
  const known = new Set(requirements.map(({ id }) => id));
  const ours = requirements.filter((one) => concerns(name, one)).map(({ id }) => id);
  const open = ours.filter((id) => !shown.has(id) && !cited.has(id));
  const reasons = readReasons(join(root, file));
  const unproven = open.filter((id) => reasons[id] === undefined);
  const problems = [
    ...[...cited].filter((id) => !known.has(id)).map((id) => `a test cites ${id}, which is not in the register`),
    ...unproven.map((id) => `${id} concerns the ${name}, but nothing shows it and ${file} has no reason`),
    ...Object.keys(reasons)
      .filter((id) => !open.includes(id))
      .map((id) => `${file} explains ${id}, which needs no reason`),
    ...Object.entries(reasons)
      .filter(([, reason]) => String(reason).length < shortestReason)
      .map(([id]) => `${file} gives too short a reason for ${id}`),
  ];
  const counts = `${ours.length - open.length} shown, ${open.length - unproven.length} with a reason`;
  return { summary: `${name}: ${ours.length} requirements, ${counts}`, problems };
}

/** The gate must check requirements that are visible in exchanges; a party, those that apply to it or are only visible in it. */
function concerns(party: Party['name'], { parties, observe }: Requirement): boolean {
  if (party === 'gate') return observe === 'exchange' || observe === 'scenario';
  return parties.includes(party) || observe === party;
}

function findCitations(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  return names.flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/\b(?:MR|WX)-[A-Z]+-\d+\b/g) ?? []);
}

/** Reads the reasons by requirement id. Throws if an id has two reasons. */
export function readReasons(file: string): Readonly<Record<string, unknown>> {
  const reasons: unknown = parse(readFileSync(file, 'utf8'));
  return isJsonObject(reasons) ? reasons : {};
}
