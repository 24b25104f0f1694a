import { create } from 'xmlbuilder2';
import { visibleText } from '../../../specs/src/index.ts';
import { listReadings } from '../contract/rule.ts';
import { printTime } from '../wire/system-clock.ts';
import { type ConformanceReport, type RuleResult, reasonOf } from './report.ts';
import { classify, describeCoverage, describeFinding, describeReliedSettings } from './view.ts';

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
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites');
  const suites = [...Map.groupBy(report.results, ({ family }) => family)].map(([name, results]) => ({
    name,
    cases: results.map(describeCase),
    properties: results.map((result) => [result.ruleId, [...result.requirements, ...listReadings(result)].join(' ')]),
    notes: results.flatMap(({ ruleId, outcome }) =>
      outcome.kind === 'observed' ? [`${ruleId}: ${outcome.observation}`] : [],
    ),
  }));
  const problems = (report.waiverProblems ?? []).map(({ rule, kind, message }): Case => {
    return { name: rule, durationMs: 0, tag: 'failure', type: kind, message, text: message };
  });
  if (problems.length > 0) suites.push({ name: 'waivers', cases: problems, properties: [], notes: [] });
  for (const [id, { name: classname, cases, properties, notes }] of suites.entries()) {
    const countTag = (wanted: Case['tag']): string => String(cases.filter(({ tag }) => tag === wanted).length);
    const suite = root.ele('testsuite', {
      name: classname,
      tests: String(cases.length),
      failures: countTag('failure'),
      errors: countTag('error'),
      skipped: countTag('skipped'),
      time: printSeconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
      package: 'switchyard.conform',
      id: String(id),
      // The Ant schema allows no time zone.
      timestamp: printTime(report.startedAtMs).slice(0, 19),
      hostname: 'localhost',
    });
    const listed = suite.ele('properties');
    listed.ele('property', { name: 'coverage', value: escapeXml(describeCoverage(report)) });
    for (const [name = '', value = ''] of properties) listed.ele('property', { name, value });
    for (const { name, durationMs, tag, type, message, text } of cases) {
      const element = suite.ele('testcase', { name: escapeXml(name), classname, time: printSeconds(durationMs) });
      if (tag === 'skipped') element.ele(tag, { message: escapeXml(message) });
      else if (tag !== undefined) element.ele(tag, { message: escapeXml(message), type }).txt(escapeXml(text));
    }
    suite.ele('system-out').txt(escapeXml(notes.join('\n')));
    suite.ele('system-err');
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

function describeCase(result: RuleResult): Case {
  const { ruleId: name, outcome, sentence, waiver, waivedBy, durationMs } = result;
  const waived = waiver === undefined ? '' : `waived until ${waiver.expires} by ${waiver.owner}: ${waiver.reason}; `;
  const blocked = waivedBy === undefined ? '' : `waived because ${waivedBy} is waived; `;
  const found = outcome.kind === 'failed' ? outcome.findings : [];
  const isError = waiver === undefined && (outcome.kind === 'errored' || outcome.kind === 'setup-failed');
  const tags = {
    passed: undefined,
    observed: undefined,
    failed: 'failure',
    waived: 'skipped',
    unchecked: 'skipped',
  } as const;
  return {
    name,
    durationMs,
    tag: isError ? 'error' : tags[classify(result)],
    type: found[0]?.code ?? outcome.kind,
    message: `${waived}${blocked}${outcome.kind}: ${reasonOf(outcome)}`,
    text: [sentence, ...describeReliedSettings(result), ...found.flatMap(describeFinding)].join('\n'),
  };
}

function printSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Removes characters that XML 1.0 cannot express or viewers do not display; the XML writer escapes other characters. */
function escapeXml(text: string): string {
  return visibleText(text).replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
}
