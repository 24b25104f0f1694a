import { outcomeKinds } from '../contract/finding.ts';
import { kinds, type RequisiteKind, requisites } from '../requires.ts';
import { type ConformanceReport, reasonOf } from './report.ts';

const linesShown = 5;
const settingsShown = 3;

/** `checked 168 of 476 rules (35 %)`. */
export function coverageLine({ coverage: { rules, checked } }: ConformanceReport): string {
  return `checked ${checked} of ${rules} rules (${percentOf({ rules, checked })} %)`;
}

/** Rounded down: 100 is all. */
export function percentOf({ rules, checked }: { readonly rules: number; readonly checked: number }): number {
  return rules === 0 ? 0 : Math.floor((checked / rules) * 100);
}

type Lacking = ConformanceReport['coverage']['lacking'];
const rowsByNeed = new Map(requisites.map((row) => [row.need, row]));

/** Why rules were not checked and what would change it, in five lines at most; `rest`: where the others are. */
export function uncheckedLines(report: ConformanceReport, rest: string): readonly string[] {
  const lacking = report.coverage.lacking.filter(
    ({ needs: [need] }) => !outcomeKinds.some((kind) => kind === need), // these have lines of their own
  );
  const isMock = report.target.kind === 'mock'; // nobody gives it anything
  const groups = [...Map.groupBy(lacking, ({ needs }) => (isMock ? undefined : causeOf(needs)))]
    .map(([cause, group]) => ({ group, cause, rules: rulesIn(group) }))
    .toSorted((one, other) => other.rules - one.rules);
  const shown = groups.length > linesShown ? groups.slice(0, linesShown - 1) : groups;
  const left = groups.slice(shown.length).reduce((sum, { rules }) => sum + rules, 0);
  return [
    ...shown.map(({ group, cause, rules }) => {
      const also = rulesIn(group.filter(({ needs }) => needs.some((need) => rowsByNeed.get(need)?.kind !== cause)));
      const more = cause === undefined || also === 0 ? '' : `; other settings are missing for ${also} of them`;
      return `not checked: ${plural(rules)}: ${textOf(cause, group, report)}${more}`;
    }),
    ...(left > 0 ? [`not checked: ${left} more ${left === 1 ? 'rule' : 'rules'}: see ${rest}`] : []),
  ];
}

function causeOf(needs: readonly string[]): RequisiteKind | undefined {
  const missing = needs.map((need) => rowsByNeed.get(need)?.kind);
  return kinds.find((kind) => missing.includes(kind));
}

function rulesIn(lacking: Lacking): number {
  return lacking.reduce((sum, { rules }) => sum + rules.length, 0);
}

function plural(rules: number): string {
  return `${rules} ${rules === 1 ? 'rule' : 'rules'}`;
}

function textOf(cause: RequisiteKind | undefined, group: Lacking, report: ConformanceReport): string {
  const given = group.flatMap(({ needs }) => needs.filter((need) => rowsByNeed.get(need)?.kind === cause));
  const settings = [...new Set(given.flatMap((need) => rowsByNeed.get(need)?.setting ?? []))];
  switch (cause) {
    case 'address':
      return `no address of the ${settings.map((flag) => flag.slice(2, -'-url'.length)).join(' or ')} API is given; add ${settings.map((flag) => `${flag} URL`).join(' and ')}`;
    case 'hook':
      return 'test hooks are missing; add --hooks URL of a test deployment that has them (docs/test-hooks.md)';
    case 'budget':
      return `a paid run may start; ${budgetText(settings, report)}`;
    case 'credential':
      return `a credential is missing; add to conform.live.credentials ${listed(settings.map((name) => name.replace('conform.live.credentials.', '')))}`;
    case 'job':
      return `a job is missing; add ${listed(settings)}`;
    default: {
      const [first, ...others] = group.toSorted((one, other) => other.rules.length - one.rules.length);
      const reason = `${first?.needs.join(' and ')}${others.length === 0 ? '' : ', and others'}`;
      return report.target.kind === 'mock'
        ? `a mock cannot show this (${reason}); --target sandbox can`
        : `no occasion in this run: ${reason}`;
    }
  }
}

function budgetText(settings: readonly string[], { budget }: ConformanceReport): string {
  const { runs = 0, needed } = budget ?? {};
  const add =
    needed !== undefined && needed <= runs ? `the budget of ${runs} was spent` : `add --budget ${needed ?? 'N'}`;
  return settings.includes('conform.live.models')
    ? `${add}, and name in conform.live.models the models whose runs may be paid`
    : add;
}

function listed(settings: readonly string[]): string {
  const more = settings.length - settingsShown;
  return `${settings.slice(0, settingsShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The rules without a verdict by name, under their reasons. */
export function skippedLines(report: ConformanceReport): readonly string[] {
  const skipped = report.results.filter(({ outcome }) => ['not-applicable', 'not-observable'].includes(outcome.kind));
  return [...Map.groupBy(skipped, ({ outcome }) => reasonOf(outcome))]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([reason, results]) => [
      `not checked: ${plural(results.length)}: ${reason}`,
      ...results.map(({ ruleId }) => `    ${ruleId}`),
    ]);
}
