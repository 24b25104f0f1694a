import { listReadings } from '../contract/rule.ts';
import { printTime } from '../wire/system-clock.ts';
import { renderTemplate } from './render-html.ts';
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
  const suites = [...Map.groupBy(report.results, ({ family }) => family)].map(([name, results]) => ({
    name,
    cases: results.map(describeCase),
    properties: results.map(({ ruleId, requirements, ...result }) => {
      return { name: ruleId, value: [...requirements, ...listReadings(result)].join(' ') };
    }),
    notes: results.flatMap(({ ruleId, outcome }) =>
      outcome.kind === 'observed' ? [`${ruleId}: ${outcome.observation}`] : [],
    ),
  }));
  const problems = (report.waiverProblems ?? []).map(({ rule, kind, message }): Case => {
    return { name: rule, durationMs: 0, tag: 'failure', type: kind, message, text: message };
  });
  if (problems.length > 0) suites.push({ name: 'waivers', cases: problems, properties: [], notes: [] });
  const xml = renderTemplate('junit', {
    coverage: describeCoverage(report),
    // The Ant schema allows no time zone.
    timestamp: printTime(report.startedAtMs).slice(0, 19),
    suites: suites.map((suite, id) => viewSuite(suite, String(id))),
  });
  return removeNoncharacters(xml);
}

type Suite = {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  readonly notes: readonly string[];
};

/** Returns the values of the template for a suite. */
function viewSuite({ name, cases, properties, notes }: Suite, id: string) {
  const countTag = (wanted: Case['tag']): string => String(cases.filter(({ tag }) => tag === wanted).length);
  return {
    id,
    name,
    properties,
    notes: notes.join('\n'),
    tests: String(cases.length),
    failures: countTag('failure'),
    errors: countTag('error'),
    skipped: countTag('skipped'),
    time: printSeconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    cases: cases.map(({ tag, durationMs, ...shown }) => ({
      ...shown,
      time: printSeconds(durationMs),
      isSkipped: tag === 'skipped',
      isFailure: tag === 'failure',
      isError: tag === 'error',
    })),
  };
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

/** Replaces the two characters that XML 1.0 forbids and that the template engine keeps. */
function removeNoncharacters(xml: string): string {
  return xml.replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
}
