import { type Answer, jsonAnswer, withServiceHeaders } from '../answer.ts';
import { droppedParamsHeader } from '../models/convert-for-alternate.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';
import type { ProviderAnswer } from '../provider/provider.ts';
import { internalError, refuse, serviceUnavailable } from './refusals.ts';

/** What a provider's answer becomes on the wire; run and collect send a result alike, to the byte (MR-COL-06). */
export function answerOfProvider(answer: ProviderAnswer): Answer {
  const { upstreamStatus } = answer;
  const outcome = answerOfOutcome(answer);
  if (answer.kind === 'result' || upstreamStatus === undefined) return outcome;
  return withServiceHeaders(outcome, { 'Upstream-Status': String(upstreamStatus) });
}

function answerOfOutcome(answer: ProviderAnswer): Answer {
  switch (answer.kind) {
    case 'result':
      return resultAnswer(answer);
    case 'refused-input':
      return validationAnswer(answer.entries);
    case 'refused-request':
      return refuse({ status: 400, errorType: 'invalid_input', detail: 'The provider turned the request down.' });
    case 'content-policy':
      // Its status is not documented: NS-18.
      return refuse({
        status: 400,
        errorType: 'content_policy_violation',
        detail: 'The provider refused the request on content-policy grounds.',
      });
    case 'failed':
      return refuse({ status: 502, errorType: 'provider_error', detail: 'The provider reported a failure.' });
    case 'uninterpretable':
      return refuse({
        status: 502,
        errorType: 'provider_error',
        detail: 'The provider’s response could not be turned into a result.',
      });
    case 'timed-out':
      return refuse({
        status: 504,
        errorType: 'provider_timeout',
        detail: 'The provider did not answer within its deadline.',
      });
    case 'router-failed':
      return answer.errorType === 'internal_error' ? internalError : serviceUnavailable;
  }
}

/** The category of a 422 stands in the header alone (MR-ERR-22). */
export function validationAnswer(entries: readonly ValidationEntry[]): Answer {
  return withServiceHeaders(jsonAnswer(422, { detail: [...entries] }), { 'Error-Type': 'invalid_input' });
}

function resultAnswer(answer: ProviderAnswer & { kind: 'result' }): Answer {
  const result: Answer = {
    status: 200,
    headers: { 'Content-Type': answer.mediaType, 'X-Content-Type-Options': 'nosniff' },
    serviceHeaders: {},
    body: answer.bytes,
  };
  return withServiceHeaders(result, {
    ...(answer.dropped.length === 0 ? {} : { 'Router-Dropped-Params': droppedParamsHeader(answer.dropped) }),
    ...(answer.isFallback ? { 'Router-Fallback-Provider': answer.servedBy } : {}),
    ...(answer.creditsUsed === undefined ? {} : { 'Credits-Used': String(answer.creditsUsed) }),
  });
}
