import { create } from 'xmlbuilder2';
import type { OutcomeRecord } from '../definitions/finding.ts';
import { coverageLine } from './render-coverage.ts';
import { type ConformanceReport, findingLine, type RuleResult, reasonOf } from './report.ts';

/** JUnit XML: a suite per family. Rules that did not run are `skipped`; `errored` and `setup-failed` ones are `error`. */
export function renderJunit(report: ConformanceReport): string {
  const families = Map.groupBy(report.results, ({ family }) => family);
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: `switchyard conform ${report.target.kind}`,
    tests: String(report.results.length),
    failures: String(report.counts.failed),
    errors: String(report.counts.errored + report.counts['setup-failed']),
    time: seconds(report.durationMs),
  });
  root.ele('properties').ele('property', { name: 'coverage', value: xmlSafe(coverageLine(report)) });
  for (const [family, results] of families) {
    const suite = root.ele('testsuite', suiteAttributes(family, results));
    for (const result of results) addCase(suite, result);
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

type Element = ReturnType<ReturnType<typeof create>['ele']>;

function suiteAttributes(name: string, results: readonly RuleResult[]): Record<string, string> {
  const tags = results.map(({ outcome }) => tagOf(outcome));
  const count = (tag: string): string => String(tags.filter((one) => one === tag).length);
  const durationMs = results.reduce((sum, result) => sum + result.durationMs, 0);
  return {
    name,
    tests: String(results.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
  };
}

function addCase(suite: Element, { ruleId, family, outcome, requirements, durationMs }: RuleResult): void {
  const element = suite.ele('testcase', { name: ruleId, classname: family, time: seconds(durationMs) });
  element.ele('properties').ele('property', { name: 'requirements', value: requirements.join(' ') });
  const tag = tagOf(outcome);
  const message = xmlSafe(`${outcome.kind}: ${reasonOf(outcome)}`);
  if (tag === 'failure' && outcome.kind === 'failed') {
    element
      .ele(tag, { message, type: outcome.findings[0]?.code ?? '' })
      .txt(xmlSafe(outcome.findings.map(findingLine).join('\n')));
  } else if (tag !== undefined) {
    element.ele(tag, { message });
  } else if (outcome.kind === 'observed') {
    element.ele('system-out').txt(message);
  }
}

function tagOf(outcome: OutcomeRecord): 'failure' | 'error' | 'skipped' | undefined {
  switch (outcome.kind) {
    case 'passed':
    case 'observed':
      return undefined;
    case 'failed':
      return 'failure';
    case 'errored':
    case 'setup-failed':
      return 'error';
    case 'blocked':
    case 'not-observable':
    case 'not-applicable':
      return 'skipped';
  }
}

// XML 1.0 cannot express most control characters and lone surrogates.
function xmlSafe(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
