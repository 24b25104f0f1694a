import { create } from 'xmlbuilder2';
import { visibleText } from '../../../specs/src/index.ts';
import { listReadings } from '../contract/readings.ts';
import { type ConformanceReport, listFailures, type RuleResult, reasonOf } from './report.ts';
import { classify, describeCoverage, describeFinding } from './view.ts';

/** JUnit XML: a suite per family. Rules that did not run or are waived are `skipped`; `errored` and `setup-failed` ones are `error`. */
export function renderJunit(report: ConformanceReport): string {
  const problems = report.waiverProblems ?? [];
  const families = Map.groupBy(report.results, ({ family }) => family);
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: `switchyard conform ${report.target.kind}`,
    tests: String(report.results.length + problems.length),
    failures: String(listFailures(report).length + problems.length),
    errors: String(report.counts.errored + report.counts['setup-failed']),
    time: printSeconds(report.durationMs),
  });
  root.ele('properties').ele('property', { name: 'coverage', value: escapeXml(describeCoverage(report)) });
  for (const [family, results] of families) {
    const suite = root.ele('testsuite', describeSuite(family, results));
    for (const result of results) addCase(suite, result);
  }
  if (problems.length > 0) {
    const count = String(problems.length);
    const suite = root.ele('testsuite', { name: 'waivers', tests: count, failures: count, errors: '0', skipped: '0' });
    for (const { rule, kind, message } of problems)
      suite
        .ele('testcase', { name: escapeXml(rule), classname: 'waivers' })
        .ele('failure', { message: escapeXml(message), type: kind });
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

function describeSuite(name: string, results: readonly RuleResult[]): Record<string, string> {
  const tags = results.map(chooseTag);
  const count = (tag: string): string => String(tags.filter((one) => one === tag).length);
  const durationMs = results.reduce((sum, result) => sum + result.durationMs, 0);
  return {
    name,
    tests: String(results.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: printSeconds(durationMs),
  };
}

function addCase(suite: ReturnType<ReturnType<typeof create>['ele']>, result: RuleResult): void {
  const { ruleId, family, outcome, requirements, sentence, waiver, durationMs } = result;
  const element = suite.ele('testcase', { name: ruleId, classname: family, time: printSeconds(durationMs) });
  const properties = element.ele('properties');
  properties.ele('property', { name: 'requirements', value: requirements.join(' ') });
  const readings = listReadings(result).join(' ');
  if (readings !== '') properties.ele('property', { name: 'readings', value: readings });
  properties.ele('property', { name: 'sentence', value: escapeXml(sentence) });
  const tag = chooseTag(result);
  const waived = waiver === undefined ? '' : `waived until ${waiver.expires} by ${waiver.owner}: ${waiver.reason}; `;
  const message = escapeXml(`${waived}${outcome.kind}: ${reasonOf(outcome)}`);
  if (tag === 'failure' && outcome.kind === 'failed') {
    element
      .ele(tag, { message, type: outcome.findings[0]?.code ?? '' })
      .txt(escapeXml([sentence, ...outcome.findings.flatMap(describeFinding)].join('\n')));
  } else if (tag !== undefined) {
    element.ele(tag, { message });
  } else if (outcome.kind === 'observed') {
    element.ele('system-out').txt(message);
  }
}

function chooseTag(result: RuleResult): 'failure' | 'error' | 'skipped' | undefined {
  const { kind } = result.outcome;
  if (kind === 'errored' || kind === 'setup-failed') return 'error';
  return (
    { passed: undefined, observed: undefined, failed: 'failure', waived: 'skipped', unchecked: 'skipped' } as const
  )[classify(result)];
}

function printSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Without what XML 1.0 cannot express or a viewer does not show; the writer escapes the rest. */
function escapeXml(text: string): string {
  return visibleText(text).replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
}
