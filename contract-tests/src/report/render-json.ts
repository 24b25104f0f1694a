import type { ConformanceReport } from './report.ts';

/** The text of `result.json`; its JSON Schema is `contract-tests/result.schema.json`. */
export function renderJson(report: ConformanceReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
