import { type Reply, routerError, withServiceHeaders } from '../http/handler.ts';
import { droppedParamsHeader } from '../models/convert-for-alternate.ts';
import type { ProviderResponse } from '../provider/provider-response.ts';
import { refusals, validationFailed } from './errors.ts';

/** The reply for a provider's response; run and collect send the same bytes for a result (MR-COL-06). */
export function toReply(response: ProviderResponse): Reply {
  const { upstreamStatus } = response;
  const outcome = replyToOutcome(response);
  if (response.kind === 'result' || upstreamStatus === undefined) return outcome;
  return withServiceHeaders(outcome, { 'Upstream-Status': String(upstreamStatus) });
}

function replyToOutcome(response: ProviderResponse): Reply {
  switch (response.kind) {
    case 'result':
      return resultReply(response);
    case 'refused-input':
      return validationFailed(response.entries);
    case 'refused-request':
      return routerError(400, 'invalid_input', 'The provider turned the request down.');
    case 'content-policy':
      // Its status is not documented: NS-18.
      return routerError(
        400,
        'content_policy_violation',
        'The provider refused the request on content-policy grounds.',
      );
    case 'failed':
      return routerError(502, 'provider_error', 'The provider reported a failure.');
    case 'uninterpretable':
      return routerError(502, 'provider_error', 'The provider’s response could not be turned into a result.');
    case 'timed-out':
      return routerError(504, 'provider_timeout', 'The provider did not answer within its deadline.');
    case 'router-failed':
      return response.errorType === 'internal_error' ? refusals.internalError : refusals.serviceUnavailable;
  }
}

function resultReply(response: ProviderResponse & { kind: 'result' }): Reply {
  const result: Reply = {
    status: 200,
    headers: { 'Content-Type': response.mediaType, 'X-Content-Type-Options': 'nosniff' },
    serviceHeaders: {},
    body: response.bytes,
  };
  return withServiceHeaders(result, {
    ...(response.dropped.length === 0 ? {} : { 'Router-Dropped-Params': droppedParamsHeader(response.dropped) }),
    ...(response.isFallback ? { 'Router-Fallback-Provider': response.servedBy } : {}),
    ...(response.creditsUsed === undefined ? {} : { 'Credits-Used': String(response.creditsUsed) }),
  });
}

/** What a proxy between router and caller sends in place of the first reply. */
export function proxiedReply({ status, mediaType, body }: NonNullable<ProviderResponse['intercepted']>): Reply {
  return { status, headers: { 'Content-Type': mediaType }, serviceHeaders: {}, body, isProxied: true };
}
