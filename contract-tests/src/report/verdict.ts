import { type ConformanceReport, exitCodeOf, failuresOf } from './report.ts';

/** The whole run in a few words, with how many of its rules it speaks of. */
export function verdictOf(report: ConformanceReport): string {
  const code = exitCodeOf(report);
  const failures = failuresOf(report).length;
  const { rules, checked } = report.coverage;
  const reach = checked === rules ? `${rules} rules` : `${checked} of ${rules} rules`;
  if (report.reachability.kind === 'unreachable')
    return checked === 0
      ? 'The target could not be checked'
      : `The target could not be checked to the end: checked ${reach}`;
  if (failures > 0) return `${failures} of ${checked} checked rules failed`;
  if (code === 1) return 'A waiver is wrong';
  if (code === 3) return 'Some rules could not be decided';
  if (code === 4) return `Incomplete: checked ${reach}`;
  const waived = report.results.filter(({ waiver }) => waiver !== undefined).length;
  const beside = waived === 0 ? '' : `, but for ${waived} with a waiver`;
  return `${checked === rules ? 'Conforms' : 'Conforms in what was checked'}: ${reach}${beside}`;
}
