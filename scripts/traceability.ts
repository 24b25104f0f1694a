import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject, packageRoot, type Requirement } from '../specs/src/index.ts';

type Citing = { readonly id: string; readonly requirements: readonly string[] };

export type Traced = {
  readonly rules: readonly Citing[];
  readonly faults: readonly Citing[];
  readonly requirements: readonly Requirement[];
  readonly reasons: readonly Reason[];
};

type Row = {
  readonly requirement: Requirement;
  readonly rules: readonly string[];
  readonly faults: readonly string[];
  readonly because: string | undefined;
};

/** Requirements that show in exchanges and have neither a rule nor a reason, and reasons without a use. */
export function traceabilityProblems(traced: Traced): readonly string[] {
  const known = new Set(traced.requirements.map(({ id }) => id));
  return [
    ...rowsOf(traced)
      .filter(({ rules, because }) => rules.length === 0 && because === undefined)
      .map(({ requirement }) => `${requirement.id} is cited by no rule and has no reason in unobservable.yaml`),
    ...rowsOf(traced)
      .filter(({ rules, because }) => rules.length > 0 && because !== undefined)
      .map(({ requirement }) => `${requirement.id} has a reason in unobservable.yaml, but a rule cites it`),
    ...traced.reasons
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `unobservable.yaml names ${id}, which is not in the register`),
  ];
}

/** A Markdown table requirement → rules → faults, family by family. The same input gives the same text. */
export function renderTraceability(traced: Traced): string {
  const rows = rowsOf(traced);
  const families = Map.groupBy(rows, ({ requirement }) => requirement.id.slice(0, 6));
  return `${[
    '# Requirements, rules and faults',
    '',
    'Generated from the register, the rules of the gate and the faults of the sandbox; do not edit. Listed are the requirements',
    'that show in exchanges with a server. The others are read from the documents, or concern callers only.',
    '',
    ...summary(rows),
    ...[...families].flatMap(([family, members]) => ['', `## ${family}`, '', ...table(members)]),
  ].join('\n')}\n`;
}

function rowsOf({ rules, faults, requirements, reasons }: Traced): readonly Row[] {
  const rulesOf = idsByRequirement(rules);
  const faultsOf = idsByRequirement(faults);
  const reasonOf = new Map(reasons.map(({ id, because }) => [id, because]));
  return requirements
    .filter(({ observe }) => observe === 'exchange' || observe === 'scenario')
    .map((requirement) => ({
      requirement,
      rules: rulesOf.get(requirement.id) ?? [],
      faults: faultsOf.get(requirement.id) ?? [],
      because: reasonOf.get(requirement.id),
    }));
}

function idsByRequirement(cited: readonly Citing[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, requirements } of cited)
    for (const requirement of new Set(requirements)) found.set(requirement, [...(found.get(requirement) ?? []), id]);
  return new Map([...found].map(([requirement, ids]) => [requirement, ids.toSorted()]));
}

function summary(rows: readonly Row[]): readonly string[] {
  const count = (is: (row: Row) => boolean): number => rows.filter(is).length;
  return [
    `- requirements that show in exchanges: ${rows.length}`,
    `- cited by a rule: ${count(({ rules }) => rules.length > 0)}`,
    `- with a fault that breaks them: ${count(({ faults }) => faults.length > 0)}`,
    `- that no black-box client could show broken, with the reason: ${count(({ because }) => because !== undefined)}`,
  ];
}

function table(rows: readonly Row[]): readonly string[] {
  return [
    '| requirement | rules | faults |',
    '|---|---|---|',
    ...rows.map(
      ({ requirement, rules, faults, because }) =>
        `| **${requirement.id}** ${cell(requirement.statement)} | ${because === undefined ? list(rules) : `none: ${cell(because)}`} | ${list(faults)} |`,
    ),
  ];
}

function list(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join('<br>');
}

// A bar ends a cell, angle brackets open a tag.
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ').trim();
}

/** Why no black-box client could show a violation of a requirement. */
export type Reason = { readonly id: string; readonly because: string };

const maxReasons = 60;
/** A shorter reason says that it cannot be seen, but not why. */
const minReasonLength = 40;

/** The reasons of `unobservable.yaml`. Throws on a malformed entry, an id given twice, or more reasons than sixty. */
export function readUnobservable(): readonly Reason[] {
  const text = readFileSync(join(packageRoot(), 'contract-tests/unobservable.yaml'), 'utf8');
  return parseUnobservable(parse(text));
}

export function parseUnobservable(value: unknown): readonly Reason[] {
  if (!Array.isArray(value)) throw new Error('unobservable.yaml is not a list');
  const reasons = value.map(parseReason);
  if (reasons.length > maxReasons)
    throw new Error(`unobservable.yaml gives ${reasons.length} reasons; ${maxReasons} at most`);
  const twice = reasons.find(({ id }, index) => reasons.findIndex((one) => one.id === id) !== index);
  if (twice !== undefined) throw new Error(`unobservable.yaml gives two reasons for ${twice.id}`);
  return reasons;
}

function parseReason(entry: unknown): Reason {
  const [id, because] = isJsonObject(entry) ? [entry['id'], entry['because']] : [];
  if (typeof id !== 'string' || typeof because !== 'string')
    throw new Error(`unobservable.yaml: an entry lacks id or because: ${JSON.stringify(entry)}`);
  if (because.trim().length < minReasonLength)
    throw new Error(`unobservable.yaml: the reason for ${id} says too little`);
  return { id, because: because.replace(/\s+/g, ' ').trim() };
}
