import type { BodyRecord, ExchangeRecord } from './report.ts';

const bodyShown = 2_000;
/** Of every other text; a finding quotes one line or two. */
const textShown = 400;

/** A redacted part of a report with its long texts cut. */
export function cutTexts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? cutText(part) : part));
}

function cutText(text: string): string {
  return text.length <= textShown ? text : `${text.slice(0, textShown - 1)}…`;
}

/** Addresses and headers stay whole: they were sent or read within bounds of their own. */
export function cutExchange({ request, response, ...facts }: ExchangeRecord): ExchangeRecord {
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
