import { listReadings } from '../contract/rule.ts';
import { printTime } from '../wire/system-clock.ts';
import { renderTemplate } from './render-html.ts';
import { type ConformanceReport, type RuleResult, reasonOf } from './report.ts';
import { classify, describeCoverage, describeFinding, describeSettingsReliedOn } from './view.ts';

type Case = Readonly<Record<'name' | 'type' | 'message' | 'text', string>> & {
  readonly durationMs: number;
  readonly tag: 'failure' | 'error' | 'skipped' | undefined;
};

/**
 * Renders JUnit XML that is valid for both Jenkins and Ant, because JUnit has no official schema. There is one suite
 * per family. Its properties list requirements and readings, and its output lists observations. Rules that did not run
 * or are waived are `skipped`; `errored` and `setup-failed` rules are `error`.
 */
export function renderJunit(report: ConformanceReport): string {
  const suites = [...Map.groupBy(report.results, ({ family }) => family)].map(([name, results]) => ({
    ...viewSuite(name, results.map(describeCase)),
    properties: results.map(({ ruleId, requirements, ...result }) => {
      return { name: ruleId, value: [...requirements, ...listReadings(result)].join(' ') };
    }),
    notes: results
      .flatMap(({ ruleId, outcome }) => (outcome.kind === 'observed' ? [`${ruleId}: ${outcome.observation}`] : []))
      .join('\n'),
  }));
  const problems = (report.waiverProblems ?? []).map(({ rule, kind, message }): Case => {
    return { name: rule, durationMs: 0, tag: 'failure', type: kind, message, text: message };
  });
  const xml = renderTemplate('junit', {
    coverage: describeCoverage(report),
    // The Ant schema allows no time zone.
    timestamp: printTime(report.startedAtMs).slice(0, 19),
    suites:
      problems.length === 0 ? suites : [...suites, { ...viewSuite('waivers', problems), properties: [], notes: '' }],
  });
  // XML 1.0 forbids these two characters, and the template engine keeps them.
  return xml.replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
}

function viewSuite(name: string, cases: readonly Case[]) {
  const countTag = (wanted: Case['tag']): string => String(cases.filter(({ tag }) => tag === wanted).length);
  return {
    name,
    tests: String(cases.length),
    failures: countTag('failure'),
    errors: countTag('error'),
    skipped: countTag('skipped'),
    time: printSeconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    cases: cases.map(({ tag, durationMs, ...shown }) => ({
      ...shown,
      time: printSeconds(durationMs),
      isSkipped: tag === 'skipped',
      tag: tag === 'skipped' ? undefined : tag,
    })),
  };
}

function describeCase(result: RuleResult): Case {
  const { ruleId: name, outcome, sentence, waiver, waivedBy, durationMs } = result;
  const waived = waiver === undefined ? '' : `waived until ${waiver.expires} by ${waiver.owner}: ${waiver.reason}; `;
  const blocked = waivedBy === undefined ? '' : `waived because ${waivedBy} is waived; `;
  const findings = outcome.kind === 'failed' ? outcome.findings : [];
  return {
    name,
    durationMs,
    tag: findTag(result),
    type: findings[0]?.code ?? outcome.kind,
    message: `${waived}${blocked}${outcome.kind}: ${reasonOf(outcome)}`,
    text: [sentence, ...describeSettingsReliedOn(result), ...findings.flatMap(describeFinding)].join('\n'),
  };
}

function findTag(result: RuleResult): Case['tag'] {
  const { outcome, waiver } = result;
  if (waiver === undefined && (outcome.kind === 'errored' || outcome.kind === 'setup-failed')) return 'error';
  const shown = classify(result);
  if (shown === 'passed' || shown === 'observed') return undefined;
  return shown === 'failed' ? 'failure' : 'skipped';
}

function printSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
