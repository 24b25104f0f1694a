import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Requirement } from '../specs/src/index.ts';

/** Who has to meet requirements, and where that is shown. */
export type Party = {
  readonly name: 'server' | 'generator' | 'client';
  /** Requirements shown by other means, such as a rule of the gate. */
  readonly shown: ReadonlySet<string>;
  /** Folders whose tests name the requirements they show. */
  readonly tests: readonly string[];
  /** JSON file: requirement id → why nothing shows it. */
  readonly reasons: string;
};

const shortestReason = 40;

/** Requirements on a party without a proof or a reason, reasons without need, and citations of unknown requirements. */
export function proofProblems(party: Party, requirements: readonly Requirement[], root: string): string[] {
  const { ours, cited, shown, reasons } = readProofs(party, requirements, root);
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...[...cited].filter((id) => !known.has(id)).map((id) => `a test cites ${id}, which is not in the register`),
    ...ours
      .filter((id) => !shown.has(id) && reasons[id] === undefined)
      .map(
        (id) => `${id} is a requirement on the ${party.name}, but nothing shows it and ${party.reasons} has no reason`,
      ),
    ...Object.keys(reasons)
      .filter((id) => !ours.includes(id) || shown.has(id))
      .map((id) => `${party.reasons} explains ${id}, which needs no reason`),
    ...Object.entries(reasons)
      .filter(([, reason]) => String(reason).length < shortestReason)
      .map(([id]) => `${party.reasons} gives too short a reason for ${id}`),
  ];
}

/** `client: 300 requirements, 280 shown, 20 with a reason`. */
export function proofSummary(party: Party, requirements: readonly Requirement[], root: string): string {
  const { ours, shown, reasons } = readProofs(party, requirements, root);
  const shownCount = ours.filter((id) => shown.has(id)).length;
  const reasonCount = ours.filter((id) => !shown.has(id) && reasons[id] !== undefined).length;
  return `${party.name}: ${ours.length} requirements, ${shownCount} shown, ${reasonCount} with a reason`;
}

function readProofs({ name, tests, shown, reasons }: Party, requirements: readonly Requirement[], root: string) {
  const cited = new Set(tests.flatMap((folder) => citedBelow(join(root, folder))));
  // What a party has to keep, and what only shows at it.
  const ours = requirements.filter(({ parties, observe }) => parties.includes(name) || observe === name);
  return {
    ours: ours.map(({ id }) => id),
    cited,
    shown: new Set([...shown, ...cited]),
    reasons: readReasons(join(root, reasons)),
  };
}

function citedBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  return names.flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/\b(?:MR|WX)-[A-Z]+-\d+\b/g) ?? []);
}

function readReasons(file: string): Record<string, unknown> {
  const reasons: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return isJsonObject(reasons) ? reasons : {};
}
