import {
  creditsUsed,
  droppedParams,
  fallbackProvider,
  type Reply,
  routerError,
  upstreamStatus,
  withHeaders,
} from '../http/messages.ts';
import { droppedParamsHeader } from '../models/convert-for-alternate.ts';
import type { FailureName, Intercepted, ProviderResponse } from '../provider/provider-response.ts';
import { refusals, validationFailed } from './errors.ts';

const failed: Readonly<Record<Exclude<FailureName, 'refused_input'>, Reply>> = {
  refused_request: routerError(400, 'invalid_input', 'The provider turned the request down.'),
  // Its status is not documented: OP-018.
  content_policy_violation: routerError(
    400,
    'content_policy_violation',
    'The provider refused the request on content-policy grounds.',
  ),
  provider_error: routerError(502, 'provider_error', 'The provider reported a failure.'),
  uninterpretable: routerError(502, 'provider_error', 'The provider’s response could not be turned into a result.'),
  provider_timeout: routerError(504, 'provider_timeout', 'The provider did not answer within its deadline.'),
  internal_error: refusals.internalError,
  service_unavailable: refusals.serviceUnavailable,
};

/** The reply for a provider's response; run and collect send the same bytes for a result (MR-COL-06). */
export function toReply(response: ProviderResponse): Reply {
  const { kind, upstreamStatus: status } = response;
  if (kind === 'result') {
    const { bytes, mediaType, dropped, isFallback, servedBy, creditsUsed: credits } = response;
    const headers = {
      'Content-Type': mediaType,
      'X-Content-Type-Options': 'nosniff',
      ...(dropped.length === 0 ? {} : { [droppedParams]: droppedParamsHeader(dropped) }),
      ...(isFallback ? { [fallbackProvider]: servedBy } : {}),
      ...(credits === undefined ? {} : { [creditsUsed]: String(credits) }),
    };
    return { status: 200, headers, body: bytes };
  }
  const { message, entries = [] } = response;
  const described = message === undefined ? undefined : routerError(502, 'provider_error', message);
  const reply = kind === 'refused_input' ? validationFailed(entries) : (described ?? failed[kind]);
  return status === undefined ? reply : withHeaders(reply, { [upstreamStatus]: String(status) });
}

/** The reply that a proxy between router and caller sends instead of the first reply. */
export function proxiedReply({ status, mediaType, body }: Intercepted): Reply {
  return { status, headers: { 'Content-Type': mediaType }, body, isProxied: true };
}
