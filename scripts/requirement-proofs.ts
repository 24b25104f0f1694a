import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject, type Requirement } from '../specs/src/index.ts';

/** Who has to meet requirements, or to find their violations, and where that is shown. */
export type Party = {
  readonly name: 'gate' | 'server' | 'generator' | 'client';
  /** Requirements shown by other means, such as a rule of the gate. */
  readonly shown: ReadonlySet<string>;
  /** Folders whose tests name the requirements they show. */
  readonly tests: readonly string[];
  /** JSON or YAML file: requirement id → why nothing shows it. */
  readonly reasons: string;
};

const shortestReason = 40;

/** Requirements on a party without a proof or a reason, reasons without need, and citations of unknown requirements. */
export function findProofProblems(party: Party, requirements: readonly Requirement[], root: string): string[] {
  const { ours, cited, shown, reasons } = readProofs(party, requirements, root);
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...[...cited].filter((id) => !known.has(id)).map((id) => `a test cites ${id}, which is not in the register`),
    ...ours
      .filter((id) => !shown.has(id) && reasons[id] === undefined)
      .map((id) => `${id} concerns the ${party.name}, but nothing shows it and ${party.reasons} has no reason`),
    ...Object.keys(reasons)
      .filter((id) => !ours.includes(id) || shown.has(id))
      .map((id) => `${party.reasons} explains ${id}, which needs no reason`),
    ...Object.entries(reasons)
      .filter(([, reason]) => String(reason).length < shortestReason)
      .map(([id]) => `${party.reasons} gives too short a reason for ${id}`),
  ];
}

/** `client: 300 requirements, 280 shown, 20 with a reason`. */
export function summariseProofs(party: Party, requirements: readonly Requirement[], root: string): string {
  const { ours, shown, reasons } = readProofs(party, requirements, root);
  const shownCount = ours.filter((id) => shown.has(id)).length;
  const reasonCount = ours.filter((id) => !shown.has(id) && reasons[id] !== undefined).length;
  return `${party.name}: ${ours.length} requirements, ${shownCount} shown, ${reasonCount} with a reason`;
}

function readProofs({ name, tests, shown, reasons }: Party, requirements: readonly Requirement[], root: string) {
  const cited = new Set(tests.flatMap((folder) => findCitations(join(root, folder))));
  return {
    ours: requirements.filter((one) => concerns(name, one)).map(({ id }) => id),
    cited,
    shown: new Set([...shown, ...cited]),
    reasons: readReasons(join(root, reasons)),
  };
}

/** The gate has to find what shows in exchanges; a party has to keep what binds it, and what only shows at it. */
function concerns(party: Party['name'], { parties, observe }: Requirement): boolean {
  if (party === 'gate') return observe === 'exchange' || observe === 'scenario';
  return parties.includes(party) || observe === party;
}

function findCitations(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  return names.flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/\b(?:MR|WX)-[A-Z]+-\d+\b/g) ?? []);
}

/** Throws where an id has two reasons. */
export function readReasons(file: string): Readonly<Record<string, unknown>> {
  const reasons: unknown = parse(readFileSync(file, 'utf8'));
  return isJsonObject(reasons) ? reasons : {};
}

type Citing = { readonly id: string; readonly requirements: readonly string[] };

export type Traced = {
  readonly rules: readonly Citing[];
  readonly faults: readonly Citing[];
  readonly requirements: readonly Requirement[];
  /** Why no rule shows a requirement. */
  readonly reasons: Readonly<Record<string, unknown>>;
};

/** A Markdown table requirement → rules → faults, family by family. The same input gives the same text. */
export function renderTraceability({ rules, faults, requirements, reasons }: Traced): string {
  const [rulesBy, faultsBy] = [groupByRequirement(rules), groupByRequirement(faults)];
  const shown = requirements.filter((one) => concerns('gate', one));
  const count = (is: (id: string) => boolean): number => shown.filter(({ id }) => is(id)).length;
  const row = ({ id, statement }: Requirement): string => {
    const because = reasons[id];
    const proof = because === undefined ? printIds(rulesBy.get(id)) : `none: ${escapeCell(String(because))}`;
    return `| **${id}** ${escapeCell(statement)} | ${proof} | ${printIds(faultsBy.get(id))} |`;
  };
  const families = [...Map.groupBy(shown, ({ id }) => id.slice(0, 6))];
  return `${[
    '# Requirements, rules and faults',
    '',
    'Generated from the register, the rules of the gate and the faults of the sandbox; do not edit. Listed are the requirements',
    'that show in exchanges with a server. The others are read from the documents, or concern callers only.',
    '',
    `- requirements that show in exchanges: ${shown.length}`,
    `- cited by a rule: ${count((id) => rulesBy.has(id))}`,
    `- with a fault that breaks them: ${count((id) => faultsBy.has(id))}`,
    `- that no black-box client could show broken, with the reason: ${count((id) => reasons[id] !== undefined)}`,
    ...families.flatMap(([family, members]) => {
      return ['', `## ${family}`, '', '| requirement | rules | faults |', '|---|---|---|', ...members.map(row)];
    }),
  ].join('\n')}\n`;
}

function groupByRequirement(cited: readonly Citing[]): ReadonlyMap<string, readonly string[]> {
  const pairs = cited.flatMap(({ id, requirements }) => [...new Set(requirements)].map((name) => ({ id, name })));
  const groups = Map.groupBy(pairs, ({ name }) => name);
  return new Map([...groups].map(([name, members]) => [name, members.map(({ id }) => id).toSorted()]));
}

function printIds(ids: readonly string[] = []): string {
  return ids.map((id) => `\`${id}\``).join('<br>');
}

// A bar ends a cell, angle brackets open a tag.
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ').trim();
}
