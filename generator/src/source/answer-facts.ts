import { type Brand, headerName, isJsonObject } from '../../../specs/src/index.ts';
import { parseJsonBody } from './json-body.ts';

type Answer = { status: number; headers: ReadonlyMap<string, string>; bytes: Uint8Array };

/** What may be told of any answer: status, media type, request id and error category; nothing of its text. */
export type AnswerFacts = { status: number; mediaType?: string; requestId?: string; errorType?: string };

export function factsOf(answer: Answer, brand: Brand): AnswerFacts {
  const mediaType = printable(answer.headers.get('content-type'));
  const requestId = printable(answer.headers.get(headerName(brand, 'Request-Id').toLowerCase()));
  const errorType = errorTypeOf(answer, brand);
  return {
    status: answer.status,
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(errorType === undefined ? {} : { errorType }),
  };
}

/** `status 503, error type service_unavailable, media type application/json`; the request id is a field of its own. */
export function describeFacts(facts: AnswerFacts): string {
  return [
    `status ${facts.status}`,
    facts.errorType === undefined ? '' : `error type ${facts.errorType}`,
    `media type ${facts.mediaType ?? 'not given'}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function errorTypeOf(answer: Answer, brand: Brand): string | undefined {
  const fromHeader = answer.headers.get(headerName(brand, 'Error-Type').toLowerCase());
  if (fromHeader !== undefined) return categoryWord(fromHeader);
  if (answer.status < 400) return undefined;
  const body = parseJsonBody(answer.bytes, undefined);
  const word = body.kind === 'json' && isJsonObject(body.value) ? body.value['error_type'] : undefined;
  return typeof word === 'string' ? categoryWord(word) : undefined;
}

function categoryWord(word: string): string | undefined {
  return /^[a-z_]{1,64}$/.test(word) ? word : undefined;
}

function printable(value: string | undefined): string | undefined {
  return value === undefined ? undefined : value.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
