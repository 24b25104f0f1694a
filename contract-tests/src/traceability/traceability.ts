import type { Requirement } from '../../../specs/src/index.ts';
import type { ListedRule } from '../conform.ts';
import type { DeclaredFault } from '../self-check/self-check.ts';
import type { Reason } from './unobservable.ts';

export type Traced = {
  readonly rules: readonly Pick<ListedRule, 'id' | 'requirements'>[];
  readonly faults: readonly DeclaredFault[];
  readonly requirements: readonly Requirement[];
  readonly reasons: readonly Reason[];
};

type Row = {
  readonly requirement: Requirement;
  readonly rules: readonly string[];
  readonly faults: readonly string[];
  readonly because: string | undefined;
};

/** Of a requirement that shows in exchanges, what is missing: a rule or a reason; and reasons nobody needs. */
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

/** The Markdown of `docs/requirements.md`: requirement → rules → faults, family by family. The same input gives the same text. */
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

function idsByRequirement(
  cited: readonly { readonly id: string; readonly requirements: readonly string[] }[],
): ReadonlyMap<string, readonly string[]> {
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
