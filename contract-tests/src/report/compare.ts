import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSchema, isJsonObject, packageRoot, type Violation } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import { parseJson } from '../contract/evidence.ts';
import { isDecided } from './coverage.ts';
import type { ComparedFinding, Comparison, ConformanceReport, ResultFile } from './report.ts';

type Results = readonly Pick<ResultFile['results'][number], 'ruleId' | 'outcome'>[];

/** Compares the findings of a report with those of an earlier one. Findings with the same rule and cause are equal. */
export function withComparison(
  report: ConformanceReport,
  { results: earlier }: { readonly results: Results },
): ConformanceReport {
  const before = indexFindings(earlier);
  const now = indexFindings(report.results);
  const wasChecked = collectCheckedRules(earlier);
  const isChecked = collectCheckedRules(report.results);
  const isComparable = (ruleId: string): boolean => wasChecked.has(ruleId) && isChecked.has(ruleId);
  const select = (findings: typeof now, isKept: (key: string) => boolean): readonly ComparedFinding[] =>
    [...findings].flatMap(([key, finding]) => (isKept(key) && isComparable(finding.ruleId) ? finding : []));
  const comparison: Comparison = {
    new: select(now, (key) => !before.has(key)),
    fixed: select(before, (key) => !now.has(key)),
    lasting: select(now, (key) => before.has(key)),
    notCompared: [...new Set([...wasChecked, ...isChecked])].filter((ruleId) => !isComparable(ruleId)).length,
  };
  return { ...report, comparison };
}

function indexFindings(results: Results): ReadonlyMap<string, ComparedFinding> {
  return new Map(
    results.flatMap(({ ruleId, outcome }) =>
      outcome.kind === 'failed'
        ? outcome.findings.map(({ cause }) => [`${ruleId}\n${cause}`, { ruleId, cause }] as const)
        : [],
    ),
  );
}

const collectCheckedRules = (results: Results): ReadonlySet<string> =>
  new Set(results.filter(({ outcome }) => isDecided(outcome)).map(({ ruleId }) => ruleId));

/** Parses a `result.json` and validates it against its schema. Throws `HarnessError` for any other file or version. */
export function parseResult(text: string, name: string): ResultFile {
  const value: unknown = parseJson(text);
  if (value === undefined) throw new HarnessError(`${name} is not JSON`);
  const [violation] = listViolations(value);
  if (violation !== undefined)
    throw new HarnessError(
      `${name} is not a result.json of this version of conform: ${violation.pointer} ${violation.message}`,
    );
  // The schema check guarantees the type.
  return value as ResultFile;
}

// Validates one result at a time, because the validator limits its steps and a whole report exceeds the limit.
function listViolations(value: unknown): readonly Violation[] {
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'contract-tests/result.schema.json'), 'utf8'));
  const checkHead = compileSchema(schema, { root: schema });
  if (!isJsonObject(value) || !Array.isArray(value['results'])) return checkHead(value);
  const checkResult = compileSchema({ $ref: '#/$defs/result' }, { root: schema });
  return [...checkHead({ ...value, results: [] }), ...value['results'].flatMap((result) => checkResult(result))];
}
