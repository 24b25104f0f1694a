import { parseJsonObject } from '../content.ts';
import { cut } from '../diagnostics.ts';

/** The categories of the Model Router API (MR-CTG-01 to MR-CTG-24). */
const categories = [
  'invalid_input',
  'content_policy_violation',
  'provider_error',
  'provider_timeout',
  'insufficient_credits',
  'model_not_found',
  'unauthorized',
  'forbidden',
  'concurrency_limit_exceeded',
  'client_disconnected',
  'internal_error',
  'deadline_exceeded',
  'not_enabled',
  'service_unavailable',
  'rate_limited',
  'cancelled',
  'queue_timeout',
  'request_not_found',
] as const;
export type ErrorCategory = (typeof categories)[number];

export type ErrorWords = {
  /** What decisions branch on; `internal_error` where neither word is a category, or none came (MR-ERR-28). */
  readonly category: ErrorCategory;
  /** The words as they came, printable: one where header and body agree. Undefined without a word. */
  readonly raw: string | undefined;
};

const longestWord = 64;

/** The category of an error response: of its header, else of its body. */
export function readErrorWords(header: string | undefined, body: Uint8Array): ErrorWords {
  const words = { header, body: readBodyWord(body) };
  const category = [words.header, words.body].flatMap((word) => categories.find((one) => one === word) ?? [])[0];
  const named = Object.entries(words).flatMap(([place, word]) =>
    word === undefined ? [] : [{ place, word: printableWord(word) }],
  );
  const [first, second] = named;
  const isAgreed = first?.word === second?.word || second === undefined;
  const raw = isAgreed ? first?.word : named.map(({ place, word }) => `${word} in the ${place}`).join(', ');
  return { category: category ?? 'internal_error', raw };
}

function readBodyWord(bytes: Uint8Array): string | undefined {
  const word = parseJsonObject(bytes)?.['error_type'];
  return typeof word === 'string' ? word : undefined;
}

function printableWord(word: string): string {
  return cut(word, longestWord).replace(/[^\x21-\x7e]/g, '?');
}
