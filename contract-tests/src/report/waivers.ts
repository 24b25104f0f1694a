import { type Document, isMap, isSeq, parse, parseDocument } from 'yaml';
import { isJsonObject } from '../../../specs/src/index.ts';
import { type Concern, concerns, rankConcern } from '../contract/concerns.ts';
import { HarnessError } from '../contract/errors.ts';
import type { RuleId } from '../contract/rule.ts';
import {
  type AppliedWaiver,
  type ConformanceReport,
  listFailures,
  type RuleResult,
  type WaiverProblem,
} from './report.ts';

/** An accepted deviation: until the day `expires` (inclusive), the rule may fail, or its setup may fail. */
export type Waiver = AppliedWaiver & { readonly rule: string };

const members = ['rule', 'reason', 'owner', 'expires'] as const;
const optional = ['outcome', 'concern'] as const;

/** Parses a list, or a map with the list `waivers`, in YAML or JSON. Throws `HarnessError` on other content. */
export function parseWaivers(text: string, name: string): readonly Waiver[] {
  let value: unknown;
  try {
    // The schema `core` keeps dates as strings. Aliases could make a small file huge, and warnings would print raw
    // lines.
    value = parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'error' });
  } catch (cause) {
    throw new HarnessError(`${name} is not valid YAML: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  const list = isJsonObject(value) ? value['waivers'] : value;
  if (!Array.isArray(list))
    throw new HarnessError(`${name} must be a list of waivers, or a map with the list "waivers"`);
  const waivers = list.map((entry: unknown, index) => parseWaiver(entry, `${name}: waiver ${index + 1}`));
  const twice = waivers.find(({ rule }, index) => waivers.findIndex((one) => one.rule === rule) !== index);
  if (twice !== undefined) throw new HarnessError(`${name}: there are two waivers for ${twice.rule}`);
  return waivers;
}

function parseWaiver(entry: unknown, place: string): Waiver {
  if (!isJsonObject(entry)) throw new HarnessError(`${place} must be a map`);
  const read = (member: (typeof members)[number]): string => {
    const value = entry[member];
    if (typeof value !== 'string' || value.trim() === '')
      throw new HarnessError(`${place} has no ${member}; each waiver needs rule, reason, owner and expires`);
    return value.trim();
  };
  const other = Object.keys(entry).find((key) => ![...members, ...optional].some((one) => one === key));
  if (other !== undefined) throw new HarnessError(`${place} has the unknown member ${JSON.stringify(other)}`);
  const expires = read('expires');
  const [, month, day] = /^\d{4}-(\d{2})-(\d{2})$/.exec(expires) ?? [];
  if (!(Number(day) >= 1 && Number(day) <= (daysOfMonths[Number(month) - 1] ?? 0)))
    throw new HarnessError(`${place}: expires must be a date such as 2030-01-31`);
  const { outcome, concern } = entry;
  if (outcome !== undefined && outcome !== 'setup-failed')
    throw new HarnessError(`${place}: outcome must be setup-failed, or omitted for a rule that fails`);
  const known = concernNames.find((one) => one === concern);
  if (concern !== undefined && known === undefined)
    throw new HarnessError(`${place}: concern must be one of ${concernNames.join(', ')}, or omitted`);
  return {
    ...{ rule: read('rule'), reason: read('reason'), owner: read('owner'), expires },
    ...(outcome && { outcome }),
    ...(known && { concern: known }),
  };
}

const concernNames = Object.keys(concerns) as readonly Concern[]; // `Object.keys` loses the type of the keys.

/** Returns the most severe concern of the findings of a rule. */
function findGravest({ outcome }: RuleResult): Concern | undefined {
  if (outcome.kind !== 'failed') return undefined;
  return outcome.findings
    .map(({ concern }) => concern)
    .toSorted((one, other) => rankConcern(one) - rankConcern(other))[0];
}

/** A wrong category of a refusal is accepted under the same rule as a call that is not refused, but is not as severe. */
function accepts({ outcome, concern }: AppliedWaiver, result: RuleResult): boolean {
  const gravest = findGravest(result);
  const isGraver = concern !== undefined && gravest !== undefined && rankConcern(gravest) < rankConcern(concern);
  return result.outcome.kind === (outcome ?? 'failed') && !isGraver;
}

const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `today`: a date such as `2030-01-31`. `ruleIds`: all existing rules, including those that this check did not select. */
export type WaiverContext = { readonly today: string; readonly ruleIds: ReadonlySet<string> };

export function applyWaivers(
  report: ConformanceReport,
  waivers: readonly Waiver[],
  { today, ruleIds }: WaiverContext,
): ConformanceReport {
  const outcomes = new Map(report.results.map(({ ruleId, outcome }) => [ruleId, outcome.kind]));
  const findProblem = ({ rule, owner, expires }: Waiver): readonly WaiverProblem[] => {
    if (!ruleIds.has(rule))
      return [{ rule, kind: 'unknown-rule', message: `there is no rule with this id (owner: ${owner})` }];
    // ISO dates sort as strings.
    if (expires < today) return [{ rule, kind: 'expired', message: `it expired on ${expires} (owner: ${owner})` }];
    const isPassed = outcomes.get(rule) === 'passed';
    return isPassed ? [{ rule, kind: 'passed', message: `the rule passed: remove the waiver (owner: ${owner})` }] : [];
  };
  const inForce = new Map(
    waivers.filter(({ expires }) => expires >= today).map(({ rule, ...applied }) => [rule, applied]),
  );
  const waived = report.results.map((result) => {
    const waiver = inForce.get(result.ruleId);
    return waiver !== undefined && accepts(waiver, result) ? { ...result, waiver } : result;
  });
  const results = withBlocked(waived);
  const isAccepted = new Set(results.flatMap(({ ruleId, waiver, waivedBy }) => ((waiver ?? waivedBy) ? ruleId : [])));
  return {
    ...report,
    results,
    missingRequired: report.missingRequired.filter(({ ruleId }) => !isAccepted.has(ruleId)),
    waiverProblems: waivers.flatMap(findProblem),
  };
}

function withBlocked(results: readonly RuleResult[]): readonly RuleResult[] {
  const byId = new Map(results.map((result) => [result.ruleId, result]));
  const findWaived = ({ ruleId, outcome, waiver }: RuleResult): RuleId | undefined => {
    if (waiver !== undefined) return ruleId;
    const blocking = outcome.kind === 'blocked' ? byId.get(outcome.by) : undefined;
    return blocking && findWaived(blocking);
  };
  return results.map((result) => {
    const waivedBy = result.waiver === undefined ? findWaived(result) : undefined;
    return waivedBy === undefined ? result : { ...result, waivedBy };
  });
}

const heading = ' Findings that are known and accepted until they expire. Remove an entry when its rule passes.';

/**
 * Returns the text of a waiver file that accepts every rule that has no waiver and that failed or whose setup failed.
 * Of `existing`, which must be valid for `parseWaivers`, it keeps the order, the comments, and the waivers that are
 * still needed or are for rules outside of this check.
 */
export function renderBaseline(report: ConformanceReport, given: AppliedWaiver, existing?: string): string {
  const document: Document = parseDocument(existing ?? `#${heading}\nwaivers: []\n`, { schema: 'core' });
  const list = isMap(document.contents) ? document.contents.get('waivers') : document.contents;
  if (!isSeq(list)) throw new HarnessError('the waiver file has no list to add to');
  const unprepared = report.missingRequired.filter(({ outcome }) => outcome === 'setup-failed');
  const accepted = new Map<RuleId, Pick<AppliedWaiver, 'outcome' | 'concern'>>([
    ...listFailures(report).map((result) => {
      const concern = findGravest(result);
      return [result.ruleId, concern === undefined ? {} : { concern }] as const;
    }),
    ...unprepared.map(({ ruleId }) => [ruleId, { outcome: 'setup-failed' }] as const),
  ]);
  const useless = (report.waiverProblems ?? []).filter(({ kind, rule }) => kind !== 'expired' && !accepted.has(rule));
  const dropped = new Set(useless.map(({ rule }) => rule));
  const known = list.items.flatMap((item) => (isMap(item) ? [{ item, rule: String(item.get('rule')).trim() }] : []));
  const renewed = known.filter(({ rule }) => accepted.has(rule));
  for (const { item, rule } of renewed) {
    for (const name of optional) item.delete(name);
    for (const [name, value] of Object.entries({ ...given, ...accepted.get(rule) })) item.set(name, value);
  }
  const gone = known.filter(({ rule }) => dropped.has(rule));
  if (existing !== undefined && gone.length + accepted.size === 0) return existing;
  list.items = list.items.filter((item) => !gone.some((one) => one.item === item));
  if (list.items.length === 0) list.flow = false;
  const isRenewed = new Set(renewed.map(({ rule }) => rule));
  for (const [rule, outcome] of accepted)
    if (!isRenewed.has(rule)) list.add(document.createNode({ rule, ...given, ...outcome }));
  // Keep the indentation of the file, and don't wrap long lines.
  const indentSeq = existing === undefined || !/^waivers:[^\n]*\n-/m.test(existing);
  return document.toString({ lineWidth: 0, indentSeq });
}
