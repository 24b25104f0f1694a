import type { Log, ReportingDescriptor, Result } from 'sarif';
import { visibleText } from '../../../specs/src/index.ts';
import { describeBasis } from '../contract/rule.ts';
import type { ConformanceReport, FindingRecord, RuleResult } from './report.ts';
import { citeRequirement, describeFinding } from './view.ts';

/** Maximum number of findings per rule. GitHub code scanning accepts 5,000 results and 10 MB. */
const maxFindings = 10;

/** Renders SARIF 2.1.0: a rule for each rule that ran, a result for each finding. Waived findings are suppressed. */
export function renderSarif(report: ConformanceReport): string {
  const results = report.results.flatMap((result, index) =>
    result.outcome.kind === 'failed'
      ? result.outcome.findings.slice(0, maxFindings).map((finding) => describeResult(result, finding, index))
      : [],
  );
  const waivers = (report.waiverProblems ?? []).map(
    ({ rule, kind, message }): Result => ({
      ruleId: `waiver.${kind}`,
      level: 'error',
      message: { text: escapeSarif(`waiver of ${rule}: ${message}`) },
    }),
  );
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'switchyard conform', rules: report.results.map((result) => describeRule(result, report)) },
        },
        columnKind: 'utf16CodeUnits',
        results: [...results, ...waivers],
      },
    ],
  };
  return `${JSON.stringify(log, null, 1)}\n`;
}

function describeRule(result: RuleResult, report: ConformanceReport): ReportingDescriptor {
  const { ruleId, sentence, requirements, family } = result;
  const cited = [describeBasis(result), ...requirements.map((id) => citeRequirement(id, report))];
  return {
    id: ruleId,
    shortDescription: { text: escapeSarif(sentence) },
    fullDescription: { text: escapeSarif(cited.join('\n')) },
    properties: { tags: [family] },
  };
}

function describeResult(result: RuleResult, finding: FindingRecord, ruleIndex: number): Result {
  const { seen } = finding;
  const { waiver } = result;
  return {
    ruleId: result.ruleId,
    ruleIndex,
    level: 'error',
    message: { text: escapeSarif(describeFinding(finding).join('\n')) },
    // Code scanning only displays results with a file.
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: `exchanges/${result.ruleId}.json` } },
        logicalLocations: [{ name: visibleText(seen === undefined ? finding.at.step : `${seen.method} ${seen.url}`) }],
      },
    ],
    partialFingerprints: { 'cause/v1': visibleText(`${result.ruleId} ${finding.cause}`) },
    ...(waiver && {
      suppressions: [
        {
          kind: 'external' as const,
          status: 'accepted' as const,
          justification: visibleText(`${waiver.reason} (${waiver.owner}, until ${waiver.expires})`),
        },
      ],
    }),
  };
}

/** Escapes brackets, because they make links in SARIF messages. Braces need no escaping without arguments. */
function escapeSarif(text: string): string {
  return visibleText(text).replace(/[\\[\]]/g, '\\$&');
}
