import type { BodyRecord, ConformanceReport, ExchangeRecord, RuleResult } from './report.ts';

const bodyShown = 2_000;
/** Of every other text; a finding quotes one line or two. */
const textShown = 400;

/** A redacted report with its long texts cut. */
export function cutReport(report: ConformanceReport): ConformanceReport {
  const { results, ...rest } = report;
  return { ...cutTexts(rest), results: results.map(cutResult) };
}

export function cutResult({ evidence, ...rest }: RuleResult): RuleResult {
  return { ...cutTexts(rest), evidence: evidence.map(cutExchange) };
}

function cutTexts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? cutText(part) : part));
}

function cutText(text: string): string {
  return text.length <= textShown ? text : `${text.slice(0, textShown - 1)}…`;
}

// Addresses and headers stay whole: they were sent or read within bounds of their own.
function cutExchange({ request, response, ...facts }: ExchangeRecord): ExchangeRecord {
  return {
    ...facts,
    request: { ...request, body: cutBody(request.body) },
    response: response.kind === 'response' ? { ...response, body: cutBody(response.body) } : cutTexts(response),
  };
}

function cutBody(body: BodyRecord): BodyRecord {
  if (body.kind !== 'text') return body;
  return { ...body, text: body.text.slice(0, bodyShown), isCut: body.isCut || body.text.length > bodyShown };
}
