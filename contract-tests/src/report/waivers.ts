import * as v from 'valibot';
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

const concernNames = Object.keys(concerns) as readonly Concern[]; // `Object.keys` loses the type of the keys.

const text = v.pipe(v.string('must be a text'), v.trim(), v.nonEmpty('must not be empty'));
const waiverSchema = v.strictObject(
  {
    rule: text,
    reason: text,
    owner: text,
    expires: v.pipe(text, v.isoDate('must be a date such as 2030-01-31')),
    outcome: v.exactOptional(v.literal('setup-failed', 'must be setup-failed, or omitted for a rule that fails')),
    concern: v.exactOptional(v.picklist(concernNames, `must be one of ${concernNames.join(', ')}, or omitted`)),
  },
  ({ expected, received }) => {
    if (expected === 'Object') return 'must be a map';
    if (expected === 'never') return `has the unknown member ${received}`;
    return `has no ${String(expected).replaceAll('"', '')}; each waiver needs rule, reason, owner and expires`;
  },
);

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
  const { success, output, issues } = v.safeParse(waiverSchema, entry, { abortEarly: true, abortPipeEarly: true });
  if (success) return output;
  const [{ type, path, message }] = issues;
  throw new HarnessError(type === 'strict_object' ? `${place} ${message}` : `${place}: ${path?.[0].key} ${message}`);
}

/** Returns the most severe concern of the findings of a rule. */
function findMostSevere({ outcome }: RuleResult): Concern | undefined {
  if (outcome.kind !== 'failed') return undefined;
  return outcome.findings
    .map(({ concern }) => concern)
    .toSorted((one, other) => rankConcern(one) - rankConcern(other))[0];
}

/** Checks the concern, because one rule reports both a wrong error category and a call that should have been rejected. */
function accepts({ outcome, concern }: AppliedWaiver, result: RuleResult): boolean {
  const mostSevere = findMostSevere(result);
  const isTooSevere =
    concern !== undefined && mostSevere !== undefined && rankConcern(mostSevere) < rankConcern(concern);
  return result.outcome.kind === (outcome ?? 'failed') && !isTooSevere;
}

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
    // An incomplete check, such as one of an empty catalog, may not have seen the response that violates the rule.
    const isPassed = outcomes.get(rule) === 'passed' && report.shortfalls.length === 0;
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
 * `existing`: text of a waiver file that `parseWaivers` accepts. Its order and comments are kept, and so are waivers that
 * are still needed or are for rules outside of this check.
 */
export function renderBaseline(report: ConformanceReport, given: AppliedWaiver, existing?: string): string {
  const document: Document = parseDocument(existing ?? `#${heading}\nwaivers: []\n`, { schema: 'core' });
  const list = isMap(document.contents) ? document.contents.get('waivers') : document.contents;
  if (!isSeq(list)) throw new HarnessError('the waiver file has no list to add to');
  const unprepared = report.missingRequired.filter(({ outcome }) => outcome === 'setup-failed');
  const accepted = new Map<RuleId, Pick<AppliedWaiver, 'outcome' | 'concern'>>([
    ...listFailures(report).map((result) => {
      const concern = findMostSevere(result);
      return [result.ruleId, concern === undefined ? {} : { concern }] as const;
    }),
    ...unprepared.map(({ ruleId }) => [ruleId, { outcome: 'setup-failed' }] as const),
  ]);
  const useless = (report.waiverProblems ?? []).filter(({ kind, rule }) => kind !== 'expired' && !accepted.has(rule));
  const dropped = new Set(useless.map(({ rule }) => rule));
  const entries = list.items.flatMap((item) => (isMap(item) ? [{ item, rule: String(item.get('rule')).trim() }] : []));
  const renewed = entries.filter(({ rule }) => accepted.has(rule));
  for (const { item, rule } of renewed) {
    for (const name of ['outcome', 'concern']) item.delete(name);
    for (const [name, value] of Object.entries({ ...given, ...accepted.get(rule) })) item.set(name, value);
  }
  const removed = entries.filter(({ rule }) => dropped.has(rule));
  if (existing !== undefined && removed.length + accepted.size === 0) return existing;
  list.items = list.items.filter((item) => !removed.some((one) => one.item === item));
  if (list.items.length === 0) list.flow = false;
  const isRenewed = new Set(renewed.map(({ rule }) => rule));
  for (const [rule, outcome] of accepted)
    if (!isRenewed.has(rule)) list.add(document.createNode({ rule, ...given, ...outcome }));
  // Keep the indentation of the file, and don't wrap long lines.
  const indentSeq = existing === undefined || !/^waivers:[^\n]*\n-/m.test(existing);
  return document.toString({ lineWidth: 0, indentSeq });
}
