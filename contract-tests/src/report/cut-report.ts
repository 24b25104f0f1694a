import type { BodyRecord, ConformanceReport, ExchangeRecord, RuleResult } from './report.ts';

const bodyShown = 2_000;
/** Of every other text; a finding quotes one line or two. */
const textShown = 400;

/** A redacted report with its long texts cut. */
export function cutReport(report: ConformanceReport): ConformanceReport {
  const { reachability, discovery, missingRequired, results, ...rest } = report;
  return {
    ...rest,
    ...cutTexts({ reachability, discovery, missingRequired }),
    results: results.map((result): RuleResult => {
      const { evidence, outcome, ...facts } = result;
      return { ...facts, outcome: cutTexts(outcome), evidence: evidence.map(cutExchange) };
    }),
  };
}

function cutTexts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? cutText(part) : part));
}

function cutText(text: string): string {
  return text.length <= textShown ? text : `${text.slice(0, textShown - 1)}…`;
}

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
