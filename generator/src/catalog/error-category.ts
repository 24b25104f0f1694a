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
  /** `, error type rate_limited`, with the words as they came where they say more; empty without a word. */
  readonly description: string;
};

const longestWord = 64;

/** The category of an error response: of its header, else of its body. */
export function readErrorWords(header: string | undefined, body: Uint8Array): ErrorWords {
  const words = Object.entries({ header, body: parseJsonObject(body)?.['error_type'] });
  const named = words.flatMap(([place, word]) => (typeof word === 'string' ? [{ place, word }] : []));
  const [category = 'internal_error'] = named.flatMap(({ word }) => categories.find((one) => one === word) ?? []);
  const printed = named.map(({ place, word }) => ({ place, word: printWord(word) }));
  const [first, second = first] = printed;
  if (first === undefined) return { category, description: '' };
  const isAgreed = first.word === second?.word;
  const raw = isAgreed ? first.word : printed.map(({ place, word }) => `${word} in the ${place}`).join(', ');
  return { category, description: `, error type ${raw === category ? raw : `${category} (${raw})`}` };
}

function printWord(word: string): string {
  return cut(word, longestWord).replace(/[^\x21-\x7e]/g, '?');
}
