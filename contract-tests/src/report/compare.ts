import type { ComparedFinding, Comparison, ConformanceReport, ResultFile } from './report.ts';

type Results = readonly Pick<ResultFile['results'][number], 'ruleId' | 'outcome'>[];

/** The report with its findings beside those of an earlier one. A finding is a rule that fails by a cause. */
export function withComparison(
  report: ConformanceReport,
  { results: earlier }: { readonly results: Results },
): ConformanceReport {
  const before = listFindings(earlier);
  const now = listFindings(report.results);
  const wasChecked = listChecked(earlier);
  const isChecked = listChecked(report.results);
  const isComparable = ({ ruleId }: ComparedFinding): boolean => wasChecked.has(ruleId) && isChecked.has(ruleId);
  const comparable = [...now].filter(([, finding]) => isComparable(finding));
  const either = new Set([...wasChecked, ...isChecked]);
  const comparison: Comparison = {
    new: comparable.filter(([key]) => !before.has(key)).map(([, finding]) => finding),
    fixed: [...before].filter(([key, finding]) => !now.has(key) && isComparable(finding)).map(([, finding]) => finding),
    lasting: comparable.filter(([key]) => before.has(key)).map(([, finding]) => finding),
    notCompared: [...either].filter((ruleId) => !wasChecked.has(ruleId) || !isChecked.has(ruleId)).length,
  };
  return { ...report, comparison };
}

function listFindings(results: Results): ReadonlyMap<string, ComparedFinding> {
  return new Map(
    results.flatMap(({ ruleId, outcome }) =>
      outcome.kind === 'failed'
        ? outcome.findings.map(({ cause }) => [`${ruleId}\n${cause}`, { ruleId, cause }] as const)
        : [],
    ),
  );
}

function listChecked(results: Results): ReadonlySet<string> {
  const kinds = ['passed', 'failed', 'observed'];
  return new Set(results.filter(({ outcome }) => kinds.includes(outcome.kind)).map(({ ruleId }) => ruleId));
}
